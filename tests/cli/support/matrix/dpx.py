# SPDX-License-Identifier: Apache-2.0
"""DPX (SMPTE 268M), by hand in both directions."""

import struct

import numpy as np

from support.matrix.case import Case, Part, Shown, floats, noise, with_alpha

DESCRIPTORS = {6: 1, 50: 3, 51: 4, 4: 1, 1: 1, 2: 1, 3: 1}  # luma, RGB, RGBA, alpha, red, green, blue


def packed_row(row, bits, packing, order, channels):
    if bits == 8:
        data = row.astype(np.uint8).tobytes()
        return data + b"\0" * (-len(data) % 4)
    if bits == 16:
        data = row.astype(order + "u2").tobytes()
        return data + b"\0" * (-len(data) % 4)
    if bits == 32 or bits == 64:
        return row.astype(f"{order}f{bits // 8}").tobytes()
    if bits == 10 and packing:
        three = np.concatenate([row, np.zeros(-len(row) % 3, row.dtype)]).astype(np.uint32).reshape(-1, 3)
        three = three[:, ::-1] if channels == 1 else three  # the first of three grays lies lowest
        word = three[:, 0] << 20 | three[:, 1] << 10 | three[:, 2]
        return (word << 2 if packing == 1 else word).astype(order + "u4").tobytes()
    if bits == 12 and packing:
        data = (row.astype(np.uint16) << (4 if packing == 1 else 0)).astype(order + "u2").tobytes()
        return data + b"\0" * (-len(data) % 4)
    number = sum(int(code) << bits * place for place, code in enumerate(row))  # from the lowest bit of the first word on
    words = -(-len(row) * bits // 32)
    return np.frombuffer(number.to_bytes(4 * words, "little"), "<u4").astype(order + "u4").tobytes()


def unpacked_row(data, count, bits, packing, order, channels):
    if bits == 8:
        return np.frombuffer(data, np.uint8, count)
    if bits == 16:
        return np.frombuffer(data, order + "u2", count).astype(np.uint16)
    if bits in (32, 64):
        return np.frombuffer(data, f"{order}f{bits // 8}", count).astype(f"f{bits // 8}")
    if bits == 10 and packing:
        words = np.frombuffer(data, order + "u4") >> (2 if packing == 1 else 0)
        three = np.stack([words >> 20, words >> 10, words], 1) & 1023
        return (three[:, ::-1] if channels == 1 else three).ravel()[:count].astype(np.uint16)
    if bits == 12 and packing:
        return np.frombuffer(data, order + "u2", count).astype(np.uint16) >> (4 if packing == 1 else 0) & 4095
    number = int.from_bytes(np.frombuffer(data, order + "u4").astype("<u4").tobytes(), "little")
    return np.array([number >> bits * place & (2**bits - 1) for place in range(count)], np.uint16)


def row_bytes(count, bits, packing):
    if bits in (8, 16, 32, 64):
        return -(-count * bits // 32) * 4
    if bits == 10 and packing:
        return -(-count // 3) * 4
    if bits == 12 and packing:
        return -(-count * 2 // 4) * 4
    return -(-count * bits // 32) * 4


def write(path, codes, bits, descriptor, packing=1, order=">", orientation=0, transfer=2, colorimetric=2, aspect=(1, 1), frame_rate=24.0):
    height, width, channels = codes.shape
    data = b"".join(packed_row(line.ravel(), bits, packing, order, channels) for line in codes)
    head = struct.pack(order + "4sI8sIIIII", b"SDPX" if order == ">" else b"XPDS", 2048, b"V2.0", 2048 + len(data), 1, 1664, 384, 0)
    if order == "<":
        head = b"XPDS" + head[4:]
    head += b"lamp.dpx".ljust(100, b"\0") + b"2001:02:03:04:05:06UTC".ljust(24, b"\0") + b"a program".ljust(100, b"\0")
    head += b"project".ljust(200, b"\0") + b"mine".ljust(200, b"\0") + struct.pack(order + "I", 0xFFFFFFFF)
    head = head.ljust(768, b"\0")
    top = 0xFFFFFFFF if bits >= 32 else 2**bits - 1
    element = struct.pack(order + "IIfIfBBBBHHIII", 0, 0, 0.0, top, 2.047, descriptor, transfer, colorimetric, bits, packing, 0, 2048, 0, 0)
    head += struct.pack(order + "HHII", orientation, 1, width, height) + element.ljust(72, b"\0") + bytes(7 * 72) + bytes(52)
    head += struct.pack(order + "IIffII", 0, 0, width / 2, height / 2, width, height)  # offsets, centre, original size
    head += bytes(100 + 24 + 32 + 32 + 8) + struct.pack(order + "II", *aspect)
    head = head.ljust(1664, b"\0")
    head += bytes(2 + 2 + 2 + 6 + 4 + 32) + struct.pack(order + "IIIff", 7, 100, 1, frame_rate, 180.0) + b"one".ljust(32, b"\0")
    path.write_bytes(head.ljust(2048, b"\0") + data)


def show(path):
    data = path.read_bytes()
    order = ">" if data[:4] == b"SDPX" else "<"
    orientation, elements, width, height = struct.unpack_from(order + "HHII", data, 768)
    descriptor, transfer, colorimetric, bits, packing, encoding, at, line_gap, _ = struct.unpack_from(order + "BBBBHHIII", data, 800)
    assert elements == 1 and encoding == 0
    channels = DESCRIPTORS[descriptor]
    (offset,) = struct.unpack_from(order + "I", data, 4)
    at = at if at not in (0, 0xFFFFFFFF) else offset
    line_gap = 0 if line_gap == 0xFFFFFFFF else line_gap
    size, rows = row_bytes(width * channels, bits, packing), []
    for row in range(height):
        first = at + row * (size + line_gap)
        rows.append(unpacked_row(data[first : first + size], width * channels, bits, packing, order, channels))
    codes = np.array(rows).reshape(height, width, channels)
    names = {"file": (36, 100), "date": (136, 24), "creator": (160, 100), "project": (260, 200), "copyright": (460, 200)}
    texts = {name: data[at : at + size].split(b"\0")[0].decode(errors="replace")[: 19 if name == "date" else 200] for name, (at, size) in names.items() if name not in ("file",)}
    aspect = struct.unpack_from(order + "II", data, 1628)
    rate = struct.unpack_from(order + "f", data, 1724)[0]
    facts = {"type": f"{'f' if bits >= 32 else 'u'}{bits}", "photometric": {6: "gray", 50: "rgb", 51: "rgb"}.get(descriptor, descriptor),
             "channels": channels, "alpha": "associated" if channels == 4 else None, "orientation": orientation,
             "transfer": (transfer, colorimetric), "lossy": False, "rate": rate,
             "aspect": aspect if all(0 < n < 0xFFFFFFFF for n in aspect) and aspect[0] != aspect[1] else None}  # fmt: skip
    return Shown([Part(codes, None if bits >= 32 else 2**bits - 1, facts)], {f"text {name}": text for name, text in texts.items()})


def case(name, codes, bits, descriptor, refused="", **settings):
    def make(path):
        write(path, codes, bits, descriptor, **settings)

    return Case(f"dpx-{name}.dpx", "dpx", make, codes, refused)


def cases():
    for bits in (8, 10, 12, 16):
        for descriptor, word, channels in ((50, "rgb", 3), (6, "gray", 1), (51, "rgba", 4)):
            codes = with_alpha(noise(4, bits), bits, True) if channels == 4 else noise(channels, bits)
            for packing, how in ((1, "filled-a"), (2, "filled-b"), (0, "packed")):
                if bits in (8, 16) and packing != 1:
                    continue
                for order, end in ((">", "big"), ("<", "little")):
                    yield case(f"{word}-u{bits}-{how}-{end}", codes, bits, descriptor, packing=packing, order=order)
    yield case("rgb-f32", floats(3, "f4"), 32, 50, packing=0)
    yield case("rgb-f64", floats(3, "f8"), 64, 50, packing=0)
    for orientation in range(1, 8):
        yield case(f"orientation-{orientation}", noise(3, 10), 10, 50, orientation=orientation, refused="columns" if orientation > 3 else "")
    for transfer, word in ((1, "printing-density"), (3, "logarithmic"), (6, "bt709"), (0, "user")):
        yield case(f"transfer-{word}", noise(3, 10), 10, 50, transfer=transfer, colorimetric=6 if transfer == 6 else 1)
    yield case("aspect", noise(3, 8), 8, 50, aspect=(2, 1))


