# SPDX-License-Identifier: Apache-2.0
"""clconv bloom against its formula (docs/conventions.md) in double, with direct sums."""

import json
import re
import struct
import subprocess
import zlib
from itertools import product

import numpy as np
import pytest
import tifffile
from support import icc
from support.exr import read_exr, same_bits, write_exr
from support.full import mostly_full
from support.images import as_integers, as_values, picture, random_psf, read_image, write_image, write_psf
from support.reference import assert_same_floats, convolve
from support.tool import ROOT, fail, succeed
from support.methods import METHODS
from test_linear import decoded, encoded

PSF = random_psf(7, 5)
WEIGHTS = PSF / PSF.sum()

# Each shape loads samples with its own code, for vectors or for one at a time, and all call the same functions for highlights.
# So each shape has the highlights of a picture or of layers, and each kind of code (lanes, rows, tiles, direct; vectors or
# not) both.
SHAPES = METHODS | {"work-groups, sizes as constants": [*METHODS["work-groups"], "--decide", "programs=special"]}
OF_PICTURES = ["lanes", "work-groups", "global", "tiles of work-groups", "direct", "work-groups, sizes as constants"]
OF_LAYERS = ["lanes", "work-groups", "tiles", "direct of work-groups"]
assert {*OF_PICTURES, *OF_LAYERS} == set(SHAPES)


def bright(image, threshold, knee=0.5, clamp=0, boost=0):
    """What convolutions take of pixels [..., colour], and what leaves them without boost."""
    peak = image.max(axis=-1, keepdims=True)
    counted = np.minimum(peak, clamp) if clamp else peak
    knee = threshold * knee
    soft = np.clip(counted - threshold + knee, 0, 2 * knee)
    kept = np.maximum(np.maximum(counted - threshold, 0), soft**2 / (4 * knee) if knee else 0)
    share = np.where(peak > 0, kept / np.where(peak > 0, peak, 1), 0)
    near = np.clip((peak - 0.8) / 0.2, 0, 1)
    gain = np.where(peak <= 1, 1 + boost * near**2, np.maximum(1, (1 + boost) / np.maximum(peak, 1)))
    return image * share * gain, image * share


def bloom(image, mix="add", intensity=None, scatter=0.2, tint=(1, 1, 1), border="mirror", **highlights):
    taken, leaving = bright(image, **highlights)
    if intensity is None:
        intensity = 1 if mix == "lerp" else 0.6
    glow = intensity * np.array(tint)[: image.shape[-1]] * convolve(taken, WEIGHTS, border)
    if mix == "lerp":
        return image - scatter * leaving + scatter * glow
    return image + glow * (1 - np.clip(image, 0, 1) if mix == "screen" else 1)


def night(width=45, height=37, channels=3):
    """HDR: mostly dark, some colours far above white."""
    image = picture(width, height, channels).astype(np.float64) ** 3
    image[5:9, 6:11] *= 40
    image[20, 30] = np.array([300, 3, 0.1])[:channels]
    return image.astype(np.float32)


