# SPDX-License-Identifier: Apache-2.0
"""run --mix, --mask and --bias: what becomes of image and result, against direct sums in double."""

import json
from itertools import product

import numpy as np
import pytest
from support.full import mostly_full
from support.images import as_integers, as_values, picture, random_psf, read_image, write_image, write_psf
from support.methods import METHODS
from support.reference import assert_same_floats, convolve
from support.tool import fail, succeed

PSF = random_psf(7, 5)
WEIGHTS = PSF / PSF.sum()

# Every place of the kernels where a result is stored: shapes of CPUs and, forced, those of GPUs.
SHAPES = METHODS | {
    "work-groups, sizes as constants": [*METHODS["work-groups"], "--decide", "programs=special"],
    "direct, any PSF": METHODS["direct"],
}


def ramp(width, height):
    """A mask from 0 to 1, and beyond in floats."""
    y, x = np.mgrid[0:height, 0:width]
    return ((x + 2 * y) / (width + 2 * height) * 1.2).astype(np.float32)[..., None]


def run(folder, image, *options, name="a.tif", psf=PSF, command="run"):
    write_image(folder / "in" / name, image)
    write_psf(folder / "psf.txt", psf)
    succeed(command, "in", "--psf", "psf.txt", "--output", "out", "--overwrite", *options, cwd=folder)
    return read_image(folder / "out" / name)


@pytest.mark.parametrize("shape", mostly_full(SHAPES, ["lanes", "work-groups", "tiles of work-groups", "direct"]))
def test_a_mix_with_a_mask_in_every_shape(tmp_path, shape):
    image = picture(45, 37, 3)
    mask = ramp(45, 37)
    write_image(tmp_path / "mask.tif", mask)
    psf = random_psf(45, 43) if shape.endswith("any PSF") else PSF
    out = run(tmp_path, image, "--mix", "-0.6", "--mask", "mask.tif", "--bias", "0.25", *SHAPES[shape], psf=psf)
    amount = -0.6 * mask.astype(np.float64)
    values = as_values(image)
    expected = (1 - amount) * values + amount * convolve(values, psf / psf.sum()) + 0.25
    assert_same_floats(out, expected, shape, tolerance=2e-6)


@pytest.mark.parametrize(
    "border, size",
    mostly_full(
        product(["constant:0.75", "renormalize", "wrap"], [[], ["--device-memory", "400K"], ["--memory-limit", "1M"]]),
        [("constant:0.75", ["--device-memory", "400K"]), ("renormalize", []), ("wrap", ["--memory-limit", "1M"])],
    ),
)
def test_whole_in_pieces_and_by_bands(tmp_path, border, size):
    image = picture(*((300, 420) if "1M" in size else (190, 120)), 3)
    mask = ramp(image.shape[1], image.shape[0])
    write_image(tmp_path / "mask.tif", mask)
    out = run(tmp_path, image, "--mix", "0.7", "--mask", "mask.tif", "--border", border, *size)
    amount = 0.7 * mask.astype(np.float64)
    values = as_values(image)
    expected = (1 - amount) * values + amount * convolve(values, WEIGHTS, border)
    assert_same_floats(out, expected, f"{border} {size}", tolerance=2e-6)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float16])
def test_every_type_is_rounded_and_clamped_once(tmp_path, dtype):
    image = picture(33, 21, 3) * 1.6
    image = image.astype(dtype) if dtype == np.float16 else as_integers(image, dtype)
    out = run(tmp_path, image, "--mix", "-2")
    values = as_values(image)
    exact = 3 * values - 2 * convolve(values, WEIGHTS)
    assert out.dtype == dtype and (exact < -0.02).any() and (exact > 1.02).any(), "the test must see the clamping"
    if dtype == np.float16:
        np.testing.assert_allclose(out.astype(np.float64), exact, rtol=2**-10, atol=2**-11)
    else:
        top = np.iinfo(dtype).max
        assert abs(out - np.clip(exact, 0, 1) * top).max() <= 0.5 + 1e-5 * top


@pytest.mark.parametrize("shape", ["lanes", "tiles of work-groups"])
def test_mode_valid_blends_with_what_lies_there(tmp_path, shape):
    image = picture(45, 37, 3)
    mask = ramp(45, 37)
    write_image(tmp_path / "mask.tif", mask)
    out = run(tmp_path, image, "--mix", "0.5", "--mode", "valid", "--mask", "mask.tif", *SHAPES[shape])
    inside = (slice(2, 35), slice(3, 42))
    amount = 0.5 * mask.astype(np.float64)[inside]
    values = as_values(image)
    expected = (1 - amount) * values[inside] + amount * convolve(values, WEIGHTS, mode="valid")
    assert_same_floats(out, expected, shape, tolerance=2e-6)


def test_a_mix_of_0_is_the_image_and_of_1_the_convolution(tmp_path):
    image = picture(33, 21, 3) * 1000
    np.testing.assert_array_equal(run(tmp_path, image, "--mix", "0"), image)
    np.testing.assert_array_equal(run(tmp_path, image, "--mix", "1"), run(tmp_path, image))


def test_a_mask_alone_is_a_local_blur_and_its_colours_are_averaged(tmp_path):
    image = as_integers(picture(33, 21, 3), np.uint8)
    mask = np.zeros((21, 33, 3), np.uint8)
    mask[:, 20:] = (255, 255, 255)
    mask[:, 10:20] = (255, 0, 0)
    write_image(tmp_path / "mask.png", mask)
    out = run(tmp_path, image, "--mask", "mask.png").astype(np.float64)
    values = as_values(image)
    blurred = convolve(values, WEIGHTS)
    np.testing.assert_array_equal(out[:, :10], image[:, :10])
    assert abs(out[:, 20:] / 255 - blurred[:, 20:]).max() <= 0.502 / 255
    assert abs(out[:, 10:20] / 255 - (2 * values + blurred)[:, 10:20] / 3).max() <= 0.502 / 255


