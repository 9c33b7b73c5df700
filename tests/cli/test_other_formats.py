# SPDX-License-Identifier: Apache-2.0
"""From one format to another: what viewers show stays, or a warning says what did not. Other programs write the inputs and
show the outputs."""

import json
import struct
import subprocess
from itertools import product

import numpy as np
import OpenImageIO as oiio
import pytest
import tifffile
from astropy.io import fits
from PIL import Image, PngImagePlugin
from support import icc
from support.format_pictures import write_cineon, write_psd
from support.full import mostly_full
from support.heif import write_avif
from support.images import as_integers, picture
from support.matrix import bmp, dpx, exr_files, png, raster, tiff
from support.matrix.case import columns, floats, noise, with_alpha
from support.tool import succeed

RGBA = with_alpha(noise(4, 8), 8)


def all_changes(folder, names, *options):
    """By name: the kinds of warnings of a copy, and the file."""
    succeed("run", *names, "--method", "none", "--output", "out", "--overwrite", "--report", "r.json", *options, cwd=folder)
    items = json.loads((folder / "r.json").read_text())["items"]
    assert len(items) == len(names)
    return {item["input"]: ([detail["kind"] for detail in item["warning_details"]], folder / item["output"]) for item in items}


def changes(folder, name, *options):
    return all_changes(folder, [name], *options)[name]


def shown(path, mode):
    return np.asarray(Image.open(path).convert(mode))


# ---- losses


@pytest.mark.parametrize("lossless", [True, False])
def test_an_avif_without_a_loss_is_known_by_its_bytes(tmp_path, lossless):
    write_avif(tmp_path / "a.avif", columns(), lossless)
    found, _ = changes(tmp_path, "a.avif", "--format", "webp")
    assert found == (["compression"] if lossless else [])
    found, path = changes(tmp_path, "a.avif", "--format", "webp", "--compression", "lossless")
    assert found == []
    if lossless:
        assert np.array_equal(shown(path, "RGB"), columns())
    assert changes(tmp_path, "a.avif", "--format", "png")[0] == []


def test_frames_and_gain_maps_of_a_heif_are_named(tmp_path):
    write_avif(tmp_path / "a.avif", with_alpha(noise(4, 8), 8), True)
    data = (tmp_path / "a.avif").read_bytes()
    assert changes(tmp_path, "a.avif", "--format", "png")[0] == []
    (tmp_path / "b.avif").write_bytes(data + struct.pack(">I4s", 8, b"moov"))  # of a sequence
    assert changes(tmp_path, "b.avif", "--format", "png")[0] == ["parts"]
    alpha = b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
    for kind, name in ((b"urn:com:apple:photo:2020:aux:hdrgainmap", "gain map"), (b"urn:mpeg:hevc:2015:auxid:2", "depth")):
        (tmp_path / "a.avif").write_bytes(data.replace(alpha, kind.ljust(len(alpha), b"\0")))
        found, text, _ = reported(tmp_path, "a.avif", "png")
        assert found == ["tags"] and text.endswith(f"has not: {name}")


@pytest.mark.parametrize("lossless, ending", mostly_full(product([True, False], ["jp2", "j2k"]), [(True, "jp2"), (False, "j2k")]))
def test_a_jpeg_2000_without_a_loss_is_known_by_its_wavelet(tmp_path, lossless, ending):
    codes = np.tile(columns(), (16, 10, 1))  # the library refuses small ones
    Image.fromarray(codes).save(tmp_path / f"a.{ending}", irreversible=not lossless, quality_mode="rates", quality_layers=[1 if lossless else 20])
    found, path = changes(tmp_path, f"a.{ending}", "--format", "webp")
    assert found == ["compression"]
    (detail,) = json.loads((tmp_path / "r.json").read_text())["items"][0]["warning_details"]
    assert detail["from"] == ("lossless" if lossless else "chroma 1"), "what is lost of a lossy one is the chroma"
    found, path = changes(tmp_path, f"a.{ending}", "--format", "webp", "--compression", "lossless")
    assert found == []
    if lossless:
        assert np.array_equal(shown(path, "RGB"), codes)


def test_webp_is_without_a_loss_on_request(tmp_path):
    Image.fromarray(RGBA).save(tmp_path / "a.png")
    assert changes(tmp_path, "a.png", "--format", "webp")[0] == ["compression"]
    found, path = changes(tmp_path, "a.png", "--format", "webp", "--compression", "lossless")
    assert found == []
    assert np.array_equal(shown(path, "RGBA"), RGBA)


