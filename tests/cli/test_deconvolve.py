# SPDX-License-Identifier: Apache-2.0
"""clconv deconvolve against its formulas (docs/deconvolution.md), by SciPy's transforms in double."""

import json
import re

import numpy as np
import pytest
from scipy import fft
from support.files_of_parts import write_pages
from support.images import as_integers, as_values, picture, random_psf, read_image, write_image, write_psf
from support.reference import BORDERS, assert_same_floats, center, convolve, source
from support.tool import ROOT, fail, succeed
from test_linear import contrasts, decoded, encoded

PSF = random_psf(7, 6)
WEIGHTS = PSF / PSF.sum()
METHODS = {"wiener": ("--nsr", 0.03), "tikhonov": ("--lambda", 0.1)}


def at_origin(weights, torus):
    """The spectrum of weights whose centre lies at 0 of a torus."""
    placed = np.zeros(torus)
    placed[: weights.shape[0], : weights.shape[1]] = weights
    return fft.fft2(np.roll(placed, [-center(count) for count in weights.shape], axis=(0, 1)))


def inverse(method, strength, weights, torus):
    psf = at_origin(weights, torus)
    laplacian = at_origin(np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]]), torus)
    regular = 1 if method == "wiener" else abs(laplacian) ** 2
    return np.conj(psf) / (abs(psf) ** 2 + strength * regular)


def sources(border, count, length, taps):
    """The image's sample at each position of a line: the image, the border behind it, and the border before it."""
    behind = center(taps) + (length - count - (taps - 1)) // 2
    return [source(border, n if n < count + behind else n - length, count) for n in range(length)]


def deconvolved(image, method, strength, border="wrap", torus=None, weights=WEIGHTS):
    """image: [row, column, channel]. torus: rows and columns of the padded image."""
    height, width = image.shape[:2]
    torus = torus or (height, width)
    outside = float(border.partition(":")[2] or 0)
    border = border.partition(":")[0]
    rows = sources(border, height, torus[0], weights.shape[0])
    columns = sources(border, width, torus[1], weights.shape[1])
    padded = np.full((*torus, image.shape[2]), outside)
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            if row is not None and column is not None:
                padded[y, x] = image[row, column]
    spectrum = fft.fft2(padded, axes=(0, 1)) * inverse(method, strength, weights, torus)[..., None]
    return fft.ifft2(spectrum, axes=(0, 1)).real[:height, :width]


def padded_size(report):
    """Rows and columns of the padded image, as the plan says."""
    width, height = re.search(r"padded (\d+)x(\d+)", json.loads(report.read_text())["items"][0]["plan"]).groups()
    return int(height), int(width)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deconvolve")
    write_psf(folder / "psf.txt", PSF)
    write_image(folder / "exact.exr", picture(128, 90, 3))
    write_image(folder / "other.exr", picture(101, 67, 3))
    return folder


@pytest.mark.parametrize("method", METHODS)
def test_with_wrap_lengths_of_radices_are_exact_circular_inverses(folder, method):
    option, strength = METHODS[method]
    words = ("--psf", "psf.txt", "--border", "wrap", "--method", method, option, strength, "--output", method)
    succeed("deconvolve", "exact.exr", *words, cwd=folder)
    expected = deconvolved(picture(128, 90, 3).astype(np.float64), method, strength)
    assert_same_floats(read_image(folder / method / "exact.exr"), expected, tolerance=1e-5)


def test_an_image_whose_sides_are_no_lines_is_warned_of_where_the_inverse_would_be_circular(folder):
    """Near its edges it differs from the circular inverse, by as much as a quarter of white in a photograph."""

    def warnings(image, *words):
        result = succeed("deconvolve", image, "--psf", "odd.txt", *words, "--overwrite", "--output", "rings", cwd=folder)
        return [line for line in result.err.splitlines() if "circular inverse" in line]

    write_psf(folder / "odd.txt", random_psf(5, 3))
    write_image(folder / "narrow.exr", picture(90, 1, 1))
    for words, named in [
        (["--border", "wrap", "--method", "wiener"], ["--border wrap", "101x67", "crop it to 100x66"]),
        (["--like", "skimage", "--method", "wiener"], ["--like skimage", "from scikit-image's", "crop it to 100x66"]),
    ]:
        (warning,) = warnings("other.exr", *words)
        assert all(word in warning for word in named), warning
        assert not warnings("exact.exr", *words)
        assert not warnings("narrow.exr", *words)
    assert not warnings("other.exr", "--border", "clamp", "--method", "wiener")
    assert not warnings("other.exr", "--border", "wrap", "--method", "rl")


