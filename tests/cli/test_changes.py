# SPDX-License-Identifier: Apache-2.0
"""Unrequested changes between input and output: each is a warning of its kind. Pillow and tifffile write the inputs."""

import json
import struct

import numpy as np
import pytest
import tifffile
from PIL import Image, ImageCms
from support.images import as_integers, picture, write_image
from support.tool import succeed

RGB = as_integers(picture(24, 16, 3), np.uint8)
GRAY16 = as_integers(picture(24, 16)[..., 0], np.uint16)
RGBA = np.dstack([RGB, as_integers(picture(24, 16, seed=5)[..., 0], np.uint8)])


def details(folder, *options):
    """The warnings of a run over in/, by input."""
    command = ("run", "in", "--output", "out", "--overwrite", "--method", "none", "--report", "r.json")
    succeed(*command, *options, cwd=folder)
    items = json.loads((folder / "r.json").read_text())["items"]
    for item in items:
        assert [detail["message"] for detail in item["warning_details"]] == item["warnings"]
    return {item["input"]: item["warning_details"] for item in items}


def kinds(folder, *options):
    return {name: [detail["kind"] for detail in found] for name, found in details(folder, *options).items()}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    return tmp_path


def test_files_that_keep_everything_have_none(folder):
    Image.fromarray(RGB).save(folder / "in/a.png")
    Image.fromarray(GRAY16).save(folder / "in/b.png")
    Image.fromarray(RGB).save(folder / "in/c.jpg", quality=90, subsampling=2)
    Image.fromarray(RGB).save(folder / "in/d.bmp")
    Image.fromarray(RGB).save(folder / "in/e.tga")
    tifffile.imwrite(folder / "in/f.tif", GRAY16)
    tifffile.imwrite(folder / "in/g.tif", RGB.astype(np.float32), photometric="rgb")
    Image.fromarray(RGBA).save(folder / "in/h.png")
    assert all(found == [] for found in kinds(folder).values())


@pytest.mark.parametrize("depth", ["u16", "float"])
def test_more_bits_that_were_asked_for_are_no_change(folder, depth):
    tifffile.imwrite(folder / "in/a.tif", RGB, photometric="rgb")
    tifffile.imwrite(folder / "in/b.tif", GRAY16)
    Image.fromarray(RGB).save(folder / "in/c.png")
    options = ("--psf", "disc:1", "--format", "tif", "--depth", depth, "--name", "{index}{ext}")
    succeed("run", "in", "--output", "out", "--report", "r.json", *options, cwd=folder)
    assert [item["warnings"] for item in json.loads((folder / "r.json").read_text())["items"]] == [[], [], []]
    assert tifffile.imread(folder / "out/0.tif").dtype == {"u16": np.uint16, "float": np.float32}[depth]


def test_a_format_of_fewer_bits(folder):
    Image.fromarray(GRAY16).save(folder / "in/a.png")
    (found,) = details(folder, "--format", "tga")["in/a.png"]
    assert (found["kind"], found["from"], found["to"]) == ("type", "u16", "u8")
    (item,) = json.loads((folder / "r.json").read_text())["items"]
    assert item["output_type"] == "u8", "the type is that of the file"
    assert Image.open(folder / "out/a.tga").getextrema()[1] <= 255
    assert kinds(folder, "--format", "tga", "--depth", "u8") == {"in/a.png": []}


def test_alpha_that_a_format_does_not_have_or_multiplies_in(folder):
    Image.fromarray(RGBA).save(folder / "in/a.png")
    assert kinds(folder, "--format", "jpg") == {"in/a.png": ["alpha"]}
    (found,) = details(folder, "--format", "exr")["in/a.png"]
    assert (found["kind"], found["from"], found["to"]) == ("alpha", "straight", "associated")
    assert kinds(folder, "--format", "tif") == {"in/a.png": []}


def test_an_orientation_that_a_format_does_not_state(folder):
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "a description"
    Image.fromarray(RGB).save(folder / "in/a.jpg", exif=exif)
    found = details(folder, "--format", "bmp")["in/a.jpg"]
    assert [detail["kind"] for detail in found] == ["order", "tags"]
    assert found[0]["from"] == "orientation 6" and found[1]["from"] == "Exif"
    assert kinds(folder, "--format", "png") == {"in/a.jpg": []}
    assert kinds(folder) == {"in/a.jpg": []}