def test_a_loss_of_samples_of_every_format_is_reported(tmp_path):
    """GIF, IFF and RLA lose nothing; WebP does unless it is asked, and Radiance has few bits."""
    raster.write_iff(tmp_path / "iff.iff", noise(3, 8), 1, texts=False)
    raster.write_rla(tmp_path / "rla.rla", noise(3, 8), 8, 0)
    Image.fromarray(noise(3, 8)).quantize(16).save(tmp_path / "gif.gif")
    fits.writeto(tmp_path / "fits.fits", noise(1, 8)[..., 0])
    names = [f"{ending}.{ending}" for ending in ("iff", "rla", "gif", "fits")]
    found = {to: all_changes(tmp_path, names, "--format", to) for to in ("webp", "hdr", "png")}
    for name in names:
        assert "compression" in found["webp"][name][0], name
        assert {"type", "bits"} & set(found["hdr"][name][0]), name
        assert found["png"][name][0] == [], name


# ---- alpha


def write_bmp(path, codes):
    bmp.write(path, bmp.rows_of(codes[..., [2, 1, 0, 3]], 32), codes.shape[1::-1], 32, compression=3, masks=(0xFF0000, 0xFF00, 0xFF, 0xFF000000))


WRITERS = {
    "png": lambda path, codes: Image.fromarray(codes).save(path),
    "tif": lambda path, codes: tifffile.imwrite(path, codes, photometric="rgb", extrasamples=["unassalpha"], metadata=None),
    "tga": lambda path, codes: raster.write_targa(path, codes, 2, 32, alpha_bits=8),
    "bmp": write_bmp,
    "webp": lambda path, codes: Image.fromarray(codes).save(path, lossless=True, exact=True),
}


@pytest.mark.parametrize(
    "source, to",
    mostly_full(product(WRITERS, WRITERS), [("png", "tif"), ("tif", "webp"), ("tga", "png"), ("bmp", "tga"), ("webp", "bmp")]),
)
def test_colours_stay_where_alpha_is_0(tmp_path, source, to):
    WRITERS[source](tmp_path / f"a.{source}", RGBA)
    options = ["--compression", "lossless"] if to == "webp" else []
    found, path = changes(tmp_path, f"a.{source}", "--format", to, *options)
    assert found == []
    if to == "tif":
        after = tifffile.imread(path)
    elif to == "bmp":
            after = bmp.show(path).parts[0].samples
    elif to == "tga":
        after = raster.show_targa(path).parts[0].samples
    else:
        after = shown(path, "RGBA")
    assert np.array_equal(after, RGBA)


@pytest.mark.parametrize("source", ["tga", "bmp"])
def test_a_fourth_byte_of_zeros_is_no_alpha(tmp_path, source):
    codes = RGBA.copy()
    codes[..., 3] = 0
    WRITERS[source](tmp_path / f"a.{source}", codes)
    path = changes(tmp_path, f"a.{source}", "--format", "png")[1]
    assert np.array_equal(shown(path, "RGB"), codes[..., :3])
    assert shown(path, "RGBA")[..., 3].min() == 255


def test_alpha_of_which_a_file_says_too_little(tmp_path):
    tifffile.imwrite(tmp_path / "a.tif", RGBA, photometric="rgb", extrasamples=["unspecified"], metadata=None)
    assert changes(tmp_path, "a.tif")[0] == []
    assert changes(tmp_path, "a.tif", "--format", "png")[0] == ["alpha"]


@pytest.mark.parametrize("channels", [3, 4])
def test_a_channel_that_is_not_read_is_reported(tmp_path, channels):
    """OpenImageIO leaves out what a PSD has behind its colours."""
    assert write_psd(tmp_path / "a.psd", "uint8", channels)
    assert changes(tmp_path, "a.psd", "--format", "png")[0] == (["alpha"] if channels == 4 else [])


def test_alpha_of_later_pages_stays(tmp_path):
    kinds = ["assocalpha", "unassalpha", "unspecified"]
    with tifffile.TiffWriter(tmp_path / "a.tif") as file:
        file.write(RGBA[..., :3], photometric="rgb", metadata=None)
        for kind in kinds:
            file.write(with_alpha(noise(4, 8), 8, kind == "assocalpha"), photometric="rgb", extrasamples=[kind], metadata=None)
    found, path = changes(tmp_path, "a.tif")
    with tifffile.TiffFile(tmp_path / "a.tif") as before, tifffile.TiffFile(path) as after:
        stay = True
        for one, other in zip(before.pages, after.pages):
            stay &= one.extrasamples == other.extrasamples and np.array_equal(one.asarray(), other.asarray())
    assert found == ([] if stay else ["alpha"])