@pytest.mark.parametrize("border", [border for border in BORDERS if border != "renormalize"])
def test_other_sizes_and_borders_are_inverses_of_the_padded_image(folder, border):
    name = border.partition(":")[0]
    words = ("--psf", "psf.txt", "--border", border, "--nsr", 0.03, "--output", name, "--report", f"{name}.json")
    succeed("deconvolve", "other.exr", *words, cwd=folder)
    torus = padded_size(folder / f"{name}.json")
    assert torus >= (67 + PSF.shape[0] - 1, 0) and torus[1] >= 101 + PSF.shape[1] - 1
    expected = deconvolved(picture(101, 67, 3).astype(np.float64), "wiener", 0.03, border, torus)
    assert_same_floats(read_image(folder / name / "other.exr"), expected, tolerance=1e-5)


def test_a_psf_for_each_colour_is_undone_colour_by_colour(folder):
    psf = random_psf(5, 5, 3)
    write_image(folder / "colours.exr", psf.astype(np.float32))
    words = ("--psf", "colours.exr", "--border", "wrap", "--nsr", 0.03, "--output", "by_colour")
    succeed("deconvolve", "exact.exr", *words, cwd=folder)
    image = picture(128, 90, 3).astype(np.float64)
    weights = psf.astype(np.float32).astype(np.float64)
    expected = np.concatenate(
        [deconvolved(image[..., c : c + 1], "wiener", 0.03, weights=weights[..., c] / weights[..., c].sum()) for c in range(3)],
        axis=2,
    )
    assert_same_floats(read_image(folder / "by_colour/exact.exr"), expected, tolerance=1e-5)


@pytest.mark.parametrize("is_stored", [False, True])
def test_codes_are_worked_on_in_linear_light_unless_they_are_to_stay(folder, is_stored):
    """An inverse is darker than black and brighter than white at edges. That is clamped, and counted beyond a code."""
    dtype = np.uint16 if is_stored else np.uint8
    top = np.iinfo(dtype).max
    codes = as_integers(contrasts(128, 90), dtype)
    write_image(folder / "codes.png", codes)
    words = ("--psf", "psf.txt", "--border", "wrap", "--nsr", 0.1, *(["--stored"] if is_stored else []))
    succeed("deconvolve", "codes.png", *words, "--output", "light", "--overwrite", "--report", "light.json", cwd=folder)
    values = as_values(codes)
    expected = deconvolved(values if is_stored else decoded(values), "wiener", 0.1)
    expected = (expected if is_stored else encoded(expected)) * top
    assert abs(read_image(folder / "light/codes.png") - np.clip(expected, 0, top)).max() < 0.5 + 1e-4 * top
    fewest, most = (((expected > top + 1 + near) | (expected < -1 - near)).sum() for near in (1e-4 * top, -1e-4 * top))
    assert fewest <= json.loads((folder / "light.json").read_text())["items"][0]["overflowed"] <= most
    assert (expected < -1).sum() > 100 < (expected > top + 1).sum() and most - fewest < 10


def test_a_blurred_photograph_comes_nearer_to_what_it_was(folder):
    photograph = ROOT / "data/images/harbour.jpg"
    succeed("run", photograph, "--psf", "disc:3.5", "--linear", "--format", "png", "--depth", "u16", "--output", "blurred",
            cwd=folder)  # fmt: skip
    was = as_values(read_image(photograph))

    def error(path):
        return np.sqrt(np.mean((as_values(read_image(path)) - was) ** 2))

    before = error(folder / "blurred/harbour.png")
    for method, words in {"wiener": ("--nsr", 0.001), "tikhonov": ("--lambda", 0.001)}.items():
        words = ("--psf", "disc:3.5", "--method", method, *words, "--output", f"sharp_{method}")
        succeed("deconvolve", "blurred/harbour.png", *words, cwd=folder)
        assert error(folder / f"sharp_{method}/harbour.png") < 0.9 * before  # its clipped lights leave rings


