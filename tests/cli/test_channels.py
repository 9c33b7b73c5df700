# SPDX-License-Identifier: Apache-2.0
"""--channels: which channels are convolved, and that the rest is copied bit for bit."""

import json

import numpy as np
import pytest
from support.exr import compression_of, read_exr, same_bits, write_exr
from support.full import mostly_full
from support.images import picture, random_psf, read_image, read_spec, write_image, write_psf
from support.reference import assert_same, assert_same_floats, assert_same_halves, convolve
from support.tool import clconv, fail, succeed

W, H = 37, 29
PSF = random_psf(7, 5)


def noise(kind, seed=0, width=W, height=H):
    """Any bits that samples of the type can have: infinities, NaN, numbers beyond 2^24."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 256, (height, width * np.dtype(kind).itemsize), np.uint8).view(kind)


def colours(*names, seed=0, kind="f2", width=W, height=H):
    image = picture(width, height, len(names), seed).astype(kind)
    return {name: np.ascontiguousarray(image[..., i]) for i, name in enumerate(names)}


def run(folder, *options, psf=PSF, inputs=("in.exr",), output="out", **settings):
    write_psf(folder / "psf.exr", psf) if psf.ndim == 3 else write_psf(folder / "psf.txt", psf)
    name = "psf.exr" if psf.ndim == 3 else "psf.txt"
    return succeed("run", *inputs, "--psf", name, "--output", output, *options, cwd=folder, **settings)


def assert_convolved(result, given, names, psf=PSF, **how):
    """Each channel by itself; `psf` is one for all of them."""
    for name in names:
        expected = convolve(given[name][..., None].astype(np.float64), psf / psf.sum(), **how)[..., 0]
        assert result[name].dtype == given[name].dtype, name
        (assert_same_halves if given[name].dtype == np.float16 else assert_same_floats)(result[name], expected, name)


def everything():
    """What a renderer writes: a picture in half, and what is no picture in any type and with any bits."""
    return {
        **colours("R", "G", "B", "A"),
        **colours("diffuse.R", "diffuse.G", "diffuse.B", seed=1),
        "Z": np.where(picture(W, H)[..., 0] > 0.4, np.float32(np.inf), picture(W, H)[..., 0]).astype("f4"),
        "N.X": noise("f2", 1),
        "N.Y": noise("f2", 2),
        "N.Z": noise("f2", 3),
        "P.X": noise("f4", 4),
        "motion.u": noise("f4", 5),
        "objectId": noise("f4", 6),
        "mystery": noise("u4", 7),
        "crypto_object00.R": noise("f4", 8),
        "crypto_object00.G": noise("f4", 9),
        "plain_name00.R": noise("f4", 10),
        "plain_name.R": noise("f4", 11),
    }


CRYPTOMATTE = {"cryptomatte/1234567/name": "plain_name", "cryptomatte/1234567/manifest": '{"a":"12345678"}'}
PICTURE = ["R", "G", "B", "A", "diffuse.R", "diffuse.G", "diffuse.B"]


@pytest.mark.parametrize("method", mostly_full(["fft", "tiled", "direct"], ["fft"]))
def test_what_is_no_picture_is_copied_bit_for_bit(tmp_path, method):
    given = everything()
    write_exr(tmp_path / "in.exr", given, CRYPTOMATTE)
    result = run(tmp_path, "--report", "report.json", "--events", "events", "--method", method, "-v")
    made = read_exr(tmp_path / "out/in.exr")
    assert sorted(made) == sorted(given)
    copied = sorted(set(given) - set(PICTURE))
    for name in copied:
        assert same_bits(made[name], given[name]), name
    assert_convolved(made, given, PICTURE)
    assert read_spec(tmp_path / "out/in.exr").getattribute("cryptomatte/1234567/manifest") == '{"a":"12345678"}'
    item = json.loads((tmp_path / "report.json").read_text())["items"][0]
    assert sorted(item["copied_channels"]) == copied and item["channels"] == len(given)
    assert item["warnings"] == [] and item["type"] == "half" == item["output_type"]
    assert "copied, not convolved" in result.err and f"{len(copied)} of {len(given)} channels are copied" in result.err
    ended = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines() if "copied_channels" in line]
    assert [sorted(event["copied_channels"]) for event in ended] == [copied]


def test_listed_channels_are_convolved_and_no_others(tmp_path):
    given = everything()
    write_exr(tmp_path / "in.exr", given, CRYPTOMATTE)
    run(tmp_path, "--channels", r"diffuse.*,R,/^Z{1,2}$/", "--nonfinite", "propagate", "--method", "direct")
    made = read_exr(tmp_path / "out/in.exr")
    picked = ["R", "diffuse.R", "diffuse.G", "diffuse.B", "Z"]
    for name in set(given) - set(picked):
        assert same_bits(made[name], given[name]), name
    assert np.isinf(made["Z"]).sum() > np.isinf(given["Z"]).sum()
    # With Z among them the convolved channels are float, as their widest.
    expected = convolve(given["R"][..., None].astype(np.float64), PSF / PSF.sum())
    assert_same_floats(made["R"][..., None], expected)


def test_star_takes_all(tmp_path):
    given = {**colours("R", "G", "B"), **colours("Z", "N.X", "id", kind="f4")}
    write_exr(tmp_path / "in.exr", given)
    run(tmp_path, "--channels", "*", "--report", "report.json")
    made = read_exr(tmp_path / "out/in.exr")
    assert_convolved(made, {name: image.astype("f4") for name, image in given.items()}, given)
    assert json.loads((tmp_path / "report.json").read_text())["items"][0]["copied_channels"] == []


KEPT = [
    ("R G B A Z ZBack depth.Z ViewLayer.Depth.Z ViewLayer.Mist.Z", "Z ZBack depth.Z ViewLayer.Depth.Z ViewLayer.Mist.Z"),
    ("X Y Z", ""),  # colours of CIE
    ("R G B VRayZDepth.R depth_of_field.R", "VRayZDepth.R"),
    ("R N.X N.Y N.Z Nx Ny NZ normal.R worldNormals.B", "N.X N.Y N.Z Nx Ny NZ normal.R worldNormals.B"),
    ("R P.X P.Y P.Z WorldPosition.X composition.X", "P.X P.Y P.Z WorldPosition.X"),
    ("R forward.u forward.v backward.u motionVector.x velocity.Z motion_blur.R", "forward.u forward.v backward.u motionVector.x velocity.Z"),
    ("ViewLayer.Combined.R ViewLayer.Vector.X ViewLayer.Vector.W ViewLayer.UV.U ViewLayer.UV.A", "ViewLayer.Vector.X ViewLayer.Vector.W ViewLayer.UV.U ViewLayer.UV.A"),
    ("ViewLayer.IndexOB.X ViewLayer.IndexMA.X ViewLayer.Normal.X ViewLayer.AO.R", "ViewLayer.IndexOB.X ViewLayer.IndexMA.X ViewLayer.Normal.X"),
    ("ViewLayer.CryptoObject00.r crypto00.red uCryptoAsset01.g R", "ViewLayer.CryptoObject00.r crypto00.red uCryptoAsset01.g"),
    ("id ID objectId materialID object_id.X ID.R grid.R liquid.R Idle.R", "id ID objectId materialID object_id.X ID.R"),
    ("R u v", "u v"),
]  # fmt: skip


@pytest.fixture(scope="module")
def by_names(tmp_path_factory):
    """A run on a file of each of these lists: its folder and items."""
    folder = tmp_path_factory.mktemp("names")
    for number, (names, _) in enumerate(KEPT):
        write_exr(folder / f"in/{number:02}.exr", colours(*names.split(), kind="f4"))
    run(folder, "--method", "direct", "--report", "report.json", inputs=["in"])
    return folder, json.loads((folder / "report.json").read_text())["items"]


@pytest.mark.parametrize("number", range(len(KEPT)), ids=[names for names, _ in KEPT])
def test_names_tell_what_is_copied(by_names, number):
    folder, items = by_names
    names, kept = KEPT[number]
    given = colours(*names.split(), kind="f4")
    made = read_exr(folder / f"out/{number:02}.exr")
    assert {name for name in given if same_bits(made[name], given[name])} == set(kept.split())
    assert items[number]["input"].endswith(f"{number:02}.exr")
    assert set(items[number]["copied_channels"]) == set(kept.split())


def rgb_psf():
    return random_psf(5, 3, 3, seed=5).astype(np.float32)


def assert_triples(made, given, psf, colour_of):
    """`colour_of`: a name's channel of the PSF; others have the mean of all three."""
    planes = psf.astype(np.float64) / psf.astype(np.float64).sum(axis=(0, 1))
    for name in given:
        colour = colour_of(name)
        plane = planes.mean(axis=2) if colour is None else planes[..., colour]
        assert_convolved(made, given, [name], plane)


