# SPDX-License-Identifier: Apache-2.0
"""--linear with PNG's cICP: every transfer function of ITU-T H.273, by its formula in double."""

import json
import struct

import numpy as np
import pytest
from support.files_of_parts import exr_headers
from support.icc import png_chunk, with_png_chunk
from support.images import as_integers, as_values, read_image, write_image, write_psf
from support.reference import convolve
from support.tool import succeed
from test_linear import contrasts, decoded, encoded
from test_linear_files import PSF, WEIGHTS, assert_nearest_codes

M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 4096 * 128, 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
A = 0.17883277
B, C = 1 - 4 * A, 0.5 - A * np.log(4 * A)


def pq_decoded(code):
    root = code ** (1 / M2)
    return 10000 / 203 * (np.maximum(root - C1, 0) / (C2 - C3 * root)) ** (1 / M1)


def pq_encoded(light):
    root = (np.maximum(light, 0) * 203 / 10000) ** M1
    return ((C1 + C2 * root) / (1 + C3 * root)) ** M2


def hlg_scene(code):
    return np.where(code <= 0.5, code**2 / 3, (np.exp((code - C) / A) + B) / 12)


def hlg_encoded(light):
    scene = np.maximum(light, 0) * hlg_scene(0.75)
    return np.where(scene <= 1 / 12, np.sqrt(3 * scene), A * np.log(np.maximum(12 * scene - B, 1e-9)) + C)


def camera(alpha, beta, slope):
    return (
        lambda code: np.where(code < slope * beta, code / slope, ((code + alpha - 1) / alpha) ** (1 / 0.45)),
        lambda light: np.where(light < beta, slope * light, alpha * np.maximum(light, 0) ** 0.45 - (alpha - 1)),
    )


def power(g, scale=1):
    return (lambda code: scale * code**g, lambda light: (np.maximum(light, 0) / scale) ** (1 / g))


BT709 = camera(1.099296826809442, 0.018053968510807, 4.5)
FUNCTIONS = {
    1: ("BT.709", BT709),
    4: ("gamma 2.2", power(2.2)),
    5: ("gamma 2.8", power(2.8)),
    6: ("BT.709", BT709),
    7: ("SMPTE 240M", camera(1.111572195921731, 0.022821585529445, 4)),
    8: ("linear", power(1)),
    11: ("BT.709", BT709),
    12: ("BT.709", BT709),
    13: ("sRGB", (decoded, encoded)),
    14: ("BT.709", BT709),
    15: ("BT.709", BT709),
    16: ("PQ", (pq_decoded, pq_encoded)),
    17: ("SMPTE ST 428-1", power(2.6, 52.37 / 48)),
    18: ("HLG", (lambda code: hlg_scene(code) / hlg_scene(0.75), hlg_encoded)),
}


def save(path, image, transfer, primaries=1, full=1):
    write_image(path, image)
    with_png_chunk(path, b"cICP", bytes([primaries, transfer, 0, full]))


def run(folder, *options):
    write_psf(folder / "psf.txt", PSF)
    succeed("run", *sorted(str(p.relative_to(folder)) for p in folder.glob("*.png")), "--psf", "psf.txt", "--linear",
            "--output", "out", "--report", "r.json", "--overwrite", *options, cwd=folder)  # fmt: skip
    return {item["input"]: item for item in json.loads((folder / "r.json").read_text())["items"]}


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_every_function_is_decoded_and_encoded(tmp_path, dtype):
    image = as_integers(contrasts(23, 19, 3), dtype)
    for number in FUNCTIONS:
        save(tmp_path / f"{number}.png", image, number)
    items = run(tmp_path)
    for number, (name, (decode, encode)) in FUNCTIONS.items():
        item = items[f"{number}.png"]
        assert item["transfer"] == item["output_transfer"] == name
        assert not item.get("warnings"), item
        exact = encode(convolve(decode(as_values(image)), WEIGHTS))
        assert_nearest_codes(read_image(tmp_path / f"out/{number}.png"), exact, name)
        assert png_chunk(tmp_path / f"out/{number}.png", b"cICP") == bytes([1, number, 0, 1])


def test_every_code_of_pq_and_hlg_comes_back(tmp_path):
    ramp = np.arange(65536, dtype=np.uint16).reshape(256, 256, 1).repeat(3, axis=2)
    for number in (16, 18):
        save(tmp_path / f"{number}.png", ramp, number)
    succeed("run", "16.png", "18.png", "--psf", "box:1", "--linear", "--output", "out", cwd=tmp_path)
    for number in (16, 18):
        result = read_image(tmp_path / f"out/{number}.png")
        difference = abs(result.astype(int) - ramp.astype(int))
        assert difference[ramp > 4096].max() <= 1, number
        # Near black, a code of PQ is less light than float's rounding at the picture's mean.
        decode = FUNCTIONS[number][1][0]
        assert abs(decode(as_values(result)) - decode(as_values(ramp)))[ramp <= 4096].max() < 5e-6, number


def test_floats_are_light_above_the_reference_white(tmp_path):
    ramp = np.linspace(0, 65535, 64 * 3).round().astype(np.uint16).reshape(1, 64, 3)
    for number in (16, 18):
        save(tmp_path / f"{number}.png", ramp, number, primaries=9)
    succeed("run", "16.png", "18.png", "--psf", "box:1", "--linear", "--format", "exr", "--depth", "float", "--output", "out", cwd=tmp_path)
    for number in (16, 18):
        light = FUNCTIONS[number][1][0](as_values(ramp))
        assert light.max() == pytest.approx({16: 10000 / 203, 18: 1 / hlg_scene(0.75)}[number])
        assert np.allclose(read_image(tmp_path / f"out/{number}.exr"), light, rtol=1e-4, atol=1e-6)
    white = exr_headers(tmp_path / "out/16.exr")[0]["whiteLuminance"]
    assert struct.unpack("<f", white) == (203,)
    assert "whiteLuminance" not in exr_headers(tmp_path / "out/18.exr")[0]


def test_srgb_clamps_what_is_brighter_than_white_and_counts_it(tmp_path):
    image = np.full((16, 16, 3), 20000, np.uint16)
    image[4:8, 4:8] = 60000
    save(tmp_path / "a.png", image, 16)
    item = run(tmp_path, "--format", "jpg", "--psf", "box:1")["a.png"]
    assert item["output_transfer"] == "sRGB"
    assert any("48 samples" in text for text in item["warnings"]), item["warnings"]


@pytest.mark.parametrize("number, full, words", [(9, 1, "transfer function 9"), (16, 0, "narrow range")])
def test_others_are_srgb_and_say_so(tmp_path, number, full, words):
    image = as_integers(contrasts(23, 19, 3), np.uint8)
    save(tmp_path / "a.png", image, number, full=full)
    item = run(tmp_path)["a.png"]
    assert item["transfer"] == "sRGB" and any(words in text for text in item["warnings"])
    assert_nearest_codes(read_image(tmp_path / "out/a.png"), encoded(convolve(decoded(as_values(image)), WEIGHTS)))