# ---- what samples mean, and where they are


@pytest.mark.parametrize(
    "dtype, to", mostly_full(product(["u1", "u2", "f4"], ["exr", "png", "fits"]), [("u1", "png"), ("u2", "exr"), ("f4", "fits")])
)
def test_white_is_zero_is_no_negative_in_other_formats(tmp_path, dtype, to):
    light = 0.1 + 0.8 * picture(24, 16)[..., 0]
    codes = light.astype("f4") if dtype == "f4" else as_integers(light, np.dtype(dtype).type)
    white = 1 if dtype == "f4" else np.iinfo(dtype).max
    tifffile.imwrite(tmp_path / "a.tif", white - codes, photometric="miniswhite", metadata=None)
    path = changes(tmp_path, "a.tif", "--format", to)[1]
    if to == "exr":
        after = exr_files.show(path).parts[0].samples[..., 0]
    elif to == "png":
        after = np.asarray(Image.open(path)).astype(float)
    else:
        after = fits.getdata(path)[::-1].astype(float)
    after = after / (1 if after.max() <= 1 else 255 if after.max() <= 255 else 65535)
    assert np.abs(after - light).max() < 0.005


# Of Radiance, and the same of DPX: the order of rows and columns, and its number in TIFF.
ORDERS = {"-Y +X": 1, "-Y -X": 2, "+Y -X": 3, "+Y +X": 4}


def test_an_order_of_rows_that_another_format_does_not_state(tmp_path):
    pixels = np.dstack([noise(3, 8), np.full((20, 36), 129, np.uint8)])
    radiance, frames = {}, {}
    for order, orientation in ORDERS.items():
        radiance[f"{orientation}.hdr"] = frames[f"{orientation}.dpx"] = orientation
        first, second = order.split()
        head = f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n{first} 20 {second} 36\n"
        (tmp_path / f"{orientation}.hdr").write_bytes(head.encode() + pixels.tobytes())
        dpx.write(tmp_path / f"{orientation}.dpx", noise(3, 8), 8, 50, orientation=[1, 2, 4, 3].index(orientation))
    for inputs in (radiance, frames):
        for name, (found, _) in all_changes(tmp_path, inputs, "--format", "exr").items():
            assert ("order" in found) == (inputs[name] > 1), name
    for name, (found, path) in all_changes(tmp_path, radiance, "--format", "tif").items():
        assert "order" not in found, name
        with tifffile.TiffFile(path) as file:
            assert file.pages[0].tags[274].value == radiance[name]
    for name, (found, _) in all_changes(tmp_path, frames).items():
        assert "order" not in found, name


def test_names_of_channels_that_a_format_does_not_have(tmp_path):
    layers = {f"glow.{name}": floats(1, "f4")[..., 0] for name in "RGB"}
    exr_files.write(tmp_path / "a.exr", layers)
    found, _ = changes(tmp_path, "a.exr", "--format", "tif")
    assert found == ["channels"]
    exr_files.write(tmp_path / "a.exr", {name: floats(1, "f4")[..., 0] for name in "RGB"})
    assert changes(tmp_path, "a.exr", "--format", "tif")[0] == []


@pytest.mark.parametrize("name,tag", [("expTime", 33434), ("aperture", 33437)])
def test_an_exposure_in_a_tiff_leaves_it_readable(tmp_path, name, tag):
    """The library's writer puts them into Exif, and reads back what it wrote."""
    light = {channel: floats(1, "f4")[..., 0] for channel in "RGB"}
    exr_files.write(tmp_path / "a.exr", light, more=exr_files.attribute(name, "float", struct.pack("<f", 0.5)))
    _, path = changes(tmp_path, "a.exr", "--format", "tif")
    with tifffile.TiffFile(path) as file:
        (exif,) = [page.value for page in file.pages[0].tags if page.code == 34665]
        assert exif
    assert np.array_equal(tiff.show(path).parts[0].samples, np.dstack([light[channel] for channel in "RGB"]))


