# SPDX-License-Identifier: Apache-2.0
"""Texts that are not ASCII go from format to format as people read them: by Pillow, exiftool and exrheader."""

import subprocess

import numpy as np
import pytest
import tifffile
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from support.images import as_integers, picture
from support.tool import succeed
from test_metadata import exiftool, tags
from test_metadata_blocks import chunks

PIXELS = as_integers(picture(24, 16, 3), np.uint8)
AUTHOR, DESCRIPTION = "Jörg Müller", "Größe in €"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Inputs of four formats in in/, and the same in others in png/, jpg/ and tif/."""
    folder = tmp_path_factory.mktemp("texts")
    (folder / "in").mkdir()
    image = Image.fromarray(PIXELS)
    image.save(folder / "in/jpeg.jpg")
    image.save(folder / "in/webp.webp", lossless=True)
    tifffile.imwrite(folder / "in/tiff.tif", PIXELS, photometric="rgb", metadata=None)
    for name in ("jpeg.jpg", "webp.webp", "tiff.tif"):
        exiftool("-overwrite_original", f"-IFD0:Artist={AUTHOR}", f"-IFD0:ImageDescription={DESCRIPTION}", "-Flash=Fired", folder / "in" / name)
    texts = PngInfo()
    texts.add_text("Author", AUTHOR)  # tEXt, in Latin-1
    texts.add_text("Title", "Straße", zip=True)  # zTXt
    texts.add_itxt("Description", DESCRIPTION)
    texts.add_text("Über", "é")
    image.save(folder / "in/png.png", pnginfo=texts)
    for extension in ("png", "jpg", "tif"):
        succeed("run", "in", "--method", "none", "--format", extension, "--output", extension, cwd=folder)
    return folder


@pytest.mark.parametrize("name", ["jpeg", "webp", "tiff"])
def test_readers_of_png_show_the_texts(folder, name):
    texts = Image.open(folder / f"png/{name}.png").text
    assert texts["Author"] == AUTHOR and texts["Description"] == DESCRIPTION
    assert exiftool("-s3", "-PNG:Author", "-PNG:Description", folder / f"png/{name}.png").splitlines() == [AUTHOR, DESCRIPTION]


def test_ascii_stays_in_the_chunk_that_all_readers_know(folder, tmp_path):
    Image.fromarray(PIXELS).save(tmp_path / "a.jpg")
    exiftool("-overwrite_original", "-IFD0:Artist=me", tmp_path / "a.jpg")
    succeed("run", "a.jpg", "--method", "none", "--output", "a.png", cwd=tmp_path)
    assert (b"tEXt", b"Author\0me") in chunks(tmp_path / "a.png")


@pytest.mark.parametrize("name", ["jpeg", "webp", "tiff"])
def test_a_png_gets_no_texts_about_openimageio_itself(folder, name):
    words = [contents.partition(b"\0")[0] for kind, contents in chunks(folder / f"png/{name}.png") if kind in (b"tEXt", b"iTXt", b"zTXt")]
    assert not [word for word in words if word.startswith((b"jpeg:", b"rdf:", b"exif:", b"oiio:"))], words


def test_the_old_texts_of_a_png_are_read_as_latin_1(folder):
    assert exiftool("-s3", "-IFD0:Artist", "-IFD0:ImageDescription", "-IFD0:DocumentName", folder / "tif/png.tif").splitlines() == [AUTHOR, DESCRIPTION, "Straße"]
    succeed("run", "in/png.png", "--method", "none", "--output", "png.exr", cwd=folder)
    listed = subprocess.run(["exrheader", folder / "png.exr"], capture_output=True, check=True).stdout.decode()
    assert f'Artist (type string): "{AUTHOR}"' in listed and 'Über (type string): "é"' in listed


def test_a_png_of_a_png_has_its_bytes(folder):
    def texts(path):
        return [chunk for chunk in chunks(path) if chunk[0] in (b"tEXt", b"iTXt", b"zTXt")]

    assert len(texts(folder / "in/png.png")) == 4
    assert texts(folder / "png/png.png") == texts(folder / "in/png.png")


def test_utf8_in_an_old_text_is_not_encoded_twice(tmp_path):
    """Against the format, but many programs write it, OpenImageIO among them."""
    texts = PngInfo()
    texts.add(b"tEXt", b"Author\0" + AUTHOR.encode())
    Image.fromarray(PIXELS).save(tmp_path / "a.png", pnginfo=texts)
    succeed("run", "a.png", "--method", "none", "--output", "a.tif", cwd=tmp_path)
    assert tags(tmp_path / "a.tif")["IFD0:Artist"] == AUTHOR


def texts_behind_the_samples(path, keyword="Description"):
    """As ImageMagick and GraphicsMagick write them."""
    texts = PngInfo()
    texts.add_text("Author", AUTHOR)
    texts.add_text("Title", "Straße", zip=True)
    texts.add_itxt(keyword, DESCRIPTION)
    texts.add_itxt("Comment", "of mine", zip=True)
    texts.add_text("date:create", "2001-02-03T04:05:06+00:00")
    Image.fromarray(PIXELS).save(path, pnginfo=texts)
    data = path.read_bytes()
    first, samples = data.index(b"tEXt") - 4, data.index(b"IDAT") - 4
    path.write_bytes(data[:first] + data[samples:-12] + data[first:samples] + data[-12:])
    assert [kind for kind, _ in chunks(path)] == [b"IHDR", b"IDAT", b"tEXt", b"zTXt", b"iTXt", b"iTXt", b"tEXt", b"IEND"]


def test_texts_behind_the_samples_of_a_png_go_along_to_other_formats(tmp_path):
    texts_behind_the_samples(tmp_path / "a.png", "description")  # OpenImageIO knows keywords in any case
    for extension in ("tif", "jpg"):
        succeed("run", "a.png", "--method", "none", "--format", extension, "--output", "out", cwd=tmp_path)
    asked = ("-s3", "-IFD0:Artist", "-IFD0:ImageDescription", "-IFD0:DocumentName")
    assert exiftool(*asked, tmp_path / "out/a.tif").splitlines() == [AUTHOR, DESCRIPTION, "Straße"]
    assert exiftool(*asked, tmp_path / "out/a.jpg").splitlines() == [AUTHOR, DESCRIPTION]


def test_texts_behind_the_samples_of_a_png_are_missed(tmp_path):
    texts_behind_the_samples(tmp_path / "a.png")
    result = succeed("run", "a.png", "--method", "none", "--format", "ppm", "--output", "out", cwd=tmp_path)
    assert "not: author, description, Comment, title\n" in result.err
    succeed("run", "a.png", "--method", "none", "--output", "out", cwd=tmp_path)
    assert Image.open(tmp_path / "out/a.png").text == Image.open(tmp_path / "a.png").text
