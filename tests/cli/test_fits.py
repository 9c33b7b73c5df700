"""FITS in, out and as PSF, against astropy and scipy. Arrays are astropy's: row 0 is the lowest."""

import json
import warnings

import numpy as np
import pytest
from astropy.io import fits
from astropy.wcs import WCS
from scipy import ndimage
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.tool import fail, succeed

HEIGHT, WIDTH = 19, 23
PSF = random_psf(5, 3)
RANGES = {
    "uint8": (0, 255),
    "int8": (-100, 100),
    "int16": (-30000, 30000),
    "uint16": (0, 65535),
    "int32": (-90000, 90000),
    "uint32": (0, 200000),
}


def codes(dtype, height=HEIGHT, width=WIDTH):
    low, high = RANGES[dtype]
    return np.rint(low + (high - low) * picture(width, height)[..., 0].astype(np.float64)).astype(dtype)


def floats(height=HEIGHT, width=WIDTH, seed=0):
    return 1000 * picture(width, height, seed=seed)[..., 0]


def convolved(image, psf=PSF, mode="nearest"):
    return ndimage.convolve(np.asarray(image, np.float64), psf / psf.sum(), mode=mode)


def convolve(folder, *options, psf="psf.fits", inputs=("in",)):
    """Runs the tool on `in` with the FITS PSF of this file. Returns the result, and the report's items."""
    if not (folder / "psf.fits").exists():
        fits.writeto(folder / "psf.fits", PSF)
    result = succeed("run", *inputs, "--psf", psf, "--output", "out", "--overwrite", "--report", "report.json", *options,
                     cwd=folder)
    return result, json.loads((folder / "report.json").read_text())["items"]


def write(path, array, header=None, **options):
    path.parent.mkdir(exist_ok=True)
    fits.writeto(path, array, header, **options)


def opened(path):
    """The file's HDUs, which astropy takes without a word, checksums included."""
    assert path.stat().st_size % 2880 == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with fits.open(path, checksum=True) as file:
            file.verify("exception")
            return [hdu.copy() for hdu in file]


def close(result, expected, tolerance=2e-6):
    assert result.shape == expected.shape
    return abs(result - expected).max() <= tolerance * abs(expected).max()


def test_what_astropy_reads_of_the_output_is_scipys_convolution_of_what_it_reads_of_the_inputs(tmp_path):
    write(tmp_path / "in/a.fits", floats())
    convolve(tmp_path)
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert hdu.data.dtype == ">f4" and close(hdu.data, convolved(floats()))


@pytest.mark.parametrize("dtype", RANGES)
def test_integers_come_back_in_their_type_with_their_values(tmp_path, dtype):
    image = codes(dtype)
    write(tmp_path / "in/a.fits", image)
    result, items = convolve(tmp_path)
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert "warning" not in result.err
    assert hdu.data.dtype.newbyteorder("=") == dtype
    assert abs(hdu.data.astype(float) - convolved(image)).max() <= 0.5 + 1e-6 * abs(image.astype(float)).max()
    expected = {"uint8": "u8", "uint16": "u16"}.get(dtype, dtype)
    assert (items[0]["type"], items[0]["output_type"]) == (expected, expected)
