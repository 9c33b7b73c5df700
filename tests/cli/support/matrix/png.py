# SPDX-License-Identifier: Apache-2.0
"""PNG (W3C PNG, third edition), by hand in both directions, because Pillow makes 8 bits of 16."""

import struct
import zlib

import numpy as np

from support.icc import gamma_curve
from support.icc import profile as icc
from support.matrix.case import Case, Part, Shown, noise, with_alpha

CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
COLOURS = {0: "gray", 2: "rgb", 3: "palette", 4: "gray", 6: "rgb"}
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]  # x, y, steps


def chunk(name, contents):
    return struct.pack(">I", len(contents)) + name + contents + struct.pack(">I", zlib.crc32(name + contents))


def packed(codes, bits):
    rows = codes.reshape(len(codes), -1)
    if bits >= 8:
        lines = rows.astype(">u2" if bits == 16 else "u1")
        return b"".join(b"\0" + line.tobytes() for line in lines)
    split = (rows[..., None] >> np.arange(bits - 1, -1, -1) & 1).reshape(len(rows), -1).astype(np.uint8)
    return b"".join(b"\0" + np.packbits(line).tobytes() for line in split)


def write(path, codes, colour, bits, chunks=(), interlaced=False):
    height, width = codes.shape[:2]
    head = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, int(interlaced))
    if interlaced:
        parts = [codes[y::down, x::across] for x, y, across, down in PASSES]
        data = b"".join(packed(part, bits) for part in parts if part.size)
    else:
        data = packed(codes, bits)
    more = b"".join(chunk(name, contents) for name, contents in chunks)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def unfiltered(data, rows, row_bytes, step):
    result, before, at = [], np.zeros(row_bytes, np.int64), 0
    for _ in range(rows):
        kind, line = data[at], np.frombuffer(data, np.uint8, row_bytes, at + 1).astype(np.int64)
        at += 1 + row_bytes
        if kind == 2:
            line = (line + before) & 255
        elif kind == 1:
            for n in range(step):
                line[n::step] = np.cumsum(line[n::step]) & 255
        elif kind in (3, 4):
            for n in range(row_bytes):
                left, up = (line[n - step] if n >= step else 0), before[n]
                corner = before[n - step] if n >= step else 0
                if kind == 3:
                    guess = (left + up) // 2
                else:
                    distances = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
                    guess = (left, up, corner)[distances.index(min(distances))]
                line[n] = (line[n] + guess) & 255
        before = line
        result.append(line.astype(np.uint8))
    return np.array(result).reshape(rows, row_bytes), at


def unpacked(data, height, width, channels, bits):
    row_bytes = (width * channels * bits + 7) // 8
    rows, used = unfiltered(data, height, row_bytes, max(1, channels * bits // 8))
    if bits == 16:
        codes = rows.view(">u2").astype(np.uint16)
    elif bits == 8:
        codes = rows
    else:
        split = np.unpackbits(rows, axis=1)[:, : width * channels * bits].reshape(height, -1, bits)
        codes = (split @ (1 << np.arange(bits - 1, -1, -1))).astype(np.uint8)
    return codes.reshape(height, width, channels), used


def show(path):
    data, at, chunks = path.read_bytes(), 8, []
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + size]))
        at += 12 + size
    first = {}
    for name, contents in chunks:
        first.setdefault(name, contents)
    width, height, bits, colour, _, _, interlaced = struct.unpack(">IIBBBBB", first[b"IHDR"])
    pixels = zlib.decompress(b"".join(contents for name, contents in chunks if name == b"IDAT"))
    channels = CHANNELS[colour]
    if interlaced:
        codes = np.zeros((height, width, channels), np.uint16 if bits == 16 else np.uint8)
        for x, y, across, down in PASSES:
            part = codes[y::down, x::across]
            if part.size:
                part[:], used = unpacked(pixels, *part.shape[:2], channels, bits)
                pixels = pixels[used:]
    else:
        codes, _ = unpacked(pixels, height, width, channels, bits)
    top = 2**bits - 1
    clear = first.get(b"tRNS")
    if colour == 3:
        table = np.frombuffer(first[b"PLTE"], np.uint8).reshape(-1, 3)
        alpha = np.full(len(table), 255, np.uint8)
        if clear:
            alpha[: len(clear)] = np.frombuffer(clear, np.uint8)[: len(table)]
        index = codes[..., 0].astype(int)
        codes, top = np.dstack([table[index], alpha[index]]) if clear else table[index], 255
    elif clear:
        key = np.frombuffer(clear, ">u2")
        alpha = np.where((codes == key).all(axis=2), 0, top).astype(codes.dtype)
        codes = np.dstack([codes, alpha])
    says = {name.decode(): first.get(name) for name in (b"gAMA", b"cHRM", b"sRGB", b"cICP", b"pHYs", b"sBIT", b"bKGD", b"eXIf", b"tIME")}
    profile = first.get(b"iCCP")
    says["iCCP"] = zlib.decompress(profile[profile.index(b"\0") + 2 :]) if profile else None
    facts = {"type": f"u{bits}", "photometric": COLOURS[colour], "channels": codes.shape[2], "alpha": "straight" if codes.shape[2] % 2 == 0 else None,
             "lossy": False} | {f"chunk {name}": value for name, value in says.items()}  # fmt: skip
    texts = sorted(contents for name, contents in chunks if name in (b"tEXt",))
    facts["texts"] = texts
    return Shown([Part(codes, top, facts)])


