# SPDX-License-Identifier: Apache-2.0
"""Formats with little in their heads, by hand in both directions: PNM, SGI, Targa, Radiance, RLA, Maya's IFF."""

import struct

import numpy as np

from support.matrix.case import HEIGHT, WIDTH, Case, Part, Shown, floats, noise, with_alpha

# ---- PNM: netpbm's pages pbm, pgm, ppm; PFM by Paul Debevec


def show_pnm(path):
    data, at, words = path.read_bytes(), 0, []
    magic = data[:2]
    wanted = 3 if magic in (b"P1", b"P4") else 4
    comments = []
    while len(words) < wanted:
        while data[at : at + 1].isspace():
            at += 1
        if data[at : at + 1] == b"#":
            end = data.index(b"\n", at)
            comments.append(data[at:end])
            at = end
            continue
        end = at
        while not data[end : end + 1].isspace():
            end += 1
        words.append(data[at:end])
        at = end
    at += 1
    width, height = int(words[1]), int(words[2])
    channels = 3 if magic in (b"P3", b"P6", b"PF") else 1
    facts = {"photometric": "rgb" if channels == 3 else "gray", "lossy": False, "channels": channels}
    count = width * height * channels
    if magic in (b"PF", b"Pf"):
        scale = float(words[3])
        values = np.frombuffer(data, "<f4" if scale < 0 else ">f4", count, at).reshape(height, width, channels)[::-1]
        return Shown([Part(values * abs(scale), None, facts | {"type": "f32"})])
    top = int(words[3]) if wanted == 4 else 1
    facts["type"] = f"u{top.bit_length()}"
    facts["range"] = top
    if magic == b"P4":
        rows = np.unpackbits(np.frombuffer(data, np.uint8, height * -(-width // 8), at).reshape(height, -1), axis=1)[:, :width]
        codes = 1 - rows
    elif magic in (b"P5", b"P6"):
        codes = np.frombuffer(data, ">u2" if top > 255 else "u1", count, at)
    else:
        text = b" ".join(line.split(b"#")[0] for line in data[at:].split(b"\n"))
        if magic == b"P1":
            text = b" ".join(text.replace(b" ", b"")[n : n + 1] for n in range(len(text.replace(b" ", b""))))
        codes = np.array(text.split()[:count], np.int64)
        codes = 1 - codes if magic == b"P1" else codes
    return Shown([Part(np.asarray(codes, np.int64).reshape(height, width, channels), top, facts)])


def pnm_cases():
    def write(path, magic, codes, top, text=False, comment=b""):
        height, width, _ = codes.shape
        head = magic + b"\n" + comment + b"%d %d\n" % (width, height) + (b"%d\n" % top if top > 1 or magic not in (b"P1", b"P4") else b"")
        if text:
            body = b"\n".join(b" ".join(b"%d" % n for n in row.ravel()) for row in codes) + b"\n"
        else:
            body = codes.astype(">u2" if top > 255 else "u1").tobytes()
        path.write_bytes(head + body)

    def case(name, magic, codes, top, ending, **settings):
        return Case(f"pnm-{name}.{ending}", "pnm", lambda path: write(path, magic, codes, top, **settings), codes)

    for channels, word, ending, binary, plain in ((1, "gray", "pgm", b"P5", b"P2"), (3, "rgb", "ppm", b"P6", b"P3")):
        for top in (1, 3, 100, 255, 256, 1023, 4095, 40000, 65535):
            codes = noise(channels, 16).astype(np.int64) * top // 65535
            yield case(f"{word}-{top}", binary, codes, top, ending)
            yield case(f"{word}-{top}-text", plain, codes, top, ending, text=True)
    codes = noise(1, 1)
    yield Case("pnm-bits.pbm", "pnm", lambda path: path.write_bytes(
        b"P4\n%d %d\n" % (WIDTH, HEIGHT) + np.packbits(1 - codes[..., 0], axis=1).tobytes()), codes)  # fmt: skip
    yield Case("pnm-bits-text.pbm", "pnm", lambda path: write(path, b"P1", 1 - codes, 1, text=True), codes)
    yield case("gray-comment", b"P5", noise(1, 8), 255, "pgm", comment=b"# a lamp\n")
    yield case("other-ending", b"P6", noise(3, 8), 255, "pnm")
    for channels, magic in ((1, b"Pf"), (3, b"PF")):
        values = floats(channels, "f4")
        for scale, order in ((b"-1.0", "<f4"), (b"1.0", ">f4")):
            yield Case(f"pnm-f32-{channels}-{'little' if order[0] == '<' else 'big'}.pfm", "pnm", lambda path, v=values, m=magic, s=scale, o=order: path.write_bytes(
                m + b"\n%d %d\n" % (WIDTH, HEIGHT) + s + b"\n" + v[::-1].astype(o).tobytes()), values, "written")  # fmt: skip


# ---- SGI (Paul Haeberli's specification 1.00)


def sgi_runs(row):
    """One run of literal values for at most 127 of them."""
    result = []
    for at in range(0, len(row), 127):
        part = row[at : at + 127]
        result.append(np.concatenate([[0x80 | len(part)], part]))
    return np.concatenate([*result, [0]])


def write_sgi(path, codes, size, packed):
    height, width, channels = codes.shape
    dtype = ">u2" if size == 2 else "u1"
    head = struct.pack(">HBBHHHHII4x80sI", 474, packed, size, 3 if channels > 1 else 2, width, height, channels, 0, 256**size - 1, b"lamp", 0)
    head = head.ljust(512, b"\0")
    rows = [codes[::-1][y, :, c] for c in range(channels) for y in range(height)]
    if not packed:
        path.write_bytes(head + b"".join(row.astype(dtype).tobytes() for row in rows))
        return
    data = [sgi_runs(row).astype(dtype).tobytes() for row in rows]
    at = 512 + 8 * len(data)
    starts = np.cumsum([at, *map(len, data)])[:-1]
    path.write_bytes(head + starts.astype(">u4").tobytes() + np.array(list(map(len, data)), ">u4").tobytes() + b"".join(data))


def sgi_row(data, at, size, width):
    step, row = size, []
    read = (lambda place: struct.unpack_from(">H", data, place)[0]) if size == 2 else (lambda place: data[place])
    while True:
        code = read(at)
        at += step
        count = code & 0x7F
        if count == 0:
            return row
        if code & 0x80:
            row += [read(at + step * n) for n in range(count)]
            at += step * count
        else:
            row += [read(at)] * count
            at += step


def show_sgi(path):
    data = path.read_bytes()
    _, packed, size, dimensions, width, height, channels = struct.unpack_from(">HBBHHHH", data)
    channels, height = (channels if dimensions == 3 else 1), (height if dimensions > 1 else 1)
    if packed:
        starts = np.frombuffer(data, ">u4", height * channels, 512)
        rows = np.array([sgi_row(data, int(at), size, width) for at in starts])
    else:
        rows = np.frombuffer(data, ">u2" if size == 2 else "u1", width * height * channels, 512)
    codes = rows.reshape(channels, height, width)[:, ::-1].transpose(1, 2, 0)
    facts = {"type": f"u{8 * size}", "channels": channels, "lossy": False, "alpha": channels in (2, 4),
             "name": data[24:104].split(b"\0")[0]}  # fmt: skip
    return Shown([Part(codes.astype(np.int64), 256**size - 1, facts)])


def sgi_cases():
    for size in (1, 2):
        for channels, word in ((1, "gray"), (2, "graya"), (3, "rgb"), (4, "rgba"), (5, "five")):
            codes = noise(channels, 8 * size)
            if channels in (2, 4):
                codes = with_alpha(codes, 8 * size, True)
            for packed in (0, 1):
                name = f"sgi-{word}-u{8 * size}{'-runs' if packed else ''}.{'sgi' if channels < 5 else 'rgb'}"
                yield Case(name, "sgi", lambda path, c=codes, s=size, p=packed: write_sgi(path, c, s, p), codes)


# ---- Targa (Truevision 2.0)


def write_targa(path, codes, kind, bits, place=0, alpha_bits=0, palette=None, runs=False, extension=None):
    """`place`: bits of right-to-left (1) and top-down (2)."""
    height, width, _ = codes.shape
    stored = codes if place & 2 else codes[::-1]
    stored = stored[:, ::-1] if place & 1 else stored
    if bits in (15, 16) and stored.shape[2] >= 3:
        five = stored.astype("<u2")
        body = (five[..., 0] << 10 | five[..., 1] << 5 | five[..., 2] | (five[..., 3] << 15 if codes.shape[2] == 4 else 0)).astype("<u2")
        cells = body.reshape(-1, 1).view(np.uint8)
    else:
        order = [2, 1, 0, 3][: stored.shape[2]] if stored.shape[2] >= 3 else list(range(stored.shape[2]))
        cells = np.ascontiguousarray(stored[..., order]).astype(np.uint8).reshape(height * width, -1)
    table = b"" if palette is None else palette[:, 2::-1].tobytes()
    head = struct.pack("<BBBHHBHHHHBB", 4, palette is not None, kind + (8 if runs else 0), 0, 0 if palette is None else len(palette),
                       0 if palette is None else 24, 0, 0, width, height, bits, alpha_bits | place << 4)  # fmt: skip
    if runs:
        data = b""
        for row in range(height):
            line = cells[row * width : (row + 1) * width]
            for at in range(0, width, 128):
                part = line[at : at + 128]
                data += bytes([len(part) - 1]) + part.tobytes()
    else:
        data = cells.tobytes()
    path.write_bytes(head + b"lamp" + table + data + (extension or b""))


def ratio(data, at):
    """None where it says nothing."""
    number, divisor = struct.unpack_from("<HH", data, at)
    return number / divisor if divisor and number != divisor else None


def show_targa(path):
    data = path.read_bytes()
    id_size, has_table, kind, _, length, entry, _, _, width, height, bits, about = struct.unpack_from("<BBBHHBHHHHBB", data)
    at = 18 + id_size
    table = None
    if has_table:
        table = np.frombuffer(data, np.uint8, length * entry // 8, at).reshape(length, -1)
        at += table.size
    step = (bits + 7) // 8
    if kind & 8:
        cells = b""
        while len(cells) < width * height * step:
            count = (data[at] & 127) + 1
            if data[at] & 128:
                cells += data[at + 1 : at + 1 + step] * count
                at += 1 + step
            else:
                cells += data[at + 1 : at + 1 + step * count]
                at += 1 + step * count
    else:
        cells = data[at : at + width * height * step]
    cells = np.frombuffer(cells, np.uint8, width * height * step).reshape(height, width, step)
    alpha_bits, top = about & 15, 255
    photometric = {1: "palette", 2: "rgb", 3: "gray"}[kind & 7]
    if table is not None:
        codes = table[cells[..., 0]][..., [2, 1, 0]]
    elif step == 2 and photometric == "rgb":
        word = cells.copy().view("<u2")[..., 0]
        codes, top = np.dstack([word >> 10 & 31, word >> 5 & 31, word & 31]), 31
        if alpha_bits:
            codes = np.dstack([codes, (word >> 15) * 31])
    elif step >= 3:
        codes = cells[..., [2, 1, 0, 3][: 4 if step == 4 else 3]]
    else:
        codes = cells if alpha_bits or step == 1 else cells[..., :1]
    codes = codes[:, ::-1] if about & 16 else codes
    codes = codes if about & 32 else codes[::-1]
    if codes.shape[2] == 4 and (codes[..., 3] == codes[0, 0, 3]).all() and codes[0, 0, 3] in (0, top):
        codes = codes[..., :3]  # opaque, or a byte that is not used
    facts = {"type": "u8" if top == 255 else "u5", "photometric": photometric, "channels": codes.shape[2],
             "alpha": codes.shape[2] in (2, 4), "lossy": False, "id": data[18 : 18 + id_size].rstrip(b"\0")}  # fmt: skip
    facts |= {"author": b"", "comment": b"", "associated": False, "aspect": None, "gamma": None}
    if data[-18:-2] == b"TRUEVISION-XFILE":
        (extension,) = struct.unpack_from("<I", data, len(data) - 26)
        if extension:
            part = data[extension : extension + 495]
            codes = codes[..., :3] if codes.shape[2] == 4 and part[494] < 2 else codes  # what may be ignored is
            facts |= {"channels": codes.shape[2], "alpha": codes.shape[2] in (2, 4)}
            facts |= {"author": part[2:43].split(b"\0")[0].rstrip(), "comment": part[43:367].replace(b"\0", b"").rstrip(), "associated": part[494] == 4,
                      "aspect": ratio(part, 474), "gamma": ratio(part, 478)}  # fmt: skip
    return Shown([Part(codes.astype(np.int64), top, facts)])


def targa_extension(path, codes, author=b"me", comment=b"a lamp", alpha_kind=3, aspect=(0, 0), gamma=(0, 0)):
    write_targa(path, codes, 2, 8 * codes.shape[2], 2, 8 if codes.shape[2] == 4 else 0)
    data = path.read_bytes()
    area = struct.pack("<H41s324s", 495, author, comment) + struct.pack("<6H", 2, 3, 2001, 4, 5, 6) + b"job".ljust(41, b"\0") + bytes(6)
    area += b"a program".ljust(41, b"\0") + struct.pack("<HB", 100, 32) + bytes(4) + struct.pack("<HHHH", *aspect, *gamma) + bytes(12)
    area += bytes([alpha_kind])
    path.write_bytes(data + area + struct.pack("<II", len(data), 0) + b"TRUEVISION-XFILE.\0")


def targa_cases():
    rgb, gray, rgba, graya = noise(3, 8), noise(1, 8), with_alpha(noise(4, 8), 8), with_alpha(noise(2, 8), 8)
    five = noise(3, 5)
    table = np.random.default_rng(1).integers(0, 256, (256, 3), dtype=np.uint8)
    for place, where in enumerate(("bottom-up", "bottom-up-from-right", "top-down", "top-down-from-right")):
        for runs in (False, True):
            word = where + ("-runs" if runs else "")
            kinds = [("rgb", rgb, 2, 24, 0), ("gray", gray, 3, 8, 0), ("rgba", rgba, 2, 32, 8), ("rgb-u5", five, 2, 16, 0)]
            for name, codes, kind, bits, alpha in kinds:
                yield Case(f"tga-{name}-{word}.tga", "targa", lambda path, a=(codes, kind, bits, place, alpha), r=runs: write_targa(path, *a, runs=r), codes)
    yield Case("tga-graya.tga", "targa", lambda path: write_targa(path, graya, 3, 16, 2, 8), graya)
    yield Case("tga-rgbx.tga", "targa", lambda path: write_targa(path, np.dstack([rgb, 0 * gray]), 2, 32, 2, 0), rgb)
    yield Case("tga-rgba-without-alpha-bits.tga", "targa", lambda path: write_targa(path, rgba, 2, 32, 2, 0), rgba)
    yield Case("tga-palette.tga", "targa", lambda path: write_targa(path, gray, 1, 8, 0, palette=table), table[gray[..., 0]])
    yield Case("tga-palette-runs.tga", "targa", lambda path: write_targa(path, gray, 1, 8, 2, palette=table, runs=True), table[gray[..., 0]])
    yield Case("tga-extension.tga", "targa", lambda path: targa_extension(path, rgba), rgba)
    yield Case("tga-extension-associated.tga", "targa", lambda path: targa_extension(path, with_alpha(noise(4, 8), 8, True), alpha_kind=4))
    yield Case("tga-extension-no-alpha.tga", "targa", lambda path: targa_extension(path, rgba, alpha_kind=0), rgba[..., :3])
    yield Case("tga-extension-gamma-aspect.tga", "targa", lambda path: targa_extension(path, rgb, aspect=(2, 1), gamma=(22, 10)), rgb)


# ---- Radiance (Greg Ward's file formats)

# Place of the first pixel, the longer axis first -> how stored rows become shown ones.
HDR_ORDERS = {"-Y +X": lambda a: a, "+Y +X": lambda a: a[::-1], "-Y -X": lambda a: a[:, ::-1], "+Y -X": lambda a: a[::-1, ::-1],
              "+X -Y": lambda a: a.swapaxes(0, 1), "-X -Y": lambda a: a.swapaxes(0, 1)[:, ::-1],
              "+X +Y": lambda a: a.swapaxes(0, 1)[::-1], "-X +Y": lambda a: a.swapaxes(0, 1)[::-1, ::-1]}  # fmt: skip


def rgbe_values(rgbe):
    mantissa = rgbe[..., :3].astype(np.float64)
    return np.where(rgbe[..., 3:] == 0, 0, mantissa * 2.0 ** (rgbe[..., 3:].astype(np.float64) - 136)).astype(np.float32)


def hdr_row(row):
    """New run lengths: literal values only."""
    data = b"\2\2" + struct.pack(">H", len(row))
    for plane in row.T:
        for at in range(0, len(plane), 128):
            part = plane[at : at + 128]
            data += bytes([len(part)]) + part.tobytes()
    return data


def write_hdr(path, shown, order="-Y +X", runs=False, lines=()):
    """`shown`: [row, column] of RGBE."""
    undo = {"-Y +X": lambda a: a, "+Y +X": lambda a: a[::-1], "-Y -X": lambda a: a[:, ::-1], "+Y -X": lambda a: a[::-1, ::-1],
            "+X -Y": lambda a: a.swapaxes(0, 1), "-X -Y": lambda a: a[:, ::-1].swapaxes(0, 1),
            "+X +Y": lambda a: a[::-1].swapaxes(0, 1), "-X +Y": lambda a: a[::-1, ::-1].swapaxes(0, 1)}  # fmt: skip
    stored = np.ascontiguousarray(undo[order](shown))
    first, second = order.split()
    head = b"#?RADIANCE\n" + b"".join(line.encode() + b"\n" for line in lines)
    head += b"" if any("FORMAT" in line for line in lines) else b"FORMAT=32-bit_rle_rgbe\n"
    head += f"\n{first} {stored.shape[0]} {second} {stored.shape[1]}\n".encode()
    path.write_bytes(head + (b"".join(map(hdr_row, stored)) if runs else stored.tobytes()))


def show_hdr(path):
    data = path.read_bytes()
    end = data.index(b"\n\n")
    lines = data[:end].decode().split("\n")[1:]
    last = data.index(b"\n", end + 2)
    first, high, second, wide = data[end + 2 : last].decode().split()
    rows, width, at = int(high), int(wide), last + 1
    stored = np.zeros((rows, width, 4), np.uint8)
    for row in stored:
        if data[at : at + 2] == b"\2\2" and struct.unpack_from(">H", data, at + 2)[0] == width and 8 <= width < 32768:
            at += 4
            for channel in range(4):
                column = 0
                while column < width:
                    count = data[at]
                    if count > 128:
                        row[column : column + count - 128, channel] = data[at + 1]
                        column, at = column + count - 128, at + 2
                    else:
                        row[column : column + count, channel] = np.frombuffer(data, np.uint8, count, at + 1)
                        column, at = column + count, at + 1 + count
        else:
            row[:] = np.frombuffer(data, np.uint8, 4 * width, at).reshape(width, 4)
            at += 4 * width
    values = rgbe_values(HDR_ORDERS[f"{first} {second}"](stored))
    settings = {}
    for line in lines:
        if "=" in line:
            name, value = line.split("=", 1)
            settings.setdefault(name.strip(), []).append(value.strip())
    exposure = float(np.prod([float(value) for value in settings.get("EXPOSURE", [])]))
    correction = np.ones(3)
    for value in settings.get("COLORCORR", []):
        correction = correction * np.array(value.split(), float)
    scale = correction * exposure  # what the values were multiplied by
    known = ("EXPOSURE", "COLORCORR", "FORMAT", "GAMMA")
    facts = {"type": "rgbe", "format": settings.get("FORMAT"), "lossy": False, "primaries": settings.get("PRIMARIES"),
             "aspect": settings.get("PIXASPECT"), "gamma": settings.get("GAMMA"),
             "lines": sorted(line for line in lines if line and line.split("=")[0] not in (*known, "PRIMARIES", "PIXASPECT") and "=" in line)}  # fmt: skip
    return Shown([Part((values / scale).astype(np.float32), None, facts)])


def hdr_cases():
    rgbe = noise(4, 8)
    rgbe[..., 3] = 120 + rgbe[..., 3] % 20
    rgbe[..., 0] |= 128  # the largest mantissa has its first bit: the only way to store a colour
    rgbe[0, 0] = 0
    values = rgbe_values(rgbe)

    def case(name, *arguments, shown=values, refused="", **settings):
        return Case(f"hdr-{name}.hdr", "hdr", lambda path: write_hdr(path, rgbe, *arguments, **settings), shown, refused)

    for order in HDR_ORDERS:
        word = order.replace(" ", "").replace("+", "p").replace("-", "m").lower()
        yield case(f"order-{word}", order)
        yield case(f"order-{word}-runs", order, runs=True)
    yield case("exposure", lines=["EXPOSURE=2.0"], shown=values / 2)
    yield case("two-exposures", lines=["EXPOSURE=2.0", "EXPOSURE=0.25"], shown=values / 0.5)
    yield case("colour-correction", lines=["COLORCORR=1.0 0.5 2.0"], shown=values / np.array([1, 0.5, 2], "f4"))
    yield case("primaries", lines=["PRIMARIES=0.708 0.292 0.170 0.797 0.131 0.046 0.3127 0.3290"])
    yield case("aspect", lines=["PIXASPECT=2.0"])
    yield case("view", lines=["SOFTWARE=a program", "VIEW=-vp 1 2 3"])
    yield case("gamma", lines=["GAMMA=2.2"])
    yield case("xyze", lines=["FORMAT=32-bit_rle_xyze"], refused="FORMAT")


# ---- RLA (Wavefront)


def rla_runs(data):
    result = b""
    for at in range(0, len(data), 128):
        part = data[at : at + 128]
        result += struct.pack("b", -len(part)) + part
    return result


def write_rla(path, planes, bits, matte, window=None, active=None, gamma=b"2.2"):
    """`planes`: [row, column, channel]; the last is the matte if there is one."""
    height, width, channels = planes.shape
    window = window or (0, width - 1, 0, height - 1)
    active = active or window
    kind = 4 if bits == 32 else 0
    head = struct.pack(">8h", *window, *active) + struct.pack(">6hH", 1, kind, channels - matte, matte, 0, 0xFFFE - 0x10000, 0)[:12]
    head = struct.pack(">8h", *window, *active) + struct.pack(">hhhhhH", 1, kind, channels - matte, matte, 0, 0xFFFE)
    head += gamma.ljust(16, b"\0") + b"0.670 0.330".ljust(24, b"\0") + b"0.210 0.710".ljust(24, b"\0") + b"0.140 0.080".ljust(24, b"\0")
    head += b"0.310 0.316".ljust(24, b"\0") + struct.pack(">i", 7) + b"lamp.rla".ljust(128, b"\0") + b"a lamp".ljust(128, b"\0")
    head += b"a program".ljust(64, b"\0") + b"machine".ljust(32, b"\0") + b"me".ljust(32, b"\0") + b"FEB 03 04:05 2001".ljust(20, b"\0")
    head += b"user".ljust(24, b"\0") + b"1.0".ljust(8, b"\0") + b"rgb".ljust(32, b"\0") + struct.pack(">h", 0) + bytes(12) + bytes(32)
    head += struct.pack(">hhhhh", bits, kind, bits if matte else 0, 0, 0) + bytes(32 + 36) + struct.pack(">i", 0)
    assert len(head) == 740, len(head)
    rows = []
    for row in planes[::-1]:
        line = b""
        for channel in range(channels):
            if bits == 32:
                data = row[:, channel].astype("<f4").tobytes()  # as PCs hold them
            elif bits == 16:
                two = row[:, channel].astype(">u2").view(np.uint8).reshape(-1, 2)
                data = rla_runs(two[:, 0].tobytes()) + rla_runs(two[:, 1].tobytes())
            else:
                data = rla_runs(row[:, channel].astype(np.uint8).tobytes())
            line += struct.pack(">H", len(data)) + data
        rows.append(line)
    starts = np.cumsum([740 + 4 * height, *map(len, rows)])[:-1]
    path.write_bytes(head + starts.astype(">i4").tobytes() + b"".join(rows))


def rla_plane(data, width, size):
    values, at = [], 0
    while len(values) < width * size:
        count = struct.unpack_from("b", data, at)[0]
        if count < 0:
            values += data[at + 1 : at + 1 - count]
            at += 1 - count
        else:
            values += [data[at + 1]] * (count + 1)
            at += 2
    return np.array(values, np.uint8).reshape(size, width)


def plain_text(field):
    """Numbers as numbers, however many digits are written."""
    words = field.split(b"\0")[0].decode().split()
    try:
        return tuple(round(float(word), 4) for word in words)
    except ValueError:
        return " ".join(words)


def show_rla(path):
    data = path.read_bytes()
    window, active = struct.unpack_from(">4h", data, 0), struct.unpack_from(">4h", data, 8)
    _, kind, colours, mattes, others = struct.unpack_from(">5h", data, 16)
    bits, matte_kind, matte_bits, aux_kind, aux_bits = struct.unpack_from(">5h", data, 658)
    del matte_kind, aux_kind
    width, height, channels = active[1] - active[0] + 1, active[3] - active[2] + 1, colours + mattes + others
    starts = np.frombuffer(data, ">i4", height, 740)
    depths = [bits] * colours + [matte_bits or bits] * mattes + [aux_bits or bits] * others
    rows = []
    for start in starts[::-1]:
        at, row = int(start), []
        for depth in depths:
            (size,) = struct.unpack_from(">H", data, at)
            piece = data[at + 2 : at + 2 + size]
            at += 2 + size
            if depth == 32:
                row.append(np.frombuffer(piece, "<f4", width))
            else:
                planes = rla_plane(piece, width, (depth + 7) // 8).astype(np.int64)
                row.append(planes[0] if len(planes) == 1 else planes[0] << 8 | planes[1])
        rows.append(np.stack(row, 1))
    text = {"gamma": (28, 16), "red": (44, 24), "white": (116, 24), "name": (144, 128), "description": (272, 128), "program": (400, 64),
            "machine": (464, 32), "user": (496, 32), "date": (528, 20), "aspect": (572, 8), "channels": (580, 32)}  # fmt: skip
    facts = {"type": "f32" if bits == 32 else f"u{bits}", "channels": channels, "alpha": mattes, "window": (window, active), "lossy": False}
    facts |= {f"text {name}": plain_text(data[at : at + size]) for name, (at, size) in text.items()}
    return Shown([Part(np.array(rows), None if bits == 32 else 2**bits - 1, facts)])


def rla_cases():
    for bits in (8, 10, 16, 32):
        for channels, word in ((1, "gray"), (3, "rgb"), (4, "rgba"), (2, "graya")):
            planes = np.abs(floats(channels, "f4")) if bits == 32 else noise(channels, bits)
            if channels in (2, 4) and bits < 32:
                planes = with_alpha(planes, bits, True)
            matte = int(channels in (2, 4))
            if bits == 10:
                continue
            yield Case(f"rla-{word}-{'f' if bits == 32 else 'u'}{bits}.rla", "rla", lambda path, a=(planes, bits, matte): write_rla(path, *a), planes)
    codes = noise(3, 8)
    yield Case("rla-window.rla", "rla", lambda path: write_rla(path, codes, 8, 0, (0, 99, 0, 79), (10, 10 + WIDTH - 1, 5, 5 + HEIGHT - 1)), codes)
    yield Case("rla-gamma.rla", "rla", lambda path: write_rla(path, codes, 8, 0, gamma=b"1.0"), codes)


# ---- IFF of Maya (FOR4 CIMG)


def iff_chunk(name, contents):
    return name + struct.pack(">I", len(contents)) + contents + b"\0" * (-len(contents) % 4)


def write_iff(path, codes, size, texts=True):
    """Not packed, in tiles of 16."""
    height, width, channels = codes.shape
    flags = 1 | (2 if channels == 4 else 0)
    tiles = []
    stored = codes[::-1]
    for y in range(0, height, 16):
        for x in range(0, width, 16):
            part = stored[y : y + 16, x : x + 16]
            place = struct.pack(">4H", x, y, x + part.shape[1] - 1, y + part.shape[0] - 1)
            pixels = part[..., ::-1]  # alpha, blue, green, red
            tiles.append(iff_chunk(b"RGBA", place + pixels.astype(">u2" if size == 2 else "u1").tobytes()))
    head = iff_chunk(b"TBHD", struct.pack(">IIHHIHHIII", width, height, 1, 1, flags, size - 1, len(tiles), 0, 0, 0))
    more = iff_chunk(b"AUTH", b"me\0\0") + iff_chunk(b"DATE", b"2001\0\0\0\0") if texts else b""
    body = b"CIMG" + head + more + iff_chunk(b"FOR4", b"TBMP" + b"".join(tiles))
    path.write_bytes(b"FOR4" + struct.pack(">I", len(body)) + body)


def iff_plane(data, at, count):
    values = b""
    while len(values) < count:
        code = data[at]
        many = (code & 127) + 1
        if code & 128:
            values += data[at + 1 : at + 2] * many
            at += 2
        else:
            values += data[at + 1 : at + 1 + many]
            at += 1 + many
    return np.frombuffer(values, np.uint8, count), at


def show_iff(path):
    data = path.read_bytes()
    chunks, at = {}, 12
    tiles = []
    while at + 8 <= len(data):
        name, size = data[at : at + 4], struct.unpack_from(">I", data, at + 4)[0]
        if name == b"FOR4":
            at += 12
            continue
        contents = data[at + 8 : at + 8 + size]
        if name == b"RGBA":
            tiles.append(contents)
        else:
            chunks.setdefault(name, contents)
        at += 8 + size + (-size % 4)
    width, height, across, down, flags, more, _, packing = struct.unpack_from(">IIHHIHHI", chunks[b"TBHD"])
    channels, size = 4 if flags & 2 else 3, 2 if more else 1
    stored = np.zeros((height, width, channels), np.int64)
    for tile in tiles:
        left, bottom, right, top = struct.unpack_from(">4H", tile)
        shape = (top - bottom + 1, right - left + 1)
        count = shape[0] * shape[1]
        if len(tile) - 8 == count * channels * size:  # kept as it is where packing does not help
            pixels = np.frombuffer(tile, ">u2" if size == 2 else "u1", count * channels, 8).reshape(*shape, channels)[..., ::-1]
        else:
            planes, place = [], 8
            for _ in range(channels * size):
                plane, place = iff_plane(tile, place, count)
                planes.append(plane.astype(np.int64))
            planes = planes[::-1]  # red last
            if size == 2:
                planes = [planes[n + 1] << 8 | planes[n] if IFF_HIGH_FIRST else planes[n] << 8 | planes[n + 1] for n in range(0, len(planes), 2)]
            pixels = np.stack(planes, 1).reshape(*shape, channels)
        stored[bottom : top + 1, left : right + 1] = pixels
    facts = {"type": f"u{8 * size}", "channels": channels, "alpha": channels == 4, "aspect": (across, down), "lossy": False,
             "author": chunks.get(b"AUTH", b"").rstrip(b"\0"), "date": chunks.get(b"DATE", b"").rstrip(b"\0")}  # fmt: skip
    return Shown([Part(stored[::-1], 256**size - 1, facts)])


IFF_HIGH_FIRST = True


def iff_cases():
    for size in (1, 2):
        for channels, word in ((3, "rgb"), (4, "rgba")):
            codes = noise(channels, 8 * size)
            codes = with_alpha(codes, 8 * size, True) if channels == 4 else codes
            yield Case(f"iff-{word}-u{8 * size}.iff", "iff", lambda path, c=codes, s=size: write_iff(path, c, s), codes)


