# SPDX-License-Identifier: Apache-2.0
"""--alpha keep: colours are convolved associated, alpha stays the input's. (--alpha convolve: test_samples.py.)"""

import numpy as np
import pytest
from support.full import mostly_full
from support.images import as_integers, as_values, picture, random_psf, read_image, write_image, write_psf
from support.reference import assert_same, convolve
from support.tool import fail, succeed

PSF = random_psf(7, 4)
WEIGHTS = PSF / PSF.sum()


def run(folder, name, image, *options):
    write_image(folder / "in" / name, image)
    write_psf(folder / "psf.txt", PSF)
    succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", "--alpha", "keep", *options, cwd=folder)
    return read_image(folder / "out" / name)


def associated(width, height):
    image = picture(width, height, 4)
    image[4:8, 4:9, 3] = 0
    image[..., :3] *= image[..., 3:]
    return image


@pytest.mark.parametrize("dtype", mostly_full([np.float16, np.float32], [np.float16]))
def test_associated_alpha_is_kept_exactly(tmp_path, dtype):
    image = associated(23, 17).astype(dtype)
    out = run(tmp_path, "a.exr", image)
    assert out.dtype == dtype
    assert (out[..., 3] == image[..., 3]).all()
    assert_same(out[..., :3], convolve(as_values(image), WEIGHTS)[..., :3])


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_straight_colours_are_divided_by_the_kept_alpha(tmp_path, dtype):
    image = as_integers(0.3 * picture(23, 17, 4), dtype)
    image[..., 3] = as_integers(0.7 + 0.3 * picture(23, 17, 1, seed=1), dtype)[..., 0]
    out = run(tmp_path, "a.png", image)
    assert (out[..., 3] == image[..., 3]).all()
    values = as_values(image)
    values[..., :3] *= values[..., 3:]
    expected = convolve(values, WEIGHTS)[..., :3] / values[..., 3:]
    assert_same(out[..., :3], expected)


def test_another_depth(tmp_path):
    image = as_integers(0.3 * picture(23, 17, 4) + 0.5, np.uint8)
    out = run(tmp_path, "a.tif", image, "--depth", "u16")
    assert (out[..., 3] == image[..., 3].astype(np.uint16) * 257).all()


@pytest.mark.parametrize("options", mostly_full([[], ["--correlate"], ["--psf-origin", "1,3"]], [["--correlate"], ["--psf-origin", "1,3"]]))
def test_extents_place_alpha_by_the_origin(tmp_path, options):
    """valid crops it, full surrounds it with nothing."""
    image = associated(23, 17)
    ox, oy = (1, 3) if "--psf-origin" in options else (3, 2)
    if "--correlate" in options:
        ox, oy = 6 - ox, 3 - oy
    out = run(tmp_path, "a.exr", image, "--mode", "valid", *options)
    left, top = 6 - ox, 3 - oy
    assert (out[..., 3] == image[top : top + 14, left : left + 17, 3]).all()
    out = run(tmp_path, "a.exr", image, "--mode", "full", *options)
    expected = np.zeros((20, 29), np.float32)
    expected[oy : oy + 17, ox : ox + 23] = image[..., 3]
    assert (out[..., 3] == expected).all()


@pytest.mark.parametrize("mode", mostly_full(["same", "full", "valid"], ["full"]))
def test_by_bands_as_in_one_piece(tmp_path, mode):
    image = associated(300, 1100)
    whole = run(tmp_path, "a.tif", image, "--mode", mode)
    bands = run(tmp_path, "a.tif", image, "--mode", mode, "--memory-limit", "1M")
    assert (bands[..., 3] == whole[..., 3]).all()
    assert abs(bands - whole).max() < 1e-6


def test_images_without_alpha_do_not_care(tmp_path):
    image = picture(23, 17, 3)
    assert_same(run(tmp_path, "a.exr", image), convolve(image, WEIGHTS))


def test_an_unknown_rule_is_a_usage_error(tmp_path):
    write_image(tmp_path / "in/a.exr", picture(23, 17, 3))
    write_psf(tmp_path / "psf.txt", PSF)
    fail(2, "run", "in", "--psf", "psf.txt", "--output", "out", "--alpha", "drop", says=["--alpha", "keep"], cwd=tmp_path)