def triple_colour(name):
    return {"R": 0, "G": 1, "B": 2}.get(name.split(".")[-1])


def test_a_psf_of_three_colours_applies_to_each_layers_triple(tmp_path):
    given = colours("R", "G", "B", "A", "diffuse.R", "diffuse.G", "diffuse.B", "spec.R", "spec.G", "spec.B", "matte.A", kind="f4")
    write_exr(tmp_path / "in.exr", {**given, "Z": noise("f4")})
    run(tmp_path, psf=rgb_psf())
    made = read_exr(tmp_path / "out/in.exr")
    assert_triples(made, given, rgb_psf(), triple_colour)


def test_a_part_of_a_triple_keeps_its_colour(tmp_path):
    given = colours("R", "G", "B", kind="f4")
    write_exr(tmp_path / "in.exr", given)
    run(tmp_path, "--channels", "B", psf=rgb_psf())
    made = read_exr(tmp_path / "out/in.exr")
    assert same_bits(made["R"], given["R"]) and same_bits(made["G"], given["G"])
    assert_triples(made, {"B": given["B"]}, rgb_psf(), triple_colour)


def test_three_channels_that_are_no_triple_take_the_psfs_channels_in_turn(tmp_path):
    given = colours("X", "Y", "Z", kind="f4")
    write_exr(tmp_path / "in.exr", given)
    run(tmp_path, psf=rgb_psf())
    assert_triples(read_exr(tmp_path / "out/in.exr"), given, rgb_psf(), "XYZ".index)