def run(folder, image, *options, name="a.tif"):
    write_image(folder / "in" / name, image)
    write_psf(folder / "psf.txt", PSF)
    succeed("bloom", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", *options, cwd=folder)
    return read_image(folder / "out" / name)


def test_integers_of_linear_inputs_are_encoded(tmp_path):
    image = night()
    write_image(tmp_path / "in/a.exr", image)
    write_psf(tmp_path / "psf.txt", PSF)
    light = bloom(as_values(image), threshold=0.8)
    for option, codes in [("--linear", encoded(light)), ("--stored", light)]:
        words = ["bloom", "in", "--psf", "psf.txt", "--output", "out", "--format", "png", "--depth", "u8", "--overwrite"]
        done = succeed(*words, option, cwd=tmp_path)
        exact = np.clip(codes, 0, 1) * 255
        assert abs(read_image(tmp_path / "out/a.png") - exact).max() <= 0.52
        assert ("will look dark" in done.err) == (option == "--stored")


@pytest.mark.parametrize("shape", mostly_full(OF_PICTURES, ["lanes", "tiles of work-groups"]))
def test_highlights_in_every_shape(tmp_path, shape):
    image = night()
    settings = dict(threshold=0.3, knee=0.7, clamp=20, boost=2)
    options = [word for name, value in settings.items() for word in (f"--{name}", value)]
    method = [*SHAPES[shape]]
    out = run(tmp_path, image, "--mix", "lerp", "--scatter", "0.5", "--intensity", "0.9", *options, *method)
    expected = bloom(as_values(image), "lerp", 0.9, 0.5, **settings)
    assert_same_floats(out, expected, shape, tolerance=4e-6)


# What is mixed are numbers, whatever they were read from. Only a lerp looks for highlights a second time: of 8 bits in tables.
@pytest.mark.parametrize(
    "dtype, mix",
    mostly_full(
        [(np.uint8, "add"), (np.uint8, "lerp"), (np.uint16, "screen"), (np.float32, "add"), (np.float32, "lerp")],
        [(np.uint8, "lerp"), (np.uint16, "screen"), (np.float32, "add")],
    ),
)
def test_defaults_and_tint_in_linear_light(tmp_path, mix, dtype):
    """Integers are decoded and encoded, floats are light already; only integers are boosted."""
    image = night() if dtype == np.float32 else as_integers(night(), dtype)
    out = run(tmp_path, image, "--mix", mix, "--tint", "1,0.6,0.2", name="a.tif")
    values = as_values(image)
    light = values if dtype == np.float32 else decoded(values)
    expected = bloom(light, mix, tint=(1, 0.6, 0.2), threshold=0.8, boost=0 if dtype == np.float32 else 4)
    if dtype == np.float32:
        assert_same_floats(out, expected, tolerance=4e-6)
    else:
        top = np.iinfo(dtype).max
        assert abs(out - np.clip(encoded(expected), 0, 1) * top).max() <= 0.5 + 2e-5 * top


def test_light_far_above_white_is_white_in_16_bits(tmp_path):
    """The encoding's polynomial falls below 0 there. It was fitted for light up to 1.46."""
    image = as_integers(night(), np.uint16)
    out = run(tmp_path, image, "--mix", "screen", "--intensity", "3000")
    expected = bloom(decoded(as_values(image)), "screen", intensity=3000, threshold=0.8, boost=4)
    assert (expected > 100).sum() > 200
    assert abs(out - np.clip(encoded(expected), 0, 1) * 65535).max() <= 0.5 + 2e-5 * 65535


@pytest.mark.parametrize(
    "border, size",
    mostly_full(
        product(["zero", "constant:0.9", "renormalize"], [[], ["--device-memory", "500K"]]),
        [("zero", []), ("constant:0.9", ["--device-memory", "500K"]), ("renormalize", [])],
    ),
)
def test_borders_whole_and_in_pieces(tmp_path, border, size):
    image = night(190, 120)
    out = run(tmp_path, image, "--border", border, "--threshold", "0.4", "--boost", "1", *size)
    taken, _ = bright(as_values(image), 0.4, boost=1)
    outside = border
    if border.startswith("constant"):  # what stands outside glows as well
        outside = f"constant:{bright(np.full((1, 3), 0.9), 0.4, boost=1)[0][0, 0]:.17g}"
    expected = as_values(image) + 0.6 * convolve(taken, WEIGHTS, outside)
    assert_same_floats(out, expected, f"{border} {size}", tolerance=4e-6)


def test_a_lerp_moves_light_and_keeps_its_sum(tmp_path):
    image = night()
    for threshold in ("0", "0.5"):
        options = ("--mix", "lerp", "--scatter", "0.8", "--border", "wrap")
        out = run(tmp_path, image, *options, "--threshold", threshold).astype(np.float64)
        before = image.astype(np.float64)
        assert abs(out - before).max() > 1, "the test must see light move"
        np.testing.assert_allclose(out.sum(axis=(0, 1)), before.sum(axis=(0, 1)), rtol=2e-6)


# Programs ask for alpha only if it is the fourth channel or later, or if they are made for one among the first three, as in YA.
@pytest.mark.parametrize(
    "names, shape", mostly_full(product(["YA", "RGBA"], ["lanes", "work-groups"]), [("YA", "lanes"), ("RGBA", "work-groups")])
)
def test_alpha_stays_and_does_not_count(tmp_path, names, shape):
    colours = as_values(night(channels=len(names) - 1) * np.float32(0.02))
    alpha = np.ones(colours.shape[:2], np.float32)
    alpha[:10] = 0.5
    given = {name: colours[..., c].astype(np.float32) for c, name in enumerate(names[:-1])} | {"A": alpha}
    write_exr(tmp_path / "in.exr", given)
    write_psf(tmp_path / "psf.txt", PSF)
    succeed("bloom", "in.exr", "--psf", "psf.txt", "--threshold", "0.5", "--output", "out", *SHAPES[shape], cwd=tmp_path)
    out = read_exr(tmp_path / "out/in.exr")
    np.testing.assert_array_equal(out["A"], alpha)
    made = np.stack([out[name] for name in names[:-1]], axis=2)
    assert_same_floats(made, bloom(colours, threshold=0.5), tolerance=4e-6)


def layers():
    """A picture and three layers of other brightness, whose names are sorted apart from each other: channels of a triple are
    not always the first three, nor in this order."""
    dim = np.moveaxis(night() * np.float32(0.02), 2, 0)
    lit = np.moveaxis(night()[::-1], 2, 0)
    alpha = np.linspace(0, 1, dim[0].size, dtype=np.float32).reshape(dim[0].shape)
    return {
        **dict(zip(["R", "G", "B"], dim)),
        "A": alpha,
        **dict(zip(["lamps.red", "lamps.green", "lamps.blue"], lit)),
        "lamps.A": alpha,
        "fog.Y": lit[0],
        "fog.B": dim[0],
    }


@pytest.mark.parametrize("shape", mostly_full(OF_LAYERS, ["work-groups", "direct of work-groups"]))
def test_each_layer_has_highlights_and_tints_of_its_own(tmp_path, shape):
    given = layers()
    write_exr(tmp_path / "in.exr", given)
    write_psf(tmp_path / "psf.txt", PSF)
    settings = dict(threshold=0.3, knee=0.7, clamp=20, boost=2)
    options = [word for name, value in settings.items() for word in (f"--{name}", value)]
    tint = (1, 0.6, 0.2)
    words = ["--mix", "lerp", "--scatter", "0.5", "--intensity", "0.9", "--tint", "1,0.6,0.2", *SHAPES[shape]]
    succeed("bloom", "in.exr", "--psf", "psf.txt", "--output", "out", *words, *options, cwd=tmp_path)
    made = read_exr(tmp_path / "out/in.exr")

    def expect(names, tint):
        image = np.stack([given[name] for name in names], axis=-1)
        expected = bloom(as_values(image), "lerp", 0.9, 0.5, tint, **settings)
        for number, name in enumerate(names):
            assert_same_floats(made[name][..., None], expected[..., number : number + 1], name, tolerance=4e-6)

    expect(["R", "G", "B"], tint)
    expect(["lamps.red", "lamps.green", "lamps.blue"], tint)
    for name in ("fog.Y", "fog.B"):  # no triple
        expect([name], (0.6,))
    assert same_bits(made["A"], given["A"]) and same_bits(made["lamps.A"], given["lamps.A"])


@pytest.mark.parametrize(
    "options",
    mostly_full(
        [["--resolution", "1/2"], ["--device-memory", "500K"], ["--mix", "screen", "--border", "zero"]], [["--device-memory", "500K"]]
    ),
)
def test_a_layer_of_a_file_glows_as_it_does_alone(tmp_path, options):
    given = layers()
    write_exr(tmp_path / "in/all.exr", given)
    write_exr(tmp_path / "in/lamps.exr", {short: given[f"lamps.{name}"] for name, short in zip(["red", "green", "blue"], "RGB")})
    succeed("bloom", "in", "--psf", "gaussian:3", "--output", "out", "--overwrite", *options, cwd=tmp_path)
    made, alone = read_exr(tmp_path / "out/all.exr"), read_exr(tmp_path / "out/lamps.exr")
    for name, short in zip(["red", "green", "blue"], "RGB"):
        assert_same_floats(made[f"lamps.{name}"][..., None], alone[short][..., None].astype(float), name, tolerance=4e-6)
        dark = alone[short] == given[f"lamps.{name}"]
        assert same_bits(made[f"lamps.{name}"][dark], alone[short][dark]), f"{name}: what no light reaches stays"


def test_gray_gets_the_mean_of_the_tint(tmp_path):
    image = night(channels=1)
    out = run(tmp_path, image, "--tint", "1,0.5,0")
    assert_same_floats(out, bloom(as_values(image), tint=(0.5,), threshold=0.8), tolerance=4e-6)


def test_a_mask_and_stored_samples(tmp_path):
    image = as_integers(night(), np.uint8)
    mask = np.zeros((37, 45, 1), np.float32)
    mask[:, 20:] = 1
    write_image(tmp_path / "mask.tif", mask)
    out = run(tmp_path, image, "--stored", "--mask", "mask.tif", "--boost", "0").astype(np.float64)
    expected = np.where(mask > 0, bloom(as_values(image), threshold=0.8), as_values(image))
    assert abs(out / 255 - np.clip(expected, 0, 1)).max() <= 0.502 / 255


def test_one_look_on_images_of_two_sizes(tmp_path):
    """A light of the same relative size glows alike, with the default glow and with any PSF that is scaled."""
    images = {}
    for height in (120, 360):
        images[height] = image = np.zeros((height, height, 3), np.float32)
        part = height // 12
        image[height // 2 - part : height // 2 + part, height // 2 - part : height // 2 + part] = 10
        write_image(tmp_path / f"in/{height}.tif", image)
    for options in ([], ["--psf", "disc:20", "--scale", "0.2"], ["--psf", "disc:300", "--scale", "0.2"]):
        glows = []
        succeed("bloom", "in", *options, "--output", "out", "--overwrite", "--border", "zero", cwd=tmp_path)
        for height, image in images.items():
            glow = read_image(tmp_path / f"out/{height}.tif").astype(np.float64) - image
            glows.append(glow.reshape(120, height // 120, 120, height // 120, 3).mean(axis=(1, 3)))
        assert glows[0].max() > 1
        assert abs(glows[0] - glows[1]).max() < 0.05 * glows[1].max(), options


def test_the_page_of_the_library_names_the_default_glow(tmp_path):
    """The library has no default for its PSF. With the page's words, results are the program's, code by code."""
    words = r"program's own is `(glow:[^`]*)` with `scale` ([0-9.]+[0-9])"
    psf, scale = re.search(words, " ".join((ROOT / "docs/library.md").read_text().split())).groups()
    write_image(tmp_path / "in.png", as_integers(picture(200, 120, 3) ** 3, np.uint8))
    for name, options in ("own.png", ()), ("words.png", ("--psf", psf, "--scale", scale)):
        succeed("bloom", "in.png", *options, "-o", name, cwd=tmp_path)
    np.testing.assert_array_equal(read_image(tmp_path / "words.png"), read_image(tmp_path / "own.png"))


def test_a_portrait_glows_as_the_same_scene_in_landscape(tmp_path):
    """The shorter side decides: with the default glow, and with a PSF that is scaled."""
    scene = night(150, 60)
    write_image(tmp_path / "in/landscape.tif", scene)
    write_image(tmp_path / "in/portrait.tif", np.ascontiguousarray(scene.transpose(1, 0, 2)))
    for options in ([], ["--psf", "disc:20", "--scale", "0.5"]):
        succeed("bloom", "in", *options, "--output", "out", "--overwrite", cwd=tmp_path)
        landscape, portrait = (read_image(tmp_path / f"out/{name}.tif").astype(float) for name in ("landscape", "portrait"))
        assert abs(landscape - scene).max() > 0.1, "the test must see a glow"
        np.testing.assert_allclose(portrait.transpose(1, 0, 2), landscape, atol=1e-4 * landscape.max(), rtol=0)


def test_a_scaled_psf_is_that_part_of_the_shorter_side(tmp_path):
    """A point becomes the PSF: a disc 0.5 times as high as the image is narrow."""
    image = np.zeros((180, 60, 1), np.float32)
    image[90, 30] = 1000
    write_image(tmp_path / "in/a.tif", image)
    succeed("bloom", "in", "--psf", "disc:20", "--scale", "0.5", "--border", "zero", "--output", "out", cwd=tmp_path)
    glow = read_image(tmp_path / "out/a.tif")[..., 0] - image[..., 0]
    rows = np.flatnonzero(glow.max(axis=1) > 0.5 * np.median(glow[glow > 0]))
    assert len(rows) == pytest.approx(0.5 * 60, abs=2)


# Neither curve is sRGB's, so the host encodes the result.
@pytest.mark.parametrize("how", ["gamma chunk", "profile", "dither", "bands", "parts"])
def test_light_that_is_meant_to_clip_is_not_warned_of(tmp_path, how):
    image = as_integers(np.clip(night(300, 250) * 0.5, 0, 1), np.uint8)
    options = {"dither": ["--dither"], "bands": ["--memory-limit", "1M"]}.get(how, [])
    if how == "parts":
        profile = icc.profile([icc.gamma_curve(1.8)] * 3)
        tags = [(34675, 7, len(profile), profile, False)]
        tifffile.imwrite(tmp_path / "a.tif", np.stack([image, image[::-1]]), photometric="rgb", extratags=tags)
        name = "a.tif"
    else:
        gamma = struct.pack(">I", round(1e5 / 1.8))
        name = "a.png"
        write_image(tmp_path / name, image)
        if how == "profile":
            chunk = b"test\0\0" + zlib.compress(icc.profile([icc.gamma_curve(1.8)] * 3))
            icc.with_png_chunk(tmp_path / name, b"iCCP", chunk)
        else:
            icc.with_png_chunk(tmp_path / name, b"gAMA", gamma)
    write_psf(tmp_path / "psf.txt", PSF)
    words = ["--psf", "psf.txt", "--boost", "30", "--intensity", "3", "--output", "out", "--report", "report.json", *options]
    done = succeed("bloom", name, *words, cwd=tmp_path)
    item = json.loads((tmp_path / "report.json").read_text())["items"][0]
    assert item["overflowed"] == 0 and not any("clamped" in warning for warning in item["warnings"]), done
    assert "clamped" not in done.err
    if how == "parts":
        return
    light = bloom(as_values(image) ** 1.8, intensity=3, threshold=0.8, boost=30)
    assert (light > 1.1).sum() > 100, "the test must see light that clips"
    out = read_image(tmp_path / "out" / name)
    assert abs(out - np.clip(light, 0, 1) ** (1 / 1.8) * 255).max() <= (1.01 if how == "dither" else 0.6)


def make_psf(folder, words):
    succeed("psf", words, "--output", "psf.exr", cwd=folder)
    return folder / "psf.exr"


def test_oiiotool_makes_the_same_bloom_of_a_gray_photograph(tmp_path):
    """Decoded, thresholded, convolved, added and encoded by oiiotool, a step a command."""
    write_image(tmp_path / "in/a.png", as_integers(night(120, 90, 1), np.uint8))
    size = read_image(make_psf(tmp_path, "gaussian:3")).shape[0] // 2
    words = ("--knee", "0", "--threshold", "0.4", "--boost", "0", "--border", "zero")
    succeed("bloom", "in", "--psf", "gaussian:3", "--output", "out", *words, cwd=tmp_path)
    centred = f"psf.exr --origin -{size}-{size}"  # oiiotool's kernels lie around (0, 0)
    chain = f"in/a.png --colorconvert sRGB linear --dup --subc 0.4 --clamp:min=0 {centred} --convolve --mulc 0.6 --add"
    command = ["oiiotool", *chain.split(), *"--colorconvert linear sRGB -d uint8 -o theirs.png".split()]
    subprocess.run(command, cwd=tmp_path, check=True)
    ours, theirs = (read_image(tmp_path / name).astype(int) for name in ("out/a.png", "theirs.png"))
    assert (ours - read_image(tmp_path / "in/a.png")).max() > 10, "the test must see a glow"
    assert abs(ours - theirs).max() <= 1


def test_several_psfs_and_a_dry_run(tmp_path):
    write_image(tmp_path / "in/a.png", as_integers(night(), np.uint8))
    words = ("bloom", "in", "--psf", "gaussian:2", "disc:3", "--scale", "0.3", "--output", "out")
    assert "in linear light of highlights mixed" in succeed(*words, "--dry-run", cwd=tmp_path).out
    assert not (tmp_path / "out").exists()
    succeed(*words, cwd=tmp_path)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a_disc-3.png", "a_gaussian-2.png"]


@pytest.mark.parametrize(
    "options, says",
    [
        (["--tint", "1,2"], ["--tint 1,2", "three numbers"]),
        (["--tint", "1,-2,0"], ["--tint 1,-2,0", "of at least 0"]),
        (["--boost", "much"], ["--boost much", "auto"]),
        (["--scale", "9"], ["--scale 9", "0.001 to 4"]),
        (["--mix", "0.5"], ["--mix", "add"]),
        (["--threshold", "-1"], ["--threshold", "-1", "0 to 1e+06"]),
        (["--knee", "nan"], ["--knee", "nan", "0 to 1"]),
        (["--treshold", "1"], ["--treshold", "did you mean --threshold"]),
        (["--mode", "full"], ["--mode"]),
        (["--alpha", "convolve"], ["--alpha"]),
        (["--nonfinite", "interpolate"], ["bloom", "interpolate"]),
    ],
)
def test_a_wrong_option_is_a_usage_error(tmp_path, options, says):
    write_image(tmp_path / "in/a.tif", night())
    fail(2, "bloom", "in", "--output", "out", *options, says=says, cwd=tmp_path)
    assert not (tmp_path / "out").exists()
