# SPDX-License-Identifier: Apache-2.0
"""Samples that are missing because a number says so: GDAL's tag 42113, and --nodata. Compared with a masked convolution in
double (as astropy's nan_treatment='interpolate'), and read by tifffile."""

import json
from itertools import product

import numpy as np
import pytest
import tifffile
from support.full import mostly_full
from support.images import random_psf, read_image, write_image, write_psf
from support.reference import convolve
from support.tool import fail, succeed
from test_linear import decoded, encoded

TAG = 42113
PSF = random_psf(5, 5)
WEIGHTS = PSF / PSF.sum()
HEIGHT, WIDTH = 24, 32
HOLE = (slice(8, 17), slice(8, 17))  # larger than the PSF: its middle stays missing


def with_holes(shape, seed=0):
    """Where samples are missing: a large hole, and single ones."""
    holes = np.zeros(shape, bool)
    holes[HOLE] = True
    rng = np.random.default_rng(seed)
    return holes | (rng.random(shape) < 0.04)


def write(path, image, nodata=None, **settings):
    tags = [] if nodata is None else [(TAG, "s", 0, nodata, True)]
    path.parent.mkdir(parents=True, exist_ok=True)
    tifffile.imwrite(path, image, extratags=tags, **settings)


def tag_of(path, page=0):
    with tifffile.TiffFile(path) as file:
        found = file.pages[page].tags.get(TAG)
        return None if found is None else str(found.value).strip("\0")


def run(folder, name, *options, psf=PSF, code=0, says=()):
    if not (folder / "psf.txt").exists():
        write_psf(folder / "psf.txt", psf)
    words = ("run", f"in/{name}", "--psf", "psf.txt", "--output", "out", "--overwrite", "--report", "report.json", *options)
    done = fail(code, *words, says=says, cwd=folder) if code else succeed(*words, cwd=folder)
    folder.joinpath("log").write_text(done.err)
    return tifffile.imread(folder / "out" / name) if code == 0 and name.endswith(".tif") else done


def item(folder):
    (only,) = json.loads((folder / "report.json").read_text())["items"]
    return only


def known_mean(values, missing, border="clamp"):
    """The convolution of known samples over that of the mask, and whether there are none. [row, column, channel]"""
    known = convolve(np.where(missing, 0.0, values), WEIGHTS, border)
    weight = convolve(np.where(missing, 0.0, 1.0), WEIGHTS, border)
    unknown = weight < 1e-5
    return known / np.where(unknown, 1, weight), unknown


def planes(image):
    return image[..., None] if image.ndim == 2 else image


def test_a_hole_of_an_elevation_model_is_filled_from_its_rim_and_stays_in_its_middle(tmp_path):
    holes = with_holes((HEIGHT, WIDTH))
    image = np.random.default_rng(1).uniform(100, 200, holes.shape).astype(np.float32)
    image[holes] = -9999
    write(tmp_path / "in/a.tif", image, "-9999")
    out = run(tmp_path, "a.tif", "--nonfinite", "interpolate")
    expected, unknown = known_mean(planes(image).astype(float), planes(holes))
    assert unknown.sum() == 25 and (planes(out)[unknown] == -9999).all()
    np.testing.assert_allclose(planes(out)[~unknown], expected[~unknown], rtol=3e-6)
    assert tag_of(tmp_path / "out/a.tif") == "-9999"
    assert item(tmp_path)["warnings"] == []


def test_without_a_rule_the_image_fails_and_the_message_has_the_choices(tmp_path):
    image = np.full((HEIGHT, WIDTH), 100, np.float32)
    image[HOLE] = -9999
    write(tmp_path / "in/a.tif", image, "-9999")
    says = ["81 samples are missing", "nodata -9999", "x 8, y 8", "--nonfinite interpolate", "--nodata off"]
    run(tmp_path, "a.tif", code=1, says=says)
    assert not (tmp_path / "out/a.tif").exists()
    write(tmp_path / "in/whole.tif", np.full((HEIGHT, WIDTH), 100, np.float32), "-9999")
    assert (run(tmp_path, "whole.tif") == 100).all() and tag_of(tmp_path / "out/whole.tif") == "-9999"