def test_gray_with_a_colour_psf_fails_and_says_what_helps(tmp_path):
    write_exr(tmp_path / "in.exr", {**colours("Y"), "Z": noise("f4")})
    write_psf(tmp_path / "psf.exr", rgb_psf())
    fail(1, "run", "in.exr", "--psf", "psf.exr", "--output", "out", says=["in.exr", "3 channels", "--psf-gray"], cwd=tmp_path)
    succeed("run", "in.exr", "--psf", "psf.exr", "--psf-gray", "--output", "out", cwd=tmp_path)


def test_a_pattern_without_a_channel_fails_its_image_alone(tmp_path):
    write_exr(tmp_path / "in/a.exr", colours("R", "G", "B", "diffuse.R"))
    write_exr(tmp_path / "in/b.exr", colours("R", "G", "B"))
    write_psf(tmp_path / "psf.txt", PSF)
    options = ["--psf", "psf.txt", "--output", "out", "--channels", "R,diffuse.*"]
    fail(1, "run", "in", *options, says=["b.exr", "diffuse.*", "R, G, B"], cwd=tmp_path)
    assert (tmp_path / "out/a.exr").exists() and not (tmp_path / "out/b.exr").exists()


@pytest.mark.parametrize("channels", ["R,,G", "R,", "/[/", "/R", "//"])
def test_lists_that_make_no_sense_are_usage_errors(tmp_path, channels):
    write_exr(tmp_path / "in.exr", colours("R", "G", "B"))
    write_psf(tmp_path / "psf.txt", PSF)
    fail(2, "run", "in.exr", "--psf", "psf.txt", "--output", "out", "--channels", channels, says=["--channels"], cwd=tmp_path)


