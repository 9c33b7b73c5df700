# SPDX-License-Identifier: Apache-2.0
"""Files of doubles: with --precision double they stay doubles, from the file to the file. SciPy, tifffile and astropy judge."""

import json
from itertools import product

import numpy as np
import pytest
import tifffile
from astropy.io import fits
from scipy import ndimage
from support.full import mostly_full
from support.images import picture, random_psf, write_image, write_psf
from support.tool import fail, succeed

PSF = random_psf(7, 5)
WEIGHTS = PSF / PSF.sum()
# More digits than a float has.
IMAGE = 1e6 + 1e-3 * picture(61, 43, 3).astype(np.float64)
DOUBLE = ("--psf", "psf.txt", "--precision", "double", "--output", "out")
# A float of these numbers is wrong by up to 0.03; sums of doubles by some units of 1e-10.
TOLERANCE = 1e-9


@pytest.fixture
def folder(tmp_path):
    write_psf(tmp_path / "psf.txt", PSF)
    tifffile.imwrite(tmp_path / "in.tif", IMAGE, photometric="rgb")
    return tmp_path


def expected(image=IMAGE, mode="nearest", **how):
    planes = np.moveaxis(image, 2, 0)
    return np.stack([ndimage.convolve(plane, WEIGHTS, mode=mode, **how) for plane in planes], -1)


def result(folder, name="in.tif"):
    made = tifffile.imread(folder / "out" / name)
    assert made.dtype == np.float64
    return made


@pytest.mark.parametrize("name", ["weights.fits", "weights.tif", "codes.png"])
def test_weights_from_files_are_doubles_too(folder, name):
    """Rounded to floats on the way, they made errors of 3e-9."""
    image = picture(61, 43, 3).astype(np.float64)
    tifffile.imwrite(folder / "in.tif", image, photometric="rgb")
    psf = np.random.default_rng(1).random((5, 7)) + 0.01
    if name == "weights.fits":
        fits.writeto(folder / name, psf[::-1])  # its first row is displayed at the bottom
    elif name == "weights.tif":
        tifffile.imwrite(folder / name, psf)
    else:
        psf = np.round(psf * 60000).astype(np.uint16)
        write_image(folder / name, psf)
    succeed("run", "in.tif", *DOUBLE[2:], "--psf", name, cwd=folder)
    weights = psf / psf.sum()
    exact = np.stack([ndimage.convolve(plane, weights, mode="nearest") for plane in np.moveaxis(image, 2, 0)], -1)
    assert np.linalg.norm(result(folder) - exact) < 1e-14 * np.linalg.norm(exact)


FFT, DIRECT, GLOBAL = ["--method=fft"], ["--method=direct"], ["--method=fft", "--decide=residence=global"]
BORDERS = {"clamp": "nearest", "wrap": "wrap", "mirror": "reflect", "constant:1000000": "constant"}  # SciPy's names


@pytest.mark.parametrize(
    "method, border",
    mostly_full(product([FFT, DIRECT, GLOBAL], BORDERS), [(FFT, "clamp"), (FFT, "constant:1000000"), (DIRECT, "wrap"), (GLOBAL, "mirror")]),
)
def test_doubles_are_computed_and_stored_as_doubles(folder, method, border):
    mode = BORDERS[border]
    succeed("run", "in.tif", *DOUBLE, *method, "--border", border, "--report", "report.json", cwd=folder)
    outside = {"cval": 1e6} if mode == "constant" else {}
    assert np.abs(result(folder) - expected(mode=mode, **outside)).max() < TOLERANCE
    item = json.loads((folder / "report.json").read_text())["items"][0]
    assert (item["type"], item["output_type"], item["warnings"]) == ("double", "double", [])


@pytest.mark.parametrize("method", ["fft", "direct"])
def test_numbers_beyond_float_stay(folder, method):
    for sign in (-1, 1):
        image = sign * 1e39 * (1 + picture(61, 43, 3).astype(np.float64))
        tifffile.imwrite(folder / "in.tif", image, photometric="rgb")
        succeed("run", "in.tif", *DOUBLE, "--method", method, "--overwrite", cwd=folder)
        assert np.abs(result(folder) - expected(image)).max() < 1e-14 * 1e39


def test_without_the_option_numbers_beyond_float_name_it(folder):
    tifffile.imwrite(folder / "in.tif", np.full((9, 11, 3), 1e200), photometric="rgb")
    fail(1, "run", "in.tif", "--psf", "psf.txt", "--output", "out", says=["as floats", "--precision double"], cwd=folder)


