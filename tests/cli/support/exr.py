# SPDX-License-Identifier: Apache-2.0
"""OpenEXR files of channels of several types, written and read bit by bit: scanlines, not packed or packed with zip.

By the format's description (openexr.com, "OpenEXR File Layout"), so that no library stands between a test and the bits.
"""

import struct
import zlib
from pathlib import Path

import numpy as np

TYPES = {0: np.dtype("<u4"), 1: np.dtype("<f2"), 2: np.dtype("<f4")}
NUMBERS = {dtype: number for number, dtype in TYPES.items()}
ROWS = {0: 1, 2: 1, 3: 16}  # a block's, by the number of its compression: none, zips, zip
COMPRESSIONS = ["none", "rle", "zips", "zip", "piz", "pxr24", "b44", "b44a", "dwaa", "dwab"]


def attribute(name, kind, value):
    return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value


def block_of(channels, names, rows, columns=slice(None)):
    """Rows one below the other, in each its channels one behind the other."""
    part = range(*rows.indices(len(channels[names[0]])))
    return b"".join(channels[name][y, columns].tobytes() for y in part for name in names)


def attributes_of(channels, texts, tiles):
    """The attributes of a part, without the byte that ends them."""
    names = sorted(channels)
    height, width = channels[names[0]].shape
    listed = b"".join(
        name.encode() + b"\0" + struct.pack("<iBxxxii", NUMBERS[channels[name].dtype], 0, 1, 1) for name in names
    )
    window = struct.pack("<iiii", 0, 0, width - 1, height - 1)
    head = attribute("channels", "chlist", listed + b"\0")
    head += attribute("compression", "compression", b"\0")
    head += attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window)
    head += attribute("lineOrder", "lineOrder", b"\0") + attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    head += attribute("screenWindowCenter", "v2f", struct.pack("<ff", 0, 0))
    head += attribute("screenWindowWidth", "float", struct.pack("<f", 1))
    if tiles:
        head += attribute("tiles", "tiledesc", struct.pack("<IIB", *tiles, 0))
    for name, text in (texts or {}).items():
        head += attribute(name, "string", text.encode())
    return head


def blocks_of(channels, tiles, short=0):
    """The blocks of a part. `short`: so many bytes of each are missing."""
    names = sorted(channels)
    height, width = channels[names[0]].shape
    blocks = []
    if tiles:
        for y in range(0, height, tiles[1]):
            for x in range(0, width, tiles[0]):
                block = block_of(channels, names, slice(y, y + tiles[1]), slice(x, x + tiles[0]))
                block = block[: len(block) - short]
                blocks.append(struct.pack("<iiiii", x // tiles[0], y // tiles[1], 0, 0, len(block)) + block)
        return blocks
    for y in range(height):
        block = block_of(channels, names, slice(y, y + 1))
        block = block[: len(block) - short]
        blocks.append(struct.pack("<ii", y, len(block)) + block)
    return blocks


def write_blocks(path, head, blocks):
    offset = len(head) + 8 * len(blocks)
    offsets = []
    for block in blocks:
        offsets.append(struct.pack("<Q", offset))
        offset += len(block)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(head + b"".join(offsets) + b"".join(blocks))
    return path


def write_exr(path, channels, texts=None, tiles=None, short=0):
    """`channels`: name -> array [row, column] of half, float or uint32. `texts`: attributes that are strings. `tiles`:
    their width and height; none: scanlines. `short`: bytes that each block lacks."""
    flags = (0x400 if max(map(len, channels)) > 31 else 0) | (0x200 if tiles else 0)
    head = struct.pack("<ii", 20000630, 2 | flags) + attributes_of(channels, texts, tiles) + b"\0"
    return write_blocks(Path(path), head, blocks_of(channels, tiles, short))


def write_exr_parts(path, parts):
    """A file of several parts: their channels, and the width and height of their tiles or None."""
    head = struct.pack("<ii", 20000630, 2 | 0x1000)
    blocks = []
    for number, (channels, tiles) in enumerate(parts):
        of_part = blocks_of(channels, tiles)
        head += attributes_of(channels, {"name": f"part {number}"}, tiles)
        head += attribute("type", "string", b"tiledimage" if tiles else b"scanlineimage")
        head += attribute("chunkCount", "int", struct.pack("<i", len(of_part))) + b"\0"
        blocks += [struct.pack("<i", number) + block for block in of_part]
    return write_blocks(Path(path), head + b"\0", blocks)


def read_text(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1


def read_head(data):
    """Attributes (name -> bytes), and where they end."""
    attributes = {}
    at = 8
    while data[at]:
        name, at = read_text(data, at)
        _, at = read_text(data, at)
        (size,) = struct.unpack_from("<i", data, at)
        attributes[name] = data[at + 4 : at + 4 + size]
        at += 4 + size
    return attributes, at + 1


def listed_channels(listed):
    """[(name, dtype)], in the order of the file."""
    channels = []
    at = 0
    while listed[at]:
        name, at = read_text(listed, at)
        channels.append((name, TYPES[struct.unpack_from("<i", listed, at)[0]]))
        at += 16
    return channels


def unpacked(block, size):
    if len(block) == size:
        return block
    codes = np.frombuffer(zlib.decompress(block), np.uint8).astype(np.int64)
    codes[1:] -= 128
    bytes_ = (np.cumsum(codes) & 255).astype(np.uint8)
    half = (size + 1) // 2
    result = np.empty(size, np.uint8)
    result[0::2], result[1::2] = bytes_[:half], bytes_[half:]
    return result.tobytes()


def read_exr(path):
    """name -> array, each in its own type."""
    data = Path(path).read_bytes()
    attributes, at = read_head(data)
    left, top, right, bottom = struct.unpack("<iiii", attributes["dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    listed = listed_channels(attributes["channels"])
    row_size = sum(width * dtype.itemsize for _, dtype in listed)
    step = ROWS[attributes["compression"][0]]
    result = {name: np.empty((height, width), dtype) for name, dtype in listed}
    for block in range(-(-height // step)):
        (offset,) = struct.unpack_from("<Q", data, at + 8 * block)
        y, size = struct.unpack_from("<ii", data, offset)
        rows = min(step, height - (y - top))
        samples = unpacked(data[offset + 8 : offset + 8 + size], rows * row_size)
        where = 0
        for row in range(y - top, y - top + rows):
            for name, dtype in listed:
                result[name][row] = np.frombuffer(samples, dtype, width, where)
                where += width * dtype.itemsize
    return result


def compression_of(path):
    return COMPRESSIONS[read_head(Path(path).read_bytes())[0]["compression"][0]]


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
