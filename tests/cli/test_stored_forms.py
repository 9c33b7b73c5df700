# SPDX-License-Identifier: Apache-2.0
"""Forms of samples that the library changes: JPEG inside TIFF, Lab, palettes, lossless WebP. Kept, or reported."""

import json

import numpy as np
import pytest
import tifffile
from PIL import Image
from support.tool import fail, peak_bytes, succeed


def columns(width=32, height=32):
    """Red and green in turn: chroma of half the resolution shows at once."""
    pixels = np.zeros((height, width, 3), "u1")
    pixels[:, 0::2] = (220, 30, 30)
    pixels[:, 1::2] = (30, 220, 30)
    return pixels


def blocks():
    """Colours of 16 by 16 pixels, which subsampled chroma keeps."""
    return np.random.default_rng(0).integers(20, 230, (4, 4, 3)).astype("u1").repeat(16, 0).repeat(16, 1)


def warnings_of(folder, name, *options):
    succeed("run", name, *options, "--output", "out", "--overwrite", "--report", "r.json", cwd=folder)
    return " ".join(json.loads((folder / "r.json").read_text())["items"][0]["warnings"])


def compression(path):
    with tifffile.TiffFile(path) as file:
        return int(file.pages[0].compression)


@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2"])
def test_jpeg_of_finer_chroma_becomes_lossless(tmp_path, subsampling):
    import ctypes.util

    assert ctypes.util.find_library("tiff")
    settings = {"4:4:4": (1, 1), "4:2:2": (2, 1)}[subsampling]
    Image.fromarray(columns()).save(tmp_path / "a.tif", compression="jpeg", quality=100, tiffinfo={530: settings})
    before = np.array(Image.open(tmp_path / "a.tif")).astype(int)
    for options in (["--method", "none"], ["--psf", "box:1"]):
        said = warnings_of(tmp_path, "a.tif", *options)
        after = np.array(Image.open(tmp_path / "out/a.tif")).astype(int)
        if compression(tmp_path / "out/a.tif") == 7:  # Pillow's own JPEG was of halved chroma
            continue
        assert np.abs(after - before).max() == 0
        assert "zip" in said and "chroma" in said


def test_jpeg_of_halved_chroma_keeps_its_quality(tmp_path):
    import OpenImageIO as oiio

    sizes = {}
    for quality in (30, 90):
        spec = oiio.ImageSpec(64, 64, 3, "uint8")
        spec.attribute("compression", f"jpeg:{quality}")
        output = oiio.ImageOutput.create("a.tif")
        path = str(tmp_path / f"{quality}.tif")
        assert output.open(path, spec) and output.write_image(blocks()) and output.close()
        if oiio.VERSION >= 20500 and compression(path) != 7:
            pytest.skip("OpenImageIO 2.5 writes no JPEG in TIFF, whoever asks for it")
        said = warnings_of(tmp_path, f"{quality}.tif", "--method", "none")
        assert said == ""
        assert compression(tmp_path / f"out/{quality}.tif") == 7
        with tifffile.TiffFile(path) as before, tifffile.TiffFile(tmp_path / f"out/{quality}.tif") as after:
            assert before.pages[0].jpegtables == after.pages[0].jpegtables
        sizes[quality] = (tmp_path / f"out/{quality}.tif").stat().st_size
    assert sizes[30] < sizes[90]


@pytest.mark.parametrize("bits", [8, 16])
def test_lab_is_reported(tmp_path, bits):
    pixels = np.random.default_rng(0).integers(0, 200, (16, 16, 3)).astype(f"u{bits // 8}")
    tifffile.imwrite(tmp_path / "a.tif", pixels, photometric="cielab", metadata=None)
    said = warnings_of(tmp_path, "a.tif", "--method", "none")
    assert "L*a*b*" in said and f"{bits} bits" in said and "RGB" in said


def test_palettes_of_16_bits_are_reported(tmp_path):
    indices = np.arange(256, dtype="u1").reshape(16, 16)
    for name, unit in (("fine", 256), ("plain", 257)):
        tifffile.imwrite(tmp_path / f"{name}.tif", indices, photometric="palette", metadata=None,
                         colormap=np.tile(np.arange(256, dtype="u2") * unit, (3, 1)))  # fmt: skip
    assert "16 bits" in warnings_of(tmp_path, "fine.tif", "--method", "none")
    assert "16 bits" not in warnings_of(tmp_path, "plain.tif", "--method", "none")
    out = tifffile.imread(tmp_path / "out/plain.tif")
    assert np.array_equal(out, np.repeat(indices[..., None], 3, 2))


@pytest.mark.parametrize("options", [["--method", "none"], ["--psf", "box:1"]])
def test_lossless_webp_stays_lossless(tmp_path, options):
    Image.fromarray(columns()).save(tmp_path / "a.webp", lossless=True)
    assert warnings_of(tmp_path, "a.webp", *options) == ""
    assert np.array_equal(np.array(Image.open(tmp_path / "out/a.webp")), columns())
    assert b"VP8L" in (tmp_path / "out/a.webp").read_bytes()


