# SPDX-License-Identifier: Apache-2.0
"""What a file says beside its pixels stays. exiftool fills the files with it and lists it again."""

import json
import subprocess

import numpy as np
import pytest
from PIL import Image
from support.images import as_integers, picture
from support.tool import succeed

# What says how the file is stored, or where; all of it may change. The thumbnail is gone: it shows the old picture.
STORAGE = ("File:", "System:", "ExifTool:", "IFD1:", "Composite:", "SourceFile")


def exiftool(*arguments):
    done = subprocess.run(["exiftool", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tags(path, group="-G1"):
    listed = json.loads(exiftool("-j", group, "-a", "-u", "-b", "-ee", path))[0]
    return {name: value for name, value in listed.items() if not name.startswith(STORAGE)}


def photo(path, **settings):
    """A small file as cameras and programs leave them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.fromarray(as_integers(picture(48, 40, 3), np.uint8))
    image.save(path, **settings)
    thumbnail = path.with_name("thumbnail")
    image.resize((16, 12)).save(thumbnail, format="JPEG")
    exiftool(
        "-overwrite_original", "-Make=Canon", "-Model=Canon EOS 5D", "-Orientation#=1", "-ISO=400", "-LensModel=50mm",
        "-UserComment=a comment of mine", "-GPSLatitude=48.1", "-GPSLatitudeRef=N", "-XMP:Rating=4", "-XMP:Label=Red",
        "-XMP-dc:Subject=lamp", "-XMP-dc:Subject=night", "-XMP-exif:ExifImageWidth=48", "-IPTC:Keywords=lamp",
        "-IPTC:Keywords=wall", "-IPTC:By-line=me", "-Comment=a JPEG comment", "-ExifImageWidth=48",
        "-ExifImageHeight=40", "-IFD0:Software=Camera 1.0", "-DateTimeOriginal=2001:02:03 04:05:06",
        "-PhotoshopQuality=9", f"-ThumbnailImage<={thumbnail}", path,
    )  # fmt: skip
    thumbnail.unlink()


def with_maker_note(path):
    """Puts an Exif block with a maker note, which points at its own data by the offset in the block, into a JPEG."""
    note = b"ACME\0" + bytes(range(1, 200))
    entries = lambda *list_: len(list_).to_bytes(2, "little") + b"".join(list_) + bytes(4)  # noqa: E731

    def entry(tag, kind, count, value):
        return b"".join(n.to_bytes(s, "little") for n, s in ((tag, 2), (kind, 2), (count, 4), (value, 4)))

    details_at = 8 + 2 + 12 + 4
    note_at = details_at + 2 + 12 + 4
    block = b"II*\0\x08\0\0\0" + entries(entry(0x8769, 4, 1, details_at))
    block += entries(entry(0x927C, 7, len(note), note_at)) + note
    payload = b"Exif\0\0" + block
    data = path.read_bytes()
    path.write_bytes(data[:2] + b"\xff\xe1" + (len(payload) + 2).to_bytes(2, "big") + payload + data[2:])
    return payload


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("metadata")
    photo(folder / "in/photo.jpg", quality=90, icc_profile=bytes(range(250)) * 400, dpi=(300, 300))
    plain = Image.fromarray(as_integers(picture(48, 40, 3), np.uint8))
    plain.save(folder / "in/plain.jpg", quality=90)
    plain.save(folder / "in/maker.jpg", quality=90)
    with_maker_note(folder / "in/maker.jpg")
    (folder / "in/odd.jpg").write_bytes(
        (folder / "in/plain.jpg").read_bytes()[:2] + b"\xff\xe1\0\x0cExif\0\0II*\0" + b"\xff\xed\0\x06abcd"
        + (folder / "in/plain.jpg").read_bytes()[2:])  # fmt: skip
    succeed("run", "in", "--psf", "gaussian:1", "--output", "out", cwd=folder)
    return folder


def test_every_tag_of_a_jpeg_stays(folder):
    before, after = tags(folder / "in/photo.jpg"), tags(folder / "out/photo.jpg")
    assert len(before) > 30
    assert after == before
    assert exiftool("-b", "-File:Comment", folder / "out/photo.jpg") == "a JPEG comment"


def test_the_profile_stays_byte_for_byte(folder):
    profile = Image.open(folder / "out/photo.jpg").info["icc_profile"]
    assert profile == Image.open(folder / "in/photo.jpg").info["icc_profile"] == bytes(range(250)) * 400


def test_the_picture_can_be_read_and_is_the_result(folder):
    def samples(name):
        return np.asarray(Image.open(folder / name), np.float64)

    assert (samples("out/photo.jpg") == samples("out/plain.jpg")).all()
    assert 0 < abs(samples("out/photo.jpg") - samples("in/photo.jpg")).mean() < 40


def test_the_thumbnail_goes(folder):
    assert "IFD1:ThumbnailImage" in json.loads(exiftool("-j", "-G1", folder / "in/photo.jpg"))[0]
    assert not exiftool("-b", "-ThumbnailImage", folder / "out/photo.jpg")
    assert (folder / "out/photo.jpg").read_bytes().count(b"\xff\xd8\xff") == 1


@pytest.mark.parametrize("behind", [b"MeSa\x1b\x58\0\0\0\0\0\4abcd", b"8BIM\4\x21\0\0\0\0\0\x0eabcd"], ids=["of ImageReady", "cut"])
def test_the_thumbnail_of_photoshop_goes_whatever_is_behind_it(tmp_path, behind):
    Image.fromarray(as_integers(picture(48, 40, 3), np.uint8)).save(tmp_path / "a.jpg")
    data = (tmp_path / "a.jpg").read_bytes()
    old = b"\xff\xd8\xff" + bytes(99)
    block = b"Photoshop 3.0\0" + b"8BIM\4\x0c\0\0" + len(old).to_bytes(4, "big") + old + behind
    (tmp_path / "a.jpg").write_bytes(data[:2] + b"\xff\xed" + (len(block) + 2).to_bytes(2, "big") + block + data[2:])
    succeed("run", "a.jpg", "--psf", "gaussian:1", "--output", "out", cwd=tmp_path)
    after = (tmp_path / "out/a.jpg").read_bytes()
    assert after.count(b"\xff\xd8\xff") == 1 and b"Photoshop 3.0\0" + behind in after


@pytest.mark.parametrize("ending", ["jpg", "tif", "png"])
def test_the_thumbnails_of_xmp_go(tmp_path, ending):
    Image.fromarray(as_integers(picture(48, 40, 3), np.uint8)).save(tmp_path / f"a.{ending}")
    exiftool("-overwrite_original", "-XMP-xmp:ThumbnailImage=small", "-XMP-xmp:ThumbnailFormat=JPEG", "-XMP:Rating=4", tmp_path / f"a.{ending}")
    assert b"xmp:Thumbnails" in (tmp_path / f"a.{ending}").read_bytes()
    succeed("run", f"a.{ending}", "--psf", "gaussian:1", "--output", "out", cwd=tmp_path)
    after = tags(tmp_path / f"out/a.{ending}")
    assert after["XMP-xmp:Rating"] == 4 and not [tag for tag in after if "Thumbnail" in tag]


def test_maker_notes_and_damaged_blocks_stay_byte_for_byte(folder):
    block = with_maker_note(folder / "out/plain.jpg")
    assert block in (folder / "out/maker.jpg").read_bytes()
    assert b"\xff\xe1\0\x0cExif\0\0II*\0\xff\xed\0\x06abcd" in (folder / "out/odd.jpg").read_bytes()


def test_nothing_is_invented(folder):
    succeed("run", "in/plain.jpg", "--psf", "gaussian:1", "--output", "again", cwd=folder)
    assert tags(folder / "again/plain.jpg") == tags(folder / "in/plain.jpg")


def test_sizes_are_those_of_the_result(folder):
    succeed("run", "in/photo.jpg", "--psf", "box:5", "--mode", "full", "--output", "full", cwd=folder)
    before, after = tags(folder / "in/photo.jpg"), tags(folder / "full/photo.jpg")
    changed = {name: after.get(name) for name in before if after.get(name) != before[name]}
    assert changed == {"ExifIFD:ExifImageWidth": 52, "ExifIFD:ExifImageHeight": 44, "XMP-exif:ExifImageWidth": 52}


def test_strip_leaves_nothing(folder):
    succeed("run", "in/photo.jpg", "--psf", "box:5", "--metadata", "strip", "--output", "strip", cwd=folder)
    assert not [name for name in tags(folder / "strip/photo.jpg") if name.startswith(("XMP", "IPTC", "ICC", "GPS"))]


def test_bands_of_a_large_image_keep_them_too(folder):
    Image.fromarray(np.random.default_rng(5).integers(0, 255, (1000, 800, 3), np.uint8)).save(folder / "large.jpg")
    exiftool("-overwrite_original", "-TagsFromFile", folder / "in/photo.jpg", "-all:all", folder / "large.jpg")
    succeed("run", "large.jpg", "--psf", "box:3", "--memory-limit", "1M", "--output", "large", cwd=folder)
    assert tags(folder / "large/large.jpg") == tags(folder / "large.jpg")
    Image.open(folder / "large/large.jpg").load()
