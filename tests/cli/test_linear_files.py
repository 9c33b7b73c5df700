# SPDX-License-Identifier: Apache-2.0
"""--linear: the transfer function comes from the file, and goes into the output's as far as it can say so.

Curves are written down here in double; the profiles that hold them are made byte by byte (support/icc.py).
"""

import json
import struct

import numpy as np
import OpenImageIO as oiio
import pytest
from PIL import Image
from support import icc
from support.full import mostly_full
from support.images import as_integers, as_values, picture, random_psf, read_image, read_spec, write_image, write_psf
from support.matrix import dpx
from support.matrix.case import noise
from support.reference import assert_same_floats, convolve
from support.tool import clconv, succeed
from test_linear import contrasts, decoded, encoded

PSF = random_psf(7, 5)
WEIGHTS = PSF / PSF.sum()
SIZE = (23, 19)


def power(g):
    return (lambda code: np.maximum(code, 0) ** g, lambda light: np.maximum(light, 0) ** (1 / g))


def table(lights):
    grid = np.linspace(0, 1, len(lights))
    return (lambda code: np.interp(code, grid, lights), lambda light: np.interp(light, lights, grid))


def fixed(number):
    return round(number * 65536) / 65536


# Lab's lightness, which no power is near, in 97 steps; and the curve of BT.709 as a profile of type 3 says it.
LIGHTNESS = np.round(65535 * np.array([(((c * 100 + 16) / 116) ** 3 if c > 0.08 else c * 100 / 903.2963) for c in np.linspace(0, 1, 97)]))
BT709 = [fixed(n) for n in (1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081)]


def bt709_decoded(code):
    g, a, b, c, d = BT709
    return np.where(code >= d, np.maximum(a * code + b, 0) ** g, c * code)


def bt709_encoded(light):
    g, a, b, c, d = BT709
    return np.where(light >= c * d, (np.maximum(light, 0) ** (1 / g) - b) / a, light / c)


PROPHOTO = round(1.8 * 256) / 256
ADOBE = 563 / 256
CURVES = {
    "prophoto": ([icc.gamma_curve(1.8)] * 3, 2, [power(PROPHOTO)] * 3),
    "adobe": ([icc.gamma_curve(2.19921875)] * 3, 2, [power(ADOBE)] * 3),
    "lightness": ([icc.sampled_curve(LIGHTNESS.astype(int))] * 3, 2, [table(LIGHTNESS / 65535)] * 3),
    "bt709": ([icc.parametric_curve(3, *BT709)] * 3, 4, [(bt709_decoded, bt709_encoded)] * 3),
    "three": (
        [icc.gamma_curve(1.5), icc.parametric_curve(3, *BT709), icc.sampled_curve(LIGHTNESS.astype(int))],
        4,
        [power(1.5), (bt709_decoded, bt709_encoded), table(LIGHTNESS / 65535)],
    ),
}


def profile_of(name):
    curves, version, _ = CURVES[name]
    return icc.profile(curves, f"The {name} curve", version)


def each(curves, which, image):
    return np.stack([curves[c][which](image[..., c]) for c in range(image.shape[-1])], axis=-1)


def expected(image, curves):
    """The result in codes from 0 to 1."""
    return each(curves, 1, convolve(each(curves, 0, as_values(image)), WEIGHTS))


def assert_nearest_codes(actual, exact, label="", near=0.01):
    """The nearest code, or next to it within what float's rounding of sums makes of a steep curve."""
    top = np.iinfo(actual.dtype).max
    error = abs(actual - np.clip(exact, 0, 1) * top).max()
    assert error <= 0.5 + near * top / 255, f"{label}: {error} codes"


@pytest.fixture(scope="module", autouse=True)
def programs(tmp_path_factory):
    """Kept from test to test: they are not what is tested."""
    global kept
    kept = {"CLCONV_CACHE_DIR": tmp_path_factory.mktemp("cache")}


def run(folder, *options):
    write_psf(folder / "psf.txt", PSF)
    succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", "--linear", "--report", "report.json",
            *options, cwd=folder, env=kept)  # fmt: skip
    items = json.loads((folder / "report.json").read_text())["items"]
    return {item["input"].removeprefix("in/"): item for item in items}


