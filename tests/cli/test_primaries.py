# SPDX-License-Identifier: Apache-2.0
"""Which colours red, green and blue are: --linear tells OpenEXR, a profile other formats, and losses are warned of. AdobeRGB is
known by Exif alone."""

import io
import json
import struct
import time
from itertools import product

import numpy as np
import pytest
from PIL import Image, ImageCms
from support.files_of_parts import exr_headers
from support.full import mostly_full
from support.heif import write_avif
from support.icc import _xyz, gamma_curve, profile, with_png_chunk
from support.images import as_integers, picture, read_image
from support.tool import succeed
from test_linear import decoded, encoded
from test_metadata import exiftool

REC2020 = (0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290)
P3 = (0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3127, 0.3290)
ADOBE = (0.64, 0.33, 0.21, 0.71, 0.15, 0.06, 0.3127, 0.3290)
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
D50 = np.array([0.9642, 1, 0.8249])


def image():
    return Image.fromarray(as_integers(picture(32, 24, 3), np.uint8))


def xyz_of(x, y):
    return np.array([x / y, 1, (1 - x - y) / y])


def profile_of(colours, chad):
    """A profile of these primaries: adapted to D50 by Bradford's matrix, which is in it, or only the white."""
    points = [xyz_of(*colours[i : i + 2]) for i in (0, 2, 4, 6)]
    white = points[3]
    scales = np.linalg.solve(np.array(points[:3]).T, white)
    adaptation = np.linalg.inv(BRADFORD) @ np.diag((BRADFORD @ D50) / (BRADFORD @ white)) @ BRADFORD
    data = profile([gamma_curve(2.2)] * 3, version=4 if chad else 2)
    fixed = lambda numbers: struct.pack(f">{len(numbers)}i", *(round(n * 65536) for n in numbers))  # noqa: E731
    if chad:
        data = profile([gamma_curve(2.2)] * 3, version=4, extra=[(b"chad", b"sf32\0\0\0\0" + fixed(adaptation.reshape(-1)))])
    replaced = {letter + b"XYZ": adaptation @ (points[n] * scales[n]) for n, letter in enumerate((b"r", b"g", b"b"))}
    if not chad:
        replaced[b"wtpt"] = white
    (count,) = struct.unpack_from(">I", data, 128)
    for entry in range(count):
        name, offset, size = struct.unpack_from(">4sII", data, 132 + 12 * entry)
        if name in replaced:
            data = data[:offset] + _xyz(*replaced[name])[:size] + data[offset + size :]
    return data


def chromaticities(path):
    value = exr_headers(path)[0].get("chromaticities")
    return value and struct.unpack("<8f", value)


def converted(folder, name, *options):
    succeed("run", name, "--psf", "gaussian:1", "--linear", "--format", "exr", "--output", "out", "--overwrite", *options, cwd=folder)
    return folder / "out" / (name.split(".")[0] + ".exr")


@pytest.mark.parametrize("colours, chad", mostly_full(product([REC2020, ADOBE], [True, False]), [(REC2020, True), (ADOBE, False)]))
def test_the_primaries_of_a_profile_go_along(tmp_path, colours, chad):
    image().save(tmp_path / "a.jpg", icc_profile=profile_of(colours, chad), quality=95)
    assert chromaticities(converted(tmp_path, "a.jpg")) == pytest.approx(colours, abs=0.001)


def test_those_of_srgb_need_not_be_said(tmp_path):
    image().save(tmp_path / "plain.jpg")
    image().save(tmp_path / "srgb.jpg", icc_profile=profile([gamma_curve(2.2)] * 3))
    for name in ("plain.jpg", "srgb.jpg"):
        assert chromaticities(converted(tmp_path, name)) is None


def test_stripped_metadata_and_stored_values_say_nothing(tmp_path):
    image().save(tmp_path / "a.jpg", icc_profile=profile_of(P3, True))
    assert chromaticities(converted(tmp_path, "a.jpg", "--metadata", "strip")) is None
    succeed("run", "a.jpg", "--psf", "gaussian:1", "--format", "exr", "--output", "stored", cwd=tmp_path)
    assert chromaticities(tmp_path / "stored/a.exr") is None


