# SPDX-License-Identifier: Apache-2.0
"""TIFFs whose samples are white-is-zero are shown the same afterwards, and are convolved as light.

tifffile and Pillow write the inputs; tifffile reads what is stored, and `shown` says what it means."""

import json

import numpy as np
import pytest
import tifffile
from PIL import Image
from support.tool import succeed

WIDTH, HEIGHT = 19, 13
TYPES = ["u1", "u2", "i1", "i2", "f2", "f4"]


def samples(kind, seed=0):
    values = np.random.default_rng(seed).random((HEIGHT, WIDTH))
    dtype = np.dtype(kind)
    return values.astype(dtype) if dtype.kind == "f" else np.rint(values * np.iinfo(dtype).max).astype(dtype)


def largest(dtype):
    return 1.0 if dtype.kind == "f" else float(np.iinfo(dtype).max)


def shown(path, page=0):
    """The light of a file's first channel, in [0, 1], by its own tag; then what the tag says."""
    with tifffile.TiffFile(path) as file:
        photometric = int(file.pages[page].photometric)
        stored = file.pages[page].asarray()
    stored = stored if stored.ndim == 2 else stored[..., 0]
    values = stored.astype(float) / (1 if stored.dtype.kind == "b" else largest(stored.dtype))
    return (1 - values if photometric == 0 else values), photometric


def write(path, stored, **settings):
    tifffile.imwrite(path, stored, photometric="miniswhite", metadata=None, **settings)


@pytest.mark.parametrize("tile", [None, (16, 16)])
@pytest.mark.parametrize("kind", TYPES)
def test_copies_are_bit_for_bit(tmp_path, kind, tile):
    write(tmp_path / "a.tif", samples(kind), tile=tile)
    for options in (["--method", "none"], ["--psf", "box:3", "--mix", "0"]):
        succeed("run", "a.tif", *options, "--output", "out", "--overwrite", cwd=tmp_path)
        with tifffile.TiffFile(tmp_path / "out/a.tif") as out:
            assert int(out.pages[0].photometric) == 0
            assert out.asarray().dtype == np.dtype(kind)
            assert np.array_equal(out.asarray(), samples(kind)), options


@pytest.mark.parametrize("kind", TYPES)
def test_a_psf_of_one_sample_shows_the_same(tmp_path, kind):
    write(tmp_path / "a.tif", samples(kind))
    succeed("run", "a.tif", "--psf", "box:1", "--output", "out", cwd=tmp_path)
    out, photometric = shown(tmp_path / "out/a.tif")
    assert photometric == 0
    assert np.abs(out - shown(tmp_path / "a.tif")[0]).max() <= (5e-4 if kind == "f2" else 1e-6)


@pytest.mark.parametrize("kind", TYPES)
def test_zero_outside_is_black(tmp_path, kind):
    """A mean of 3 x 3 of the light with zeros around it, summed here."""
    write(tmp_path / "a.tif", samples(kind))
    succeed("run", "a.tif", "--psf", "box:3", "--border", "zero", "--output", "out", cwd=tmp_path)
    light = np.pad(shown(tmp_path / "a.tif")[0], 1)
    mean = sum(light[y : y + HEIGHT, x : x + WIDTH] for y in range(3) for x in range(3)) / 9
    code = 0 if kind[0] == "f" else 0.5 / largest(np.dtype(kind))
    assert np.abs(shown(tmp_path / "out/a.tif")[0] - mean).max() <= code + (5e-4 if kind == "f2" else 2e-6)


@pytest.mark.parametrize("kind", ["u1", "u2", "f4"])
def test_other_formats_show_the_same(tmp_path, kind):
    write(tmp_path / "a.tif", samples(kind))
    succeed("run", "a.tif", "--method", "none", "--format", "png", "--output", "out", cwd=tmp_path)
    out = np.array(Image.open(tmp_path / "out/a.png"))
    assert np.abs(out / largest(out.dtype if out.dtype != np.int32 else np.dtype("u2")) - shown(tmp_path / "a.tif")[0]).max() <= 1 / 255 / 2 + 1e-6


@pytest.mark.parametrize("kind", ["u1", "u2"])
def test_linear_light_is_that_of_what_is_shown(tmp_path, kind):
    """Compared with the same picture that is stored black-is-zero."""
    stored = samples(kind)
    write(tmp_path / "white.tif", stored)
    tifffile.imwrite(tmp_path / "black.tif", np.iinfo(stored.dtype).max - stored, photometric="minisblack", metadata=None)
    for options in (["run", "--linear", "--psf", "gaussian:2"], ["bloom"]):
        succeed(options[0], "white.tif", "black.tif", *options[1:], "--output", "out", "--overwrite", cwd=tmp_path)
        assert np.array_equal(tifffile.imread(tmp_path / "out/white.tif"), np.iinfo(stored.dtype).max - tifffile.imread(tmp_path / "out/black.tif"))


