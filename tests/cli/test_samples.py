# SPDX-License-Identifier: Apache-2.0
"""Sample types, file formats, channels and alpha: what goes in comes out, in the same type."""

import json
from itertools import product

import numpy as np
import pytest
from support.full import mostly_full
from support.images import (
    as_integers,
    as_values,
    picture,
    random_psf,
    read_image,
    read_spec,
    write_image,
    write_psf,
)
from support.reference import assert_same, assert_same_floats, convolve
from support.tool import succeed

FILES = {
    "u8.png": np.uint8,
    "u16.png": np.uint16,
    "u8.tif": np.uint8,
    "u16.tif": np.uint16,
    "half.tif": np.float16,
    "float.tif": np.float32,
    "half.exr": np.float16,
    "float.exr": np.float32,
    "u8.ppm": np.uint8,
}
PSF = random_psf(7, 5)


def in_type(image, dtype):
    return as_integers(image, dtype) if np.dtype(dtype).kind == "u" else image.astype(dtype)


def run(folder, *options, psf=PSF):
    write_psf(folder / "psf.txt", psf)
    return succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", *options, cwd=folder)


@pytest.mark.parametrize("channels, method", mostly_full(product([1, 3], ["fft", "direct"]), [(3, "fft"), (1, "direct")]))
def test_every_type_and_format_keeps_its_type(tmp_path, channels, method):
    files = {}
    for name, dtype in FILES.items():
        files[name] = in_type(picture(23, 17, channels), dtype)
        write_image(tmp_path / "in" / name, files[name])
    run(tmp_path, "--method", method)
    for name, image in files.items():
        out = read_image(tmp_path / "out" / name)
        assert out.dtype == image.dtype, name
        assert_same(out, convolve(as_values(image), PSF / PSF.sum()), name)


def test_jpeg_and_radiance_go_in_and_out(tmp_path):
    """Both lose something when they are written: compare within that."""
    y, x = np.mgrid[0:32, 0:48] / 48
    smooth = np.stack([x, y, 0.5 * (x + y)], axis=2).astype(np.float32)
    write_image(tmp_path / "in/photo.jpg", as_integers(smooth, np.uint8), {"CompressionQuality": 98})
    write_image(tmp_path / "in/light.hdr", smooth + 1)
    run(tmp_path)
    out = read_image(tmp_path / "out/photo.jpg")
    assert out.dtype == np.uint8
    expected = convolve(as_values(read_image(tmp_path / "in/photo.jpg")), PSF / PSF.sum())
    assert abs(out / 255 - expected).mean() < 0.01
    out = read_image(tmp_path / "out/light.hdr")
    expected = convolve(read_image(tmp_path / "in/light.hdr"), PSF / PSF.sum())
    assert abs(out / expected - 1).max() < 0.01


@pytest.mark.parametrize("channels", [2, 3, 4, 5])
def test_any_number_of_channels(tmp_path, channels):
    image = picture(23, 17, channels)
    write_image(tmp_path / "in/bands.tif", image)
    run(tmp_path)
    assert_same(read_image(tmp_path / "out/bands.tif"), convolve(image, PSF / PSF.sum()))


def test_integers_are_rounded_to_nearest_and_clamped(tmp_path):
    """A sharpening PSF overshoots 0 and 1 at every edge."""
    image = as_integers(picture(33, 20, 3), np.uint8)
    image[:, 10:20] = 255
    image[:, 20:] = 0
    write_image(tmp_path / "in/edges.png", image)
    sharpen = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])
    run(tmp_path, psf=sharpen)
    assert_same(read_image(tmp_path / "out/edges.png"), convolve(as_values(image), sharpen))


def test_floats_are_not_clamped(tmp_path):
    image = picture(23, 17, 3) * 100 - 30
    write_image(tmp_path / "in/range.exr", image)
    run(tmp_path)
    assert_same(read_image(tmp_path / "out/range.exr"), convolve(image, PSF / PSF.sum()))


def test_associated_alpha_is_one_more_channel(tmp_path):
    """OpenEXR's colours are multiplied by alpha already."""
    image = picture(23, 17, 4)
    image[..., :3] *= image[..., 3:]
    image[4:8, 4:9] = 0
    write_image(tmp_path / "in/rgba.exr", image)
    run(tmp_path)
    assert_same(read_image(tmp_path / "out/rgba.exr"), convolve(image, PSF / PSF.sum()))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_straight_alpha_is_convolved_associated(tmp_path, dtype):
    """PNG's colours are not multiplied by alpha: what is transparent must not shine through."""
    image = as_integers(picture(23, 17, 4) + 0.1, dtype)
    image[4:8, 4:9, 3] = 0
    image[4:8, 4:9, :3] = np.iinfo(dtype).max
    write_image(tmp_path / "in/rgba.png", image)
    run(tmp_path)
    values = as_values(image)
    values[..., :3] *= values[..., 3:]
    expected = convolve(values, PSF / PSF.sum())
    expected[..., :3] /= expected[..., 3:]
    out = read_image(tmp_path / "out/rgba.png")
    assert out.dtype == image.dtype
    assert_same(out, expected)


