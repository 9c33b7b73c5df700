# SPDX-License-Identifier: Apache-2.0
"""What samples stand for: integers of 8 and 16 bits for fractions, those of 32 bits and doubles for their own values."""

import json

import numpy as np
import pytest
import tifffile
from scipy import ndimage
from support.images import picture, random_psf, read_image, write_psf
from support.tool import succeed

PSF = random_psf(7, 5)
WEIGHTS = PSF / PSF.sum()
RANGES = {"int8": (-100, 100), "int16": (-30000, 30000), "int32": (-90000, 90000), "uint32": (0, 200000)}


def codes(dtype, height=19, width=23):
    low, high = RANGES[dtype]
    return (low + (high - low) * picture(width, height)[..., 0].astype(np.float64)).astype(dtype)


def convolved(image):
    return ndimage.convolve(image.astype(np.float64), WEIGHTS, mode="nearest")


def run(folder, *options):
    write_psf(folder / "psf.txt", PSF)
    options = ["--psf", "psf.txt", "--output", "out", "--overwrite", "--report", "report.json", *options]
    result = succeed("run", "in", *options, cwd=folder)
    return result, json.loads((folder / "report.json").read_text())["items"]


@pytest.mark.parametrize("tile", [None, (16, 16)])
def test_integers_come_back_in_their_type_with_their_values(tmp_path, tile):
    (tmp_path / "in").mkdir()
    images = {dtype: codes(dtype) for dtype in RANGES}
    for dtype, image in images.items():
        tifffile.imwrite(tmp_path / f"in/{dtype}.tif", image, tile=tile)
    result, items = run(tmp_path)
    assert "warning" not in result.err, result
    for item, dtype in zip(items, sorted(RANGES)):
        out = tifffile.imread(tmp_path / f"out/{dtype}.tif")
        assert out.dtype == dtype
        assert abs(out - convolved(images[dtype])).max() <= 0.5 + 1e-6 * abs(images[dtype].astype(float)).max(), dtype
        assert (item["type"], item["output_type"]) == (dtype, dtype)


def test_signed_integers_of_8_and_16_bits_stand_for_minus_one_to_one(tmp_path):
    (tmp_path / "in").mkdir()
    for dtype in ("int8", "int16"):
        tifffile.imwrite(tmp_path / f"in/{dtype}.tif", codes(dtype))
    run(tmp_path, "--depth", "float")
    for dtype in ("int8", "int16"):
        out = tifffile.imread(tmp_path / f"out/{dtype}.tif")
        assert abs(out - convolved(codes(dtype)) / np.iinfo(dtype).max).max() < 1e-6


def test_wide_integers_keep_their_values_where_a_format_has_only_floats(tmp_path):
    (tmp_path / "in").mkdir()
    for dtype in ("int32", "uint32"):
        tifffile.imwrite(tmp_path / f"in/{dtype}.tif", codes(dtype))
    result, items = run(tmp_path, "--format", "exr")
    assert result.err.count("warning: ") == 1 and "1 more warning of kind type" in result.err, result
    for item, dtype in zip(items, ("int32", "uint32")):
        (detail,) = item["warning_details"]
        assert (detail["kind"], detail["from"], detail["to"]) == ("type", dtype, "float")
        assert abs(read_image(tmp_path / f"out/{dtype}.exr")[..., 0] - convolved(codes(dtype))).max() < 0.3
        assert (item["type"], item["output_type"]) == (dtype, "float")


def test_doubles_keep_their_values_and_become_float_with_one_warning(tmp_path):
    (tmp_path / "in").mkdir()
    image = 1000 * picture(23, 19)[..., 0].astype(np.float64)
    for name in ("a", "b"):
        tifffile.imwrite(tmp_path / f"in/{name}.tif", image)
    result, items = run(tmp_path)
    assert result.err.count("warning: ") == 1 and "double" in result.err and "float" in result.err, result
    out = tifffile.imread(tmp_path / "out/b.tif")
    assert out.dtype == np.float32
    assert abs(out - convolved(image)).max() < 1e-3
    assert [(item["type"], item["output_type"]) for item in items] == [("double", "float")] * 2


def test_integers_beyond_their_type_are_clamped_and_not_wrapped(tmp_path):
    (tmp_path / "in").mkdir()
    image = np.full((9, 9), 2**31 - 1, np.int32)
    image[:, 5:] = -(2**31)
    tifffile.imwrite(tmp_path / "in/a.tif", image)
    write_psf(tmp_path / "psf.txt", np.array([[-1.0, 3.0, -1.0]]))
    succeed("run", "in", "--psf", "psf.txt", "--output", "out", cwd=tmp_path)
    out = tifffile.imread(tmp_path / "out/a.tif")
    assert out.dtype == np.int32
    assert (out[:, 4] == 2**31 - 1).all() and (out[:, 5] == -(2**31)).all()


def test_wide_integers_read_by_bands_have_the_same_values(tmp_path):
    (tmp_path / "in").mkdir()
    image = codes("uint32", 1100, 1024)
    tifffile.imwrite(tmp_path / "in/a.tif", image, rowsperstrip=16)
    result, items = run(tmp_path, "--memory-limit", "64M", "--log-level", "debug")
    assert "pieces of 1024x" in items[0]["plan"], result
    out = tifffile.imread(tmp_path / "out/a.tif")
    assert out.dtype == np.uint32
    assert abs(out - convolved(image)).max() <= 0.7