@pytest.mark.parametrize("mode", ["full", "valid"])
def test_copied_channels_stay_where_they_are_in_the_picture(tmp_path, mode):
    given = {**colours("R", "G", "B", kind="f4"), "Z": noise("f4"), "id": noise("u4", 3)}
    write_exr(tmp_path / "in.exr", given)
    run(tmp_path, "--mode", mode)
    made = read_exr(tmp_path / "out/in.exr")
    assert_convolved(made, given, ["R", "G", "B"], mode=mode)
    right, below = PSF.shape[1] // 2, PSF.shape[0] // 2
    for name in ["Z", "id"]:
        if mode == "full":
            inside = np.ascontiguousarray(made[name][below : below + H, right : right + W])
            assert same_bits(inside, given[name]), name
            around = made[name].copy()
            around[below : below + H, right : right + W] = 0
            assert not around.view("u4").any()
        else:
            left, above = PSF.shape[1] - 1 - right, PSF.shape[0] - 1 - below
            part = given[name][above : H - below, left : W - right]
            assert same_bits(made[name], np.ascontiguousarray(part)), name


@pytest.mark.parametrize(
    "codec", mostly_full(["none", "rle", "zip", "zips", "piz", "pxr24", "b44", "b44a", "dwaa", "dwab:45"], ["piz", "pxr24", "b44", "dwab:45"])
)
def test_lossy_codecs_leave_copied_channels_alone(tmp_path, codec):
    given = {**colours("R", "G", "B", width=64, height=64), **colours("N.R", "N.G", "N.B", seed=3, width=64, height=64)}
    given.update(colours("Z", seed=4, kind="f4", width=64, height=64), id=noise("u4", 1, 64, 64))
    write_exr(tmp_path / "in.exr", given)
    result = run(tmp_path, "--compression", codec, "--report", "report.json")
    lossy = codec.split(":")[0] in ["pxr24", "b44", "b44a", "dwaa", "dwab"]
    warnings = json.loads((tmp_path / "report.json").read_text())["items"][0]["warnings"]
    assert len(warnings) == lossy and ("would change copied channels" in result.err) == lossy
    assert compression_of(tmp_path / "out/in.exr") == ("zip" if lossy else codec)
    for name in ["N.R", "N.G", "N.B", "Z", "id"]:
        assert same_bits(by_library(tmp_path / "out/in.exr")[name], given[name]), name


def by_library(path):
    """What OpenImageIO reads of each channel in its own type: of files that no reader above takes."""
    import OpenImageIO as oiio

    file = oiio.ImageInput.open(str(path))
    spec = file.spec()
    kinds = {"half": "f2", "float": "f4", "uint": "u4", "uint32": "u4"}
    result = {}
    for i, name in enumerate(spec.channelnames):
        kind = str(spec.channelformat(i))
        result[name] = np.ascontiguousarray(file.read_image(0, 0, i, i + 1, kind)[..., 0]).astype(kinds[kind], copy=False)
    return result


def test_dwa_stays_where_it_changes_nothing_that_is_copied(tmp_path):
    given = {**colours("R", "G", "B", width=64, height=64), "Z": noise("f4", 1, 64, 64), "N.X": noise("f2", 2, 64, 64)}
    write_exr(tmp_path / "in.exr", given)
    run(tmp_path, "--compression", "dwaa")
    assert compression_of(tmp_path / "out/in.exr") == "dwaa"
    made = by_library(tmp_path / "out/in.exr")
    assert same_bits(made["Z"], given["Z"]) and same_bits(made["N.X"], given["N.X"])


