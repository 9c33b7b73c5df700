# SPDX-License-Identifier: Apache-2.0
"""ICC profiles by hand (ICC.1:2022), so that nobody's library says what their bytes mean, and PNG chunks."""

import struct
import zlib


def _tag(kind, contents):
    body = kind + b"\0\0\0\0" + contents
    return body + b"\0" * (-len(body) % 4)


def gamma_curve(gamma):
    """'curv' of one number: the exponent in 256ths."""
    return _tag(b"curv", struct.pack(">IH", 1, round(gamma * 256)))


def sampled_curve(codes):
    """'curv' of a table of 16-bit lights."""
    return _tag(b"curv", struct.pack(f">I{len(codes)}H", len(codes), *codes))


def parametric_curve(kind, *numbers):
    """'para' of type 0 to 4; numbers in 65536ths."""
    return _tag(b"para", struct.pack(f">HH{len(numbers)}i", kind, 0, *(round(n * 65536) for n in numbers)))


def _xyz(x, y, z):
    return _tag(b"XYZ ", struct.pack(">3i", *(round(n * 65536) for n in (x, y, z))))


def _description(text, version):
    ascii_text = text.encode()
    if version == 2:
        return _tag(b"desc", struct.pack(">I", len(ascii_text) + 1) + ascii_text + b"\0" + b"\0" * 78)
    wide = text.encode("utf-16-be")
    return _tag(b"mluc", struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(wide), 28) + wide)


def profile(curves, name="test", version=2, space=b"RGB ", extra=()):
    """A display profile: three curves with the colorants of sRGB, or one of gray."""
    tags = [(b"desc", _description(name, version)), (b"wtpt", _xyz(0.9642, 1, 0.8249))]
    if space == b"GRAY":
        tags.append((b"kTRC", curves[0]))
    elif curves:
        colorants = [(0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7139)]
        for letter, curve, colorant in zip(b"rgb", curves, colorants):
            tags += [(bytes([letter]) + b"TRC", curve), (bytes([letter]) + b"XYZ", _xyz(*colorant))]
    tags += extra
    offset = 128 + 4 + 12 * len(tags)
    table, bodies = struct.pack(">I", len(tags)), b""
    for tag, body in tags:
        table += tag + struct.pack(">II", offset + len(bodies), len(body))
        bodies += body
    size = offset + len(bodies)
    header = struct.pack(">I4sI4s4s4s12x4s", size, b"test", version << 24, b"mntr", space, b"XYZ ", b"acsp")
    header = header.ljust(68, b"\0") + struct.pack(">3i", 63190, 65536, 54061)
    return header.ljust(128, b"\0") + table + bodies


def with_png_chunk(path, name, contents):
    """Puts a chunk behind the head of a PNG file, in the place of those that say the same or less."""
    data = path.read_bytes()
    chunks, at = [], 8
    while at < len(data):
        length = struct.unpack(">I", data[at : at + 4])[0]
        chunks.append((data[at + 4 : at + 8], data[at : at + 12 + length]))
        at += 12 + length
    kept = [bytes_ for kind, bytes_ in chunks if kind not in (b"sRGB", b"gAMA", b"cHRM", b"iCCP", b"cICP")]
    made = struct.pack(">I", len(contents)) + name + contents + struct.pack(">I", zlib.crc32(name + contents))
    path.write_bytes(data[:8] + kept[0] + made + b"".join(kept[1:]))


def png_chunk(path, name):
    """The contents of the first chunk of this name; None without one."""
    data, at = path.read_bytes(), 8
    while at < len(data):
        length = struct.unpack(">I", data[at : at + 4])[0]
        if data[at + 4 : at + 8] == name:
            return data[at + 8 : at + 8 + length]
        at += 12 + length
    return None
