# SPDX-License-Identifier: Apache-2.0
"""clconv deconvolve --method wiener against G'MIC's deconvolve_fft, which is the same filter with a border that wraps.

G'MIC puts a PSF's centre at floor(K / 2) where image and PSF have odd sizes, and elsewhere for other sizes.
"""

import subprocess

import numpy as np
import pytest
import tifffile
from support.images import picture, random_psf, read_image, write_image
from support.reference import assert_same_floats
from support.tool import succeed


@pytest.mark.parametrize("nsr", [0.5, 0.01])
def test_wiener_is_the_deconvolution_of_gmic(tmp_path, nsr):
    psf = random_psf(7, 5).astype(np.float32)
    write_image(tmp_path / "image.tif", picture(81, 63, 1))
    tifffile.imwrite(tmp_path / "psf.tif", psf / psf.sum())
    gmic = ["gmic", "-v", "0", "image.tif", "psf.tif", "deconvolve_fft[0]", f"[1],{nsr}", "output[0]", "theirs.tif,float32"]
    subprocess.run(gmic, cwd=tmp_path, check=True)
    words = ("--psf", "psf.tif", "--method", "wiener", "--nsr", nsr, "--border", "wrap", "-o", "ours.tif")
    succeed("deconvolve", "image.tif", *words, cwd=tmp_path)
    assert_same_floats(read_image(tmp_path / "ours.tif"), read_image(tmp_path / "theirs.tif"), tolerance=1e-5)