def test_gray_with_alpha_of_sgi_is_gray_with_alpha(tmp_path):
    codes = with_alpha(noise(2, 8), 8, True)
    raster.write_sgi(tmp_path / "a.sgi", codes, 1, 0)
    path = changes(tmp_path, "a.sgi", "--format", "exr")[1]
    part = exr_files.show(path).parts[0]
    assert set(part.facts["channels"]) == {"Y", "A"}
    path = changes(tmp_path, "a.sgi", "--format", "tif")[1]
    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        assert page.extrasamples == (tifffile.EXTRASAMPLE.ASSOCALPHA,) and np.array_equal(page.asarray(), codes)
    assert changes(tmp_path, "a.sgi", "--format", "bmp")[1].exists()


@pytest.mark.parametrize("to", ["bmp", "webp"])
def test_gray_where_alpha_is_0_stays_in_formats_of_colours(tmp_path, to):
    gray, alpha = RGBA[..., 0], RGBA[..., 3]
    Image.fromarray(np.dstack([gray, alpha]), "LA").save(tmp_path / "a.png")
    found, path = changes(tmp_path, "a.png", "--format", to, *(["--compression", "lossless"] if to == "webp" else []))
    after = shown(path, "RGBA") if to == "webp" else bmp.show(path).parts[0].samples
    assert found == [] and np.array_equal(after, np.dstack([gray, gray, gray, alpha]))


def test_alpha_that_becomes_a_plane_of_fits_is_reported(tmp_path):
    Image.fromarray(RGBA).save(tmp_path / "a.png")
    write_exr(tmp_path / "b.exr")
    exr_files.write(tmp_path / "c.exr", {name: np.abs(floats(1, "f4")[..., 0]).clip(0, 1) for name in "RGBA"})
    for name, is_reported in (("a.png", True), ("b.exr", False), ("c.exr", True)):
        assert ("alpha" in changes(tmp_path, name, "--format", "fits")[0]) == is_reported, name


# ---- what surrounds samples


def write_exr(path, **settings):
    exr_files.write(path, {name: np.abs(floats(1, "f4")[..., 0]) for name in "RGB"}, **settings)


def reported(folder, name, to, *options):
    """The kinds of warnings of a copy in another format, and all their sentences."""
    found, path = changes(folder, name, "--format", to, *options)
    (item,) = json.loads((folder / "r.json").read_text())["items"]
    return found, " ".join(item["warnings"]), path


def test_a_window_of_a_frame_is_kept_or_reported(tmp_path):
    write_exr(tmp_path / "a.exr", corner=(10, 6), display=(0, 0, 99, 49))
    found, text, _ = reported(tmp_path, "a.exr", "hdr")
    assert "window" in found and "36x20 at 10, 6 of 100x50 at 0, 0" in text
    keeps_place = oiio.VERSION < 20500  # in PNG: later, OpenImageIO writes 0, 0
    found, text, _ = reported(tmp_path, "a.exr", "png")
    assert "window" in found and ("not how large the frame is" if keeps_place else "out/a.png does not say so") in text
    for to in ["tif", "dpx", "rla"]:
        assert "window" not in reported(tmp_path, "a.exr", to)[0]
    write_exr(tmp_path / "a.exr", corner=(10, 6), display=(10, 6, 45, 25))
    assert ("window" in reported(tmp_path, "a.exr", "png")[0]) != keeps_place
    Image.fromarray(noise(3, 8)).save(tmp_path / "a.png")
    icc.with_png_chunk(tmp_path / "a.png", b"oFFs", struct.pack(">iiB", -5, 7, 0))
    assert "(at -5, 7)" in reported(tmp_path, "a.png", "ppm")[1]
    write_exr(tmp_path / "a.exr")
    assert "window" not in reported(tmp_path, "a.exr", "hdr")[0]


def write_at(path, left, above):
    """A TIFF whose pixels lie at a place of a page."""
    tags = [(282, "II", [1, 1]), (283, "II", [1, 1]), (286, "II", [left, 1]), (287, "II", [above, 1])]
    tiff.write(path, columns(), 2, 8, tags=tags)


@pytest.mark.parametrize("to", ["bmp", "gif", "ico", "sgi", "webp", "tga"])
def test_a_place_that_a_format_does_not_hold_leaves_its_pixels_alone(tmp_path, to):
    """OpenImageIO's writers of GIF and WebP crash, and those of ICO and SGI write other pixels, if a header has one."""
    write_at(tmp_path / "a.tif", 5, 7)
    found, text, path = reported(tmp_path, "a.tif", to, *(["--compression", "lossless"] if to == "webp" else []))
    assert "window" in found and "at 5, 7" in text
    assert np.array_equal(shown(path, "RGB"), columns())