@pytest.mark.parametrize("chunk", ["cICP", "cHRM"])
def test_those_of_a_png_go_along(tmp_path, chunk):
    image().save(tmp_path / "a.png")
    if chunk == "cICP":
        with_png_chunk(tmp_path / "a.png", b"cICP", bytes([12, 13, 0, 1]))
    else:
        numbers = [round(100000 * n) for n in (*P3[6:], *P3[:6])]
        with_png_chunk(tmp_path / "a.png", b"cHRM", struct.pack(">8I", *numbers))
    assert chromaticities(converted(tmp_path, "a.png")) == pytest.approx(P3, abs=1e-5)


def adobe_by_exif(path):
    exiftool("-overwrite_original", "-ColorSpace#=65535", "-InteropIndex=R03", path)


def lights(codes):
    return (codes / 255.0) ** (563 / 256)


def test_adobe_rgb_is_known_by_exif_alone(tmp_path):
    image().save(tmp_path / "a.jpg", quality=95)
    adobe_by_exif(tmp_path / "a.jpg")
    succeed("run", "a.jpg", "--psf", "box:1", "--linear", "--format", "exr", "--depth", "float", "--report", "r.json", "--output", "out",
            cwd=tmp_path)  # fmt: skip
    assert json.loads((tmp_path / "r.json").read_text())["items"][0]["transfer"] == "AdobeRGB (Exif)"
    expected = lights(np.asarray(Image.open(tmp_path / "a.jpg"), np.float64))
    assert abs(read_image(tmp_path / "out/a.exr") - expected).max() < 2e-6
    assert chromaticities(tmp_path / "out/a.exr") == pytest.approx(ADOBE, abs=1e-5)


def test_a_jpeg_that_stays_one_stays_adobe_rgb(tmp_path):
    image().save(tmp_path / "a.jpg", quality=100, subsampling=0)
    adobe_by_exif(tmp_path / "a.jpg")
    succeed("run", "a.jpg", "--psf", "box:3", "--linear", "--border", "wrap", "--report", "r.json", "--output", "out", cwd=tmp_path)
    assert json.loads((tmp_path / "r.json").read_text())["items"][0]["output_transfer"] == "AdobeRGB (Exif)"
    light = lights(np.asarray(Image.open(tmp_path / "a.jpg"), np.float64))
    mean = sum(np.roll(light, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1)) / 9
    expected = 255 * mean ** (256 / 563)
    assert abs(np.asarray(Image.open(tmp_path / "out/a.jpg"), np.float64) - expected).mean() < 0.8  # JPEG's own
    assert exiftool("-s3", "-n", "-ColorSpace", "-InteropIndex", tmp_path / "out/a.jpg").split() == ["65535", "R03"]


def srgb_of(path):
    """The codes of sRGB that a program which knows ICC shows, by Little CMS through Pillow."""
    with Image.open(path) as opened:
        own = ImageCms.ImageCmsProfile(io.BytesIO(opened.info["icc_profile"]))
        shown = ImageCms.profileToProfile(opened.convert("RGB"), own, ImageCms.createProfile("sRGB"), 1, "RGB")
    return np.asarray(shown, np.float64)


def to_xyz(colours):
    points = [xyz_of(*colours[n : n + 2]) for n in (0, 2, 4, 6)]
    return np.array(points[:3]).T * np.linalg.solve(np.array(points[:3]).T, points[3])


def srgb_by_definition(light, colours):
    """Codes of sRGB of light of these colours; their white is sRGB's."""
    rec709 = (0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290)
    return 255 * np.clip(encoded(np.clip(light @ (np.linalg.inv(to_xyz(rec709)) @ to_xyz(colours)).T, 0, 1)), 0, 1)


def dull():
    """Colours that sRGB has, whichever primaries they are of."""
    return Image.fromarray((80 + np.asarray(image()) * 0.4).astype(np.uint8))


