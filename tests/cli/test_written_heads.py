# SPDX-License-Identifier: Apache-2.0
"""What the heads of outputs say that the library's writers leave out: alpha of BMP, the order of rows of TGA, further samples
of TIFF, colours of JPEG, comments."""

import json
import struct

import numpy as np
import pytest
import tifffile
from PIL import Image
from support.exr import attribute
from support.matrix import bmp, exr_files
from support.matrix.case import noise, with_alpha
from support.tool import succeed

RGBA = with_alpha(noise(4, 8), 8)
MASKS = (0xFF0000, 0xFF00, 0xFF, 0xFF000000)


def copy(folder, *names, options=()):
    """The warnings of copies in the folder out."""
    succeed("run", *names, "--method", "none", "--output", "out", "--report", "r.json", *options, cwd=folder)
    return [warning for item in json.loads((folder / "r.json").read_text())["items"] for warning in item["warnings"]]


def test_a_bmp_has_a_mask_of_alpha_as_its_input_has(tmp_path):
    """Pillow, as many readers, takes a fourth byte for alpha only where a mask says so."""
    size = (RGBA.shape[1], RGBA.shape[0])
    data = bmp.rows_of(RGBA[..., [2, 1, 0, 3]], 32)
    bmp.write(tmp_path / "mask.bmp", data, size, 32, compression=3, masks=MASKS)
    bmp.write(tmp_path / "none.bmp", data, size, 32)
    Image.fromarray(RGBA).save(tmp_path / "png.png")
    assert copy(tmp_path, "mask.bmp", "none.bmp", "png.png", options=["--format", "bmp"]) == []
    for name, mode in [("mask.bmp", "RGBA"), ("none.bmp", "RGB"), ("png.bmp", "RGBA")]:
        with Image.open(tmp_path / "out" / name) as written:
            assert written.mode == mode and np.array_equal(written, RGBA[..., : len(mode)]), name


@pytest.mark.parametrize("codec", [None, "tga_rle"])
def test_a_tga_begins_with_the_row_that_its_input_begins_with(tmp_path, codec):
    """The library writes the lowest row first, and with run lengths the upper one."""
    names = {"up.tga": -1, "down.tga": 1}
    for name, orientation in names.items():
        Image.fromarray(RGBA).save(tmp_path / name, orientation=orientation, compression=codec)
    assert copy(tmp_path, *names) == []
    for name in names:
        before, after = tmp_path / name, tmp_path / "out" / name
        assert after.read_bytes()[16:18] == before.read_bytes()[16:18]
        assert np.array_equal(Image.open(after), RGBA)


def test_a_tga_from_right_to_left_is_reported(tmp_path):
    Image.fromarray(RGBA).save(tmp_path / "a.tga")
    data = bytearray((tmp_path / "a.tga").read_bytes())
    data[17] |= 0x10
    (tmp_path / "a.tga").write_bytes(data)
    (warning,) = copy(tmp_path, "a.tga")
    assert "stored as the lowest row first, from right to left, and those of out/a.tga as the lowest row first" in warning


@pytest.mark.parametrize("kinds", [("assocalpha", "unassalpha"), ("unassalpha", "unspecified"), ("unspecified", "unassalpha")])
def test_further_samples_of_a_tiff_stay_what_they_are(tmp_path, kinds):
    codes = np.random.default_rng(0).integers(0, 65536, (5, 7, 5), np.uint16)
    tifffile.imwrite(tmp_path / "a.tif", codes, photometric="rgb", extrasamples=kinds, metadata=None)
    assert copy(tmp_path, "a.tif") == []
    with tifffile.TiffFile(tmp_path / "out/a.tif") as file:
        assert [kind.name.lower() for kind in file.pages[0].extrasamples] == list(kinds)
        assert np.array_equal(file.asarray(), codes)


def test_a_jpeg_of_red_green_and_blue_stays_one_without_metadata(tmp_path):
    Image.fromarray(noise(3, 8)).save(tmp_path / "a.jpg", quality=90, subsampling=0, comment="of mine")
    data = (tmp_path / "a.jpg").read_bytes()
    data = data[:2] + data[20:]  # without JFIF's segment, libjpeg believes the names of components
    for old, new in [(b"\x01\x11\0\x02\x11\1\x03\x11\1", b"R\x11\0G\x11\1B\x11\1"), (b"\x01\0\x02\x11\x03\x11", b"R\0G\x11B\x11")]:
        assert data.count(old) == 1
        data = data.replace(old, new)
    (tmp_path / "a.jpg").write_bytes(data)
    assert copy(tmp_path, "a.jpg", options=["--metadata", "strip"]) == []
    data = (tmp_path / "out/a.jpg").read_bytes()
    frame = data.index(b"\xff\xc0")
    assert data[frame + 10 : frame + 19 : 3] == b"RGB" and b"of mine" not in data


def test_all_comments_of_a_jpeg_go_to_other_formats(tmp_path):
    Image.fromarray(noise(3, 8)).save(tmp_path / "a.jpg", comment="first")
    data = (tmp_path / "a.jpg").read_bytes()
    comment = data.index(b"\xff\xfe\0\x07first")
    (tmp_path / "a.jpg").write_bytes(data[: comment + 9] + b"\xff\xfe\0\x08second" + data[comment + 9 :])
    copy(tmp_path, "a.jpg", options=["--format", "png"])
    assert Image.open(tmp_path / "out/a.png").info["Description"] == "first\nsecond"


def test_a_preview_of_an_openexr_file_is_missed(tmp_path):
    """It would show the picture before."""
    preview = attribute("preview", "preview", struct.pack("<II", 3, 2) + bytes(24))
    exr_files.write(tmp_path / "a.exr", exr_files.light("f2"), more=preview)
    assert copy(tmp_path, "a.exr") == ["a.exr: has metadata that out/a.exr has not: preview"]
