# SPDX-License-Identifier: Apache-2.0
"""Files of several images: --parts chooses one that is convolved (all of them: test_all_parts.py). tifffile, Pillow and OpenImageIO judge."""

import json

import numpy as np
import OpenImageIO as oiio
import pytest
import tifffile
from PIL import Image
from support.exr import write_exr_parts
from support.files_of_parts import write_pages
from support.images import as_integers, picture, random_psf, read_image, read_spec, write_psf
from support.reference import assert_same_floats, convolve
from support.tool import fail, files_below, succeed

PSF = random_psf(7, 5)
COPY = ("run", "in", "--output", "out", "--overwrite", "--method", "none")  # no device: nothing is to be compiled
PAGES = [
    picture(23, 17)[..., 0],
    as_integers(picture(8, 9, 3), np.uint8),
    as_integers(picture(31, 5)[..., 0], np.uint16),
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    write_psf(tmp_path / "psf.txt", PSF)
    return tmp_path


def test_each_page_can_be_convolved(folder):
    path = folder / "in/a.tif"
    write_pages(path, [picture(23, 17, seed=page)[..., 0] for page in range(3)])
    for page in (0, 2):
        run = ["run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", "--parts", page]
        assert "warning" not in succeed(*run, cwd=folder).err
        expected = convolve(tifffile.imread(path, key=page)[..., None], PSF / PSF.sum())
        assert_same_floats(read_image(folder / "out/a.tif"), expected, f"page {page}")


@pytest.mark.parametrize("method", [["--method", "none"], [], ["--memory-limit", "1M"]], ids=["copied", "whole", "bands"])
def test_a_page_alone_has_no_labels_of_the_others(folder, method):
    stack = np.stack([as_integers(picture(600, 500, seed=page)[..., 0], np.uint8) for page in range(3)])
    tifffile.imwrite(folder / "in/a.tif", stack, imagej=True, metadata={"axes": "ZYX", "Labels": ["a", "b", "c"]})
    succeed("run", "in", "--psf", "box:3", "--output", "out", "--parts", "0", *method, cwd=folder)
    with tifffile.TiffFile(folder / "out/a.tif") as file:
        assert len(file.pages) == 1
        assert "Labels" not in (file.imagej_metadata or {})


def test_a_part_has_its_own_size_and_type(folder):
    write_pages(folder / "in/a.tif", PAGES)
    for number, page in enumerate(PAGES):
        succeed(*COPY, "--parts", number, "--report", "report.json", cwd=folder)
        with tifffile.TiffFile(folder / "out/a.tif") as file:
            assert len(file.pages) == 1
            found = file.pages[0].asarray()
        assert found.dtype == page.dtype and np.array_equal(found, page)
        (item,) = json.loads((folder / "report.json").read_text())["items"]
        assert (item["width"], item["height"]) == page.shape[1::-1] and item["warnings"] == []
    succeed(*COPY, "--parts", "first", cwd=folder)
    assert np.array_equal(tifffile.imread(folder / "out/a.tif"), PAGES[0])


def test_parts_of_openexr_in_tiles_too(folder):
    path = str(folder / "in/a.exr")
    pictures = [picture(23, 17, 3), picture(40, 33, 2)]
    specs = tuple(oiio.ImageSpec(p.shape[1], p.shape[0], p.shape[2], "float") for p in pictures)
    for name, spec in zip(["left", "right"], specs):
        spec.tile_width = spec.tile_height = 16
        spec.full_width, spec.full_height = 40, 33  # one display window for all parts
        spec.attribute("oiio:subimagename", name)
    file = oiio.ImageOutput.create(path)
    assert file.open(path, specs), file.geterror()
    assert file.write_image(pictures[0])
    assert file.open(path, specs[1], "AppendSubimage"), file.geterror()
    assert file.write_image(pictures[1])
    assert file.close()
    for number, expected in enumerate(pictures):
        succeed(*COPY, "--parts", number, cwd=folder)
        assert np.array_equal(read_image(folder / "out/a.exr"), expected)


def test_parts_of_openexr_with_different_compressions(folder):
    """OpenEXR's readers know some of them each (docs/decisions/034-exr-readers.md)."""
    kinds = ["zip", "dwaa", "none", "piz", "rle"]
    path = str(folder / "in/a.exr")
    specs = tuple(oiio.ImageSpec(40, 33, 3, "half") for _ in kinds)
    for kind, spec in zip(kinds, specs):
        spec.attribute("compression", kind)
        spec.attribute("oiio:subimagename", kind)
    pictures = [picture(40, 33, 3, seed=i).astype(np.float16) for i in range(len(kinds))]
    file = oiio.ImageOutput.create(path)
    assert file.open(path, specs), file.geterror()
    for number, pixels in enumerate(pictures):
        assert number == 0 or file.open(path, specs[number], "AppendSubimage"), file.geterror()
        assert file.write_image(pixels)
    assert file.close()
    succeed(*COPY, cwd=folder)
    for number, kind in enumerate(kinds):
        succeed(*COPY, "--parts", number, "--overwrite", cwd=folder)
        made = read_image(folder / "out/a.exr")
        assert np.abs(made - pictures[number].astype(np.float32)).max() <= (0.05 if kind == "dwaa" else 0), kind


@pytest.mark.parametrize("tiles", [(None, (16, 8)), ((16, 8), None), ((16, 8), (32, 32))])
def test_parts_of_openexr_in_tiles_and_in_rows(folder, tiles):
    planes = [picture(40, 33, seed=i)[..., 0].astype(np.float32) for i in range(2)]
    write_exr_parts(folder / "in/a.exr", [({"R": p, "G": p, "B": p}, t) for p, t in zip(planes, tiles)])
    succeed(*COPY, cwd=folder)
    file = oiio.ImageInput.open(str(folder / "out/a.exr"))
    for number, plane in enumerate(planes):
        assert file.seek_subimage(number, 0)
        assert np.array_equal(file.read_image(number, 0, 0, 3, "float"), np.stack([plane] * 3, -1))


def test_mipmap_levels_are_left_out_with_a_warning(folder):
    texture = picture(64, 32, 3)
    source = oiio.ImageBuf(oiio.ImageSpec(64, 32, 3, "float"))
    source.set_pixels(oiio.ROI(), texture)
    for name in ["a.exr", "b.tif"]:
        assert oiio.ImageBufAlgo.make_texture(oiio.MakeTxTexture, source, str(folder / "in" / name)), oiio.geterror()
    write_pages(folder / "in/c.tif", PAGES[:1], tile=(16, 16))
    succeed(*COPY, "--report", "report.json", cwd=folder)
    items = json.loads((folder / "report.json").read_text())["items"]
    assert [len(item["warnings"]) for item in items] == [1, 1, 0]
    for item in items[:2]:
        assert "mipmap levels" in item["warnings"][0]
        file = oiio.ImageInput.open(str(folder / item["output"]))
        assert np.array_equal(file.read_image("float"), texture)
        assert not file.seek_subimage(0, 1) and not file.seek_subimage(1, 0)
    assert oiio.ImageInput.open(str(folder / "in/a.exr")).spec().get_string_attribute("oiio:AverageColor")
    stale = [name for name in ("oiio:AverageColor", "oiio:SHA-1") if read_spec(folder / "out/a.exr").get_string_attribute(name)]
    assert not stale, "these are of the samples before"


def test_frames_of_a_gif(folder):
    frames = [Image.new("RGB", (9, 7), colour) for colour in ["red", "lime", "blue"]]
    frames[0].save(folder / "in/a.gif", save_all=True, append_images=frames[1:], duration=40)
    for number, frame in enumerate(frames):
        succeed(*COPY, "--parts", number, "--format", "png", cwd=folder)
        found = Image.open(folder / "out/a.png").convert("RGB")
        assert np.array_equal(np.asarray(found), np.asarray(frame))


def test_rows_of_a_large_page_are_its_own(folder):
    pages = [as_integers(picture(1024, 1024, 3, seed=page), np.uint8) for page in range(2)]
    write_pages(folder / "in/a.tif", pages, rowsperstrip=64)
    run = ["run", "in", "--psf", "gaussian:0.05", "--output", "out", "--parts", 1, "--no-verify", "--report", "r.json"]
    succeed(*run, "--memory-limit", "16M", cwd=folder)
    (item,) = json.loads((folder / "r.json").read_text())["items"]
    assert "pieces" in item["plan"], f"the test must read it by rows: {item['plan']}"
    found = tifffile.imread(folder / "out/a.tif").astype(int)
    assert np.abs(found - pages[1]).max() <= 1, "a PSF of nearly one pixel changes nothing"


def test_a_part_that_is_not_there_fails_its_file_alone(folder):
    write_pages(folder / "in/a.tif", PAGES[:2])
    write_pages(folder / "in/b.tif", PAGES)
    says = ["in/a.tif: holds 2 images, parts 0 to 1", "--parts 2 cannot be read; name a part that is there"]
    for parts in ("2", "0,2"):
        fail(1, *COPY, "--parts", parts, says=says, cwd=folder)
    assert files_below(folder / "out") == ["b.tif"]
    for text in ["last", "-1", "1x", "99999999999"]:
        fail(2, *COPY, "--parts", text, says=["--parts", text, "counted from 0"], cwd=folder)


def test_a_description_that_counts_pages_does_not_stay_with_one(folder):
    stack = np.stack([PAGES[0]] * 4)
    tifffile.imwrite(folder / "in/a.tif", stack, imagej=True, metadata={"axes": "ZYX", "unit": "um"})
    tifffile.imwrite(folder / "in/b.ome.tif", stack, metadata={"axes": "ZYX"})
    tifffile.imwrite(folder / "in/c.tif", stack, photometric="minisblack")
    assert tifffile.TiffFile(folder / "in/a.tif").is_imagej and tifffile.TiffFile(folder / "in/b.ome.tif").is_ome
    succeed(*COPY, "--parts", "first", "--report", "report.json", cwd=folder)
    for item in json.loads((folder / "report.json").read_text())["items"]:
        with tifffile.TiffFile(folder / item["output"]) as file:
            assert not file.is_ome and len(file.pages) == 1 and np.array_equal(file.asarray(), PAGES[0])
            if file.is_imagej:
                assert "images" not in file.imagej_metadata and file.imagej_metadata["unit"] == "um"
        assert len(item["warnings"]) == (1 if "ome" in item["input"] else 0)
        assert all("description" in warning for warning in item["warnings"])


def test_a_run_that_is_resumed_with_another_part_makes_it_again(folder):
    write_pages(folder / "in/a.tif", PAGES)
    run = ("run", "in", "--output", "out", "--method", "none", "--resume", "--parts")
    for number in (1, 2, 2):
        succeed(*run, number, cwd=folder)
        assert np.array_equal(tifffile.imread(folder / "out/a.tif"), PAGES[number])