@pytest.mark.parametrize("linear", mostly_full([[], ["--linear"]], [["--linear"]]))
def test_what_a_format_cannot_say_by_numbers_it_says_by_a_profile(tmp_path, linear):
    dull().save(tmp_path / "p3.png")
    with_png_chunk(tmp_path / "p3.png", b"cICP", bytes([12, 13, 0, 1]))
    dull().save(tmp_path / "rec2020.png")
    with_png_chunk(tmp_path / "rec2020.png", b"cHRM", struct.pack(">8I", *(round(100000 * n) for n in (*REC2020[6:], *REC2020[:6]))))
    dull().save(tmp_path / "adobe.jpg", quality=100, subsampling=0)
    adobe_by_exif(tmp_path / "adobe.jpg")
    names = {"p3.png": (P3, decoded), "rec2020.png": (REC2020, decoded), "adobe.jpg": (ADOBE, lambda codes: codes ** (563 / 256))}
    for extension in ("tif", "jpg", "webp"):
        out = tmp_path / extension
        succeed("run", *names, "--psf", "box:1", "--quality", "100", "--format", extension, "--report", "r.json", "--output", out, *linear,
                cwd=tmp_path)  # fmt: skip
        for item in json.loads((tmp_path / "r.json").read_text())["items"]:
            assert item["warnings"] == []
            colours, curve = names[item["input"]]
            if item["input"] == "adobe.jpg" and extension == "jpg":
                continue  # which stays one by its Exif
            shown = srgb_of(item["output"])
            codes = np.asarray(Image.open(item["output"]).convert("RGB"), np.float64) / 255
            assert abs(shown - srgb_by_definition(curve(codes), colours)).max() < 1, item["output"]  # two roundings
            before = np.asarray(Image.open(tmp_path / item["input"]).convert("RGB"), np.float64) / 255
            if extension == "tif":  # the others lose some of the colours' detail
                assert abs(shown - srgb_by_definition(curve(before), colours)).max() < 1, item["output"]


def test_the_profile_of_a_heif_goes_along(tmp_path):
    own = profile_of(P3, True)
    write_avif(tmp_path / "a.avif", np.asarray(image()), True, profile=own)
    for extension in ("png", "jpg", "tif", "webp"):
        result = succeed("run", "a.avif", "--method", "none", "--format", extension, "--output", "out", cwd=tmp_path)
        assert Image.open(tmp_path / f"out/a.{extension}").info["icc_profile"] == own and "ICC" not in result.err
    assert np.allclose(chromaticities(converted(tmp_path, "a.avif", "--report", "r.json")), P3, atol=1e-3)
    (item,) = json.loads((tmp_path / "r.json").read_text())["items"]
    assert item["transfer"] == "ICC: test"


def test_the_numbers_of_a_heif_say_its_colours(tmp_path):
    def said(points, *options):
        write_avif(tmp_path / "a.avif", np.asarray(dull()), True, points=points)
        succeed("run", "a.avif", "--psf", "box:1", "--format", "png", "--output", "out", "--overwrite", "--report", "r.json", *options, cwd=tmp_path)
        (item,) = json.loads((tmp_path / "r.json").read_text())["items"]
        return item["transfer"], item["warnings"]

    assert said((12, 13)) == (None, [])
    codes = np.asarray(Image.open(tmp_path / "out/a.png").convert("RGB"), np.float64) / 255
    assert abs(srgb_of(tmp_path / "out/a.png") - srgb_by_definition(decoded(codes), P3)).max() < 1
    (warning,) = said((1, 16))[1]
    assert "transfer function 16 of H.273" in warning
    assert said((1, 16), "--linear")[0] == "PQ" and said((1, 18), "--linear")[0] == "HLG"
    for number in (1, 2, 13):  # shown as sRGB, or not said
        assert said((number % 13, number))[1] == [] and said((number % 13, number), "--linear")[0] == "sRGB"
    (warning,) = said((9, 16))[1]
    assert "box of colours (nclx) says and a png file cannot" in warning
    (warning,) = said((1, 9), "--linear")[1]
    assert "transfer function 9 of ITU-T H.273 (nclx)" in warning


def test_a_made_profile_has_the_same_bytes_at_any_time(tmp_path):
    image().save(tmp_path / "p3.png")
    with_png_chunk(tmp_path / "p3.png", b"cICP", bytes([12, 13, 0, 1]))
    data = []
    for _ in range(2):
        succeed("run", "p3.png", "--method", "none", "--format", "jpg", "--output", "out", "--overwrite", cwd=tmp_path)
        data.append((tmp_path / "out/p3.jpg").read_bytes())
        time.sleep(1.1)  # profiles have the second in which they are made
    assert data[0] == data[1] and Image.open(tmp_path / "out/p3.jpg").info["icc_profile"]


