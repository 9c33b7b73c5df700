# SPDX-License-Identifier: Apache-2.0
"""--linear: integers are convolved in linear light (IEC 61966-2-1, here in double) and encoded again."""

from itertools import product

import numpy as np
import pytest
from support.full import mostly_full
from support.images import as_integers, as_values, picture, random_psf, read_image, write_image, write_psf
from support.reference import BORDERS, assert_same_floats, convolve
from support.tool import succeed

PSF = random_psf(7, 5)
WEIGHTS = PSF / PSF.sum()


def decoded(code):
    return np.where(code <= 0.04045, code / 12.92, ((np.maximum(code, 0) + 0.055) / 1.055) ** 2.4)


def encoded(light):
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 0) ** (1 / 2.4) - 0.055)


def contrasts(width, height, channels=3):
    """Noise over all codes, with edges: linear and stored values give visibly different results."""
    image = np.clip(2 * picture(width, height, channels) - 0.3, 0, 1)
    image[3:9, 4:12, : min(channels, 3)] = 1
    image[9:13, 4:12, : min(channels, 3)] = 0
    return image


def run(folder, name, image, *options, psf=PSF, attributes=None):
    write_image(folder / "in" / name, image, attributes)
    write_psf(folder / "psf.txt", psf)
    succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", "--linear", *options, cwd=folder)
    return read_image(folder / "out" / name)


def assert_codes(actual, expected, label=""):
    """The nearest code; next to it where the value lies half way within what float tells apart.

    The encoding is 13 times as steep at black as at 1, and there the errors of the convolution grow as much.
    """
    top = np.iinfo(actual.dtype).max
    exact = np.clip(expected, 0, 1) * top
    assert actual.shape == exact.shape
    error = abs(actual - exact).max()
    assert error <= 0.5 + 13 * 5e-7 * top, f"{label}: {error} codes"


@pytest.mark.parametrize(
    "method, dtype, channels",
    mostly_full(
        [(method, *image) for method, image in product(["fft", "direct", "tiled"], [(np.uint8, 3), (np.uint16, 1)])],
        [("fft", np.uint8, 3), ("direct", np.uint16, 1), ("tiled", np.uint16, 1)],
    ),
)
def test_integers_are_convolved_in_linear_light(tmp_path, dtype, method, channels):
    image = as_integers(contrasts(37, 29, channels), dtype)
    out = run(tmp_path, "a.png", image, "--method", method)
    expected = encoded(convolve(decoded(as_values(image)), WEIGHTS))
    assert out.dtype == dtype
    assert_codes(out, expected)
    stored = convolve(as_values(image), WEIGHTS)
    assert abs(stored - expected).max() > 0.05, "the test must tell the two apart"


# In pieces, the borders whose values are decoded, divided, or fetched from the other end (test_pieces.py has all of them).
@pytest.mark.parametrize(
    "border, size",
    mostly_full(
        [
            *((border, []) for border in [*BORDERS, "constant:0.2,0.5,0.9"]),
            *((border, ["--device-memory", "400K"]) for border in ["wrap", "renormalize", "constant:0.2,0.5,0.9"]),
        ],
        [("constant:0.2,0.5,0.9", []), ("wrap", ["--device-memory", "400K"]), ("renormalize", ["--device-memory", "400K"])],
    ),
)
def test_borders_whole_and_in_pieces(tmp_path, border, size):
    """A constant is a code, as the samples of the file are."""
    image = as_integers(contrasts(*((190, 120) if size else (37, 29))), np.uint8)
    out = run(tmp_path, "a.tif", image, "--border", border, *size)
    name, _, value = border.partition(":")
    light = ",".join(f"{float(decoded(float(v))):.17g}" for v in value.split(",")) if value else ""
    reference = f"{name}:{light}" if value else name
    assert_codes(out, encoded(convolve(decoded(as_values(image)), WEIGHTS, reference)), border)


def test_by_bands(tmp_path):
    image = as_integers(contrasts(500, 1500), np.uint8)
    out = run(tmp_path, "a.tif", image, "--memory-limit", "1M")
    assert_codes(out, encoded(convolve(decoded(as_values(image)), WEIGHTS)))


def test_a_point_of_light_alone_comes_back_as_its_code(tmp_path):
    """Every code: decoded and encoded, it is itself."""
    for dtype, count, channels in [(np.uint8, 256, 3), (np.uint16, 65536, 1)]:
        codes = np.repeat(np.arange(count, dtype=dtype).reshape(-1, 256, 1), channels, axis=2)
        out = run(tmp_path, "a.png", codes, psf=np.ones((1, 1)))
        assert (out == codes).all()


def test_sixteen_bits_are_decoded_within_a_tenth_of_a_code(tmp_path):
    codes = np.arange(65536, dtype=np.uint16).reshape(256, 256, 1)
    light = run(tmp_path, "a.tif", codes, "--depth", "float", psf=np.ones((1, 1)))
    assert abs(encoded(light.astype(np.float64)) * 65535 - codes).max() < 0.1