def test_alpha_is_mixed_or_kept_and_never_biased(tmp_path):
    image = picture(33, 21, 4)
    image[..., :3] *= image[..., 3:]
    values = as_values(image)
    blurred = convolve(values, WEIGHTS)
    kept = run(tmp_path, image, "--mix", "0.5", "--bias", "0.125", "--alpha", "keep", name="a.exr")
    np.testing.assert_array_equal(kept[..., 3], image[..., 3])
    mixed = run(tmp_path, image, "--mix", "0.5", "--bias", "0.125", name="a.exr")
    expected = 0.5 * values + 0.5 * blurred + np.array([0.125, 0.125, 0.125, 0])
    assert_same_floats(mixed, expected, tolerance=2e-6)


@pytest.mark.parametrize("mix", [[], ["--mix", "1"]])
def test_a_bias_shows_a_high_pass_in_integers(tmp_path, mix):
    """With and without a blend, in every sign."""
    image = as_integers(picture(33, 21, 3), np.uint8)
    laplacian = np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]], np.float64)
    out = run(tmp_path, image, "--normalize", "none", "--bias", "0.5", *mix, psf=laplacian).astype(np.float64)
    exact = np.clip(convolve(as_values(image), laplacian) + 0.5, 0, 1)
    assert (exact == 0).any() and (exact == 1).any() and abs(out / 255 - exact).max() <= 0.502 / 255


# Half is the precision of spectra. Doubles are blended alike in every method: this one has one program to build.
@pytest.mark.parametrize("precision, method, tolerance", [("half", "fft", 2e-3), ("double", "direct", 2e-7)])
def test_other_precisions(tmp_path, precision, method, tolerance):
    image = picture(45, 37, 3)
    write_image(tmp_path / "mask.tif", ramp(45, 37))
    options = ("--precision", precision, "--method", method, "--mask", "mask.tif", "--mix", "0.8")
    out = run(tmp_path, image, *options)
    amount = 0.8 * ramp(45, 37).astype(np.float64)
    values = as_values(image)
    assert_same_floats(out, (1 - amount) * values + amount * convolve(values, WEIGHTS), precision, tolerance=tolerance)


def test_what_does_not_go_is_said(tmp_path):
    write_image(tmp_path / "in/a.tif", picture(33, 21, 3))
    write_image(tmp_path / "mask.png", as_integers(picture(32, 21), np.uint8))
    (tmp_path / "broken.png").write_bytes(b"no image")
    base = ("run", "in", "--psf", "gaussian:1", "--output", "out")
    fail(1, *base, "--mask", "mask.png", says=["--mask is 32x21", "33x21"], cwd=tmp_path)
    write_image(tmp_path / "turned.png", as_integers(picture(21, 33), np.uint8))
    fail(1, *base, "--mask", "turned.png", says=["21x33", "33x21", "as its pixels are stored"], cwd=tmp_path)
    fail(2, *base, "--mask", "gone.png", says=["--mask", "gone.png"], cwd=tmp_path)
    fail(2, *base, "--mask", "broken.png", says=["--mask", "broken.png"], cwd=tmp_path)
    fail(2, *base, "--mix", "half", says=["--mix", "half"], cwd=tmp_path)
    fail(2, *base, "--mix", "0.5", "--mode", "full", says=["--mix", "--mode full"], cwd=tmp_path)
    fail(2, *base, "--mix", "0.5", "--nonfinite", "interpolate", says=["--mix", "interpolate"], cwd=tmp_path)
    fail(2, *base, "--bias", "0.5", "--method", "none", says=["--bias", "none"], cwd=tmp_path)
    fail(2, *base, "--mask", "in/a.tif", "--report", "mask.png", says=["--report"], cwd=tmp_path)


def test_a_mask_is_never_overwritten_and_a_changed_one_makes_images_again(tmp_path):
    write_image(tmp_path / "in/a.tif", picture(33, 21, 3))
    write_image(tmp_path / "out/a.tif", ramp(33, 21))
    base = ("run", "in", "--psf", "gaussian:1", "--mix", "0.5")
    fail(2, *base, "--mask", "out/a.tif", "--output", "out", "--overwrite", says=["a.tif"], cwd=tmp_path)

    resumed = (*base, "--mask", "mask.tif", "--output", "again", "--resume")
    write_image(tmp_path / "mask.tif", ramp(33, 21))
    assert "1 done" in succeed(*resumed, cwd=tmp_path).err
    assert "1 skipped" in succeed(*resumed, cwd=tmp_path).err
    write_image(tmp_path / "mask.tif", 1 - ramp(33, 21))
    assert "1 done" in succeed(*resumed, cwd=tmp_path).err


def test_a_masks_memory_is_part_of_the_limit(tmp_path):
    """A CPU device gets less, and cuts the image into pieces."""
    write_image(tmp_path / "image.png", np.zeros((3000, 4000, 1), np.uint8))
    write_image(tmp_path / "mask.png", np.full((3000, 4000, 1), 255, np.uint8))
    whole = ("--method", "fft", "--decide", "column-parts=1")  # the transfer of parts is so short that both fit
    command = ("run", "image.png", "--psf", "box:5", *whole, "--memory-limit", "800M")
    plans = {}
    for name, mask in (("without", ("--mix", "1")), ("with", ("--mask", "mask.png"))):
        report = tmp_path / f"{name}.json"
        succeed(*command, *mask, "--output", name, "--report", report, cwd=tmp_path)
        plans[name] = json.loads(report.read_text())["items"][0]["plan"]
    assert "pieces" in plans["with"] and "pieces" not in plans["without"], plans