@pytest.mark.parametrize("to", ["dpx", "tif"])
def test_a_place_left_of_the_page_is_reported(tmp_path, to):
    write_exr(tmp_path / "a.exr", corner=(-5, -3), display=(0, 0, 99, 49))
    assert "window" in reported(tmp_path, "a.exr", to)[0]
    write_exr(tmp_path / "a.exr", corner=(5, 3), display=(0, 0, 99, 49))
    assert "window" not in reported(tmp_path, "a.exr", to)[0]


def test_pixels_that_are_not_square_are_kept_or_reported(tmp_path):
    write_exr(tmp_path / "a.exr", aspect=2.0)
    found, text, path = reported(tmp_path, "a.exr", "dpx")
    assert dpx.show(path).parts[0].facts["aspect"] == (2, 1) or "2 times as wide as high" in text
    found, text, _ = reported(tmp_path, "a.exr", "webp")
    assert "tags" in found and "2 times as wide as high" in text


def test_light_that_becomes_codes_is_reported_unless_it_is_encoded(tmp_path):
    write_exr(tmp_path / "a.exr")
    found, text, _ = reported(tmp_path, "a.exr", "jpg")
    assert "colour" in found and "look dark without --linear" in text
    succeed("run", "a.exr", "--psf", "box:3", "--linear", "--format", "png", "--output", "codes", "--report", "r.json", cwd=tmp_path)
    (item,) = json.loads((tmp_path / "r.json").read_text())["items"]
    assert "colour" not in [detail["kind"] for detail in item["warning_details"]]


def dots(path):
    """Dots an inch across and down, as exiftool shows them."""
    done = subprocess.run(["exiftool", "-j", "-n", "-G1", "-a", path], capture_output=True, text=True)
    (tags,) = json.loads(done.stdout)
    if "PNG-pHYs:PixelsPerUnitX" in tags:
        assert tags["PNG-pHYs:PixelUnits"] == 1
        return tags["PNG-pHYs:PixelsPerUnitX"] * 0.0254, tags["PNG-pHYs:PixelsPerUnitY"] * 0.0254
    group = "JFIF" if "JFIF:XResolution" in tags else "IFD0"
    inches, centimetres = (1, 2) if group == "JFIF" else (2, 3)
    scale = {inches: 1, centimetres: 2.54}[tags[f"{group}:ResolutionUnit"]]
    return tags[f"{group}:XResolution"] * scale, tags[f"{group}:YResolution"] * scale


@pytest.mark.parametrize("source, to", [("bmp", "png"), ("bmp", "tif"), ("png", "jpg"), ("jpg", "png"), ("jpg", "tif")])
def test_a_resolution_is_the_same_in_other_formats(tmp_path, source, to):
    codes = noise(3, 8)
    if source == "bmp":
        bmp.write(tmp_path / "a.bmp", bmp.rows_of(codes[..., ::-1], 24), (36, 20), 24, dots=(11811, 5906))
    else:
        Image.fromarray(codes).save(tmp_path / f"a.{source}", dpi=(300, 150))
    found, text, path = reported(tmp_path, f"a.{source}", to)
    assert "tags" not in found, text
    assert dots(path) == pytest.approx((300, 150), rel=0.01)


def test_pixels_of_a_jpeg_are_as_wide_elsewhere(tmp_path):
    Image.fromarray(noise(3, 8)).save(tmp_path / "a.jpg", dpi=(300, 150))
    path = reported(tmp_path, "a.jpg", "exr")[2]
    assert exr_files.show(path).parts[0].facts["aspect"][0] == pytest.approx(0.5)


def test_halves_become_floats_in_rla(tmp_path):
    """OpenImageIO's writer would store their bits as integers."""
    halves = {name: np.abs(floats(1, "f4")[..., 0]).astype("f2") for name in "RGB"}
    exr_files.write(tmp_path / "a.exr", halves)
    part = raster.show_rla(changes(tmp_path, "a.exr", "--format", "rla")[1]).parts[0]
    assert np.array_equal(part.samples, np.dstack([halves[name] for name in "RGB"]).astype("f4"))