def test_lossless_animations_stay_lossless(tmp_path):
    frames = [Image.fromarray(np.roll(columns(), shift, 1) // (1 + shift)) for shift in range(3)]
    frames[0].save(tmp_path / "a.webp", save_all=True, append_images=frames[1:], duration=40, lossless=True)
    succeed("run", "a.webp", "--method", "none", "--output", "out", cwd=tmp_path)
    with Image.open(tmp_path / "out/a.webp") as animation:
        assert animation.n_frames == 3
        for number, frame in enumerate(frames):
            animation.seek(number)
            assert np.array_equal(np.array(animation.convert("RGB")), np.array(frame))


def test_lossless_webp_keeps_opaque_and_empty_pixels_and_metadata(tmp_path):
    pixels = np.dstack([columns(), np.full((32, 32), 255, "u1")])
    pixels[:8, :, :] = 0
    Image.fromarray(pixels, "RGBA").save(tmp_path / "a.webp", lossless=True, xmp=b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
    succeed("run", "a.webp", "--method", "none", "--output", "out", cwd=tmp_path)
    with Image.open(tmp_path / "out/a.webp") as out:
        assert "xmp" in out.info
        assert np.array_equal(np.array(out.convert("RGBA")), pixels)


def test_a_requested_quality_and_lossy_inputs_stay_lossy(tmp_path):
    Image.fromarray(blocks()).save(tmp_path / "a.webp", lossless=True)
    Image.fromarray(blocks()).save(tmp_path / "b.webp", quality=80)
    succeed("run", "a.webp", "b.webp", "--method", "none", "--quality", "50", "--output", "out", cwd=tmp_path)
    for name in ("a", "b"):
        assert b"VP8L" not in (tmp_path / f"out/{name}.webp").read_bytes()


@pytest.mark.parametrize("dtype", ["u4", "i4"])
def test_wide_integers_that_float_rounds_are_reported(tmp_path, dtype):
    small, large = np.full((5, 5), 1 << 24, dtype), np.full((5, 5), (1 << 30) + 1, dtype)
    tifffile.imwrite(tmp_path / "small.tif", small, photometric="minisblack", metadata=None)
    tifffile.imwrite(tmp_path / "large.tif", large, photometric="minisblack", metadata=None)
    assert warnings_of(tmp_path, "small.tif", "--psf", "box:1") == ""
    assert "2^24" in warnings_of(tmp_path, "large.tif", "--psf", "box:1")
    assert np.abs(tifffile.imread(tmp_path / "out/large.tif").astype(np.int64) - large).max() <= 64
    assert warnings_of(tmp_path, "large.tif", "--method", "none") == ""


def dpx(user_bytes, width=64, height=64):
    """SMPTE 268M: RGB of 8 bits, with a size of the user's data in its head."""
    head = bytearray(b"\xff" * 2048)
    head[0:4] = b"SDPX"
    head[4:8] = (2048).to_bytes(4, "big")
    head[8:16] = b"V1.0\0\0\0\0"
    head[16:20] = (2048 + 3 * width * height).to_bytes(4, "big")
    head[20:24] = (1).to_bytes(4, "big")
    head[24:28] = (1664).to_bytes(4, "big")
    head[28:32] = (384).to_bytes(4, "big")
    head[32:36] = user_bytes.to_bytes(4, "big")
    head[36:768] = bytes(732)
    head[768:772] = (0).to_bytes(2, "big") + (1).to_bytes(2, "big")
    head[772:776] = width.to_bytes(4, "big")
    head[776:780] = height.to_bytes(4, "big")
    head[780:800] = (0).to_bytes(4, "big") + bytes(16)
    head[800:808] = bytes([50, 2, 2, 8]) + bytes(4)
    head[808:812] = (2048).to_bytes(4, "big")
    head[812:820] = bytes(8)
    return bytes(head) + np.random.default_rng(0).integers(0, 256, 3 * width * height).astype("u1").tobytes()


def test_a_dpx_that_claims_much_takes_little_memory(tmp_path):
    """Its head claims 1.9 GB of user data, which the library holds more than once."""
    (tmp_path / "good.dpx").write_bytes(dpx(0xFFFFFFFF))
    succeed("run", "good.dpx", "--method", "none", "--output", "out", cwd=tmp_path)
    (tmp_path / "bad.dpx").write_bytes(dpx(1_900_000_000))
    for options in ([], ["--damaged", "keep"]):
        command = ("run", "bad.dpx", "--method", "none", "--memory-limit", "2G", "--output", "out", *options)
        fail(1, *command, cwd=tmp_path, says=["bad.dpx"])
        assert peak_bytes(*command, cwd=tmp_path, code=1) < 1 << 30