def test_what_is_wholly_transparent_stays_transparent(tmp_path):
    image = np.zeros((17, 23, 4), np.uint8)
    image[..., :3] = 200
    image[8:, :, 3] = 255
    write_image(tmp_path / "in/rgba.png", image)
    run(tmp_path)
    out = read_image(tmp_path / "out/rgba.png")
    assert (out[:5, :, 3] == 0).all() and (out[11:, :, 3] == 255).all()
    assert (out[9:, :, :3] == 200).all(), "the colour must not darken where alpha falls"


def test_a_quiet_channel_beside_a_loud_one_keeps_its_precision(tmp_path):
    image = picture(33, 20, 3)
    image[..., 1] *= 1e-4
    image[..., 2] *= 1e3
    write_image(tmp_path / "in/loud.exr", image)
    run(tmp_path, "--method", "fft")
    out, expected = read_image(tmp_path / "out/loud.exr"), convolve(image, PSF / PSF.sum())
    for channel in range(3):
        assert_same_floats(out[..., channel : channel + 1], expected[..., channel : channel + 1], f"channel {channel}")


def test_samples_that_are_not_finite_fail_that_image_and_say_where(tmp_path):
    from support.tool import fail

    image = picture(23, 17, 3)
    image[5, 7, 1] = np.nan
    image[6, 2, 0] = np.inf
    write_image(tmp_path / "in/nan.exr", image)
    write_image(tmp_path / "in/good.exr", picture(23, 17, 3))
    write_psf(tmp_path / "psf.txt", PSF)
    fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", says=["nan.exr", "2", "7", "5"], cwd=tmp_path)
    assert (tmp_path / "out/good.exr").exists() and not (tmp_path / "out/nan.exr").exists()


def test_what_the_file_says_about_itself_is_kept(tmp_path):
    attributes = {
        "Artist": "A. Painter",
        "ImageDescription": "A picture of nothing",
        "PixelAspectRatio": 2.0,
        "XResolution": 300.0,
        "YResolution": 300.0,
        "ResolutionUnit": "in",
    }
    write_image(tmp_path / "in/a.tif", picture(23, 17, 3), attributes)
    write_image(tmp_path / "in/b.exr", picture(23, 17, 3), {"Artist": "A. Painter", "Copyright": "Nobody"})
    write_image(tmp_path / "in/c.jpg", as_integers(picture(23, 17, 3), np.uint8), {"Make": "Box", "FNumber": 2.8})
    run(tmp_path)
    spec = read_spec(tmp_path / "out/a.tif")
    assert spec.getattribute("Artist") == "A. Painter"
    assert spec.getattribute("ImageDescription") == "A picture of nothing"
    assert spec.getattribute("XResolution") == 300.0
    spec = read_spec(tmp_path / "out/c.jpg")
    assert spec.getattribute("Make") == "Box" and abs(spec.getattribute("FNumber") - 2.8) < 1e-6
    assert read_spec(tmp_path / "out/b.exr").getattribute("Copyright") == "Nobody"


def test_a_smaller_copy_is_left_out_and_log_report_and_events_say_so(tmp_path):
    import OpenImageIO as oiio

    (tmp_path / "in").mkdir()
    path = str(tmp_path / "in/two.tif")
    file = oiio.ImageOutput.create(path)
    specs = (oiio.ImageSpec(23, 17, 1, "float"), oiio.ImageSpec(8, 8, 1, "float"))
    specs[1].attribute("tiff:SubFileType", 1)
    assert file.open(path, specs)
    file.write_image(picture(23, 17))
    assert file.open(path, specs[1], "AppendSubimage")
    file.write_image(picture(8, 8))
    file.close()
    result = run(tmp_path, "--report", "report.json", "--events", "events.ndjson")
    assert "warning: in/two.tif: has smaller copies" in result.err, result
    (item,) = json.loads((tmp_path / "report.json").read_text())["items"]
    assert len(item["warnings"]) == 1 and "in/two.tif: has smaller copies" in item["warnings"][0]
    events = [json.loads(line) for line in (tmp_path / "events.ndjson").read_text().splitlines()]
    assert [e["warnings"] for e in events if e["event"] == "item_finished"] == [item["warnings"]]
    assert_same(read_image(tmp_path / "out/two.tif"), convolve(picture(23, 17), PSF / PSF.sum()))