@pytest.mark.parametrize(
    "options",
    mostly_full(
        [[], ["--mode", "full"], ["--mode", "valid"], ["--channels", "R,diffuse.*"]], [["--mode", "full"], ["--channels", "R,diffuse.*"]]
    ),
)
def test_images_of_bands_are_as_those_at_once(tmp_path, options):
    size = {"width": 640, "height": 900}
    given = {
        **colours("R", "G", "B", "A", **size),
        **colours("diffuse.R", seed=1, **size),
        "Z": noise("f4", 1, **size),
        "mystery": noise("u4", 2, **size),
    }
    tile_widths = {"scanlines.exr": 0, "tiles.exr": 64}
    for file, width in tile_widths.items():
        write_exr(tmp_path / "in" / file, given, tiles=(width, 64) if width else None)
    run(tmp_path, *options, inputs=["in"])
    (tmp_path / "out").rename(tmp_path / "whole")
    result = run(tmp_path, *options, "--memory-limit", "64M", "--report", "report.json", inputs=["in"])
    items = json.loads((tmp_path / "report.json").read_text())["items"]
    for item, (file, width) in zip(items, tile_widths.items(), strict=True):
        assert "pieces" in item["plan"], result
        made, whole = by_library(tmp_path / "out" / file), by_library(tmp_path / "whole" / file)
        assert set(item["copied_channels"]) >= {"Z", "mystery"}
        for name in given:
            if name in item["copied_channels"]:
                assert same_bits(made[name], whole[name]), (file, name)
            else:
                assert np.abs(made[name].astype("f4") - whole[name].astype("f4")).max() < 2e-3, (file, name)
        if "--mode" not in options:
            assert same_bits(made["mystery"], given["mystery"]) and same_bits(made["Z"], given["Z"]), file
            assert read_spec(tmp_path / "whole" / file).tile_width == width


def test_a_file_of_depth_alone_is_a_copy_with_a_warning(tmp_path):
    given = {"Z": noise("f4"), "id": noise("u4", 1)}
    write_exr(tmp_path / "in/depth.exr", given)
    write_exr(tmp_path / "in/picture.exr", colours("R", "G", "B"))
    write_psf(tmp_path / "psf.txt", PSF)
    result = succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--report", "report.json", cwd=tmp_path)
    made = read_exr(tmp_path / "out/depth.exr")
    assert all(same_bits(made[name], given[name]) for name in given)
    assert "depth.exr" in result.err and "--channels" in result.err and "copy" in result.err
    items = json.loads((tmp_path / "report.json").read_text())["items"]
    assert [len(item["warnings"]) for item in items] == [1, 0]
    succeed("run", "in/depth.exr", "--psf", "psf.txt", "--mode", "valid", "--output", "valid", cwd=tmp_path)
    assert read_exr(tmp_path / "valid/depth.exr")["Z"].shape == (H - PSF.shape[0] + 1, W - PSF.shape[1] + 1)


def test_formats_of_pictures_get_the_picture_and_a_warning(tmp_path):
    given = {**colours("R", "G", "B", "A"), "Z": noise("f4"), "id": noise("u4", 1)}
    write_exr(tmp_path / "in/all.exr", given)
    write_exr(tmp_path / "in/plain.exr", {name: given[name] for name in "RGBA"})
    for extension, channels in [("png", 4), ("jpg", 3), ("hdr", 3)]:
        run(tmp_path, "--format", extension, "--report", "report.json", "--overwrite", inputs=["in"])
        items = json.loads((tmp_path / "report.json").read_text())["items"]
        warnings, none = [[warning for warning in item["warnings"] if "left out" in warning] for item in items]
        assert none == [] and len(warnings) == 1 and "left out: Z, id" in warnings[0] and extension in warnings[0]
        made = read_image(tmp_path / f"out/all.{extension}")
        assert made.shape == (H, W, channels)
        assert np.array_equal(made, read_image(tmp_path / f"out/plain.{extension}"))


def test_tiff_gets_all_channels_in_a_type_that_holds_them(tmp_path):
    given = {**colours("R", "G", "B", "A"), "Z": noise("f4"), "id": (noise("u4", 1) >> np.uint32(8)).astype("u4")}
    write_exr(tmp_path / "in.exr", given)
    run(tmp_path, "--format", "tif", "--report", "report.json")
    made = read_image(tmp_path / "out/in.tif")
    names = read_spec(tmp_path / "in.exr").channelnames
    assert made.shape == (H, W, 6) and made.dtype == np.float32
    planes = {name: np.ascontiguousarray(made[..., i]) for i, name in enumerate(names)}
    assert same_bits(planes["Z"], given["Z"]) and np.array_equal(planes["id"], given["id"].astype("f4"))
    assert_convolved(planes, {name: given[name].astype("f4") for name in "RGBA"}, "RGBA")
    unnamed, changed = json.loads((tmp_path / "report.json").read_text())["items"][0]["warnings"]
    assert "has no names of channels" in unnamed and "Z, id" in unnamed
    assert "id (uint32)" in changed and "Z" not in changed.split(":")[-1]


