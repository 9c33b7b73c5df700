# SPDX-License-Identifier: Apache-2.0
"""--method none and --mix 0 give the input, sample by sample, also of samples that a convolution would change."""

from itertools import product

import numpy as np
import pytest
import tifffile
from PIL import Image
from support.files_of_parts import exr_headers
from support.images import read_image
from support.tool import succeed

COPIES = [["--method", "none"], ["--psf", "box:5", "--mix", "0"]]


def copied(folder, name, *options):
    succeed("run", name, *options, "--output", "out", "--overwrite", cwd=folder)
    return folder / "out" / name


def with_alpha(dtype, channels=4, seed=0):
    """Colours under an alpha of 0 and of one code."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    pixels = random.random((16, 16, channels))
    pixels = pixels.astype(dtype) if dtype.kind == "f" else (pixels * np.iinfo(dtype).max).astype(dtype)
    pixels[:, :8, -1] = 0
    pixels[0, :, -1] = 1e-7 if dtype.kind == "f" else 1
    return pixels


@pytest.mark.parametrize("options", COPIES)
@pytest.mark.parametrize("channels", [2, 4])
def test_png(tmp_path, channels, options):
    pixels = with_alpha("u1", channels)
    Image.fromarray(pixels, "LA" if channels == 2 else "RGBA").save(tmp_path / "a.png")
    assert np.array_equal(np.array(Image.open(copied(tmp_path, "a.png", *options))), pixels)


@pytest.mark.parametrize("options", COPIES)
def test_targa(tmp_path, options):
    pixels = with_alpha("u1")
    Image.fromarray(pixels, "RGBA").save(tmp_path / "a.tga")
    assert np.array_equal(np.array(Image.open(copied(tmp_path, "a.tga", *options))), pixels)


@pytest.mark.parametrize("options", COPIES)
def test_tiff(tmp_path, options):
    images = {}
    for dtype, planar in product(["u1", "u2", "f2", "f4", "u4"], ["contig", "separate"]):
        pixels = with_alpha(dtype)
        images[f"{dtype}-{planar}.tif"] = pixels = np.moveaxis(pixels, -1, 0) if planar == "separate" else pixels
        tifffile.imwrite(
            tmp_path / f"{dtype}-{planar}.tif", pixels, photometric="rgb", planarconfig=planar, extrasamples=["unassalpha"], metadata=None
        )
    succeed("run", *images, *options, "--output", "out", cwd=tmp_path)
    for name, pixels in images.items():
        assert np.array_equal(tifffile.imread(tmp_path / "out" / name), pixels), name


@pytest.mark.parametrize("options", COPIES)
def test_wide_integers_and_doubles(tmp_path, options):
    images = {}
    for dtype in map(np.dtype, ["u4", "i4", "f8", "i2", "i1"]):
        random = np.random.default_rng(1)
        pixels = random.random((9, 11)) if dtype.kind == "f" else random.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, (9, 11), dtype, True)
        images[f"{dtype}.tif"] = pixels
        tifffile.imwrite(tmp_path / f"{dtype}.tif", pixels, photometric="minisblack", metadata=None)
    succeed("run", *images, *options, "--output", "out", cwd=tmp_path)
    for name, pixels in images.items():
        out = tifffile.imread(tmp_path / "out" / name)
        assert out.dtype == pixels.dtype and np.array_equal(out, pixels), name


@pytest.mark.parametrize("options", COPIES)
def test_pages_of_several_kinds(tmp_path, options):
    pages = [with_alpha("u1"), with_alpha("u2"), with_alpha("f4")[..., :3]]
    with tifffile.TiffWriter(tmp_path / "a.tif") as file:
        for page in pages:
            extra = {"extrasamples": ["unassalpha"]} if page.shape[2] == 4 else {}
            file.write(page, photometric="rgb", metadata=None, **extra)
    with tifffile.TiffFile(copied(tmp_path, "a.tif", *options)) as out:
        assert len(out.pages) == 3
        for page, written in zip(pages, out.pages, strict=True):
            assert np.array_equal(written.asarray(), page)


def test_another_format_has_the_same_codes(tmp_path):
    pixels = with_alpha("u1")
    Image.fromarray(pixels, "RGBA").save(tmp_path / "a.png")
    succeed("run", "a.png", "--method", "none", "--format", "tga", "--output", "out", cwd=tmp_path)
    out = np.array(Image.open(tmp_path / "out/a.tga"))
    there = pixels[..., 3] > 0
    assert np.array_equal(out[there], pixels[there]) and np.array_equal(out[..., 3], pixels[..., 3])


def test_channels_of_several_types_keep_theirs(tmp_path):
    import OpenImageIO as oiio

    spec = oiio.ImageSpec(8, 8, 4, "half")
    spec.channelnames = ("R", "G", "B", "id")
    spec.channelformats = (oiio.HALF, oiio.FLOAT, oiio.HALF, oiio.UINT32)
    output = oiio.ImageOutput.create(str(tmp_path / "a.exr"))
    assert output.open(str(tmp_path / "a.exr"), spec)
    assert output.write_image(np.random.default_rng(0).random((8, 8, 4)).astype("f4")) and output.close()
    out = copied(tmp_path, "a.exr", "--method", "none")
    before, after = exr_headers(tmp_path / "a.exr")[0], exr_headers(out)[0]
    assert before["channels"] == after["channels"]
    assert np.array_equal(read_image(tmp_path / "a.exr"), read_image(out))


def test_a_report_does_not_call_it_channels_that_are_copied(tmp_path):
    import json

    Image.fromarray(with_alpha("u1"), "RGBA").save(tmp_path / "a.png")
    result = succeed("run", "a.png", "--method", "none", "--output", "out", "--report", "r.json", cwd=tmp_path)
    item = json.loads((tmp_path / "r.json").read_text())["items"][0]
    assert item["copied_channels"] == [] and item["warnings"] == [] and "copied" not in result.err
    assert (item["type"], item["output_type"]) == ("u8", "u8")


def test_the_report_has_the_type_that_the_format_holds(tmp_path):
    import json

    Image.fromarray((np.arange(256).reshape(16, 16) * 257).astype("u2")).save(tmp_path / "a.png")
    succeed("run", "a.png", "--method", "none", "--format", "tga", "--output", "out", "--report", "r.json", cwd=tmp_path)
    item = json.loads((tmp_path / "r.json").read_text())["items"][0]
    assert (item["type"], item["output_type"]) == ("u16", "u8")
    assert "u16" in " ".join(item["warnings"]) and "u8" in " ".join(item["warnings"])