def test_adobe_rgb_stays_in_other_formats(tmp_path):
    image().save(tmp_path / "a.jpg", quality=95)
    adobe_by_exif(tmp_path / "a.jpg")
    succeed("run", "a.jpg", "--psf", "box:3", "--linear", "--border", "wrap", "--format", "png", "--report", "r.json", "--output", "out",
            cwd=tmp_path)  # fmt: skip
    assert json.loads((tmp_path / "r.json").read_text())["items"][0]["output_transfer"] == "AdobeRGB (Exif)"
    assert exiftool("-s3", "-n", "-ExifIFD:ColorSpace", "-InteropIndex", tmp_path / "out/a.png").split() == ["65535", "R03"]
    light = lights(np.asarray(Image.open(tmp_path / "a.jpg"), np.float64))
    mean = sum(np.roll(light, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1)) / 9
    assert abs(np.asarray(Image.open(tmp_path / "out/a.png"), np.float64) - 255 * mean ** (256 / 563)).max() < 0.51
    # Without its metadata nothing says so, and it is sRGB.
    succeed("run", "a.jpg", "--psf", "box:3", "--linear", "--format", "png", "--metadata", "strip", "--report", "r.json", "--output", "bare",
            cwd=tmp_path)  # fmt: skip
    assert json.loads((tmp_path / "r.json").read_text())["items"][0]["output_transfer"] == "sRGB"
    assert "icc_profile" not in Image.open(tmp_path / "bare/a.png").info


def warnings_of(folder, name, extension, *options):
    succeed("run", name, "--psf", "box:3", "--format", extension, "--report", "r.json", "--output", "out", "--overwrite", *options,
            cwd=folder)  # fmt: skip
    return [w for w in json.loads((folder / "r.json").read_text())["items"][0].get("warnings", []) if "red, green and blue" in w]


@pytest.mark.parametrize("linear", mostly_full([[], ["--linear"]], [["--linear"]]))
def test_lost_primaries_are_warned_of(tmp_path, linear):
    for name, code in (("p3.png", 12), ("srgb.png", 1)):
        image().save(tmp_path / name)
        with_png_chunk(tmp_path / name, b"cICP", bytes([code, 13, 0, 1]))
    (warning,) = warnings_of(tmp_path, "p3.png", "ppm", *linear)
    assert "PNG's cICP says and a pnm file cannot" in warning
    for extension in ("png", "jpg"):
        assert not warnings_of(tmp_path, "p3.png", extension, *linear)
    assert not warnings_of(tmp_path, "srgb.png", "ppm", *linear)
    assert not warnings_of(tmp_path, "p3.png", "ppm", "--metadata", "strip", *linear)
    assert len(warnings_of(tmp_path, "p3.png", "exr", *linear)) == (0 if linear else 1)


def test_a_profile_is_lost_only_where_the_format_has_none(tmp_path):
    image().save(tmp_path / "a.jpg", icc_profile=profile_of(P3, True))
    assert not warnings_of(tmp_path, "a.jpg", "tif")
    (warning,) = warnings_of(tmp_path, "a.jpg", "ppm")
    assert "an ICC profile says and a pnm file cannot" in warning


def test_the_chromaticities_of_openexr_are_lost_in_other_formats(tmp_path):
    image().save(tmp_path / "a.jpg", icc_profile=profile_of(P3, True))
    converted(tmp_path, "a.jpg").rename(tmp_path / "a.exr")
    (warning,) = warnings_of(tmp_path, "a.exr", "tif")
    assert "OpenEXR's chromaticities" in warning
    assert not warnings_of(tmp_path, "a.exr", "exr")
    assert not warnings_of(tmp_path, "a.exr", "png", "--linear", "--depth", "u8")
    shown = srgb_of(tmp_path / "out/a.png")
    codes = np.asarray(Image.open(tmp_path / "out/a.png"), np.float64) / 255
    assert abs(shown - srgb_by_definition(decoded(codes), P3)).max() < 1