def test_a_gamma_that_another_format_does_not_state_is_reported(tmp_path):
    (gamma,) = [case for case in png.cases() if case.name == "png-rgb-u8-gamma.png"]
    gamma.make(tmp_path / "a.png")
    for to in ("jpg", "tga", "tif"):
        found, text, _ = reported(tmp_path, "a.png", to)
        assert found == ["colour"] and "says that its samples are linear" in text, to
    assert write_cineon(tmp_path / "a.cin", "uint8", 3)
    found, text, _ = reported(tmp_path, "a.cin", "png")
    assert found == ["colour"] and "says that its samples are logarithmic" in text


def test_texts_of_dpx_are_those_of_other_formats(tmp_path):
    dpx.write(tmp_path / "a.dpx", noise(3, 8), 8, 50)
    data = bytearray((tmp_path / "a.dpx").read_bytes())
    data[820:826] = b"a lamp"
    (tmp_path / "a.dpx").write_bytes(data)
    _, text, path = reported(tmp_path, "a.dpx", "png")
    texts = Image.open(path).text
    assert (texts["Description"], texts["Title"], texts["Copyright"]) == ("a lamp", "project", "mine")
    assert "description" not in text and "title" not in text
    _, text, _ = reported(tmp_path, "a.dpx", "ppm")
    assert all(word in text for word in ("description", "title", "copyright"))
    info = PngImagePlugin.PngInfo()
    info.add_text("Title", "a street")
    Image.fromarray(noise(3, 8)).save(tmp_path / "b.png", pnginfo=info)
    found, _, path = reported(tmp_path, "b.png", "dpx")
    assert found == [] and path.read_bytes()[260:269] == b"a street\0"


def test_a_dpx_without_heads_of_motion_pictures_gets_none_of_its_pixels(tmp_path):
    """ffmpeg writes such files. The library takes their first pixels for key and time code, frame rate, gamma and more."""
    dpx.write(tmp_path / "a.dpx", noise(3, 8, height=40, width=60), 8, 50)
    data = (tmp_path / "a.dpx").read_bytes()
    head = bytearray(data[:1664])
    for place in (4, 804 + 4):  # of the pixels, in the file and in its element
        head[place : place + 4] = struct.pack(">I", 1664)
    (tmp_path / "a.dpx").write_bytes(head + data[2048:])
    _, path = changes(tmp_path, "a.dpx")
    assert (dpx.show(path).parts[0].samples == dpx.show(tmp_path / "a.dpx").parts[0].samples).all()
    assert path.read_bytes()[1664:1712] == bytes(48)  # key code and format
    assert path.read_bytes()[1712:1724] == b"\xff" * 12  # places in a sequence: none
    assert path.read_bytes()[1920:1928] == b"\xff" * 8  # time code and user bits: none
    found, text, _ = reported(tmp_path, "a.dpx", "png")
    assert "frame rate" not in text and not {"timecode", "keycode", "dpx:"} & set(Image.open(path.with_suffix(".png")).text)


def test_xmp_of_several_segments_and_signatures_are_named(tmp_path):
    """Other formats get the first packet of XMP alone."""
    def segment(marker, contents):
        return bytes([0xFF, marker]) + struct.pack(">H", len(contents) + 2) + contents

    Image.fromarray(noise(3, 8)).save(tmp_path / "a.jpg")
    data = (tmp_path / "a.jpg").read_bytes()
    more = segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0" + b"0" * 32 + struct.pack(">II", 6, 0) + b"<more>")
    (tmp_path / "a.jpg").write_bytes(data[:20] + more + segment(0xEB, b"JP\0\1\0\0\0\1\0\0\0\x08jumb") + data[20:])
    found, text, _ = reported(tmp_path, "a.jpg", "png")
    assert found == ["tags"] and text.endswith("has not: JUMBF (C2PA), extended XMP")
    assert changes(tmp_path, "a.jpg")[0] == []