@pytest.mark.parametrize("linear", mostly_full([[], ["--linear"]], [["--linear"]]))
def test_straight_colours_without_alpha_are_convolved_under_it_and_alpha_stays(tmp_path, linear):
    images = {}
    for kind in ["u1", "u2"]:
        rng = np.random.default_rng(1)
        images[f"{kind}.png"] = image = rng.integers(0, np.iinfo(kind).max, (H, W, 4), kind, endpoint=True)
        image[:9, :9, 3] = 0
        write_image(tmp_path / "in" / f"{kind}.png", image)
    result = run(tmp_path, "--channels", "R,G,B", *linear, "--report", "report.json", inputs=["in"])
    assert [item["copied_channels"] for item in json.loads((tmp_path / "report.json").read_text())["items"]] == [["A"]] * 2, result
    run(tmp_path, "--alpha", "keep", *linear, output="keep", inputs=["in"])
    run(tmp_path, "--channels", "R", *linear, output="red", inputs=["in"])
    run(tmp_path, "--channels", "A", *linear, output="alpha", inputs=["in"])
    for name, image in images.items():
        made = read_image(tmp_path / "out" / name)
        assert np.array_equal(made[..., 3], image[..., 3])
        assert np.array_equal(made, read_image(tmp_path / "keep" / name))
        red = read_image(tmp_path / "red" / name)
        assert np.array_equal(red[..., 1:], image[..., 1:]) and np.array_equal(red[..., 0], made[..., 0])
        alpha = read_image(tmp_path / "alpha" / name)
        assert np.array_equal(alpha[..., :3], image[..., :3])
        expected = convolve(image[..., 3:] / np.iinfo(image.dtype).max, PSF / PSF.sum())
        assert_same(np.ascontiguousarray(alpha[..., 3:]), expected)


def test_other_depths_convert_what_is_copied_by_value(tmp_path):
    image = np.random.default_rng(2).integers(0, 256, (H, W, 4), np.uint8)
    write_image(tmp_path / "in.png", image)
    run(tmp_path, "--channels", "R", "--depth", "u16", inputs=["in.png"])
    made = read_image(tmp_path / "out/in.png")
    assert made.dtype == np.uint16
    assert np.array_equal(made[..., 1:], image[..., 1:].astype(np.uint16) * 257)


def test_many_channels_of_a_tiff(tmp_path):
    image = picture(W, H, 6)
    image[0, 0, 5] = np.nan
    write_image(tmp_path / "in.tif", image)
    names = read_spec(tmp_path / "in.tif").channelnames
    run(tmp_path, "--channels", f"R,G,B,A,{names[4]}", inputs=["in.tif"])
    made = read_image(tmp_path / "out/in.tif")
    assert same_bits(np.ascontiguousarray(made[..., 5]), np.ascontiguousarray(image[..., 5]))
    assert_same_floats(made[..., 4:5], convolve(image[..., 4:5].astype(float), PSF / PSF.sum()))


def test_samples_that_are_not_finite_are_named_by_their_channel_in_the_file(tmp_path):
    given = {**colours("R", "G", "B"), "N.X": noise("f4"), "z.R": colours("R")["R"].copy()}
    given["z.R"] = given.pop("z.R")
    given["gloss.R"] = colours("R", seed=9)["R"].copy()
    given["gloss.R"][3, 4] = np.nan
    write_exr(tmp_path / "in.exr", given)
    write_psf(tmp_path / "psf.txt", PSF)
    number = read_spec(tmp_path / "in.exr").channelnames.index("gloss.R")
    fail(1, "run", "in.exr", "--psf", "psf.txt", "--output", "out", says=["1 sample is", "x 4, y 3", f"channel {number}"], cwd=tmp_path)


