# SPDX-License-Identifier: Apache-2.0
"""clconv bloom --resolution 1/2 and 1/4 against its definition (docs/conventions.md) in double, and against full resolution."""

import json
from itertools import product

import numpy as np
import pytest
from scipy.signal import fftconvolve
from support.full import mostly_full
from support.images import as_integers, as_values, picture, read_image, write_image, write_psf
from support.reference import assert_same_floats, source
from support.tool import fail, succeed
from test_bloom import bright, night
from test_linear import decoded, encoded

FACTORS = {"1/2": 2, "1/4": 4}


def gaussian(sigma, size, sigma_y=None):
    x = np.arange(size) - size // 2
    psf = np.outer(np.exp(-(x**2) / 2 / (sigma_y or sigma) ** 2), np.exp(-(x**2) / 2 / sigma**2))
    return psf / psf.sum()


PSF = gaussian(9, 61, 7)


def tent(factor):
    half = 2 * np.arange(factor) + 1
    return np.concatenate([half, half[::-1]]) / (2 * factor**2)


def resizing(count, factor):
    """One axis of the integrals of the linear interpolation over pixels `factor` times as large; odd counts."""
    middle = count // 2
    side = int(np.ceil((middle + 0.5) / factor - 0.5))

    def integral(t):
        t = np.clip(t, -1, 1)
        return np.where(t < 0, (1 + t) ** 2 / 2, 1 - (1 - t) ** 2 / 2)

    left = (np.arange(-side, side + 1)[:, None] - 0.5) * factor + middle - np.arange(count)[None, :]
    return integral(left + factor) - integral(left)


def sharpened(psf, factor):
    """Both axes times 1 / sinc^n up to the fourth power of the frequency, never negative, of the same sum."""
    boxes = 5 + 4 / factor**2
    a = boxes / 24
    b = boxes / 2880 + a * a / 2
    second = np.array([-1, 2, -1.0])
    taps = (b + a / 12) * np.convolve(second, second)
    taps[1:4] += a * second
    taps[2] += 1
    result = np.maximum(fftconvolve(psf, np.outer(taps, taps)), 0)
    return result * psf.sum() / result.sum()


def small_psf(psf, factor):
    small = resizing(psf.shape[0], factor) @ psf @ resizing(psf.shape[1], factor).T
    return sharpened(small * psf.sum() / small.sum(), factor)


def extended(taken, rows, columns, border, outside=0.0):
    name = border.partition(":")[0]
    at = [[source(name, n, count) for n in positions] for positions, count in zip((rows, columns), taken.shape)]
    values = taken[np.ix_(*[[n or 0 for n in axis] for axis in at])]
    inside = np.outer(*[[n is not None for n in axis] for axis in at])
    return np.where(inside[..., None], values, outside)


