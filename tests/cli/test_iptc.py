# SPDX-License-Identifier: Apache-2.0
"""The IPTC of a JPEG that is made of a file of another format, as exiftool shows it and byte by byte."""

import json
import struct

import numpy as np
import pytest
import tifffile
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from support.images import as_integers, picture
from support.tool import succeed
from test_metadata import exiftool

PIXELS = as_integers(picture(24, 16, 3), np.uint8)
UTF8 = b"\x1c\x01\x5a\0\x03\x1b%G"  # IIM 4.2: 1:90, the character set


def field(record, number, contents):
    return b"\x1c" + bytes((record, number)) + struct.pack(">H", len(contents)) + contents


def resources(iptc):
    """Photoshop's, with one more in front."""
    return b"8BIM\x03\xed\0\0" + struct.pack(">I", 4) + bytes(4) + b"8BIM\x04\x04\0\0" + struct.pack(">I", len(iptc)) + iptc + bytes(len(iptc) % 2)


LATIN1 = field(2, 25, "grün".encode("latin1")) + field(2, 80, "Jörg".encode("latin1"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Inputs in in/, their JPEGs in out/."""
    folder = tmp_path_factory.mktemp("iptc")
    (folder / "in").mkdir()

    def tiff(name, number, contents):
        tags = [(number, "B", len(contents), contents, True)]
        tifffile.imwrite(folder / "in" / name, PIXELS, photometric="rgb", metadata=None, extratags=tags)

    tiff("latin1.tif", 33723, LATIN1)
    tiff("utf8.tif", 33723, UTF8 + field(2, 25, "grün".encode()))
    tiff("resources.tif", 34377, resources(LATIN1))
    tifffile.imwrite(folder / "in/none.tif", PIXELS, photometric="rgb", metadata=None, description="a lamp")
    texts = PngInfo()
    texts.add_itxt("Author", "Jörg")
    Image.fromarray(PIXELS).save(folder / "in/author.png", pnginfo=texts)
    Image.fromarray(PIXELS).save(folder / "in/artist.webp")
    exiftool("-overwrite_original", "-IFD0:Artist=Jörg", folder / "in/artist.webp")
    succeed("run", "in", "--method", "none", "--format", "jpg", "--output", "out", "--report", "r.json", cwd=folder)
    return folder


def iptc_of(path):
    """Of the segment APP13; None if there is none. It stands once."""
    data, at, found = path.read_bytes(), 2, []
    while data[at + 1] != 0xDA:
        (length,) = struct.unpack_from(">H", data, at + 2)
        segment = data[at + 4 : at + 2 + length]
        if data[at + 1] == 0xED:
            assert segment.startswith(b"Photoshop 3.0\x008BIM\x04\x04\0\0")
            (size,) = struct.unpack_from(">I", segment, 22)
            found.append(segment[26 : 26 + size])
        at += 2 + length
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize("name, expected", [("latin1", LATIN1), ("utf8", UTF8 + field(2, 25, "grün".encode())), ("resources", LATIN1)], ids=["latin1", "utf8", "resources"])
def test_that_of_a_tiff_is_copied_byte_for_byte(folder, name, expected):
    assert iptc_of(folder / f"out/{name}.jpg") == expected


def test_what_is_made_of_texts_says_that_it_is_utf8(folder):
    assert iptc_of(folder / "out/author.jpg").startswith(UTF8)
    assert exiftool("-s3", "-IPTC:By-line", folder / "out/author.jpg").strip() == "Jörg"


def test_ascii_needs_no_character_set(folder):
    assert field(2, 120, b"a lamp") in iptc_of(folder / "out/none.jpg") and UTF8 not in iptc_of(folder / "out/none.jpg")


def test_a_webp_has_no_iptc_and_its_jpeg_gets_none(folder):
    assert iptc_of(folder / "out/artist.jpg") is None
    assert exiftool("-s3", "-IFD0:Artist", folder / "out/artist.jpg").strip() == "Jörg"


def test_iptc_in_the_resources_of_a_tiff_alone_is_missed_where_it_is_lost(folder):
    assert all("IPTC" not in w for item in json.loads((folder / "r.json").read_text())["items"] for w in item["warnings"])
    succeed("run", "in/resources.tif", "--method", "none", "--output", "a.png", "--report", "png.json", cwd=folder)
    (item,) = json.loads((folder / "png.json").read_text())["items"]
    assert any("IPTC" in warning for warning in item["warnings"])


def test_that_of_a_jpeg_has_its_own_tag_in_a_tiff_and_comes_back(tmp_path):
    Image.fromarray(PIXELS).save(tmp_path / "a.jpg")
    data = (tmp_path / "a.jpg").read_bytes()
    segment = b"Photoshop 3.0\0" + resources(LATIN1)
    (tmp_path / "a.jpg").write_bytes(data[:2] + b"\xff\xed" + struct.pack(">H", len(segment) + 2) + segment + data[2:])
    result = succeed("run", "a.jpg", "--method", "none", "--output", "a.tif", cwd=tmp_path)
    assert "IPTC" not in result.err
    with tifffile.TiffFile(tmp_path / "a.tif") as file:
        assert bytes(file.pages[0].tags[33723].value) == LATIN1
    succeed("run", "a.tif", "--method", "none", "--output", "b.jpg", cwd=tmp_path)
    assert iptc_of(tmp_path / "b.jpg") == LATIN1