def case(name, codes, colour, bits, shown=None, **settings):
    def make(path):
        write(path, codes, colour, bits, **settings)

    return Case(f"png-{name}.png", "png", make, codes if shown is None else shown)


def cases():
    for bits in (1, 2, 4, 8, 16):
        yield case(f"gray-u{bits}", noise(1, bits), 0, bits)
        yield case(f"gray-u{bits}-interlaced", noise(1, bits), 0, bits, interlaced=True)
        codes = noise(1, bits)
        alpha = np.where(codes == 1, 0, 2**bits - 1).astype(codes.dtype)
        yield case(f"gray-u{bits}-clear-code", codes, 0, bits, np.dstack([codes, alpha]), chunks=[(b"tRNS", struct.pack(">H", 1))])
        if bits < 16:
            table = np.random.default_rng(bits).integers(0, 256, (2**bits, 3), dtype=np.uint8)
            clear = bytes([0, 1, 254, 255, 128][: 2**bits])
            alpha = np.full(2**bits, 255, np.uint8)
            alpha[: len(clear)] = np.frombuffer(clear, np.uint8)
            index = codes[..., 0].astype(int)
            yield case(f"palette-u{bits}", codes, 3, bits, table[index], chunks=[(b"PLTE", table.tobytes())])
            yield case(f"palette-u{bits}-interlaced", codes, 3, bits, table[index], chunks=[(b"PLTE", table.tobytes())], interlaced=True)
            yield case(f"palette-u{bits}-clear", codes, 3, bits, np.dstack([table[index], alpha[index]]),
                       chunks=[(b"PLTE", table.tobytes()), (b"tRNS", clear)])  # fmt: skip
    for bits in (8, 16):
        yield case(f"rgb-u{bits}", noise(3, bits), 2, bits)
        yield case(f"rgb-u{bits}-interlaced", noise(3, bits), 2, bits, interlaced=True)
        codes = noise(3, bits)
        key = codes[5, 5]
        alpha = np.where((codes == key).all(axis=2), 0, 2**bits - 1).astype(codes.dtype)
        yield case(f"rgb-u{bits}-clear-code", codes, 2, bits, np.dstack([codes, alpha]), chunks=[(b"tRNS", key.astype(">u2").tobytes())])
        yield case(f"graya-u{bits}", with_alpha(noise(2, bits), bits), 4, bits)
        yield case(f"rgba-u{bits}", with_alpha(noise(4, bits), bits), 6, bits)
        yield case(f"rgba-u{bits}-interlaced", with_alpha(noise(4, bits), bits), 6, bits, interlaced=True)
    rgb = noise(3, 8)
    chromaticities = struct.pack(">8I", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)
    for word, chunks in {
        "gamma": [(b"gAMA", struct.pack(">I", 100000))],
        "gamma-and-primaries": [(b"gAMA", struct.pack(">I", 45455)), (b"cHRM", chromaticities)],
        "srgb": [(b"sRGB", b"\1")],
        "cicp": [(b"cICP", bytes([9, 16, 0, 1]))],
        "profile": [(b"iCCP", b"test\0\0" + zlib.compress(icc([gamma_curve(1.8)] * 3)))],
        "resolution": [(b"pHYs", struct.pack(">IIB", 11811, 5905, 1))],
        "aspect": [(b"pHYs", struct.pack(">IIB", 2, 1, 0))],
        "significant-bits": [(b"sBIT", bytes([5, 6, 5]))],
        "background": [(b"bKGD", struct.pack(">3H", 1, 2, 3))],
        "texts": [(b"tEXt", b"Title\0a lamp"), (b"tEXt", b"Comment\0of mine"), (b"tIME", struct.pack(">H5B", 2001, 2, 3, 4, 5, 6))],
    }.items():  # fmt: skip
        yield case(f"rgb-u8-{word}", rgb, 2, 8, chunks=chunks)
    yield case("rgb-u16-significant-bits", noise(3, 16), 2, 16, chunks=[(b"sBIT", bytes([12, 12, 12]))])
    yield case("gray-u16-profile", noise(1, 16), 0, 16, chunks=[(b"iCCP", b"g\0\0" + zlib.compress(icc([gamma_curve(2.2)], space=b"GRAY")))])
    yield case("rgba-u8-one-pixel", np.array([[[200, 100, 50, 0]]], np.uint8), 6, 8)