def interpolation(count, factor):
    """Samples from small ones -1, 0, 1, ..., linearly; the centre of small sample i is factor i + (factor - 1) / 2."""
    at = (np.arange(count) - (factor - 1) / 2) / factor
    matrix = np.zeros((count, (count - 1) // factor + 3))
    left = np.floor(at).astype(int)
    matrix[np.arange(count), left + 1] = 1 - (at - left)
    matrix[np.arange(count), left + 2] = at - left
    return matrix


def coarse_glow(taken, psf, factor, border="mirror", outside=0.0):
    small = small_psf(psf, factor)
    sizes = [(count - 1) // factor + 3 for count in taken.shape[:2]]
    firsts = [-1 - (size // 2) for size in small.shape]
    counts = [results + size - 1 for results, size in zip(sizes, small.shape)]
    positions = [factor * first - factor // 2 + np.arange(factor * (n + 1)) for first, n in zip(firsts, counts)]
    all_of_it = extended(taken, *positions, border, outside)
    shrinking = []
    for n in counts:
        matrix = np.zeros((n, factor * (n + 1)))
        for i in range(n):
            matrix[i, factor * i : factor * (i + 2)] = tent(factor)
        shrinking.append(matrix)
    across = [interpolation(count, factor) for count in taken.shape[:2]]
    glow = []
    for channel in np.moveaxis(all_of_it, 2, 0):
        convolved = fftconvolve(shrinking[0] @ channel @ shrinking[1].T, small, mode="valid")
        glow.append(across[0] @ convolved @ across[1].T)
    return np.stack(glow, axis=-1)


def bloom(image, factor, mix="add", scatter=0.2, tint=(1, 1, 1), border="mirror", outside=0.0, **highlights):
    taken, leaving = bright(image, **highlights)
    intensity = 1 if mix == "lerp" else 0.6
    glow = intensity * np.array(tint)[: image.shape[-1]] * coarse_glow(taken, PSF, factor, border, outside)
    if mix == "lerp":
        return image - scatter * leaving + scatter * glow
    return image + glow * (1 - np.clip(image, 0, 1) if mix == "screen" else 1)


def run(folder, image, resolution, *options, name="a.tif", psf=PSF):
    write_image(folder / "in" / name, image)
    write_psf(folder / "psf.txt", psf)
    words = ("bloom", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", "--resolution", resolution, *options)
    said = succeed(*words, cwd=folder)
    return read_image(folder / "out" / name), said.err


# Each mix in each shape and at each resolution, and each shape at each resolution: every program is one of its own.
@pytest.mark.parametrize(
    "mix, shape, resolution",
    mostly_full(
        [
            ("add", "lanes=8", "1/2"),
            ("add", "lanes=1", "1/4"),
            ("screen", "lanes=8", "1/4"),
            ("screen", "lanes=1", "1/2"),
            ("lerp", "lanes=8", "1/2"),
            ("lerp", "lanes=1", "1/4"),
        ],
        [("add", "lanes=8", "1/2"), ("screen", "lanes=8", "1/4"), ("lerp", "lanes=1", "1/4")],
    ),
)
def test_floats_of_odd_extents_in_both_shapes(tmp_path, resolution, shape, mix):
    image = night(71, 53)
    image[30:34, 10:14, 1] -= 0.7  # below 0, where a screen has no more room than at 0
    settings = dict(threshold=0.3, knee=0.7, clamp=20, boost=2)
    options = [word for name, value in settings.items() for word in (f"--{name}", value)]
    border = "zero" if mix == "lerp" else "mirror"  # of an empty border, rows and columns are left out
    options += ["--mix", mix, "--tint", "1,0.6,0.2", "--border", border, "--decide", shape]
    out, err = run(tmp_path, image, resolution, *options)
    expected = bloom(as_values(image), FACTORS[resolution], mix, tint=(1, 0.6, 0.2), border=border, **settings)
    assert_same_floats(out, expected, tolerance=4e-6)
    assert "narrow" not in err


# Each type in each light and at each resolution, and each light at each resolution.
@pytest.mark.parametrize(
    "dtype, light, resolution",
    mostly_full(
        [
            (np.uint8, "--linear", "1/2"),
            (np.uint8, "--stored", "1/4"),
            (np.uint16, "--linear", "1/4"),
            (np.uint16, "--stored", "1/2"),
            (np.float16, "--linear", "1/2"),
            (np.float16, "--stored", "1/4"),
        ],
        [(np.uint8, "--linear", "1/2"), (np.uint16, "--stored", "1/2"), (np.float16, "--stored", "1/4")],
    ),
)
def test_every_type(tmp_path, resolution, dtype, light):
    image = night(70, 50)
    image = (image * 0.1).astype(dtype) if dtype == np.float16 else as_integers(image, dtype)
    values = as_values(image)
    is_code = dtype != np.float16 and light == "--linear"
    out, _ = run(tmp_path, image, resolution, light, name="a.exr" if dtype == np.float16 else "a.tif")
    expected = bloom(decoded(values) if is_code else values, FACTORS[resolution], threshold=0.8, boost=0 if dtype == np.float16 else 4)
    if dtype == np.float16:
        np.testing.assert_allclose(as_values(out), expected, rtol=1e-3, atol=1e-4)
        return
    top = np.iinfo(dtype).max
    expected = np.clip(encoded(expected) if is_code else expected, 0, 1) * top
    assert abs(out - expected).max() <= 0.5 + 4e-5 * top


@pytest.mark.parametrize(
    "resolution, border",
    mostly_full(
        product(FACTORS, ["zero", "constant:0.9", "clamp", "wrap", "reflect", "renormalize"]),
        [("1/2", "zero"), ("1/4", "constant:0.9"), ("1/4", "wrap"), ("1/2", "renormalize")],
    ),
)
def test_borders_lie_where_they_do_at_full_resolution(tmp_path, resolution, border):
    """Extents that the factor does not divide: half a block at the edge is no excuse."""
    image = night(45, 31)
    outside = bright(np.full((1, 3), 0.9), 0.4)[0][0, 0] if "constant" in border else 0.0
    out, _ = run(tmp_path, image, resolution, "--border", border, "--threshold", "0.4", "--boost", "0")
    taken, _ = bright(as_values(image), 0.4)
    glow = coarse_glow(taken, PSF, FACTORS[resolution], border, outside)
    if border == "renormalize":
        glow /= fftconvolve(np.ones(image.shape[:2]), PSF, mode="same")[..., None]
    assert_same_floats(out, as_values(image) + 0.6 * glow, border, tolerance=4e-6)


@pytest.mark.parametrize("resolution", mostly_full(FACTORS, ["1/4"]))
def test_a_wide_glow_is_that_of_full_resolution(tmp_path, resolution):
    image = as_integers(night(90, 66), np.uint8)
    full, _ = run(tmp_path, image, "1")
    out, _ = run(tmp_path, image, resolution)
    assert (full.astype(int) - image).max() > 20, "the test must see a glow"
    assert abs(full.astype(int) - out).max() <= {"1/2": 1, "1/4": 2}[resolution]


@pytest.mark.parametrize("resolution", mostly_full(FACTORS, ["1/2"]))
def test_a_lerp_keeps_the_sum_of_light(tmp_path, resolution):
    image = night(48, 36)
    options = ("--mix", "lerp", "--scatter", "0.8", "--border", "wrap", "--threshold", "0.5")
    out, _ = run(tmp_path, image, resolution, *options)
    before = image.astype(np.float64)
    assert abs(out - before).max() > 1, "the test must see light move"
    np.testing.assert_allclose(out.sum(axis=(0, 1), dtype=np.float64), before.sum(axis=(0, 1)), rtol=2e-6)


def test_alpha_stays_and_a_mask_holds(tmp_path):
    image = np.concatenate([night(71, 53) * 0.02, np.ones((53, 71, 1), np.float32)], axis=2)
    image[:10, :, 3] = 0.5
    mask = np.zeros((53, 71, 1), np.float32)
    mask[:, 20:] = 1
    write_image(tmp_path / "mask.tif", mask)
    out, _ = run(tmp_path, image, "1/2", "--threshold", "0.5", "--mask", "mask.tif", name="a.exr")
    np.testing.assert_array_equal(out[..., 3], image[..., 3])
    expected = np.where(mask > 0, bloom(as_values(image[..., :3]), 2, threshold=0.5), image[..., :3])
    assert_same_floats(out[..., :3], expected, tolerance=4e-6)


def test_gray_half_precision_and_two_psfs(tmp_path):
    image = night(71, 53, channels=1)
    expected = bloom(as_values(image), 2, threshold=0.8)
    out, _ = run(tmp_path, image, "1/2", "--precision", "half")
    assert_same_floats(out, expected, tolerance=1e-3)
    words = ("--psf", "psf.txt", "gaussian:12", "--output", "two", "--resolution", "1/2")
    succeed("bloom", "in", *words, cwd=tmp_path)
    assert_same_floats(read_image(tmp_path / "two/a_psf.tif"), expected, tolerance=4e-6)


def test_a_psf_that_is_too_narrow_is_warned_of(tmp_path):
    _, err = run(tmp_path, night(), "1/4", psf=gaussian(2, 17))
    assert "psf" in err and "narrow or sharp for --resolution 1/4" in err and "use --resolution 1/2 or 1" in err


def test_pieces_and_bands_have_full_resolution_and_say_so(tmp_path):
    image = night(190, 120)
    out, err = run(tmp_path, image, "1/2", "--device-memory", "500K", psf=gaussian(3, 21))
    assert "the glow has full resolution" in err
    full, _ = run(tmp_path, image, "1", psf=gaussian(3, 21))
    assert_same_floats(out, full.astype(np.float64), tolerance=1e-6)


def test_a_dry_run_shows_the_pieces_of_full_resolution(tmp_path):
    write_image(tmp_path / "in/a.exr", night(190, 120))
    words = ("bloom", "in", "--psf", "gaussian:3", "--output", "out", "--resolution", "1/2", "--device-memory", "300K")
    dry = succeed(*words, "--dry-run", cwd=tmp_path).out
    succeed(*words, "--report", "report.json", cwd=tmp_path)
    [item] = json.loads((tmp_path / "report.json").read_text())["items"]
    assert "the glow has full resolution" in dry and item["plan"] in dry


def test_a_dry_run_plans_the_small_problem_and_a_wrong_word_is_refused(tmp_path):
    write_image(tmp_path / "in/a.png", as_integers(picture(200, 120, 3), np.uint8))
    words = ("bloom", "in", "--output", "out")
    assert "planar" in succeed(*words, "--resolution", "1/2", "--dry-run", cwd=tmp_path).out
    fail(2, *words, "--resolution", "1/3", says=["--resolution 1/3", "1/2 or 1/4"], cwd=tmp_path)