def test_the_borders_value_is_a_double(folder):
    image = np.full((43, 61, 3), 0.1)
    tifffile.imwrite(folder / "in.tif", image, photometric="rgb")
    for method in ("fft", "direct"):
        succeed("run", "in.tif", *DOUBLE, "--method", method, "--border", "constant:0.1", "--overwrite", cwd=folder)
        assert np.abs(result(folder) - 0.1).max() < 1e-15, method


def test_without_the_option_doubles_become_floats_with_a_warning(folder):
    said = succeed("run", "in.tif", "--psf", "psf.txt", "--output", "out", cwd=folder).err
    assert "samples are double" in said and "warning" in said
    made = tifffile.imread(folder / "out/in.tif")
    assert made.dtype == np.float32 and np.abs(made - expected()).max() < 1


def test_pieces_and_bands_of_doubles_are_as_those_at_once(folder):
    image = 1e6 + 1e-3 * picture(700, 600, 3).astype(np.float64)
    tifffile.imwrite(folder / "in.tif", image, photometric="rgb", rowsperstrip=16)
    for border, options in (("mirror", ["--memory-limit", "30M"]), ("renormalize", ["--device-memory", "20M"])):
        succeed("run", "in.tif", *DOUBLE, "--overwrite", "--border", border, *options, cwd=folder)
        wanted = expected(image, "reflect")
        if border == "renormalize":
            weight = ndimage.convolve(np.ones(image.shape[:2]), WEIGHTS, mode="constant")
            wanted = expected(image, "constant") / weight[..., None]
        assert np.abs(result(folder) - wanted).max() < TOLERANCE


def test_fits_files_of_doubles_stay_doubles(folder):
    fits.writeto(folder / "in.fits", IMAGE[..., 0])
    succeed("run", "in.fits", *DOUBLE, cwd=folder)
    made = fits.getdata(folder / "out/in.fits")
    assert made.dtype.kind == "f" and made.dtype.itemsize == 8
    assert np.abs(made[::-1] - ndimage.convolve(IMAGE[::-1, :, 0], WEIGHTS, mode="nearest")).max() < TOLERANCE


def test_copies_pages_and_masks_of_doubles(folder):
    succeed("run", "in.tif", "--method", "none", "--precision", "double", "--output", "out", cwd=folder)
    assert np.array_equal(result(folder), IMAGE)
    with tifffile.TiffWriter(folder / "pages.tif") as file:
        for page in (IMAGE, IMAGE + 1):
            file.write(page, photometric="rgb")
    succeed("run", "pages.tif", *DOUBLE, "--mix", "0.25", cwd=folder)
    for number, page in enumerate((IMAGE, IMAGE + 1)):
        made = tifffile.imread(folder / "out/pages.tif", key=number)
        assert made.dtype == np.float64
        assert np.abs(made - (0.75 * page + 0.25 * expected(page))).max() < TOLERANCE


def test_zeros_and_missing_samples_of_doubles(folder):
    image = np.zeros((43, 61))
    image[20, 30] = 1e-200  # less than any float
    tifffile.imwrite(folder / "in.tif", image, photometric="minisblack")
    succeed("run", "in.tif", *DOUBLE, "--method", "fft", cwd=folder)
    made, wanted = result(folder), ndimage.convolve(image, WEIGHTS, mode="nearest")
    assert np.array_equal(made != 0, wanted != 0) and (made >= 0).all()
    assert np.abs(made - wanted).max() < 1e-12 * wanted.max()
    image[3, 4] = np.nan
    tifffile.imwrite(folder / "in.tif", image, photometric="minisblack")
    fail(1, "run", "in.tif", *DOUBLE, "--overwrite", says=["1 sample is not finite", "x 4, y 3"], cwd=folder)
    succeed("run", "in.tif", *DOUBLE, "--overwrite", "--nonfinite", "zero", cwd=folder)
    assert np.abs(result(folder) - wanted).max() < 1e-12 * wanted.max()
    succeed("run", "in.tif", *DOUBLE, "--overwrite", "--nonfinite", "interpolate", cwd=folder)
    made = tifffile.imread(folder / "out/in.tif")
    assert made.dtype == np.float32 and np.isfinite(made).all(), "missing samples are filled in float"


def test_depth_double_needs_the_precision(folder):
    fail(2, "run", "in.tif", "--psf", "psf.txt", "--output", "out", "--depth", "double", says=["--precision double"], cwd=folder)
    tifffile.imwrite(folder / "in.tif", np.full((9, 9), 51, np.uint8))
    succeed("run", "in.tif", *DOUBLE, "--depth", "double", cwd=folder)
    assert np.abs(result(folder) - 0.2).max() < 1e-15