def test_mix_blends_the_result_with_the_image(folder):
    words = ("--psf", "psf.txt", "--border", "wrap", "--nsr", 0.03, "--mix", 0.25, "--output", "mixed")
    succeed("deconvolve", "exact.exr", *words, cwd=folder)
    image = picture(128, 90, 3).astype(np.float64)
    expected = 0.75 * image + 0.25 * deconvolved(image, "wiener", 0.03)
    assert_same_floats(read_image(folder / "mixed/exact.exr"), expected, tolerance=1e-5)


def test_it_undoes_a_correlation_too(folder):
    image = picture(128, 90, 1)
    blurred = convolve(image, WEIGHTS, "wrap", correlate=True).astype(np.float32)
    write_image(folder / "correlated.exr", blurred)
    words = ("--psf", "psf.txt", "--border", "wrap", "--nsr", 0.03, "--correlate", "--output", "back")
    succeed("deconvolve", "correlated.exr", *words, cwd=folder)
    rotated = np.zeros((WEIGHTS.shape[0] + 1, WEIGHTS.shape[1]))  # an even size has its centre elsewhere when it is rotated
    rotated[1:] = WEIGHTS[::-1, ::-1]
    expected = deconvolved(blurred.astype(np.float64), "wiener", 0.03, weights=rotated)
    assert_same_floats(read_image(folder / "back/correlated.exr"), expected, tolerance=1e-5)


def test_a_dry_run_shows_the_plan_of_the_inverse(folder):
    said = succeed("deconvolve", "other.exr", "--psf", "psf.txt", "--method", "wiener", "--output", "dry", "--dry-run", cwd=folder).out
    assert "everywhere" in said and " fft" in said
    assert not (folder / "dry").exists()


def test_a_psf_of_several_planes_is_an_error_unless_one_is_chosen(folder):
    planes = [np.roll(random_psf(5, 5), shift).astype(np.float32) for shift in range(3)]
    write_pages(folder / "stack.tif", planes)
    says = ["stack.tif", "3 planes", "--psf-part", "3-D tool"]
    fail(2, "deconvolve", "exact.exr", "--psf", "stack.tif", "--output", "out", says=says, cwd=folder)
    words = ("--border", "wrap", "--nsr", 0.03, "--psf", "stack.tif", "--psf-part", 1, "--output", "chosen")
    succeed("deconvolve", "exact.exr", *words, cwd=folder)
    weights = planes[1].astype(np.float64)
    image = picture(128, 90, 3).astype(np.float64)
    expected = deconvolved(image, "wiener", 0.03, weights=weights / weights.sum())
    assert_same_floats(read_image(folder / "chosen/exact.exr"), expected, tolerance=1e-5)


@pytest.mark.parametrize(
    "options, code, says",
    [
        (["--method", "lucy"], 2, ["--method", "lucy", "wiener", "tikhonov", "rl"]),
        (["--method", "fft"], 2, ["--method", "fft"]),
        (["--nsr", "-1"], 2, ["--nsr"]),
        (["--nsr", "much"], 2, ["--nsr", "much", "auto"]),
        (["--method", "rl", "--nsr", "0.1"], 2, ["--nsr", "wiener"]),
        (["--method", "rl", "--lambda", "0.1"], 2, ["--lambda", "tikhonov"]),
        (["--method", "wiener", "--lambda", "0.1"], 2, ["--lambda", "tikhonov"]),
        (["--nsr", "0.1", "--lambda", "0.1"], 2, ["--lambda", "tikhonov"]),
        (["--like", "skimage", "--nsr", "0.1"], 2, ["--nsr", "--like skimage", "--lambda"]),
        (["--nonfinite", "interpolate"], 2, ["--nonfinite interpolate"]),
        (["--mode", "full"], 2, ["--mode"]),
        (["--method", "wiener", "--border", "renormalize"], 2, ["--border renormalize", "another border"]),
        (["--method", "wiener", "--precision", "half"], 2, ["--precision half", "float or double"]),
        (["--method", "wiener", "--memory-limit", "1M"], 1, ["one piece"]),
    ],
)
def test_what_an_inverse_cannot_do_is_named(folder, options, code, says):
    image = "exact.exr"
    if "--memory-limit" in options:
        image = "large.tif"
        write_image(folder / image, np.zeros((3000, 3000, 3), np.uint8))
    fail(code, "deconvolve", image, "--psf", "psf.txt", "--output", "never", *options, says=says, cwd=folder)


