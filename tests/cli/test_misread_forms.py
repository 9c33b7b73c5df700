# SPDX-License-Identifier: Apache-2.0
"""Sound files that OpenImageIO misreads are refused, and their neighbours are read; frames of a GIF are whole."""

import io
import struct

import numpy as np
import pytest
import tifffile
from PIL import Image
from support.images import as_integers, picture, read_image
from support.tool import fail, succeed

COPY = ("--method", "none", "--output", "out", "--overwrite", "--format", "tif")
COLOURS = np.random.default_rng(3).integers(0, 256, (256, 3)).astype(np.uint8)


def refused(folder, name, data, *words):
    (folder / name).write_bytes(data)
    fail(1, "run", name, *COPY, says=[name, *words], cwd=folder)
    assert not (folder / "out" / (name.rsplit(".", 1)[0] + ".tif")).exists()


def read(folder, name, data):
    (folder / name).write_bytes(data)
    succeed("run", name, *COPY, cwd=folder)
    return read_image(folder / "out" / (name.rsplit(".", 1)[0] + ".tif"))


def icon(width, height=20):
    """24 bits and a mask that hides nothing."""
    rows = np.zeros((height, (3 * width + 3) // 4 * 4), np.uint8)
    image = as_integers(picture(width, height, 3), np.uint8)
    rows[:, : 3 * width] = image[::-1, :, ::-1].reshape(height, -1)
    mask = bytes((width + 31) // 32 * 4 * height)
    head = struct.pack("<IiiHHIIiiII", 40, width, 2 * height, 1, 24, 0, 0, 0, 0, 0, 0)
    data = head + rows.tobytes() + mask
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, width, height, 0, 0, 1, 24, len(data), 22) + data, image


@pytest.mark.parametrize("dtype, words", [("i8", "integers with sign of 64 bits"), ("u8", "integers of 64 bits"), ("c8", "complex floats of 64 bits"),
                                          ("c16", "complex floats of 128 bits")])  # fmt: skip
def test_samples_of_a_tiff_that_are_not_read_are_named(tmp_path, dtype, words):
    tifffile.imwrite(tmp_path / "a.tif", np.ones((4, 5), dtype), metadata=None)
    refused(tmp_path, "a.tif", (tmp_path / "a.tif").read_bytes(), f"is a TIFF of {words}", "store it as")


def test_icons_whose_masks_have_broken_bytes(tmp_path):
    for width in (12, 20, 37):
        refused(tmp_path, "a.ico", icon(width)[0], "icon", "multiple of eight")
    data, image = icon(24)
    assert (read(tmp_path, "b.ico", data)[..., :3] == image).all()


def targa(indices, colours, first=0, is_packed=False):
    height, width = indices.shape
    head = struct.pack("<BBBHHBHHHHBB", 0, 1, 9 if is_packed else 1, first, len(colours), 24, 0, 0, width, height, 8, 0x20)
    pixels = indices.astype(np.uint8).reshape(-1, 1)
    if is_packed:  # a packet a pixel
        pixels = np.concatenate([np.full_like(pixels, 0x80), pixels], axis=1)
    return head + colours[:, ::-1].tobytes() + pixels.tobytes()


@pytest.mark.parametrize("is_packed", [False, True])
def test_targas_with_palettes(tmp_path, is_packed):
    indices = np.random.default_rng(1).integers(0, 100, (9, 11))
    indices[4, 4] = 99
    assert (read(tmp_path, "a.tga", targa(indices, COLOURS[:100], 0, is_packed)) == COLOURS[indices]).all()
    refused(tmp_path, "b.tga", targa(indices + 20, COLOURS[:100], 20, is_packed), "colour 0")
    refused(tmp_path, "c.tga", targa(indices, COLOURS[:99], 0, is_packed), "damaged", "palette")


def test_alpha_of_targas_that_is_not_read_is_named(tmp_path):
    indices = np.zeros((9, 11), int)
    clear = np.concatenate([COLOURS[:100], COLOURS[:100, :1]], axis=1)
    data = bytearray(targa(indices, clear))
    data[7], data[17] = 32, 0x28
    (tmp_path / "a.tga").write_bytes(data)
    bits = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, 11, 9, 16, 0x21) + bytes(2 * 99)
    (tmp_path / "b.tga").write_bytes(bits)
    for name in ("a.tga", "b.tga"):
        log = succeed("run", name, *COPY, cwd=tmp_path).err
        assert f"{name}: has a channel beside its colours that is not read" in log


def test_psds_of_indexed_colours(tmp_path):
    indices = np.random.default_rng(2).integers(0, 256, (7, 10)).astype(np.uint8)
    head = b"8BPS" + struct.pack(">H6xHIIHH", 1, 1, 7, 10, 8, 2) + struct.pack(">I", 768) + COLOURS.T.tobytes()
    picture = struct.pack(">IH", 0, 0) + indices.tobytes()
    refused(tmp_path, "a.psd", head + struct.pack(">I", 0) + picture, "indexed colours")
    clear = b"8BIM" + struct.pack(">HHIH", 1047, 0, 2, 5)
    found = read(tmp_path, "b.psd", head + struct.pack(">I", len(clear)) + clear + picture)
    opaque = indices != 5
    assert (found[..., :3][opaque] == COLOURS[indices][opaque]).all()


def test_bmps_with_channels_in_other_places(tmp_path):
    image = as_integers(picture(13, 8, 4), np.uint8)
    image[..., 3] = 255

    def bmp(order, masks):
        head = struct.pack("<IiiHHIIiiII", 40, 13, -8, 1, 32, 3, 0, 0, 0, 0, 0) + struct.pack("<III", *masks)
        return b"BM" + struct.pack("<IHHI", 66 + image.nbytes, 0, 0, 66) + head + image[..., order].tobytes()

    default = bmp([2, 1, 0, 3], [0xFF0000, 0xFF00, 0xFF])
    assert (read(tmp_path, "a.bmp", default)[..., :3] == image[..., :3]).all()
    refused(tmp_path, "b.bmp", bmp([0, 1, 2, 3], [0xFF, 0xFF00, 0xFF0000]), "bit fields")


def gray_dpx(codes):
    """10 bits, three in a word of 32 above two unused ones, the first in the lowest bits; rows begin with a word."""
    height, width = codes.shape
    three = np.zeros((height, (width + 2) // 3 * 3), np.uint32)
    three[:, :width] = codes
    words = three[:, 0::3] << 2 | three[:, 1::3] << 12 | three[:, 2::3] << 22
    head = bytearray(b"\xff" * 2048)
    struct.pack_into(">4sI8s", head, 0, b"SDPX", 2048, b"V1.0\0\0\0\0")
    struct.pack_into(">IIIII", head, 16, 2048 + 4 * words.size, 1, 1664, 384, 0)
    struct.pack_into(">HHII", head, 768, 0, 1, width, height)
    struct.pack_into(">IIfIfBBBBHHIII", head, 780, 0, 0, 0.0, 1023, 2.0, 6, 2, 4, 10, 1, 0, 2048, 0, 0)
    return bytes(head) + words.astype(">u4").tobytes()


@pytest.mark.parametrize("width", [36, 37, 38])
def test_dpx_files_of_10_bits_and_one_channel(tmp_path, width):
    codes = np.random.default_rng(1).integers(0, 1024, (9, width))
    data = gray_dpx(codes)
    if width % 3 != 0:
        refused(tmp_path, "a.dpx", data, "multiple of three")
        return
    found = np.rint(read(tmp_path, "a.dpx", data) / 65535 * 1023)
    assert (found.reshape(codes.shape) == codes).all()


def test_alpha_of_dds_is_straight(tmp_path):
    image = as_integers(picture(12, 8, 4), np.uint8)
    head = struct.pack("<4sIIIIIII44x", b"DDS ", 124, 0x100F, 8, 12, 48, 0, 0)
    head += struct.pack("<IIIIIIII", 32, 0x41, 0, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000) + struct.pack("<I16x", 0x1000)
    (tmp_path / "a.dds").write_bytes(head + image[..., [2, 1, 0, 3]].tobytes())
    succeed("run", "a.dds", "--method", "none", "--format", "png", "--output", "out", cwd=tmp_path)
    found = read_image(tmp_path / "out/a.png")
    opaque = image[..., 3] > 0
    assert np.abs(found.astype(int) - image)[opaque].max() <= 1


def animation():
    """Each frame draws a rectangle on what is there."""
    frames = [np.full((12, 16, 3), 40, np.uint8)]
    for i, colour in enumerate([(200, 30, 10), (20, 180, 60), (90, 20, 220)]):
        frames.append(frames[-1].copy())
        frames[-1][3 * i : 3 * i + 3, 4 * i : 4 * i + 6] = colour
    file = io.BytesIO()
    pictures = [Image.fromarray(frame).quantize(16) for frame in frames]
    pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], disposal=1, duration=50)
    return file.getvalue(), frames


def test_frames_of_a_gif_have_what_was_drawn_before(tmp_path):
    data, frames = animation()
    (tmp_path / "a.gif").write_bytes(data)
    shown = Image.open(tmp_path / "a.gif")
    options = ("--method", "none", "--format", "png", "--name", "{stem}_{part}{ext}", "--overwrite")
    succeed("run", "a.gif", *options, "--output", "all", cwd=tmp_path)
    for number in range(len(frames)):
        shown.seek(number)
        assert (read_image(tmp_path / f"all/a_{number}.png")[..., :3] == np.asarray(shown.convert("RGB"))).all(), number
    for chosen in (3, 1):
        succeed("run", "a.gif", *options, "--parts", chosen, "--output", "one", cwd=tmp_path)
        shown.seek(chosen)
        assert (read_image(tmp_path / f"one/a_{chosen}.png")[..., :3] == np.asarray(shown.convert("RGB"))).all()


def block(rectangle, colour, disposal):
    """A frame of one colour: uncompressed LZW, a clear code after each index."""
    x, y, width, height = rectangle
    codes = [4, *(code for _ in range(width * height) for code in (colour, 4))][:-1] + [5]
    bits = sum(code << 3 * i for i, code in enumerate(codes))
    data = bits.to_bytes((3 * len(codes) + 7) // 8, "little")
    parts = b"".join(bytes([len(part)]) + part for part in (data[i : i + 255] for i in range(0, len(data), 255)))
    control = b"\x21\xf9\x04" + struct.pack("<BHBB", disposal << 2, 5, 0, 0)
    return control + b"\x2c" + struct.pack("<HHHHB", x, y, width, height, 0) + b"\x02" + parts + b"\0"


@pytest.mark.parametrize("disposal", [1, 2, 3])
def test_gifs_of_which_a_part_is_cleared(tmp_path, disposal):
    palette = bytes([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
    head = b"GIF89a" + struct.pack("<HHBBB", 6, 4, 0x81, 0, 0) + palette
    frames = [block((0, 0, 6, 4), 1, 1), block((2, 1, 3, 2), 2, disposal), block((0, 0, 2, 2), 3, 1)]
    (tmp_path / "a.gif").write_bytes(head + b"".join(frames) + b"\x3b")
    options = ("--method", "none", "--format", "png", "--name", "{stem}_{part}{ext}", "--output", "out")
    if disposal > 1:
        fail(1, "run", "a.gif", *options, says=["a.gif", "disposal"], cwd=tmp_path)
        return
    succeed("run", "a.gif", *options, cwd=tmp_path)
    last = read_image(tmp_path / "out/a_2.png")[..., :3]
    assert (last[0, 0] == [0, 0, 255]).all() and (last[1, 2] == [0, 255, 0]).all() and (last[3, 5] == [255, 0, 0]).all()