def test_floats_and_halves_are_light_already(tmp_path):
    write_image(tmp_path / "in/float.exr", picture(37, 29, 3))
    run(tmp_path, "half.exr", picture(37, 29, 3).astype(np.float16))
    succeed("run", "in", "--psf", "psf.txt", "--output", "plain", cwd=tmp_path)
    for name in ("half.exr", "float.exr"):
        assert (read_image(tmp_path / "out" / name) == read_image(tmp_path / "plain" / name)).all(), name


def test_integers_of_another_depth_hold_the_same_encoding_and_floats_are_light(tmp_path):
    image = as_integers(contrasts(37, 29), np.uint8)
    expected = encoded(convolve(decoded(as_values(image)), WEIGHTS))
    assert_codes(run(tmp_path, "a.tif", image, "--depth", "u16"), expected)
    light = convolve(decoded(as_values(image)), WEIGHTS)
    assert_same_floats(run(tmp_path, "a.tif", image, "--depth", "float"), light, tolerance=3e-6)


@pytest.mark.parametrize(
    "dtype, size",
    mostly_full(
        product([np.uint8, np.uint16], [[], ["--memory-limit", "1M"]]), [(np.uint8, []), (np.uint16, ["--memory-limit", "1M"])]
    ),
)
def test_straight_colours_are_made_linear_before_alpha_multiplies_them(tmp_path, dtype, size):
    image = as_integers(contrasts(*((500, 700) if size else (37, 29)), 4), dtype)
    image[..., 3] = np.maximum(image[..., 3], np.iinfo(dtype).max // 3)
    out = run(tmp_path, "a.png", image, *size)
    values = as_values(image)
    alpha = values[..., 3:]
    result = convolve(np.concatenate([decoded(values[..., :3]) * alpha, alpha], axis=2), WEIGHTS)
    assert_codes(out[..., 3:], result[..., 3:], "alpha is no light")
    assert_codes(out[..., :3], encoded(result[..., :3] / result[..., 3:]), "colours")


def test_associated_codes_are_divided_by_alpha_before_they_are_made_linear(tmp_path):
    image = contrasts(37, 29, 4)
    image[..., 3] = np.maximum(image[..., 3], 0.3)
    image[..., :3] *= image[..., 3:]
    image = as_integers(image, np.uint16)
    out = run(tmp_path, "a.tif", image)
    values = as_values(image)
    alpha = values[..., 3:]
    result = convolve(np.concatenate([decoded(values[..., :3] / alpha) * alpha, alpha], axis=2), WEIGHTS)
    assert_codes(out[..., 3:], result[..., 3:], "alpha is no light")
    expected = encoded(result[..., :3] / result[..., 3:]) * result[..., 3:]
    assert_codes(out[..., :3], expected, "colours")


def test_alpha_kept_in_linear_light(tmp_path):
    image = as_integers(contrasts(37, 29, 4), np.uint8)
    out = run(tmp_path, "a.png", image, "--alpha", "keep")
    assert (out[..., 3] == image[..., 3]).all()


def test_files_that_say_they_are_linear_are_left_alone(tmp_path):
    image = as_integers(contrasts(37, 29), np.uint8)
    out = run(tmp_path, "a.png", image, attributes={"oiio:ColorSpace": "Linear", "oiio:Gamma": 1.0})
    stored = np.floor(convolve(as_values(image), WEIGHTS) * 255 + 0.5)
    assert abs(out - stored).max() <= 1


# Half is the precision of spectra. Doubles are encoded alike in every method: this one has one program to build.
@pytest.mark.parametrize("precision, method, codes", [("half", "fft", 20), ("double", "direct", 0.51)])
def test_precisions(tmp_path, precision, method, codes):
    image = as_integers(contrasts(37, 29, 1), np.uint16)
    exact = encoded(convolve(decoded(as_values(image)), WEIGHTS)) * 65535
    out = run(tmp_path, "a.png", image, "--precision", precision, "--method", method)
    light = exact > 6000  # near black the encoding is steep
    assert abs(out - exact)[light].max() <= codes * (10 if precision == "half" else 1)


def test_a_resumed_run_knows_whether_it_was_linear(tmp_path):
    image = as_integers(contrasts(37, 29), np.uint8)
    write_image(tmp_path / "in/a.png", image)
    write_psf(tmp_path / "psf.txt", PSF)
    base = ["run", "in", "--psf", "psf.txt", "--output", "out", "--resume"]
    succeed(*base, cwd=tmp_path)
    plain = read_image(tmp_path / "out/a.png")
    succeed(*base, "--linear", cwd=tmp_path)
    assert (read_image(tmp_path / "out/a.png") != plain).any()


def test_the_plan_says_so(tmp_path):
    sizes = ["plan", "--size", "640x480", "--psf-size", "31", "--linear"]
    assert "in linear light" in succeed(*sizes, "--type", "u8").out
    assert "in linear light" not in succeed(*sizes, "--type", "half").out
    assert "to linear light" in succeed(*sizes, "--type", "u8", "--depth", "float").out
    assert "from linear light" in succeed(*sizes, "--type", "half", "--depth", "u8").out