@pytest.mark.parametrize("command", ["deconvolve", "bloom"])
def test_a_command_that_needs_every_sample_does_not_offer_to_interpolate(command):
    text = succeed(command, "--help").out
    about = text[text.index("--nonfinite HOW") :]
    about = about[: about.index("(default:")]
    assert "propagate" in about and "interpolate" not in about


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("side", [3, 5])
def test_frequencies_that_the_psf_has_not_are_left_out(tmp_path, side, precision):
    """A box has exact zeros where its side divides the image's. What rounding leaves of them must not be divided by."""
    box = np.ones((side, side)) / side**2
    spectrum = at_origin(box, (96, 120))
    kept = abs(spectrum) > 1e-9
    assert not kept.all()
    blurred = fft.ifft2(fft.fft2(picture(120, 96)[..., 0]) * spectrum).real.astype(np.float32)
    write_image(tmp_path / "y.exr", blurred[..., None])
    options = ("--psf", f"box:{side}", "--border", "wrap", "--nsr", 0, "--precision", precision)
    succeed("deconvolve", "y.exr", *options, "--output", "x.exr", cwd=tmp_path)
    wanted = fft.ifft2(np.where(kept, fft.fft2(blurred) / np.where(kept, spectrum, 1), 0)).real
    error = abs(read_image(tmp_path / "x.exr")[..., 0] - wanted).max()
    assert error < 2e-6 / abs(spectrum[kept]).min(), error


def test_white_frames_and_psfs_that_sum_to_0_are_not_taken_for_failures(tmp_path):
    write_image(tmp_path / "flat.exr", np.full((40, 40, 1), 0.5, np.float32))
    result = succeed("deconvolve", "flat.exr", "--psf", "gaussian:3", "--output", "x.exr", cwd=tmp_path)
    assert "warning" not in result.err, result.err
    write_image(tmp_path / "other.exr", picture(40, 40))
    write_psf(tmp_path / "edge.txt", np.array([[1, 0, -1]]))
    options = ("--psf", "edge.txt", "--normalize", "none", "--method", "rl")
    result = succeed("deconvolve", "other.exr", *options, "--output", "z.exr", cwd=tmp_path)
    assert "inf" not in result.err.replace("info", ""), result.err


@pytest.mark.parametrize("name", ["opaque.png", "opaque.exr"])
def test_opaque_images_stay_opaque_and_their_colours_are_those_without_alpha(tmp_path, name):
    colours = picture(60, 40, 3)
    opaque = np.concatenate([colours, np.ones((40, 60, 1), np.float32)], 2)
    images = {name: opaque, name.replace("opaque", "plain"): colours}
    for file, image in images.items():
        write_image(tmp_path / file, as_integers(image, np.uint16) if name.endswith("png") else image)
        options = ("--psf", "disc:2", "--nsr", 0.05, "--stored", "--output", f"out/{file}")
        succeed("deconvolve", file, *options, cwd=tmp_path)
    both = [read_image(tmp_path / "out" / file).astype(float) for file in images]
    largest = 65535 if name.endswith("png") else 1
    assert np.abs(both[0][..., 3] / largest - 1).max() < 1e-5
    assert np.abs(both[0][..., :3] - both[1]).max() / largest < 2e-5


def test_alpha_with_holes_keeps_its_mean(tmp_path):
    image = np.concatenate([picture(64, 48, 3), picture(64, 48, seed=3)], 2)
    image[..., :3] *= image[..., 3:]
    write_image(tmp_path / "a.exr", image)
    options = ("--psf", "disc:2", "--nsr", 0.05, "--border", "wrap", "--output", "x.exr")
    succeed("deconvolve", "a.exr", *options, cwd=tmp_path)
    ratios = read_image(tmp_path / "x.exr").mean((0, 1)) / image.mean((0, 1))
    assert np.allclose(ratios, [1 / 1.05] * 3 + [1], atol=1e-5), ratios
