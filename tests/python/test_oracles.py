# SPDX-License-Identifier: Apache-2.0
"""Names of SciPy and astropy mean what they mean there."""

import warnings

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal
from astropy.convolution import convolve_fft

import clconv

pytestmark = pytest.mark.filterwarnings("ignore::clconv.Warning")  # random weights have their centre anywhere

RANDOM = np.random.default_rng(31)
IMAGE = RANDOM.random((61, 83)).astype(np.float32)
PSF = RANDOM.random((9, 7))
# Float's rounding in transforms: sums of 63 weights below 1, of samples below 1.
CLOSE = {"rtol": 0, "atol": 2e-5}


@pytest.mark.parametrize("mode", ["reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap"])
@pytest.mark.parametrize("shape", [(9, 7), (8, 6), (1, 3)])
def test_borders_are_those_of_ndimage(mode, shape):
    psf = RANDOM.random(shape)
    cval = 0.4 if mode == "constant" else 0.0
    expected = scipy.ndimage.convolve(IMAGE.astype(float), psf, mode=mode, cval=cval)
    result = clconv.convolve(IMAGE, psf, mode=mode, cval=cval, normalize="none")
    np.testing.assert_allclose(result, expected, **CLOSE)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_extents_are_those_of_signal(mode):
    expected = scipy.signal.fftconvolve(IMAGE.astype(float), PSF, mode=mode)
    np.testing.assert_allclose(clconv.convolve(IMAGE, PSF, mode=mode, normalize="none"), expected, **CLOSE)


def test_an_even_psf_has_its_middle_one_sample_further_than_in_signal():
    psf = RANDOM.random((8, 6))
    expected = scipy.signal.fftconvolve(IMAGE.astype(float), psf, mode="same")
    result = clconv.convolve(IMAGE, psf, mode="same", normalize="none", psf_origin=(2, 3))
    np.testing.assert_allclose(result, expected, **CLOSE)
    assert np.abs(clconv.convolve(IMAGE, psf, mode="same", normalize="none") - expected).max() > 0.1


def test_reflect_and_mirror_swap_between_mode_and_border():
    by_mode = {mode: clconv.convolve(IMAGE, PSF, mode=mode) for mode in ("reflect", "mirror")}
    np.testing.assert_array_equal(by_mode["reflect"], clconv.convolve(IMAGE, PSF, border="mirror"))
    np.testing.assert_array_equal(by_mode["mirror"], clconv.convolve(IMAGE, PSF, border="reflect"))
    assert np.abs(by_mode["reflect"] - by_mode["mirror"]).max() > 1e-3


def test_cval_is_in_the_units_of_the_image():
    codes = (IMAGE * 255).astype(np.uint8)
    expected = scipy.ndimage.convolve(codes.astype(float), PSF / PSF.sum(), mode="constant", cval=200)
    result = clconv.convolve(codes, PSF, mode="constant", cval=200)
    assert np.abs(result - expected).max() < 0.502  # rounded to nearest
    blur = clconv.Convolver(PSF, mode="constant", cval=0.5)  # one Convolver, two units
    expected = scipy.ndimage.convolve(IMAGE.astype(float), PSF / PSF.sum(), mode="constant", cval=0.5)
    np.testing.assert_allclose(blur(IMAGE), expected, **CLOSE)
    assert blur(codes).max() < 255


def with_gaps():
    image = IMAGE.copy()
    image[RANDOM.random(image.shape) < 0.02] = np.nan
    image[20, 30] = np.inf
    return image


@pytest.mark.parametrize("nan_treatment, fill_value", [("interpolate", 0), ("fill", 0), ("fill", 0.75)])
def test_nan_treatment_is_that_of_astropy(nan_treatment, fill_value):
    image = with_gaps()
    before = image.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = convolve_fft(image, PSF, boundary="wrap", nan_treatment=nan_treatment, fill_value=fill_value)
    result = clconv.convolve(image, PSF, border="wrap", nan_treatment=nan_treatment, fill_value=fill_value)
    np.testing.assert_allclose(result, expected, **CLOSE)
    np.testing.assert_array_equal(image, before)


def test_doubles_are_as_close_to_scipy_as_doubles_are():
    if not clconv.Device().info.has_doubles:
        pytest.skip("the device has no doubles")
    image = IMAGE.astype(np.float64)
    expected = scipy.signal.fftconvolve(image, PSF, mode="same")
    result = clconv.convolve(image, PSF, mode="same", normalize="none", precision="double")
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("channel_axis", [0, 1, 2, -1])
def test_channels_are_convolved_one_by_one(channel_axis):
    image = RANDOM.random((40, 50, 3)).astype(np.float32)
    expected = [scipy.ndimage.convolve(image[..., c], PSF / PSF.sum(), mode="nearest") for c in range(3)]
    moved = np.moveaxis(image, -1, channel_axis)
    result = clconv.convolve(moved, PSF, channel_axis=channel_axis)
    np.testing.assert_allclose(result, np.stack(expected, axis=channel_axis), **CLOSE)