def test_rows_of_an_openexr_file_that_begins_with_the_lowest(folder):
    for name, order in (("a", "increasingY"), ("b", "decreasingY")):
        write_image(folder / f"in/{name}.exr", picture(24, 16, 3), {"openexr:lineOrder": order})
    found = details(folder)
    assert found["in/a.exr"] == []
    assert [(detail["kind"], detail["from"]) for detail in found["in/b.exr"]] == [("order", "the lowest row first")]
    assert kinds(folder, "--format", "tif") == {"in/a.exr": [], "in/b.exr": []}, "another format has an order of its own"


def test_a_bmp_with_the_oldest_head_has_no_palette(folder):
    """It has pixels where others say how many bits one has: here black ones."""
    rows = bytes(24 * 3 * 16)
    head = b"BM" + struct.pack("<IHHI", 26 + len(rows), 0, 0, 26) + struct.pack("<IHHHH", 12, 24, 16, 1, 24)
    (folder / "in/a.bmp").write_bytes(head + rows)
    assert kinds(folder) == {"in/a.bmp": []}


def test_chroma_that_is_halved_and_losses_of_a_codec(folder):
    Image.fromarray(RGB).save(folder / "in/a.webp", lossless=True)
    Image.fromarray(RGB).save(folder / "in/b.png")
    found = kinds(folder, "--format", "webp")
    for name in found:  # unless the output is written without a loss
        shown = np.asarray(Image.open((folder / "out" / name[3:]).with_suffix(".webp")).convert("RGB"))
        assert found[name] == ([] if np.array_equal(shown, RGB) else ["compression"])
    assert kinds(folder, "--format", "jpg")["in/b.png"] == [], "JPEG has no other codec"


def test_gray_that_is_stored_as_a_negative(folder):
    tifffile.imwrite(folder / "in/a.tif", GRAY16, photometric="miniswhite")
    found = kinds(folder)["in/a.tif"]
    with tifffile.TiffFile(folder / "out/a.tif") as file:
        is_kept = file.pages[0].photometric.name == "MINISWHITE"
    assert found == ([] if is_kept else ["photometric"])


def test_each_kind_is_one_line_of_the_log_with_a_count(folder):
    for number in range(12):
        Image.fromarray(RGBA).save(folder / f"in/{number:02}.png")
    command = ("run", "in", "--output", "out", "--format", "jpg", "--method", "none", "--report", "r.json")
    log = succeed(*command, cwd=folder).err
    (line,) = [line for line in log.splitlines() if line.startswith("warning: ")]
    assert "in/00.png" in line and "11 more warnings of kind alpha" in line
    items = json.loads((folder / "r.json").read_text())["items"]
    assert all([detail["kind"] for detail in item["warning_details"]] == ["alpha"] for item in items)


def test_a_profile_of_other_colours_than_the_outputs(folder):
    """Lab becomes RGB when it is read, and gray becomes RGB in WebP: their profiles would be wrong there."""
    Image.fromarray(RGB).convert("LAB").save(folder / "in/lab.tif", icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes())
    for extension in ("png", "tif"):
        found = kinds(folder, "--format", extension)["in/lab.tif"]
        assert {"photometric", "colour"} <= set(found)
        assert not Image.open(folder / f"out/lab.{extension}").info.get("icc_profile")


def test_frames_without_clear_pixels_have_no_alpha_to_lose(folder):
    Image.fromarray(RGB).quantize(16).save(folder / "in/opaque.gif")
    Image.fromarray(RGBA).save(folder / "in/clear.png")
    assert kinds(folder, "--format", "jpg") == {"in/opaque.gif": [], "in/clear.png": ["alpha"]}
    (found,) = [detail for detail in details(folder, "--format", "gif")["in/clear.png"] if detail["kind"] == "alpha"]
    assert "opaque" in found["message"]


def test_pixels_that_a_frame_leaves_as_they_were_are_not_clear(folder):
    """Optimised animations store what changes, with a clear colour elsewhere."""
    frames = [np.asarray(Image.fromarray(RGB).quantize(16).convert("RGB")).copy() for _ in range(3)]
    for number, frame in enumerate(frames[1:], 1):
        frame[2 + number, 3:9] = (250, 10, 10)
    pictures = [Image.fromarray(frame) for frame in frames]
    pictures[0].save(folder / "in/opaque.gif", save_all=True, append_images=pictures[1:], duration=50)
    first, *others = (folder / "in/opaque.gif").read_bytes().split(b"\x21\xf9\x04")  # what is said of each frame
    changes = [bytes([text[0] | 1]) + text[1:] for text in others[1:]]  # Pillow itself writes smaller rectangles alone
    (folder / "in/opaque.gif").write_bytes(b"\x21\xf9\x04".join([first, others[0], *changes]))
    pixels = np.dstack([RGB, np.full(RGB.shape[:2], 255, np.uint8)])
    pixels[4:9, 4:9, 3] = 0
    clear = Image.fromarray(pixels)
    clear.save(folder / "in/clear.gif", save_all=True, append_images=[clear.rotate(180)], duration=50, disposal=1)
    for options in [(), ("--format", "jpg", "--parts", "first")]:
        found = kinds(folder, *options)
        assert "alpha" not in found["in/opaque.gif"] and "alpha" in found["in/clear.gif"]


