# SPDX-License-Identifier: Apache-2.0
"""--precision: half within 1e-3, double to the last bit of a float, whatever the numbers are worth."""

import json

import numpy as np
import pytest
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.reference import assert_same, assert_same_floats, convolve
from support.tool import fail, succeed

IMAGE = picture(60, 52, 3)
PSF = random_psf(9, 7)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("precision")
    write_image(folder / "image.tif", IMAGE)
    write_psf(folder / "psf.txt", PSF)
    return folder


def run(folder, *options, image="image.tif", psf="psf.txt", method="fft"):
    succeed("run", image, "--psf", psf, "--output", "out", "--overwrite", "--method", method, *options, cwd=folder)
    return read_image(folder / "out" / image)


def test_half_is_within_a_thousandth(folder):
    assert_same_floats(run(folder, "--precision", "half"), convolve(IMAGE, PSF / PSF.sum()), tolerance=1e-3)


def test_half_is_not_float(folder):
    assert (run(folder, "--precision", "half") != run(folder)).any()


def test_double_rounds_the_true_result(folder):
    expected = convolve(IMAGE, PSF / PSF.sum())
    wrong = run(folder, "--precision", "double") != expected.astype(np.float32)
    assert wrong.mean() <= 1e-3  # only where the sum in the reference lies within 1e-13 of half way between two floats


def test_float_is_the_default(folder):
    assert (run(folder, "--precision", "float") == run(folder)).all()


def test_half_takes_high_dynamic_range(folder):
    image = IMAGE * 1e3
    image[::13, ::11] *= 60  # lights of 60000
    write_image(folder / "hdr.tif", image.astype(np.float32))
    assert_same_floats(
        run(folder, "--precision", "half", image="hdr.tif"), convolve(image, PSF / PSF.sum()), tolerance=1e-3
    )


@pytest.mark.parametrize("gain", [1e6, 1e-6])
def test_half_takes_a_psf_of_any_sum(folder, gain):
    write_psf(folder / "gain.txt", PSF * gain)
    result = run(folder, "--precision", "half", "--normalize", "none", psf="gain.txt")
    assert_same_floats(result, convolve(IMAGE, PSF * gain), tolerance=1e-3)


@pytest.mark.parametrize("method", ["direct", "tiled"])
def test_half_is_float_where_nothing_is_stored(folder, method):
    result = run(folder, "--precision", "half", method=method)
    assert_same(result, convolve(IMAGE, PSF / PSF.sum()))


@pytest.mark.parametrize("precision", ["half", "double"])
def test_the_plan_names_it(folder, precision):
    plan = succeed("plan", "--size", "640x480", "--psf-size", "31", "--precision", precision)
    assert f"same in {precision} ->" in plan.out


def test_the_benchmark_names_it(folder):
    bench = succeed(
        "bench", "--size", "64x48", "--psf-size", "9", "--type", "float", "--precision", "half", "--method", "fft", "--repeat", "1", "--json"
    )
    case = json.loads(bench.out)["cases"][0]
    assert case["precision"] == "half"
    assert 1e-6 < case["relative_error"] < 1e-3


def test_another_name_is_refused(folder):
    fail(
        2, "run", "image.tif", "--psf", "psf.txt", "--output", "out", "--precision", "single",
        says=("--precision", "single", "float, half or double"), cwd=folder,
    )


def test_tiles_in_double_are_refused(folder):
    fail(
        2, "plan", "--size", "640x480", "--psf-size", "9", "--method", "tiled", "--precision", "double",
        says=("--method tiled", "--precision double", "fft or direct"),
    )
    options = ["--method", "tiled", "--precision", "double"]
    fail(
        2, "run", "image.tif", "--psf", "psf.txt", "--output", "out", *options,
        says=("--method tiled", "fft or direct"), cwd=folder,
    )


def test_half_warns_of_noise_that_the_output_would_show(folder):
    """Next to a light as bright as the sun its rows are noisy; a picture's noise is less than a half can tell."""
    dark = np.full((90, 120, 1), 0.01, np.float32)
    dark[40, 30] = 50000
    write_image(folder / "light.tif", dark)
    expected = convolve(dark, PSF / PSF.sum())
    for image, warns in (("light.tif", True), ("image.tif", False)):
        options = ["--precision", "half", "--method", "fft", "--report", "report.json", "--overwrite"]
        result = succeed("run", image, "--psf", "psf.txt", "--output", "out", *options, cwd=folder)
        warnings = json.loads((folder / "report.json").read_text())["items"][0]["warnings"]
        assert [("noise" in warning and image in warning) for warning in warnings] == [True] * warns, result
    error = read_image(folder / "out/light.tif") - expected
    noisiest = np.sqrt((error**2).mean(axis=1)).max()
    succeed("run", "light.tif", "--psf", "psf.txt", *options, "--output", "out", cwd=folder)
    said = json.loads((folder / "report.json").read_text())["items"][0]["warnings"][0]
    assert 0.3 <= float(said.split("noise of about ")[1].split()[0]) / noisiest <= 3, (said, noisiest)
    assert noisiest > 1e-5  # the step of a half at 0.01


@pytest.mark.parametrize(
    "method, precision, tolerance, is_even",
    [
        ("fft", "float", 1e-6, False),
        ("tiled", "float", 1e-6, False),
        ("fft", "half", 1e-3, False),
        ("direct", "float", 1e-6, True),
        ("fft", "double", 1e-6, True),
    ],
)
def test_what_renormalize_divides_keeps_the_bound(folder, method, precision, tolerance, is_even):
    """At the rim of --mode full the divisor falls to nothing, and errors of a transform grow with it.

    is_even: so the quotients keep the bound, too.
    """
    distance = np.arange(33) - 16
    psf = np.exp(-(distance[:, None] ** 2 + distance**2) / (2 * 2.5**2))
    psf /= psf.sum()
    write_psf(folder / "wide.txt", psf)
    result = run(
        folder, "--border", "renormalize", "--mode", "full", "--precision", precision, psf="wide.txt", method=method
    )  # fmt: skip
    coverage = convolve(np.ones((*IMAGE.shape[:2], 1)), psf, "zero", "full")
    expected = convolve(IMAGE, psf, "renormalize", "full")
    assert (result[coverage[..., 0] < 0.999e-6] == 0).all()
    counts = coverage > 1.001e-6
    weight = np.where(counts, 1 if is_even else coverage, 0)
    assert_same_floats(result * weight, expected * weight, tolerance=tolerance)
