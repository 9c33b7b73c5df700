# SPDX-License-Identifier: Apache-2.0
"""Windows bitmaps: written by hand (BITMAPINFOHEADER and BITMAPV4HEADER), shown by Pillow and by hand where it loses alpha."""

import struct

import numpy as np
from PIL import Image

from support.matrix.case import Case, Part, Shown, noise, with_alpha


def rows_of(codes, bits, bottom_up=True):
    """Rows of whole 32-bit words."""
    if bits < 8:
        split = (codes[..., 0][..., None] >> np.arange(bits - 1, -1, -1) & 1).reshape(len(codes), -1).astype(np.uint8)
        rows = [np.packbits(line).tobytes() for line in split]
    else:
        rows = [line.tobytes() for line in codes]
    rows = [row + b"\0" * (-len(row) % 4) for row in rows]
    return b"".join(rows[::-1] if bottom_up else rows)


def write(path, data, size, bits, compression=0, palette=b"", masks=None, top_down=False, dots=(2835, 2835)):
    width, height = size
    head = struct.pack("<iiHHIIiiII", width, -height if top_down else height, 1, bits, compression, len(data), *dots, len(palette) // 4, 0)
    if masks:
        head += struct.pack("<4I", *masks) + b"BGRs" + bytes(36 + 12)
    head = struct.pack("<I", 4 + len(head)) + head
    offset = 14 + len(head) + len(palette)
    path.write_bytes(b"BM" + struct.pack("<IHHI", offset + len(data), 0, 0, offset) + head + palette + data)


def show(path):
    data = path.read_bytes()
    (offset,) = struct.unpack_from("<I", data, 10)
    size, width, height, _, bits, compression = struct.unpack_from("<IiiHHI", data, 14)
    dots = struct.unpack_from("<ii", data, 38)
    if bits == 32 and size > 40 and struct.unpack_from("<I", data, 66)[0]:
        codes = np.frombuffer(data, "<u4", abs(height) * width, offset).reshape(abs(height), width)
        codes = codes if height < 0 else codes[::-1]
        masks = struct.unpack_from("<4I", data, 54)
        planes = [(codes & mask) // (mask & -mask) for mask in masks]
        codes = np.dstack(planes).astype(np.uint8)
    else:
        with Image.open(path) as image:
            codes = np.asarray(image.convert("RGB") if image.mode != "L" or image.palette else image)
            codes = codes[..., None] if codes.ndim == 2 else codes
        if bits == 32 and compression == 0:  # many programs take the fourth byte for alpha
            raw = np.frombuffer(data, np.uint8, abs(height) * width * 4, offset).reshape(abs(height), width, 4)
            raw = raw if height < 0 else raw[::-1]
            if raw[..., 3].any() and (raw[..., 3] < 255).any():
                codes = np.dstack([codes, raw[..., 3]])
    if codes.shape[2] >= 3 and bits <= 8 and (codes[..., :1] == codes[..., :3]).all():
        codes = codes[..., :1]
    facts = {"type": f"u{bits if bits <= 8 else 8 if bits > 16 else 5}", "photometric": "palette" if bits <= 8 else "rgb", "lossy": False,
             "channels": codes.shape[2], "alpha": "straight" if codes.shape[2] == 4 else None, "resolution": dots}  # fmt: skip
    return Shown([Part(codes, 255, facts)])


def case(name, codes, bits, shown, refused="", stored=None, **settings):
    def make(path):
        data = stored if stored is not None else rows_of(codes, bits, not settings.get("top_down"))
        write(path, data, (shown.shape[1], shown.shape[0]), bits, **settings)

    return Case(f"bmp-{name}.bmp", "bmp", make, shown, refused)


def cases():
    for bits in (1, 4, 8):
        table = np.random.default_rng(bits).integers(0, 256, (2**bits, 4), dtype=np.uint8)
        codes = noise(1, bits)
        shown = table[codes[..., 0].astype(int)][..., 2::-1]
        yield case(f"palette-u{bits}", codes, bits, shown, palette=table.tobytes())
        yield case(f"palette-u{bits}-top-down", codes, bits, shown, palette=table.tobytes(), top_down=True)
    grays = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 4, 1)
    yield case("gray-u8", noise(1, 8), 8, noise(1, 8), palette=grays.tobytes())
    codes = noise(3, 8)
    yield case("rgb-u8", codes[..., ::-1], 24, codes)
    yield case("rgb-u8-top-down", codes[..., ::-1], 24, codes, top_down=True)
    yield case("rgb-u8-resolution", codes[..., ::-1], 24, codes, dots=(11811, 5905))
    four = np.dstack([codes[..., ::-1], np.zeros_like(codes[..., :1])])
    yield case("rgbx-u8", four, 32, codes)
    alpha = with_alpha(noise(4, 8), 8)
    yield case("rgba-u8-masks", alpha[..., [2, 1, 0, 3]], 32, alpha, compression=3, masks=(0xFF0000, 0xFF00, 0xFF, 0xFF000000))
    five = noise(3, 5).astype("<u2")
    words = five[..., 0] << 10 | five[..., 1] << 5 | five[..., 2]
    yield case("rgb-u5", words[..., None].view(np.uint8), 16, (five.astype(int) * 255 // 31))
    runs = b"\0\0".join(bytes([36, 7 * row]) for row in range(20)) + b"\0\1"
    shown = np.repeat(np.arange(20, dtype=np.uint8) * 7, 36).reshape(20, 36, 1)[::-1]
    yield case("gray-u8-runs", None, 8, shown, stored=runs, compression=1, palette=grays.tobytes())
