# SPDX-License-Identifier: Apache-2.0
"""From one format to another: what viewers show stays, or a warning says what did not. Other programs write the inputs and
show the outputs."""

import json
import struct
from itertools import product

import numpy as np
import pytest
import tifffile
from astropy.io import fits
from PIL import Image
from support.format_pictures import write_psd
from support.full import mostly_full
from support.heif import write_avif
from support.images import as_integers, picture
from support.matrix import dpx, exr_files, raster, tiff
from support.matrix.case import columns, floats, noise, with_alpha
from support.tool import succeed

RGBA = with_alpha(noise(4, 8), 8)


def changes(folder, name, *options):
    """The kinds of warnings of a copy, and the file."""
    succeed("run", name, "--method", "none", "--output", "out", "--overwrite", "--report", "r.json", *options, cwd=folder)
    (item,) = json.loads((folder / "r.json").read_text())["items"]
    return [detail["kind"] for detail in item["warning_details"]], folder / item["output"]


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
    raster.write_iff(tmp_path / "a.iff", noise(3, 8), 1)
    raster.write_rla(tmp_path / "a.rla", noise(3, 8), 8, 0)
    Image.fromarray(noise(3, 8)).quantize(16).save(tmp_path / "a.gif")
    fits.writeto(tmp_path / "a.fits", noise(1, 8)[..., 0])
    for name in ("a.iff", "a.rla", "a.gif", "a.fits"):
        assert "compression" in changes(tmp_path, name, "--format", "webp")[0], name
        assert {"type", "bits"} & set(changes(tmp_path, name, "--format", "hdr")[0]), name
        assert changes(tmp_path, name, "--format", "png")[0] == [], name


# ---- alpha


def write_bmp(path, codes):
    from support.matrix import bmp

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
        from support.matrix import bmp

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


@pytest.mark.parametrize("order,orientation", [("-Y +X", 1), ("+Y +X", 4), ("-Y -X", 2), ("+Y -X", 3)])
def test_an_order_of_rows_that_another_format_does_not_state(tmp_path, order, orientation):
    pixels = np.dstack([noise(3, 8), np.full((20, 36), 129, np.uint8)])
    first, second = order.split()
    (tmp_path / "a.hdr").write_bytes(f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n{first} 20 {second} 36\n".encode() + pixels.tobytes())
    assert ("order" in changes(tmp_path, "a.hdr", "--format", "exr")[0]) == (orientation > 1)
    found, path = changes(tmp_path, "a.hdr", "--format", "tif")
    assert "order" not in found
    with tifffile.TiffFile(path) as file:
        assert file.pages[0].tags[274].value == orientation
    number = [1, 2, 4, 3].index(orientation)
    dpx.write(tmp_path / "a.dpx", noise(3, 8), 8, 50, orientation=number)
    assert ("order" in changes(tmp_path, "a.dpx", "--format", "exr")[0]) == (orientation > 1)
    assert "order" not in changes(tmp_path, "a.dpx")[0]


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
