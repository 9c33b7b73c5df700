# SPDX-License-Identifier: Apache-2.0
"""CMYK files are convolved ink by ink. Pillow writes and reads them."""

import numpy as np
import pytest
from PIL import Image
from support.images import as_integers, as_values, picture, random_psf, write_psf
from support.reference import assert_same_codes, convolve
from support.tool import fail, succeed

PSF = random_psf(7, 5)
PROFILE = bytes(range(200))


@pytest.fixture(scope="module")
def inks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cmyk")
    samples = as_integers(picture(23, 17, 4), np.uint8)
    image = Image.fromarray(samples, "CMYK")
    image.save(folder / "a.tif", icc_profile=PROFILE)
    image.save(folder / "a.jpg", icc_profile=PROFILE)
    write_psf(folder / "psf.txt", PSF)
    return folder, samples


@pytest.mark.parametrize("options", [(), ("--metadata", "strip"), ("--compression", "lzw"), ("--linear",)])
def test_a_tiff_keeps_its_four_inks(inks, options):
    folder, samples = inks
    output = f"out-{len(options)}{options[-1:]}"
    succeed("run", "a.tif", "--psf", "psf.txt", "--output", output, *options, cwd=folder)
    after = Image.open(folder / output / "a.tif")
    photometric, separated, extra_samples = 262, 5, 338
    assert after.mode == "CMYK" and after.tag_v2[photometric] == separated and extra_samples not in after.tag_v2
    assert_same_codes(np.asarray(after), convolve(as_values(samples), PSF / PSF.sum()))
    assert after.info.get("icc_profile") == (None if "strip" in options else PROFILE)


def test_bands_are_inks_too(inks, tmp_path):
    folder, _ = inks
    samples = as_integers(picture(1000, 700, 4), np.uint8)
    Image.fromarray(samples, "CMYK").save(tmp_path / "large.tif")
    for limit, name in (("1M", "bands"), ("4G", "whole")):
        succeed("run", tmp_path / "large.tif", "--psf", folder / "psf.txt", "--memory-limit", limit, "--output",
                tmp_path / name)  # fmt: skip
    bands, whole = (np.asarray(Image.open(tmp_path / name / "large.tif")).astype(int) for name in ("bands", "whole"))
    assert bands.shape == (700, 1000, 4) and abs(bands - whole).max() <= 1


def test_what_cannot_be_inks_is_an_error_of_that_item(inks):
    folder, _ = inks
    fail(1, "run", "a.jpg", "--psf", "psf.txt", "--output", "jpg", says=["a.jpg", "CMYK", "TIFF"], cwd=folder)
    for extension in ("png", "exr", "jpg"):
        fail(1, "run", "a.tif", "--psf", "psf.txt", "--format", extension, "--output", extension,
             says=[f"a.{extension}", "CMYK", "--format tif"], cwd=folder)  # fmt: skip
    fail(1, "run", "a.tif", "--psf", "psf.txt", "--depth", "u16", "--output", "deep", says=["a.tif", "8 bits", "--depth u8"],
         cwd=folder)  # fmt: skip
    assert not [path for pattern in ("*/a.png", "*/a.exr", "*/a.jpg", "deep/a.tif") for path in folder.glob(pattern)]


def test_a_bloom_of_inks_is_an_error_of_that_item(inks, tmp_path):
    """Where inks are high it is dark: highlights of ink would be the shadows."""
    folder, _ = inks
    for name in ("a.tif", "a.jpg"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    Image.fromarray(np.full((9, 9, 3), 255, np.uint8)).save(tmp_path / "light.png")
    said = ["2 failed", "a.tif: holds CMYK inks", "a.jpg: holds CMYK inks", "convert it to RGB"]
    fail(1, "bloom", ".", "--output", "out", "--psf", folder / "psf.txt", says=said, cwd=tmp_path)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["light.png"]
    assert "holds CMYK inks" in succeed("bloom", "a.tif", "--output", "dry", "--dry-run", cwd=tmp_path).err
