# SPDX-License-Identifier: Apache-2.0
"""SciPy as a live oracle: what scipy.ndimage and scipy.signal compute, clconv computes too, under its own names."""

import numpy as np
import pytest
from scipy import ndimage, signal
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.reference import assert_same
from support.tool import succeed

IMAGE_SIZES = [(33, 20), (101, 77)]
PSF_SIZES = [(8, 5), (31, 17)]
NDIMAGE_MODES = {"mirror": "reflect", "reflect": "mirror", "clamp": "nearest", "wrap": "wrap", "zero": "constant"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("oracle")
    for size in IMAGE_SIZES:
        write_image(folder / f"in/i{size[0]}.exr", picture(*size))
    for size in PSF_SIZES:
        write_psf(folder / f"p{size[0]}.txt", random_psf(*size))
    return folder


def check(folder, oracle, *options):
    psfs = [word for size in PSF_SIZES for word in ("--psf", f"p{size[0]}.txt")]
    options = ("--normalize", "none", "--overwrite", *options)
    succeed("run", "in", *psfs, "--output", "out", *options, cwd=folder)
    for image_size in IMAGE_SIZES:
        for psf_size in PSF_SIZES:
            image = picture(*image_size)[..., 0].astype(np.float64)
            expected = oracle(image, random_psf(*psf_size))[..., None]
            name = f"i{image_size[0]}_p{psf_size[0]}.exr"
            assert_same(read_image(folder / "out" / name), expected, name)


@pytest.mark.parametrize("method", ["fft", "direct"])
@pytest.mark.parametrize("border", NDIMAGE_MODES)
def test_ndimage_convolve_agrees_in_every_border_it_has(folder, border, method):
    mode = NDIMAGE_MODES[border]
    check(folder, lambda image, psf: ndimage.convolve(image, psf, mode=mode), "--border", border, "--method", method)


def test_ndimage_correlate_agrees(folder):
    def oracle(image, psf):
        # Its origin of even sizes is ours: K // 2.
        return ndimage.correlate(image, psf, mode="nearest")

    check(folder, oracle, "--correlate")


@pytest.mark.parametrize("method", ["fft", "direct"])
@pytest.mark.parametrize("mode", ["full", "valid"])
def test_fftconvolve_agrees_in_full_and_valid(folder, mode, method):
    options = ("--mode", mode, "--border", "zero", "--method", method)
    check(folder, lambda image, psf: signal.fftconvolve(image, psf, mode=mode), *options)


def test_fftconvolve_same_is_ours_with_the_other_middle_of_even_psfs(folder):
    """scipy.signal centres even sizes at (K - 1) // 2, one sample before ours."""
    psf = random_psf(8, 6)
    write_psf(folder / "even.txt", psf)
    write_image(folder / "image.exr", picture(64, 48))
    options = ("--normalize", "none", "--border", "zero", "--psf-origin", f"{(8 - 1) // 2},{(6 - 1) // 2}")
    succeed("run", "image.exr", "--psf", "even.txt", "--output", "even", *options, cwd=folder)
    image = picture(64, 48)[..., 0].astype(np.float64)
    expected = signal.fftconvolve(image, psf, mode="same")[..., None]
    assert_same(read_image(folder / "even/image.exr"), expected)


def test_a_photograph_sized_image_agrees(folder):
    image, psf = picture(1280, 720, 3), random_psf(63, 63)
    write_image(folder / "large.exr", image)
    write_psf(folder / "large.txt", psf)
    succeed("run", "large.exr", "--psf", "large.txt", "--output", "large", "--border", "mirror", cwd=folder)
    padded = np.pad(image.astype(np.float64), ((31, 31), (31, 31), (0, 0)), mode="symmetric")
    kernel = (psf / psf.sum())[..., None]
    assert_same(read_image(folder / "large/large.exr"), signal.fftconvolve(padded, kernel, mode="valid", axes=(0, 1)))