def test_more_metadata_that_outputs_lack_are_named(tmp_path):
    (tmp_path / "a.ppm").write_bytes(b"P6\n# a lamp\n36 20\n255\n" + noise(3, 8).tobytes())
    assert changes(tmp_path, "a.ppm")[0] == ["tags"]
    (tmp_path / "a.ppm").write_bytes(b"P6\n36 20\n255\n" + noise(3, 8).tobytes())
    assert changes(tmp_path, "a.ppm")[0] == []
    frames = [Image.fromarray(noise(3, 8, seed)).quantize(32) for seed in range(3)]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:], duration=[100, 250, 400], loop=3)
    assert "times of frames" in reported(tmp_path, "a.gif", "tif", "--parts", "first")[1]
    light = fits.PrimaryHDU(floats(1, "f4")[..., 0])
    table = fits.BinTableHDU.from_columns([fits.Column("a", "J", array=np.arange(5))])
    fits.HDUList([light]).writeto(tmp_path / "a.fits")
    fits.HDUList([light, table]).writeto(tmp_path / "b.fits")
    assert "HDUs" not in reported(tmp_path, "a.fits", "tif")[1]
    assert "HDUs behind the image" in reported(tmp_path, "b.fits", "tif")[1]
    limits = [(280, "H", 1, 0, True), (281, "H", 1, 4095, True)]
    tifffile.imwrite(tmp_path / "a.tif", noise(1, 16)[..., 0], photometric="minisblack", metadata=None, extratags=limits)
    assert "MaxSampleValue" in reported(tmp_path, "a.tif", "tif")[1]
    Image.fromarray(noise(3, 8)).save(tmp_path / "a.png")
    icc.with_png_chunk(tmp_path / "a.png", b"sCAL", b"\1" + b"1.5\0" + b"1.5")
    assert "sCAL" in reported(tmp_path, "a.png", "tif")[1]


def test_a_profile_inside_a_bmp_is_reported(tmp_path):
    profile, codes = icc.profile([icc.gamma_curve(1.8)] * 3), noise(3, 8)
    head = struct.pack("<IiiHHIIiiII", 124, 36, -20, 1, 24, 0, codes.size, 3780, 3780, 0, 0) + bytes(16) + b"DEBM" + bytes(48)
    head += struct.pack("<IIII", 4, 124 + codes.size, len(profile), 0)
    begin = b"BM" + struct.pack("<IHHI", 14 + len(head) + codes.size + len(profile), 0, 0, 14 + len(head))
    (tmp_path / "a.bmp").write_bytes(begin + head + codes[..., ::-1].tobytes() + profile)
    assert Image.open(tmp_path / "a.bmp").size == (36, 20)
    assert "colour" in changes(tmp_path, "a.bmp")[0]


def test_metadata_that_another_format_lacks_are_named(tmp_path):
    header = fits.Header({"OBJECT": "lamp"})
    fits.writeto(tmp_path / "a.fits", noise(1, 16)[..., 0], header)
    assert "cards of the FITS header" in reported(tmp_path, "a.fits", "tif")[1]
    tifffile.imwrite(tmp_path / "a.tif", noise(3, 8), photometric="rgb", metadata=None, description="a lamp", resolution=(300, 300),
                     resolutionunit="INCH", extratags=[(33550, "d", 3, (30.0, 30.0, 0.0), True)])  # fmt: skip
    text = reported(tmp_path, "a.tif", "tga")[1]
    assert "tag 33550" in text and "resolution" in text and "description" not in text, "a Targa has comments"
    text = reported(tmp_path, "a.tif", "png")[1]
    assert "tag 33550" in text and "resolution" not in text and "description" not in text
    assert not reported(tmp_path, "a.tif", "png", "--metadata", "strip")[1]


# ---- one line a kind


def test_twenty_files_have_one_line_and_twenty_entries(tmp_path):
    (tmp_path / "in").mkdir()
    for number in range(20):
        Image.fromarray(RGBA).save(tmp_path / f"in/{number:02}.png")
    command = ("run", "in", "--method", "none", "--format", "webp", "--output", "out", "--report", "r.json", "--events", "e.ndjson")
    log = succeed(*command, cwd=tmp_path).err
    (line,) = [line for line in log.splitlines() if line.startswith("warning: ")]
    assert "19 more warnings of kind compression" in line
    items = json.loads((tmp_path / "r.json").read_text())["items"]
    events = [json.loads(line) for line in (tmp_path / "e.ndjson").read_text().splitlines()]
    reported = [event["item"] if isinstance(event.get("item"), dict) else event for event in events if "warning_details" in json.dumps(event)]
    assert len(items) == len(reported) == 20
    for entry in items + reported:
        (detail,) = entry["warning_details"]
        assert (detail["kind"], detail["from"], detail["to"]) == ("compression", "lossless", "lossy WebP")
        assert entry["warnings"] == [detail["message"]]
