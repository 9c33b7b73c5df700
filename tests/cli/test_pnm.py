# SPDX-License-Identifier: Apache-2.0
"""PBM, PGM and PPM of any maxval, as text and binary, against numbers made by hand and by Pillow."""

import json

import numpy as np
import pytest
from PIL import Image
from support.tool import fail, succeed

MAXVALS = [1, 15, 100, 255, 256, 300, 1023, 4095, 16383, 40000, 65535]


def codes(maxval, channels, width=7, height=5):
    """With 0, the largest code, and those around the half, where a product overflows first."""
    some = np.random.default_rng(maxval).integers(0, maxval + 1, (height, width, channels))
    some.reshape(-1)[:4] = [0, maxval, maxval // 2, maxval // 2 + (maxval > 1)]
    return some


def binary(some, maxval):
    height, width, channels = some.shape
    head = f"P{5 if channels == 1 else 6}\n# a comment\n{width} {height}\n{maxval}\n".encode()
    return head + some.astype(">u2" if maxval > 255 else "u1").tobytes()


def text(some, maxval):
    height, width, channels = some.shape
    head = f"P{2 if channels == 1 else 3}\n{width} {height} # a comment\n{maxval}\n"
    return (head + " ".join(map(str, some.reshape(-1)))).encode()


def parsed(data):
    """Kind, maxval and codes of a file without comments, by the format's definition."""
    kind, width, height, maxval = data.split(maxsplit=4)[:4]
    if kind in (b"P2", b"P3"):
        some = np.array(data.split()[4:], int)
    else:
        raster = data.split(b"\n", 3)[3]
        some = np.frombuffer(raster, ">u2" if int(maxval) > 255 else "u1").astype(int)
    return kind.decode(), int(maxval), some.reshape(int(height), int(width), -1)


def scaled(some, maxval):
    largest = 65535 if maxval > 255 else 255
    return np.floor(some * largest / maxval + 0.5).astype(int)


def test_zeros_before_a_number_are_nothing(tmp_path):
    """Some writers fill the size in when they know it. 0000000012 was 1 and then 2."""
    some = codes(255, 1, 12, 3)
    (tmp_path / "a.pgm").write_bytes(b"P5 0000000012 00000000003 000000000255\n" + some.astype("u1").tobytes())
    (tmp_path / "t.pgm").write_bytes(b"P2 12 3 255\n" + b" ".join(b"%012d" % code for code in some.reshape(-1)))
    succeed("run", "a.pgm", "t.pgm", "--method", "none", "--output", "out", cwd=tmp_path)
    for name in ("a", "t"):
        assert np.array_equal(np.array(Image.open(tmp_path / f"out/{name}.pgm")), some[..., 0])
    (tmp_path / "b.pgm").write_bytes(b"P5 1234567890 3 255\n" + some.astype("u1").tobytes())
    fail(1, "run", "b.pgm", "--method", "none", "--output", "out", says=["b.pgm"], cwd=tmp_path)


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("form", [binary, text])
def test_copies_have_the_same_codes(tmp_path, form, channels):
    for maxval in MAXVALS:
        (tmp_path / f"{maxval}.pnm").write_bytes(form(codes(maxval, channels), maxval))
    succeed("run", *[f"{maxval}.pnm" for maxval in MAXVALS], "--method", "none", "--output", "out", cwd=tmp_path)
    for maxval in MAXVALS:
        kind, new, some = parsed((tmp_path / f"out/{maxval}.pnm").read_bytes())
        assert kind == form(codes(maxval, channels), maxval)[:2].decode()
        wanted = codes(maxval, channels)
        assert new == (maxval if maxval > 15 else 255)  # few codes do not stay: black and white becomes gray
        assert np.array_equal(some, wanted if new == maxval else scaled(wanted, maxval)), maxval


@pytest.mark.parametrize("form", [binary, text])
def test_other_formats_get_the_nearest_codes(tmp_path, form):
    for maxval in MAXVALS:
        (tmp_path / f"{maxval}.pgm").write_bytes(form(codes(maxval, 1), maxval))
    inputs = [f"{maxval}.pgm" for maxval in MAXVALS]
    succeed("run", *inputs, "--method", "none", "--format", "png", "--output", "out", cwd=tmp_path)
    for maxval in MAXVALS:
        out = np.array(Image.open(tmp_path / f"out/{maxval}.png"), int)
        assert np.array_equal(out, scaled(codes(maxval, 1)[..., 0], maxval)), maxval


def test_a_convolution_keeps_depth_and_maxval(tmp_path):
    """A PSF of one sample, and a mean of two neighbours by hand."""
    some = codes(4095, 1)
    (tmp_path / "a.pgm").write_bytes(binary(some, 4095))
    succeed("run", "a.pgm", "--psf", "box:1", "--output", "one", "--report", "r.json", cwd=tmp_path)
    assert np.array_equal(parsed((tmp_path / "one/a.pgm").read_bytes())[2], some)
    item = json.loads((tmp_path / "r.json").read_text())["items"][0]
    assert (item["type"], item["output_type"]) == ("u16", "u16")
    assert item["warnings"] == ["a.pgm: has metadata that one/a.pgm has not: comment"]
    (tmp_path / "psf.txt").write_text("1 1\n")
    succeed("run", "a.pgm", "--psf", "psf.txt", "--output", "mean", cwd=tmp_path)
    _, maxval, out = parsed((tmp_path / "mean/a.pgm").read_bytes())
    left = some[:, [0, *range(some.shape[1] - 1)]]
    right = some[:, [*range(1, some.shape[1]), -1]]
    assert maxval == 4095
    assert min(np.abs(out - (some + left) / 2).max(), np.abs(out - (some + right) / 2).max()) <= 0.51


@pytest.mark.parametrize("data", [b"P1\n5 2\n1 0 1 0 1\n01101\n", b"P1 5 2 1010101101", b"P4\n5 2\n" + bytes([0b10101000, 0b01101000])])
def test_bitmaps_are_black_where_they_are_1(tmp_path, data):
    (tmp_path / "a.pbm").write_bytes(data)
    succeed("run", "a.pbm", "--method", "none", "--format", "png", "--output", "out", cwd=tmp_path)
    bits = np.array([[1, 0, 1, 0, 1], [0, 1, 1, 0, 1]])
    assert np.array_equal(np.array(Image.open(tmp_path / "out/a.png").convert("L")), 255 * (1 - bits))


def test_the_bits_of_a_bitmap_are_no_comment(tmp_path):
    """Of 00100011, which is the letter that begins a comment."""
    (tmp_path / "a.pbm").write_bytes(b"P4\n16 2\n####")
    succeed("run", "a.pbm", "--method", "none", "--format", "png", "--output", "out", "--report", "r.json", cwd=tmp_path)
    (item,) = json.loads((tmp_path / "r.json").read_text())["items"]
    assert not any("comment" in warning for warning in item["warnings"]), item


def test_16_bits_of_another_format_stay_16_bits(tmp_path):
    some = codes(65535, 1)[..., 0].astype("u2")
    Image.fromarray(some).save(tmp_path / "a.png")
    succeed("run", "a.png", "--method", "none", "--format", "pgm", "--output", "out", "--report", "r.json", cwd=tmp_path)
    assert np.array_equal(parsed((tmp_path / "out/a.pgm").read_bytes())[2][..., 0], some)
    assert json.loads((tmp_path / "r.json").read_text())["items"][0]["output_type"] == "u16"


def test_codes_above_maxval_are_damage(tmp_path):
    """Such as bytes in the wrong order."""
    some = codes(4095, 1)
    (tmp_path / "a.pgm").write_bytes(b"P5 7 5 4095\n" + some.astype("<u2").tobytes())
    fail(1, "run", "a.pgm", "--method", "none", "--output", "out", cwd=tmp_path, says=["a.pgm", "above its maxval", "4095", "--damaged keep"])
    succeed("run", "a.pgm", "--method", "none", "--damaged", "keep", "--output", "out", cwd=tmp_path)
    swapped = some.astype("<u2").byteswap().view("<u2")
    assert np.array_equal(parsed((tmp_path / "out/a.pgm").read_bytes())[2], np.minimum(swapped, 4095))


@pytest.mark.parametrize("data", [b"P5 7 5 65536\n" + bytes(99), b"P5 7 5 0\n" + bytes(99), b"P5 7\n", b"P6 7 5 255\n" + bytes(50), b"P2 2 2 9 1 2 3"])
def test_damaged_files_fail_alone(tmp_path, data):
    (tmp_path / "a.pgm").write_bytes(data)
    fail(1, "run", "a.pgm", "--method", "none", "--output", "out", cwd=tmp_path, says=["a.pgm", "damaged"])
    assert not (tmp_path / "out/a.pgm").exists()


def test_further_images_are_reported(tmp_path):
    (tmp_path / "a.pgm").write_bytes(2 * binary(codes(255, 1), 255))
    result = succeed("run", "a.pgm", "--method", "none", "--output", "out", cwd=tmp_path)
    assert "further images" in result.err
