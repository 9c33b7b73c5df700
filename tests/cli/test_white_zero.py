# SPDX-License-Identifier: Apache-2.0
"""TIFFs whose samples are white-is-zero are shown the same afterwards, and are convolved as light.

tifffile and Pillow write the inputs; tifffile reads what is stored, and `shown` says what it means."""

import json
from itertools import product

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


RUNS = {
    "copies": ["--method", "none"],
    "mixes": ["--psf", "box:3", "--mix", "0"],
    "one": ["--psf", "box:1"],
    "black": ["--psf", "box:3", "--border", "zero"],
    "png": ["--method", "none", "--format", "png"],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder of a file of each type, by rows and in tiles, and what each of RUNS made of them."""
    folder = tmp_path_factory.mktemp("white_zero")
    (folder / "in").mkdir()
    for kind in TYPES:
        write(folder / f"in/{kind}.tif", samples(kind))
        write(folder / f"in/{kind}-tiled.tif", samples(kind), tile=(16, 16))
    for name, options in RUNS.items():
        succeed("run", "in", *options, "--output", name, cwd=folder)
    return folder


@pytest.mark.parametrize("tiled", ["", "-tiled"])
@pytest.mark.parametrize("kind", TYPES)
def test_copies_are_bit_for_bit(made, kind, tiled):
    for name in ("copies", "mixes"):
        with tifffile.TiffFile(made / f"{name}/{kind}{tiled}.tif") as out:
            assert int(out.pages[0].photometric) == 0
            assert out.asarray().dtype == np.dtype(kind)
            assert np.array_equal(out.asarray(), samples(kind)), name


@pytest.mark.parametrize("kind", TYPES)
def test_a_psf_of_one_sample_shows_the_same(made, kind):
    out, photometric = shown(made / f"one/{kind}.tif")
    assert photometric == 0
    assert np.abs(out - shown(made / f"in/{kind}.tif")[0]).max() <= (5e-4 if kind == "f2" else 1e-6)


@pytest.mark.parametrize("kind", TYPES)
def test_zero_outside_is_black(made, kind):
    """A mean of 3 x 3 of the light with zeros around it, summed here."""
    light = np.pad(shown(made / f"in/{kind}.tif")[0], 1)
    mean = sum(light[y : y + HEIGHT, x : x + WIDTH] for y in range(3) for x in range(3)) / 9
    code = 0 if kind[0] == "f" else 0.5 / largest(np.dtype(kind))
    assert np.abs(shown(made / f"black/{kind}.tif")[0] - mean).max() <= code + (5e-4 if kind == "f2" else 2e-6)


@pytest.mark.parametrize("kind", ["u1", "u2", "f4"])
def test_other_formats_show_the_same(made, kind):
    out = np.array(Image.open(made / f"png/{kind}.png"))
    before = shown(made / f"in/{kind}.tif")[0]
    assert np.abs(out / largest(out.dtype if out.dtype != np.int32 else np.dtype("u2")) - before).max() <= 1 / 255 / 2 + 1e-6


@pytest.mark.parametrize("kind", ["u1", "u2"])
def test_linear_light_is_that_of_what_is_shown(tmp_path, kind):
    """Compared with the same picture that is stored black-is-zero."""
    stored = samples(kind)
    write(tmp_path / "white.tif", stored)
    tifffile.imwrite(tmp_path / "black.tif", np.iinfo(stored.dtype).max - stored, photometric="minisblack", metadata=None)
    for options in (["run", "--linear", "--psf", "gaussian:2"], ["bloom"]):
        succeed(options[0], "white.tif", "black.tif", *options[1:], "--output", "out", "--overwrite", cwd=tmp_path)
        assert np.array_equal(tifffile.imread(tmp_path / "out/white.tif"), np.iinfo(stored.dtype).max - tifffile.imread(tmp_path / "out/black.tif"))


def with_alpha(kind, planar):
    gray, alpha = samples(kind), samples(kind, seed=1)
    alpha[3:6, 4:9] = 0
    return np.stack([gray, alpha], axis=0 if planar == "separate" else -1)


@pytest.fixture(scope="module")
def alphas(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alphas")
    (folder / "in").mkdir()
    for kind, planar in product(["u1", "u2", "f4"], ["contig", "separate"]):
        write(folder / f"in/{kind}-{planar}.tif", with_alpha(kind, planar), planarconfig=planar, extrasamples=["unassalpha"])
    for name in ("copies", "one"):
        succeed("run", "in", *RUNS[name], "--output", name, cwd=folder)
    return folder


@pytest.mark.parametrize("planar", ["contig", "separate"])
@pytest.mark.parametrize("kind", ["u1", "u2", "f4"])
def test_alpha_beside_it_is_not_inverted(alphas, kind, planar):
    pixels = with_alpha(kind, planar)
    gray, alpha = np.moveaxis(pixels, 0 if planar == "separate" else -1, 0)
    assert np.array_equal(tifffile.imread(alphas / f"copies/{kind}-{planar}.tif"), pixels)
    out = tifffile.imread(alphas / f"one/{kind}-{planar}.tif")
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


def test_bits_become_gray_that_shows_the_same(tmp_path):
    bits = samples("u1") > 100
    names = ["miniswhite", "minisblack"]
    for name in names:
        tifffile.imwrite(tmp_path / f"{name}.tif", bits, photometric=name, metadata=None)
    succeed("run", *(f"{name}.tif" for name in names), "--psf", "box:1", "--output", "out", cwd=tmp_path)
    for name in names:
        assert np.array_equal(shown(tmp_path / f"out/{name}.tif")[0], shown(tmp_path / f"{name}.tif")[0]), name


def test_fax_of_pillow(tmp_path):
    bits = samples("u1") > 100
    for codec in ("group3", "group4", "raw"):
        Image.fromarray(bits).save(tmp_path / f"{codec}.tif", compression=codec)
    succeed("run", "group3.tif", "group4.tif", "raw.tif", "--psf", "box:1", "--output", "out", cwd=tmp_path)
    for codec in ("group3", "group4", "raw"):
        assert np.array_equal(shown(tmp_path / f"out/{codec}.tif")[0], bits.astype(float)), codec


def test_without_bits_per_sample_there_is_one(tmp_path):
    """TIFF 6.0: the default is 1. tifffile leaves the tag out."""
    bits = samples("u1") > 100
    (tmp_path / "in").mkdir()
    cases = list(enumerate(product(["miniswhite", "minisblack"], [None, (16, 16)], ["<", ">"])))
    for number, (photometric, tile, order) in cases:
        path = tmp_path / f"in/{number}.tif"
        tifffile.imwrite(path, bits, photometric=photometric, tile=tile, byteorder=order, metadata=None)
        with tifffile.TiffFile(path) as file:
            assert 258 not in file.pages[0].tags
    succeed("run", "in", "--method", "none", "--output", "out", cwd=tmp_path)
    for number, case in cases:
        light = 1 - bits if case[0] == "miniswhite" else bits
        assert np.array_equal(shown(tmp_path / f"out/{number}.tif")[0], light.astype(float)), case


def test_numbers_without_a_largest_one_stay_and_are_reported(tmp_path):
    stored = {f"{kind}.tif": (100 * samples("f4")).astype(kind) for kind in ("u4", "i4", "f8")}
    for name, numbers in stored.items():
        write(tmp_path / name, numbers)
    succeed("run", *stored, "--psf", "box:1", "--output", "out", "--report", "r.json", cwd=tmp_path)
    warnings = {item["input"]: item["warnings"] for item in json.loads((tmp_path / "r.json").read_text())["items"]}
    for name, numbers in stored.items():
        with tifffile.TiffFile(tmp_path / "out" / name) as out:
            assert int(out.pages[0].photometric) == 0
            assert np.abs(out.asarray().astype(float) - numbers).max() <= 1e-5, name
        assert "white-is-zero" in " ".join(warnings[name])