@pytest.mark.parametrize("planar", ["contig", "separate"])
@pytest.mark.parametrize("kind", ["u1", "u2", "f4"])
def test_alpha_beside_it_is_not_inverted(tmp_path, kind, planar):
    gray, alpha = samples(kind), samples(kind, seed=1)
    alpha[3:6, 4:9] = 0
    pixels = np.stack([gray, alpha], axis=0 if planar == "separate" else -1)
    write(tmp_path / "a.tif", pixels, planarconfig=planar, extrasamples=["unassalpha"])
    succeed("run", "a.tif", "--method", "none", "--output", "none", cwd=tmp_path)
    assert np.array_equal(tifffile.imread(tmp_path / "none/a.tif"), pixels)
    succeed("run", "a.tif", "--psf", "box:1", "--output", "one", cwd=tmp_path)
    out = tifffile.imread(tmp_path / "one/a.tif")
    out = out if planar == "separate" else np.moveaxis(out, -1, 0)
    assert np.abs(out[1].astype(float) - alpha).max() <= 1e-6 * largest(alpha.dtype)
    light = 1 - gray.astype(float) / largest(gray.dtype)
    there = alpha > 0.01 * largest(alpha.dtype)
    assert np.abs(1 - out[0].astype(float) / largest(gray.dtype) - light)[there].max() <= 1e-4


def test_bands_and_parts(tmp_path):
    tall = np.tile(samples("u2"), (120, 12))
    write(tmp_path / "tall.tif", tall)
    succeed("run", "tall.tif", "--psf", "box:3", "--border", "zero", "--output", "whole", cwd=tmp_path)
    succeed("run", "tall.tif", "--psf", "box:3", "--border", "zero", "--output", "bands", "--memory-limit", "2M", cwd=tmp_path)
    whole, bands = (tifffile.imread(tmp_path / name / "tall.tif").astype(int) for name in ("whole", "bands"))
    assert np.abs(whole - bands).max() <= 1
    assert shown(tmp_path / "bands/tall.tif")[1] == 0
    with tifffile.TiffWriter(tmp_path / "pages.tif") as file:
        for page, photometric in enumerate(["minisblack", "miniswhite", "miniswhite", "minisblack"]):
            file.write(samples("u2", page), photometric=photometric, metadata=None)
    for options in (["--method", "none"], ["--psf", "box:1"], ["--psf", "box:1", "--metadata", "strip"]):
        succeed("run", "pages.tif", *options, "--output", "out", "--overwrite", cwd=tmp_path)
        for page in range(4):
            before, after = (shown(tmp_path / name, page) for name in ("pages.tif", "out/pages.tif"))
            assert np.array_equal(before[0], after[0]) and before[1] == after[1]


@pytest.mark.parametrize("photometric", ["miniswhite", "minisblack"])
def test_bits_become_gray_that_shows_the_same(tmp_path, photometric):
    bits = samples("u1") > 100
    tifffile.imwrite(tmp_path / "a.tif", bits, photometric=photometric, metadata=None)
    succeed("run", "a.tif", "--psf", "box:1", "--output", "out", cwd=tmp_path)
    assert np.array_equal(shown(tmp_path / "out/a.tif")[0], shown(tmp_path / "a.tif")[0])


def test_fax_of_pillow(tmp_path):
    bits = samples("u1") > 100
    for codec in ("group3", "group4", "raw"):
        Image.fromarray(bits).save(tmp_path / f"{codec}.tif", compression=codec)
    succeed("run", "group3.tif", "group4.tif", "raw.tif", "--psf", "box:1", "--output", "out", cwd=tmp_path)
    for codec in ("group3", "group4", "raw"):
        assert np.array_equal(shown(tmp_path / f"out/{codec}.tif")[0], bits.astype(float)), codec


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("tile", [None, (16, 16)])
def test_without_bits_per_sample_there_is_one(tmp_path, tile, order):
    """TIFF 6.0: the default is 1. tifffile leaves the tag out."""
    bits = samples("u1") > 100
    for photometric in ("miniswhite", "minisblack"):
        path = tmp_path / f"{photometric}.tif"
        tifffile.imwrite(path, bits, photometric=photometric, tile=tile, byteorder=order, metadata=None)
        with tifffile.TiffFile(path) as file:
            assert 258 not in file.pages[0].tags
        succeed("run", path.name, "--method", "none", "--output", "out", cwd=tmp_path)
        light = 1 - bits if photometric == "miniswhite" else bits
        assert np.array_equal(shown(tmp_path / "out" / path.name)[0], light.astype(float))


@pytest.mark.parametrize("kind", ["u4", "i4", "f8"])
def test_numbers_without_a_largest_one_stay_and_are_reported(tmp_path, kind):
    stored = (100 * samples("f4")).astype(kind)
    write(tmp_path / "a.tif", stored)
    succeed("run", "a.tif", "--psf", "box:1", "--output", "out", "--report", "r.json", cwd=tmp_path)
    with tifffile.TiffFile(tmp_path / "out/a.tif") as out:
        assert int(out.pages[0].photometric) == 0
        assert np.abs(out.asarray().astype(float) - stored).max() <= 1e-5
    assert "white-is-zero" in " ".join(json.loads((tmp_path / "r.json").read_text())["items"][0]["warnings"])