def test_none_decodes_and_encodes_copied_channels_too(tmp_path):
    given = everything()
    write_exr(tmp_path / "in.exr", given, CRYPTOMATTE)
    succeed("run", "in.exr", "--method", "none", "--output", "out", cwd=tmp_path)
    made = read_exr(tmp_path / "out/in.exr")
    assert all(same_bits(made[name], given[name]) for name in given)


def test_several_psfs_share_what_is_copied(tmp_path):
    given = {**colours("R", "G", "B", kind="f4"), "Z": noise("f4")}
    write_exr(tmp_path / "in.exr", given)
    succeed("run", "in.exr", "--psf", "box:3", "disc:4", "gaussian:1", "--output", "out", cwd=tmp_path)
    made = sorted((tmp_path / "out").iterdir())
    assert len(made) == 3
    assert all(same_bits(read_exr(path)["Z"], given["Z"]) for path in made)


def test_mix_and_mask_are_of_the_channels_that_are_convolved(tmp_path):
    given = {**colours("R", "G", "B", kind="f4"), "Z": noise("f4")}
    write_exr(tmp_path / "in.exr", given)
    mask = picture(W, H)
    write_image(tmp_path / "mask.exr", mask)
    run(tmp_path, "--mix", "-0.5", "--mask", "mask.exr", "--bias", "0.25")
    made = read_exr(tmp_path / "out/in.exr")
    assert same_bits(made["Z"], given["Z"])
    for name in "RGB":
        blurred = convolve(given[name][..., None].astype(float), PSF / PSF.sum())
        m = -0.5 * mask.astype(float)
        assert_same_floats(made[name][..., None], (1 - m) * given[name][..., None] + m * blurred + 0.25, name)


def test_bloom_takes_highlights_of_the_picture_alone(tmp_path):
    bright = {name: image * np.float32(4) for name, image in colours("R", "G", "B", kind="f4").items()}
    write_exr(tmp_path / "in/all.exr", {**bright, "A": np.ones((H, W), "f4"), "Z": noise("f4"), "id": noise("u4", 1)})
    write_exr(tmp_path / "in/picture.exr", {**bright, "A": np.ones((H, W), "f4")})
    succeed("bloom", "in", "--psf", "gaussian:2", "--output", "out", cwd=tmp_path)
    made, plain = read_exr(tmp_path / "out/all.exr"), read_exr(tmp_path / "out/picture.exr")
    assert all(same_bits(made[name], plain[name]) for name in "RGBA")
    assert same_bits(made["Z"], noise("f4")) and same_bits(made["id"], noise("u4", 1))
    assert not same_bits(made["R"], bright["R"])


@pytest.mark.parametrize("resolution", mostly_full(["1", "1/2"], ["1/2"]))
def test_bloom_of_layers_takes_colour_psfs(tmp_path, resolution):
    given = {name: image * np.float32(4) for name, image in colours("R", "G", "B", "diffuse.R", "diffuse.G", "diffuse.B", kind="f4").items()}
    write_exr(tmp_path / "in.exr", {**given, "Z": noise("f4")})
    write_psf(tmp_path / "psf.exr", np.ones((21, 21, 3), np.float32) * np.float32([1, 2, 3]))
    succeed("bloom", "in.exr", "--psf", "psf.exr", "--resolution", resolution, "--output", "out", cwd=tmp_path)
    assert same_bits(read_exr(tmp_path / "out/in.exr")["Z"], noise("f4"))


def test_resume_makes_again_what_other_channels_are_asked_of(tmp_path):
    write_exr(tmp_path / "in.exr", {**colours("R", "G", "B"), "Z": noise("f4")})
    assert "1 done" in run(tmp_path, "--resume").err
    assert "1 skipped" in run(tmp_path, "--resume").err
    assert "1 done" in run(tmp_path, "--resume", "--channels", "R").err
    assert "1 skipped" in run(tmp_path, "--resume", "--channels", "R").err