def save(path, image, profile=None):
    """With Pillow; 16 bits a sample with OpenImageIO, since Pillow has no such colours."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if image.dtype == np.uint8:
        jpeg = {"quality": 98, "subsampling": 0} if path.suffix == ".jpg" else {}
        Image.fromarray(image[..., 0] if image.shape[-1] == 1 else image).save(path, icc_profile=profile, **jpeg)
    else:
        attributes = {"ICCProfile": (oiio.TypeDesc(f"uint8[{len(profile)}]"), np.frombuffer(profile, np.uint8))}
        write_image(path, image, attributes if profile else None)


def profile_in(path):
    with Image.open(path) as image:
        return image.info.get("icc_profile")


@pytest.mark.parametrize("alpha", [False, True])
def test_profiles_of_curves(tmp_path, alpha):
    image = as_integers(contrasts(*SIZE, 4 if alpha else 3), np.uint8)
    image[..., 3:] = 255 - image[..., 3:] // 3
    for name in CURVES:
        for kind in ["png"] if alpha else ["png", "tif", "jpg"]:
            save(tmp_path / f"in/{name}.{kind}", image, profile_of(name))
    items = run(tmp_path, "--quality", "100")
    for name, (_, _, curves) in CURVES.items():
        for kind in ["png"] if alpha else ["png", "tif"]:
            file = f"{name}.{kind}"
            exact = expected(image[..., :3], curves)
            if alpha:
                a = as_values(image)[..., 3:]
                light = each(curves, 0, as_values(image)[..., :3]) * a
                exact = each(curves, 1, convolve(light, WEIGHTS) / convolve(a, WEIGHTS))
            assert_nearest_codes(read_image(tmp_path / "out" / file)[..., :3], exact, file)
            assert profile_in(tmp_path / "out" / file) == profile_of(name), file
            assert items[file]["transfer"] == items[file]["output_transfer"] == f"ICC: The {name} curve"
            assert items[file]["warnings"] == []
    stored = convolve(as_values(image[..., :3]), WEIGHTS)
    srgb = expected(image[..., :3], [(decoded, encoded)] * 3)
    right = expected(image[..., :3], CURVES["prophoto"][2])
    assert min(abs(stored - right).max(), abs(srgb - right).max()) > 2 / 255, "the test must tell them apart"
    if not alpha:
        source = np.asarray(Image.open(tmp_path / "in/prophoto.jpg").convert("RGB"))
        result = np.asarray(Image.open(tmp_path / "out/prophoto.jpg").convert("RGB"))
        assert abs(result - 255 * expected(source, CURVES["prophoto"][2])).mean() < 1.5, "JPEG's own loss"
        assert profile_in(tmp_path / "out/prophoto.jpg") == profile_of("prophoto")


def test_sixteen_bits(tmp_path):
    image = np.clip(as_integers(contrasts(*SIZE, 3), np.uint16), 3000, None)
    for name in CURVES:
        save(tmp_path / f"in/{name}.tif", image, profile_of(name))
    run(tmp_path, "--depth", "same")
    for name, (_, _, curves) in CURVES.items():
        assert_nearest_codes(read_image(tmp_path / f"out/{name}.tif"), expected(image, curves), name, near=0.001)


def test_gray_profiles(tmp_path):
    image = as_integers(contrasts(*SIZE, 1), np.uint8)
    gray = icc.profile([icc.gamma_curve(1.5)], "Gray", space=b"GRAY")
    save(tmp_path / "in/a.png", image, gray)
    save(tmp_path / "in/b.tif", image, gray)
    items = run(tmp_path)
    for name in ["a.png", "b.tif"]:
        assert_nearest_codes(read_image(tmp_path / "out" / name), expected(image, [power(1.5)]), name)
        assert items[name]["transfer"] == "ICC: Gray"


def test_every_code_comes_back_as_itself(tmp_path):
    codes = np.arange(65536, dtype=np.uint16).reshape(256, 256, 1).repeat(3, axis=2)
    for name in CURVES:
        save(tmp_path / f"in/{name}.tif", codes, profile_of(name))
    write_psf(tmp_path / "one.txt", np.ones((1, 1)))
    succeed("run", "in", "--psf", "one.txt", "--output", "out", "--linear", cwd=tmp_path, env=kept)
    for name in CURVES:
        result = read_image(tmp_path / f"out/{name}.tif").astype(int)
        # Darker ones lie closer together in light than float tells apart beside white; where the halves of BT.709's
        # curve overlap, some codes have one light.
        sure = (codes >= 2000) & ((name not in ["bt709", "three"]) | (abs(codes - BT709[4] * 65535.0) > 20))
        assert (result == codes)[sure].all(), name
        assert abs(result - codes)[codes >= 2000].max() <= 20, name


def test_profiles_that_cannot_be_used(tmp_path):
    """A warning that names file and reason, sRGB's curve, and the profile goes along as it did."""
    image = as_integers(contrasts(*SIZE, 3), np.uint8)
    right = profile_of("prophoto")
    profiles = {
        "cut": right[: len(right) // 2],
        "garbage": bytes(range(256)) * 4,
        "curveless": icc.profile([], "no curves"),
        "gray": icc.profile([icc.gamma_curve(1.8)], "gray", space=b"GRAY"),
        "falling": icc.profile([icc.sampled_curve([65535, 0])] * 3, "falling"),
        "tables": icc.profile([], "tables", extra=[(b"A2B0", b"mft2" + b"\0" * 60)]),
    }
    for name, profile in profiles.items():
        save(tmp_path / f"in/{name}.tif", image, profile)
    items = run(tmp_path)
    for name in profiles:
        item = items[f"{name}.tif"]
        assert item["status"] == "done" and item["transfer"] == "sRGB"
        assert any(f"{name}.tif: its ICC profile cannot be used" in text for text in item["warnings"]), item["warnings"]
        assert_nearest_codes(read_image(tmp_path / f"out/{name}.tif"), expected(image, [(decoded, encoded)] * 3), name)
    assert any("tables instead of curves" in text for text in items["tables.tif"]["warnings"])


def test_chunks_of_png(tmp_path):
    image = as_integers(contrasts(*SIZE, 3), np.uint8)
    chunks = {
        "g18": (b"gAMA", struct.pack(">I", 55556), power(100000 / 55556), "gamma 1.8"),
        "g22": (b"gAMA", struct.pack(">I", 45455), power(100000 / 45455), "gamma 2.2"),
        "g196": (b"gAMA", struct.pack(">I", 51020), power(100000 / 51020), "gamma 1.96"),
        "g10": (b"gAMA", struct.pack(">I", 100000), power(1), "linear"),
        "srgb": (b"sRGB", b"\0", (decoded, encoded), "sRGB"),
        "none": (b"tEXt", b"Title\0none", (decoded, encoded), "sRGB"),
    }
    for name, (kind, contents, _, _) in chunks.items():
        save(tmp_path / f"in/{name}.png", image)
        icc.with_png_chunk(tmp_path / f"in/{name}.png", kind, contents)
    items = run(tmp_path)
    for name, (kind, contents, curve, words) in chunks.items():
        file = tmp_path / f"out/{name}.png"
        assert_nearest_codes(read_image(file), expected(image, [curve] * 3), name)
        assert items[f"{name}.png"]["transfer"] == items[f"{name}.png"]["output_transfer"] == words
        if kind == b"gAMA":
            assert abs(struct.unpack(">I", icc.png_chunk(file, b"gAMA"))[0] - struct.unpack(">I", contents)[0]) <= 2


def test_what_the_output_cannot_say_is_srgb(tmp_path):
    image = as_integers(contrasts(*SIZE, 3), np.uint8)
    curves = CURVES["prophoto"][2]
    save(tmp_path / "in/a.png", image, profile_of("prophoto"))
    save(tmp_path / "in/b.png", image)
    icc.with_png_chunk(tmp_path / "in/b.png", b"gAMA", struct.pack(">I", 55556))
    items = run(tmp_path, "--format", "bmp")
    light = convolve(each(curves, 0, as_values(image)), WEIGHTS)
    assert_nearest_codes(read_image(tmp_path / "out/a.bmp"), encoded(light))
    assert items["a.png"]["output_transfer"] == items["b.png"]["output_transfer"] == "sRGB"
    assert any("is not kept in out/a.bmp" in text for text in items["a.png"]["warnings"])
    # What was encoded is what the file is read as.
    items = run(tmp_path, "--metadata", "strip")
    assert profile_in(tmp_path / "out/a.png") is None
    assert_nearest_codes(read_image(tmp_path / "out/a.png"), encoded(light))
    light = convolve(power(100000 / 55556)[0](as_values(image)), WEIGHTS)
    assert_nearest_codes(read_image(tmp_path / "out/b.png"), encoded(light))
    assert icc.png_chunk(tmp_path / "out/b.png", b"gAMA") in (None, struct.pack(">I", 45455))


@pytest.mark.parametrize("channels", mostly_full([3, 4], [4]))
def test_integers_to_floats_are_light(tmp_path, channels):
    image = as_integers(contrasts(*SIZE, channels), np.uint8)
    image[..., 3:] = 255 - image[..., 3:] // 3
    save(tmp_path / "in/a.png", image)
    save(tmp_path / "in/b.png", image, profile_of("prophoto"))
    for kind in ["exr", "tif"]:
        items = run(tmp_path, "--format", kind, "--depth", "float")
        for name, curves in [("a", [(decoded, encoded)] * 3), ("b", CURVES["prophoto"][2])]:
            values = as_values(image)
            alpha = values[..., 3:] if channels == 4 else np.ones((*values.shape[:2], 1))
            light = convolve(each(curves, 0, values[..., :3]) * alpha, WEIGHTS)
            if kind == "tif" and channels == 4:
                light = light / convolve(alpha, WEIGHTS)  # straight, as the PNG was
            file = tmp_path / f"out/{name}.{kind}"
            assert_same_floats(read_image(file)[..., :3], light, tolerance=3e-6)
            spec = read_spec(file)
            assert "ICCProfile" not in [a.name for a in spec.extra_attribs]
            assert spec.get_string_attribute("oiio:ColorSpace", "Linear") == "Linear"
            assert items[f"{name}.png"]["output_transfer"] == "linear"


@pytest.mark.parametrize(
    "channels, dtype", mostly_full([(3, np.float16), (4, np.float32), (1, np.float32)], [(1, np.float32), (4, np.float32)])
)
def test_light_becomes_srgb_integers(tmp_path, channels, dtype):
    image = (1.5 * contrasts(*SIZE, channels)).astype(dtype)
    image[..., 3:] = 1 - image[..., 3:] / 4
    write_image(tmp_path / "in/a.exr", image)
    light = convolve(as_values(image), WEIGHTS)
    exact = encoded(light)
    if channels == 4:
        exact = np.concatenate([encoded(light[..., :3] / light[..., 3:]), light[..., 3:]], axis=2)
    for kind, depth in [("png", "u8"), ("png", "u16"), ("jpg", "u8")]:
        items = run(tmp_path, "--format", kind, "--depth", depth, "--quality", "100")
        result = read_image(tmp_path / f"out/a.{kind}")
        assert items["a.exr"]["transfer"] == "linear" and items["a.exr"]["output_transfer"] == "sRGB"
        assert not any("dark" in text for text in items["a.exr"]["warnings"])
        if kind == "png":
            assert_nearest_codes(result, exact)
            assert read_spec(tmp_path / "out/a.png").get_string_attribute("oiio:ColorSpace") == "sRGB"
            assert icc.png_chunk(tmp_path / "out/a.png", b"gAMA") != struct.pack(">I", 100000)
        elif channels == 1:
            assert abs(result[..., :1] - np.clip(exact, 0, 1) * 255).max() <= 4, "JPEG's own loss"


def test_without_linear_one_warning_a_run(tmp_path):
    write_psf(tmp_path / "psf.txt", PSF)
    image = picture(*SIZE, 3)
    for name in ["a.exr", "b.exr", "c.exr"]:
        write_image(tmp_path / "in" / name, image)
    for _ in range(2):
        result = clconv("run", "in", "--psf", "psf.txt", "--output", "out", "--format", "png", "--depth", "u8",
                        "--overwrite", "--report", "report.json", cwd=tmp_path, env=kept)  # fmt: skip
        assert result.code == 0
        assert result.err.count("will look dark without --linear") == 1, result.err
        items = json.loads((tmp_path / "report.json").read_text())["items"]
        assert all(sum("holds linear values" in text for text in item["warnings"]) == 1 for item in items)
        assert all(item["transfer"] is None for item in items)
    assert_nearest_codes(read_image(tmp_path / "out/a.png"), convolve(as_values(image), WEIGHTS))


def test_floats_with_a_profile_are_decoded_and_others_are_light(tmp_path):
    image = picture(*SIZE, 3)
    save(tmp_path / "in/a.tif", image, profile_of("prophoto"))
    write_image(tmp_path / "in/b.tif", image)
    items = run(tmp_path)
    light = each(CURVES["prophoto"][2], 0, as_values(image))
    assert_same_floats(read_image(tmp_path / "out/a.tif"), convolve(light, WEIGHTS), tolerance=3e-6)
    assert_same_floats(read_image(tmp_path / "out/b.tif"), convolve(as_values(image), WEIGHTS))
    assert items["a.tif"]["transfer"].startswith("ICC") and items["b.tif"]["transfer"] == "linear"
    assert "ICCProfile" not in [a.name for a in read_spec(tmp_path / "out/a.tif").extra_attribs]


@pytest.mark.parametrize("depth", mostly_full(["same", "float"], ["same"]))
def test_by_bands_as_whole(tmp_path, depth):
    image = as_integers(contrasts(500, 700), np.uint8)
    save(tmp_path / "in/a.tif", image, profile_of("three"))
    save(tmp_path / "in/b.tif", image)
    run(tmp_path, "--memory-limit", "1M", "--depth", depth)
    for name, curves in [("a", CURVES["three"][2]), ("b", [(decoded, encoded)] * 3)]:
        result = read_image(tmp_path / f"out/{name}.tif")
        if depth == "same":
            assert_nearest_codes(result, expected(image, curves), name)
        else:
            light = convolve(each(curves, 0, as_values(image)), WEIGHTS)
            assert_same_floats(result, light, tolerance=3e-6)


@pytest.mark.parametrize("pieces", mostly_full([[], ["--device-memory", "400K"]], [["--device-memory", "400K"]]))
def test_borders_are_codes_of_the_files_own(tmp_path, pieces):
    image = as_integers(contrasts(*((190, 120) if pieces else SIZE)), np.uint8)
    curves = CURVES["three"][2]
    save(tmp_path / "in/a.png", image, profile_of("three"))
    run(tmp_path, "--border", "constant:0.2,0.5,0.9", *pieces)
    outside = ",".join(repr(float(curves[c][0](np.float64(v)))) for c, v in enumerate([0.2, 0.5, 0.9]))
    light = convolve(each(curves, 0, as_values(image)), WEIGHTS, f"constant:{outside}")
    assert_nearest_codes(read_image(tmp_path / "out/a.png"), each(curves, 1, light))


def test_the_log_says_what_was_used(tmp_path):
    image = as_integers(contrasts(*SIZE, 3), np.uint8)
    save(tmp_path / "in/a.png", image, profile_of("adobe"))
    write_psf(tmp_path / "psf.txt", PSF)
    result = succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--linear", "-v", cwd=tmp_path, env=kept)
    assert "in/a.png: its transfer function is ICC: The adobe curve, that of out/a.png ICC: The adobe curve" in result.err


def test_inks_stay(tmp_path):
    inks = Image.fromarray(as_integers(contrasts(*SIZE, 4), np.uint8), "CMYK")
    (tmp_path / "in").mkdir()
    inks.save(tmp_path / "in/a.tif")
    items = run(tmp_path)
    assert any("CMYK inks" in text for text in items["a.tif"]["warnings"])
    assert items["a.tif"]["transfer"] is None


@pytest.mark.parametrize("bits", [8, 10, 16])
def test_linear_codes_of_dpx_stay_linear(tmp_path, bits):
    """The file says that they are, and goes on to say so."""
    codes = noise(3, bits)
    dpx.write(tmp_path / "a.dpx", codes, bits, 50, transfer=2, colorimetric=2)
    for command in (("run", "a.dpx", "--psf", "box:1", "--linear"), ("bloom", "a.dpx", "--intensity", "0")):
        succeed(*command, "--output", "out", "--overwrite", "--report", "r.json", cwd=tmp_path)
        made = dpx.show(tmp_path / "out/a.dpx").parts[0]
        assert made.facts["transfer"] == (2, 2) and np.array_equal(made.samples, codes)
        (item,) = json.loads((tmp_path / "r.json").read_text())["items"]
        assert (item["transfer"], item["output_transfer"], item["warnings"]) == ("linear", "linear", [])
    succeed("run", "a.dpx", "--psf", "box:1", "--linear", "--metadata", "strip", "--output", "out", "--overwrite", cwd=tmp_path)
    assert dpx.show(tmp_path / "out/a.dpx").parts[0].facts["transfer"] != (2, 2)  # its codes are sRGB's