# The tag's text, and the number as samples of the type have it. Floats do not hold the large ones exactly, so that their
# neighbours, which are known, become the same float.
TYPES = [
    ("u1", "255", None),
    ("u1", "0", None),
    ("u2", "65535", None),
    ("u2", "0", None),
    ("i1", "-128", None),
    ("i2", "-32768", None),
    ("i2", "-9999", None),
    ("i4", "-2147483648", -2147483600),
    ("i4", "16777217", 16777216),
    ("i4", "2147483647", 2147483600),
    ("u4", "4294967295", 4294967290),
    ("f2", "-9999", None),
    ("f4", "-3.40282346638529e+38", None),
    ("f4", "0.1", None),
    ("f4", "-inf", None),
    ("f4", "nan", None),
    ("f8", "-9999.123456789", -9999.1234567),
]


def with_value(dtype, text, neighbour):
    """An image of the type, and where it has the value of the text. One known sample is the neighbour."""
    holes = with_holes((HEIGHT, WIDTH), seed=2)
    value = np.array(int(text) if dtype[0] in "iu" else float(text)).astype(dtype)
    if dtype[0] in "iu":
        top = min(np.iinfo(dtype).max, 100000)
        image = np.random.default_rng(3).integers(top // 4, top // 2, holes.shape).astype(dtype)
    else:
        image = np.random.default_rng(3).uniform(100, 200, holes.shape).astype(dtype)
    image[holes] = value
    place = (3, 20)
    if neighbour is not None:
        image[place] = neighbour
        holes[place] = False
    return image, holes, value


@pytest.fixture(scope="module")
def by_type(tmp_path_factory):
    """A folder of these files, filled in one run."""
    folder = tmp_path_factory.mktemp("types")
    write_psf(folder / "psf.txt", PSF)
    for number, case in enumerate(TYPES):
        write(folder / f"in/{number:02}.tif", with_value(*case)[0], case[1])
    succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--nonfinite", "interpolate", cwd=folder)
    return folder


@pytest.mark.parametrize("number", range(len(TYPES)), ids=["-".join(case[:2]) for case in TYPES])
def test_every_type_gets_its_value_again_bit_for_bit(by_type, number):
    dtype, text, _ = TYPES[number]
    image, holes, value = with_value(*TYPES[number])
    path = by_type / f"out/{number:02}.tif"
    out = tifffile.imread(path)
    expected, unknown = known_mean(planes(image).astype(float), planes(holes))
    expected, unknown = expected[..., 0], unknown[..., 0]
    stored = out.dtype
    assert stored == (np.float32 if dtype == "f8" else np.dtype(dtype))
    assert unknown.sum() >= 20
    assert (out[unknown].view(f"u{stored.itemsize}") == value.astype(stored).view(f"u{stored.itemsize}")).all()
    scale = np.abs(expected[~unknown]).max()
    error = abs(out.astype(float) - expected)[~unknown].max()
    assert error <= (0.51 + 4e-7 * scale if dtype[0] in "iu" else 1e-3 * scale if dtype == "f2" else 4e-6 * scale)
    assert tag_of(path) == text


LAYOUTS = [{"planarconfig": "separate"}, {"planarconfig": "contig"}, {"tile": (16, 16)}]


@pytest.mark.parametrize(
    "dtype, layout", mostly_full(product(["i2", "i4"], LAYOUTS), [("i2", LAYOUTS[0]), ("i2", LAYOUTS[1]), ("i4", LAYOUTS[2])])
)
def test_each_channel_has_its_own_holes(tmp_path, dtype, layout):
    holes = np.stack([with_holes((HEIGHT, WIDTH), seed) for seed in range(3)], axis=-1)
    image = np.random.default_rng(5).integers(10, 500, holes.shape).astype(dtype)
    image[holes] = -9999
    data = np.moveaxis(image, -1, 0) if layout.get("planarconfig") == "separate" else image
    write(tmp_path / "in/a.tif", data, "-9999", photometric="rgb", compression="zlib", **layout)
    run(tmp_path, "a.tif", "--nonfinite", "interpolate", "--border", "mirror")
    out = planes(tifffile.imread(tmp_path / "out/a.tif"))
    out = np.moveaxis(out, 0, -1) if out.shape[0] == 3 else out
    expected, unknown = known_mean(image.astype(float), holes, "mirror")
    assert (out[unknown] == -9999).all() and unknown.sum() >= 60
    assert abs(out - expected)[~unknown].max() <= 0.51


@pytest.mark.parametrize("dtype, rule", mostly_full(product(["u2", "f4"], ["zero", "propagate"]), [("u2", "propagate"), ("f4", "zero")]))
def test_the_other_rules(tmp_path, rule, dtype):
    image = np.random.default_rng(6).integers(20000, 40000, (HEIGHT, WIDTH)).astype(dtype)
    image[12, 16] = 7
    write(tmp_path / "in/a.tif", image, "7")
    out = run(tmp_path, "a.tif", "--nonfinite", rule, "--method", "direct")
    values = planes(np.where(image == 7, 0, image)).astype(float)
    expected = convolve(values, WEIGHTS, "clamp")[..., 0]
    reached = np.zeros(image.shape, bool)
    reached[10:15, 14:19] = rule == "propagate"
    assert (out[reached] == 7).all()
    assert abs(out - expected)[~reached].max() <= (0.51 if dtype == "u2" else 0.1)


def test_a_number_that_the_user_gives_and_none(tmp_path):
    image = np.random.default_rng(7).uniform(1, 2, (HEIGHT, WIDTH, 1)).astype(np.float32)
    image[HOLE] = -5
    write_image(tmp_path / "in/a.exr", image)
    run(tmp_path, "a.exr", "--nodata", "-5", "--nonfinite", "interpolate")
    out = read_image(tmp_path / "out/a.exr")
    expected, unknown = known_mean(image.astype(float), image == -5)
    assert (out[unknown] == -5).all() and unknown.any()
    np.testing.assert_allclose(out[~unknown], expected[~unknown], rtol=3e-6)
    run(tmp_path, "a.exr", "--nodata=-5", code=1, says=["81 samples are missing"])
    write(tmp_path / "in/b.tif", image[..., 0], "-5")
    for options in (["--nodata", "off"], ["--nodata", "-6"]):
        out = run(tmp_path, "b.tif", *options)
        np.testing.assert_allclose(planes(out), convolve(image.astype(float), WEIGHTS, "clamp"), rtol=1e-5, atol=5e-6)
    run(tmp_path, "b.tif", "--nodata", "never", code=2, says=["--nodata never", "auto, off"])


def test_a_value_that_the_samples_cannot_have_marks_none(tmp_path):
    image = np.random.default_rng(8).integers(0, 255, (HEIGHT, WIDTH)).astype(np.uint8)
    for text in ("-9999", "0.5", "256", "none", ""):
        write(tmp_path / "in/a.tif", image, text)
        with_tag = run(tmp_path, "a.tif")
        np.testing.assert_array_equal(with_tag, run(tmp_path, "a.tif", "--nodata", "off"))
        assert tag_of(tmp_path / "out/a.tif") == text


def test_copies_are_the_input(tmp_path):
    image = np.random.default_rng(9).integers(0, 4, (HEIGHT, WIDTH)).astype(np.int32)
    write(tmp_path / "in/a.tif", image, "3")
    np.testing.assert_array_equal(run(tmp_path, "a.tif", "--method", "none"), image)


def test_alpha_has_no_nodata(tmp_path):
    image = np.random.default_rng(10).integers(1, 200, (HEIGHT, WIDTH, 4)).astype(np.uint8)
    image[..., 3] = 255
    image[10:12, 10:12, :3] = 0
    image[3:5, 3:5, 3] = 0
    write(tmp_path / "in/a.tif", image, "0", photometric="rgb", extrasamples=["assocalpha"])
    run(tmp_path, "a.tif", code=1, says=["12 samples are missing"])


def test_pages_have_values_of_their_own(tmp_path):
    images = [np.full((HEIGHT, WIDTH), 100 + page, np.int16) for page in range(2)]
    (tmp_path / "in").mkdir()
    with tifffile.TiffWriter(tmp_path / "in/a.tif") as file:
        for page, value in enumerate((-9999, -32768)):
            images[page][HOLE] = value
            file.write(images[page], extratags=[(TAG, "s", 0, str(value), True)], metadata=None, contiguous=False)
    run(tmp_path, "a.tif", "--nonfinite", "interpolate")
    with tifffile.TiffFile(tmp_path / "out/a.tif") as file:
        for page, value in enumerate((-9999, -32768)):
            out = file.pages[page].asarray()
            assert sorted(set(out.ravel())) == [value, 100 + page]
            assert (out == value).sum() == 25
            assert tag_of(tmp_path / "out/a.tif", page) == str(value)


@pytest.mark.parametrize("dtype", ["i4", "u2"])
def test_bands_and_pieces(tmp_path, dtype):
    image = np.random.default_rng(11).integers(100, 200, (900, 700)).astype(dtype)
    image[400:410, 300:310] = 9
    write(tmp_path / "in/a.tif", image, "9", rowsperstrip=16)
    values = planes(np.where(image == 9, 0, image)).astype(float)
    zeroed = convolve(values, WEIGHTS, "clamp")[..., 0]
    bands = ("--memory-limit", "1M")
    assert abs(run(tmp_path, "a.tif", "--nonfinite", "zero", *bands) - zeroed).max() <= 0.51
    run(tmp_path, "a.tif", *bands, code=1, says=["100 samples are missing", "x 300, y 400"])
    run(tmp_path, "a.tif", *bands, "--nonfinite", "interpolate", code=1, says=["100 samples are missing", "--memory-limit"])
    out = run(tmp_path, "a.tif", *bands, "--nonfinite", "propagate", "--method", "direct")
    assert (out[398:412, 298:312] == 9).all() and abs(out - zeroed)[:398].max() <= 0.51
    expected, unknown = known_mean(planes(image).astype(float), planes(image == 9))
    for options in ([], ["--device-memory", "1M"]):
        out = planes(run(tmp_path, "a.tif", "--nonfinite", "interpolate", *options))
        assert (out[unknown] == 9).all() and unknown.sum() == 36
        assert abs(out - expected)[~unknown].max() <= 0.51


def test_another_type_or_format_gets_a_number_that_means_the_same_or_a_warning(tmp_path):
    image = np.random.default_rng(12).integers(100, 200, (HEIGHT, WIDTH)).astype(np.uint8)
    image[HOLE] = 255
    write(tmp_path / "in/a.tif", image, "255")
    middle = (slice(10, 15), slice(10, 15))
    rule = ("--nonfinite", "interpolate")
    out = run(tmp_path, "a.tif", *rule, "--depth", "u16")
    assert (out[middle] == 65535).all() and tag_of(tmp_path / "out/a.tif") == "65535"
    assert "missing samples are 65535" in str(item(tmp_path)["warnings"])
    out = run(tmp_path, "a.tif", *rule, "--depth", "float")
    assert (out[middle] == 1).all() and tag_of(tmp_path / "out/a.tif") == "1"
    run(tmp_path, "a.tif", *rule, "--format", "png")
    assert (read_image(tmp_path / "out/a.png")[middle] == 255).all()
    assert "does not say that missing samples are 255" in str(item(tmp_path)["warnings"])
    write(tmp_path / "in/b.tif", np.where(image == 255, -9999, image.astype(np.int16)), "-9999")
    out = run(tmp_path, "b.tif", *rule, "--depth", "u8")
    assert (out[middle] == 0).all() and "does not hold nodata -9999" in str(item(tmp_path)["warnings"])
    write(tmp_path / "in/c.tif", np.where(image == 255, -1.7976931348623157e308, image), "-1.7976931348623157e+308")
    out = run(tmp_path, "c.tif", *rule)
    assert out.dtype == np.float32 and np.isnan(out[middle]).all() and tag_of(tmp_path / "out/c.tif") == "nan"
    assert "missing samples are NaN" in str(item(tmp_path)["warnings"])


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_light_is_decoded_around_the_holes(tmp_path, dtype):
    top = np.iinfo(dtype).max
    image = np.random.default_rng(13).integers(top // 8, top // 2, (HEIGHT, WIDTH, 3)).astype(dtype)
    image[HOLE] = top
    write(tmp_path / "in/a.tif", image, str(top), photometric="rgb")
    out = run(tmp_path, "a.tif", "--nonfinite", "interpolate", "--linear")
    expected, unknown = known_mean(decoded(image / top), image == top)
    assert (out[unknown] == top).all() and unknown.sum() == 75
    assert abs(out - encoded(expected) * top)[~unknown].max() <= 0.5 + 3e-5 * top


def test_channels_that_are_copied_stay(tmp_path):
    image = np.random.default_rng(14).uniform(1, 2, (HEIGHT, WIDTH, 3)).astype(np.float32)
    image[HOLE] = -1
    write_image(tmp_path / "in/a.exr", image)
    run(tmp_path, "a.exr", "--nodata=-1", "--nonfinite", "interpolate", "--channels", "G")
    out = read_image(tmp_path / "out/a.exr")
    np.testing.assert_array_equal(out[..., ::2], image[..., ::2])
    expected, unknown = known_mean(image[..., 1:2].astype(float), image[..., 1:2] == -1)
    np.testing.assert_allclose(out[..., 1:2][~unknown], expected[~unknown], rtol=3e-6)
    assert (out[..., 1:2][unknown] == -1).all()