def test_plan_is_of_the_channels_that_are_convolved(tmp_path):
    write_exr(tmp_path / "in.exr", {**colours("R", "G", "B"), "Z": noise("f4")})
    write_exr(tmp_path / "depth.exr", {"Z": noise("f4")})
    assert f"{W}x{H}x3 half" in succeed("plan", "in.exr", "--psf", "box:5", cwd=tmp_path).out
    assert f"{W}x{H}x1 half" in succeed("plan", "in.exr", "--psf", "box:5", "--channels", "G", cwd=tmp_path).out
    assert f"{W}x{H}x4 float" in succeed("plan", "in.exr", "--psf", "box:5", "--channels", "*", cwd=tmp_path).out
    fail(1, "plan", "depth.exr", "--psf", "box:5", says=["--channels", "Z"], cwd=tmp_path)
    dry = ["--psf", "box:5", "--output", "out", "--dry-run"]
    assert f"{W}x{H}x3 half" in succeed("run", "in.exr", *dry, cwd=tmp_path).out
    assert "x5 u8" in succeed("plan", "--size", "9x9", "--psf-size", "3", "--channels", "5").out
    fail(2, "plan", "--size", "9x9", "--psf-size", "3", "--channels", "R", says=["--channels R"])


def test_a_damaged_file_keeps_its_samples_in_the_channels_they_are_of(tmp_path):
    given = {**colours("R", "G", "B"), "Z": noise("f4"), "id": noise("u4", 1)}
    path = write_exr(tmp_path / "in.exr", given)
    path.write_bytes(path.read_bytes()[: -path.stat().st_size // 2])
    run(tmp_path, "--damaged", "keep", "--nonfinite", "zero", "--compression", "none")
    made = read_exr(tmp_path / "out/in.exr")
    assert same_bits(made["Z"][: H // 3], given["Z"][: H // 3]) and same_bits(made["id"][: H // 3], given["id"][: H // 3])
    assert np.isnan(made["Z"][-1]).all() and (made["id"][-1] == 0).all() and np.abs(made["R"][-1]).max() < 1e-6


def test_associated_colours_get_their_kept_alpha_where_files_are_straight(tmp_path):
    given = colours("R", "G", "B", "A")
    for name in "RGB":
        given[name] *= given["A"]
    write_exr(tmp_path / "in.exr", given)
    run(tmp_path, "--channels", "R,G,B", "--format", "png")
    made = read_image(tmp_path / "out/in.png").astype(float)
    assert made.shape == (H, W, 4)
    assert np.abs(made[..., 3] - given["A"].astype(float) * 65535).max() < 0.51
    for i, name in enumerate("RGB"):
        convolved = convolve(given[name][..., None].astype(float), PSF / PSF.sum())[..., 0] * 65535
        associated = made[..., i] * made[..., 3] / 65535
        clipped = made[..., i] == 65535
        assert 0 < clipped.sum() < clipped.size / 2
        assert np.abs(associated - convolved)[~clipped].max() < 1.5  # rounded twice


def test_what_is_copied_is_reported_once_for_many_images(tmp_path):
    for name in ["a", "b", "c"]:
        write_exr(tmp_path / f"in/{name}.exr", {**colours("R", "G", "B"), "Z": noise("f4")})
    result = run(tmp_path, inputs=["in"])
    assert result.err.count("copied, not convolved: Z") == 1


def test_types_that_change_beside_copied_channels_are_reported(tmp_path):
    given = {**colours("R", "B"), **colours("G", kind="f4"), "Z": noise("f4")}
    write_exr(tmp_path / "in.exr", given)
    result = run(tmp_path, "--report", "report.json")
    made = read_exr(tmp_path / "out/in.exr")
    assert {made[name].dtype for name in "RGB"} == {np.dtype("f4")} and same_bits(made["Z"], given["Z"])
    (item,) = json.loads((tmp_path / "report.json").read_text())["items"]
    assert [(detail["kind"], detail["to"]) for detail in item["warning_details"]] == [("type", "float")]
    assert "have several types" in result.err
    write_exr(tmp_path / "in.exr", {**colours("R", "G", "B"), "Z": noise("f4")})  # of one type, beside another
    assert "several types" not in run(tmp_path, "--overwrite").err