def test_an_animation_of_webp_and_colours_under_alpha_stay(folder):
    under = RGBA.copy()
    under[..., 3] = np.where(np.arange(24) % 2, 255, 0)
    Image.fromarray(under).save(folder / "in/a.webp", lossless=True, exact=True)
    assert kinds(folder) == {"in/a.webp": []}
    assert np.array_equal(np.asarray(Image.open(folder / "out/a.webp")), under)


def test_integers_that_float_rounds_are_reported_in_bands_too(folder):
    wide = np.random.default_rng(1).integers(0, 2**32, (900, 1200), dtype=np.uint64).astype(np.uint32)
    tifffile.imwrite(folder / "in/a.tif", wide)
    for limit in ("1G", "24M"):
        command = ("run", "in", "--output", "out", "--overwrite", "--psf", "box:3", "--memory-limit", limit, "--report", "r.json")
        succeed(*command, cwd=folder)
        (item,) = json.loads((folder / "r.json").read_text())["items"]
        assert ("pieces" in item["plan"]) == (limit == "24M"), item["plan"]
        (found,) = item["warning_details"]
        assert found["kind"] == "accuracy" and "by up to 128" in found["message"]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_missing_samples_of_white_is_zero_files_get_their_value_again(folder, dtype):
    codes = (np.add.outer(np.arange(16), np.arange(24)) * 2 + 40).astype(dtype)
    codes[4:12, 4:12] = 7
    tifffile.imwrite(folder / "in/a.tif", codes, photometric="miniswhite", extratags=[(42113, "s", 0, "7", True)])
    (folder / "one.txt").write_text("1\n")
    command = ("run", "in", "--output", "out", "--psf", "one.txt", "--nonfinite", "propagate", "--report", "r.json")
    succeed(*command, cwd=folder)
    with tifffile.TiffFile(folder / "out/a.tif") as file:
        assert file.pages[0].photometric.name == "MINISWHITE" and float(file.pages[0].tags[42113].value) == 7
        assert np.allclose(file.asarray(), codes, atol=1e-6)
    (item,) = json.loads((folder / "r.json").read_text())["items"]
    assert item["warnings"] == []


def test_a_later_page_that_is_stored_otherwise_is_reported(folder):
    """The header of the first page says nothing of the others."""
    later = [Image.fromarray(RGB[..., 0] > 128), Image.fromarray(RGB).quantize(16)]
    Image.fromarray(RGB).save(folder / "in/a.tif", save_all=True, append_images=later)
    found = details(folder)["in/a.tif"]
    assert {"bits", "photometric"} <= {detail["kind"] for detail in found}
    (bits,) = [detail for detail in found if detail["kind"] == "bits"]
    assert "out/a.tif (part 1): samples of 1 bit become" in bits["message"]


def test_pages_far_behind_are_reported(folder):
    later = [Image.fromarray(RGB)] * 40 + [Image.fromarray(RGB[..., 0] > 128)]
    Image.fromarray(RGB).save(folder / "in/a.tif", save_all=True, append_images=later)
    (bits,) = [detail for detail in details(folder)["in/a.tif"] if detail["kind"] == "bits"]
    assert "out/a.tif (part 41): samples of 1 bit become" in bits["message"]


def test_a_picture_whose_name_says_jpeg_loses_something_that_nobody_asked_for(folder):
    Image.fromarray(RGB).save(folder / "in/a.jpg", format="png")
    assert "compression" in kinds(folder)["in/a.jpg"]
    Image.fromarray(RGB).save(folder / "in/b.png")
    assert "compression" not in kinds(folder, "--format", "jpg")["in/b.png"]


def test_headers_with_long_lists_are_compared(folder):
    """A manifest of Cryptomatte may take megabytes, and lies before the other attributes."""
    attributes = {"a manifest": "x" * 300000, "PixelAspectRatio": 2.0}
    write_image(folder / "in/a.exr", picture(24, 16, 3).astype(np.float16), attributes)
    warned = " ".join(detail["message"] for detail in details(folder, "--format", "png")["in/a.exr"])
    assert "a manifest" in warned and "samples are half" in warned and "times as wide" not in warned, warned
