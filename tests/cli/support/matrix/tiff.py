# SPDX-License-Identifier: Apache-2.0
"""TIFF (TIFF 6.0): written by hand, by tifffile, and by libtiff's own tools; shown by hand after tiffcp has unpacked."""

import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import tifffile

from support.matrix.case import HEIGHT, WIDTH, Case, Part, Shown, columns, floats, noise, smooth, with_alpha

PHOTOMETRIC = {0: "white is zero", 1: "black is zero", 2: "rgb", 3: "palette", 4: "mask", 5: "inks", 6: "ycbcr", 8: "cielab", 9: "icclab",
               10: "itulab", 32844: "log-l", 32845: "log-luv"}  # fmt: skip
LOSSY = {6: "jpeg", 7: "jpeg", 34676: "log", 34677: "log", 50001: "webp"}
ALPHA = {0: "unspecified", 1: "associated", 2: "straight"}


def tool(*command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.stderr}"


# ---- written by hand

KINDS = {"B": 1, "s": 2, "H": 3, "I": 4, "II": 5, "b": 6, "f": 11, "d": 12}


def packed(codes, bits, order):
    """Rows of codes, each from a whole byte on."""
    rows = codes.reshape(len(codes), -1)
    if bits in (8, 16, 32, 64):
        return rows.astype(rows.dtype.newbyteorder(order)).tobytes()
    if bits == 24:
        four = rows.astype(np.uint32).astype(order + "u4").view(np.uint8).reshape(len(rows), -1, 4)
        return four[..., 1:].tobytes() if order == ">" else four[..., :3].tobytes()
    places = np.arange(bits - 1, -1, -1, dtype=np.uint64)
    split = (rows.astype(np.uint64)[..., None] >> places & 1).astype(np.uint8).reshape(len(rows), -1)
    return np.packbits(split, axis=1).tobytes()


def write(path, codes, photometric, bits, tags=(), order="<", separate=False, without=()):
    """One strip, or one a plane. `tags`: (number, kind, values)."""
    channels = codes.shape[2]
    planes = [codes[..., n : n + 1] for n in range(channels)] if separate else [codes]
    strips = [packed(plane, bits, order) for plane in planes]
    entries = {256: ("I", [WIDTH]), 257: ("I", [HEIGHT]), 258: ("H", [bits] * channels), 259: ("H", [1]), 262: ("H", [photometric]),
               273: ("I", [8 + sum(map(len, strips[:n])) for n in range(len(strips))]), 277: ("H", [channels]), 278: ("I", [HEIGHT]),
               279: ("I", list(map(len, strips))), 284: ("H", [2 if separate else 1])}  # fmt: skip
    entries |= {number: (kind, values) for number, kind, values in tags}
    for number in without:
        entries.pop(number)
    at = 8 + sum(map(len, strips))
    at += at % 2
    directory, more = struct.pack(order + "H", len(entries)), b""
    after = at + 2 + 12 * len(entries) + 4
    for number, (kind, values) in sorted(entries.items()):
        if kind == "s":
            data, count = values.encode() + b"\0", len(values) + 1
        elif kind == "II":
            data, count = struct.pack(order + f"{len(values)}I", *values), len(values) // 2
        else:
            data, count = struct.pack(order + f"{len(values)}{kind}", *values), len(values)
        place = data.ljust(4, b"\0") if len(data) <= 4 else struct.pack(order + "I", after + len(more))
        if len(data) > 4:
            more += data + b"\0" * (len(data) % 2)
        directory += struct.pack(order + "HHI", number, KINDS[kind], count) + place
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, at)
    path.write_bytes((head + b"".join(strips)).ljust(at, b"\0") + directory + bytes(4) + more)


# ---- shown


def unpacked(data, rows, row_samples, bits, kind, order):
    row_bytes = (row_samples * bits + 7) // 8
    data = np.frombuffer(data[: rows * row_bytes].ljust(rows * row_bytes, b"\0"), np.uint8).reshape(rows, row_bytes)
    if kind == 3 and bits != 24:
        return data.copy().view(f"{order}f{bits // 8}").astype(f"f{bits // 8}")
    if bits in (8, 16, 32, 64):
        return data.copy().view(f"{order}{'i' if kind == 2 else 'u'}{bits // 8}").astype(f"{'i' if kind == 2 else 'u'}{bits // 8}")
    if bits == 24:
        three = data.reshape(rows, row_samples, 3).astype(np.uint32)
        first, last = (0, 2) if order == ">" else (2, 0)
        return three[..., first] << 16 | three[..., 1] << 8 | three[..., last]
    split = np.unpackbits(data, axis=1)[:, : row_samples * bits].reshape(rows, row_samples, bits).astype(np.uint32)
    return split @ (1 << np.arange(bits - 1, -1, -1, dtype=np.uint32))


TURNED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def raw_samples(path, page):
    """What is stored in a page that is not packed, [row, column, channel]."""
    channels, bits = page.samplesperpixel, page.bitspersample
    kind = page.tags[339].value if 339 in page.tags else 1
    kind = kind[0] if isinstance(kind, tuple) else kind
    order = page.parent.byteorder
    separate = page.planarconfig == 2 and channels > 1
    per_pixel = 1 if separate else channels
    height, width = page.imagelength, page.imagewidth
    data = Path(path).read_bytes()
    pieces = [data[at : at + size] for at, size in zip(page.dataoffsets, page.databytecounts)]
    if 266 in page.tags and page.tags[266].value == 2:  # the first bit of a byte is the lowest
        pieces = [piece.translate(TURNED) for piece in pieces]
    planes = channels if separate else 1
    result = None
    for number, piece in enumerate(pieces):
        if page.is_tiled:
            across, down = -(-width // page.tilewidth), -(-height // page.tilelength)
            plane, place = divmod(number, across * down)
            y, x = place // across * page.tilelength, place % across * page.tilewidth
            rows, columns_ = page.tilelength, page.tilewidth
        else:
            strips = len(pieces) // planes
            plane, place = divmod(number, strips)
            y, x, rows, columns_ = place * page.rowsperstrip, 0, min(page.rowsperstrip, height - place * page.rowsperstrip), width
        block = unpacked(piece, rows, columns_ * per_pixel, bits, kind, order).reshape(rows, columns_, per_pixel)
        if result is None:
            result = np.zeros((height, width, channels), block.dtype)
        block = block[: height - y, : width - x]
        where = slice(plane, plane + 1) if separate else slice(None)
        result[y : y + len(block), x : x + block.shape[1], where] = block
    return result, kind


def by_libtiff(path, number):
    """Eight bits of red, green and blue, as libtiff shows a page of other colours."""
    with tempfile.TemporaryDirectory() as folder:
        tool("tiff2rgba", "-c", "none", path, f"{folder}/rgba.tif")
        with tifffile.TiffFile(f"{folder}/rgba.tif") as file:
            return raw_samples(f"{folder}/rgba.tif", file.pages[number])[0][..., :3]


def applied(samples, kind, bits, photometric, page):
    """Samples as they are shown, and the code of white."""
    top = None if kind == 3 or bits > 16 else 2**bits - 1
    if kind == 2:
        top = None if bits > 16 else 2 ** (bits - 1) - 1
    if photometric == 0:  # of the gray alone
        white = 1 if kind == 3 else -1 if kind == 2 else 2**bits - 1
        shown = samples if kind == 3 else samples.astype(np.int64)
        return np.concatenate([white - shown[..., :1], shown[..., 1:]], axis=2), top
    if photometric == 3:
        table = np.array(page.tags[320].value, np.uint16).reshape(3, -1).T
        colours = table[samples[..., 0].astype(np.int64)]
        if samples.shape[2] > 1:
            colours = np.concatenate([colours, samples[..., 1:].astype(np.uint16) * 257], axis=2)
        return (colours // 257, 255) if (colours % 257 == 0).all() else (colours, 65535)
    return samples, top


TYPE = {1: "u", 2: "i", 3: "f", 4: "u"}


def show_page(path, number, page, again=False):
    if page.compression != 1:
        with tempfile.TemporaryDirectory() as folder:
            tool("tiffcp", "-c", "none", "-s", f"{path},{number}", f"{folder}/one.tif")
            with tifffile.TiffFile(f"{folder}/one.tif") as file:
                part = show_page(f"{folder}/one.tif", 0, file.pages[0])
        part.facts["lossy"] = page.compression in LOSSY
        if page.compression in (6, 7):  # what is unpacked is RGB
            part.facts["photometric"] = "rgb" if page.photometric == 6 else PHOTOMETRIC[page.photometric]
        return part
    photometric, bits = int(page.photometric), page.bitspersample
    extra = page.tags[338].value if 338 in page.tags else ()
    extra = extra if isinstance(extra, tuple) else (extra,)
    orientation = page.tags[274].value if 274 in page.tags else 1
    if photometric in (6, 32844, 32845):
        samples, kind, top = by_libtiff(path, number), 1, 255
    else:
        samples, kind = raw_samples(path, page)
        samples, top = applied(samples, kind, bits, photometric, page)
    facts = {"type": f"{TYPE[kind]}{bits}", "photometric": PHOTOMETRIC.get(photometric, photometric), "channels": samples.shape[2],
             "alpha": tuple(ALPHA.get(int(kind_), kind_) for kind_ in extra), "orientation": int(orientation), "lossy": False}  # fmt: skip
    resolution = tuple(page.tags[tag].value for tag in (282, 283, 296) if tag in page.tags)
    if 282 in page.tags:
        (xn, xd), (yn, yd) = page.tags[282].value, page.tags[283].value
        unit = int(page.tags[296].value) if 296 in page.tags else 2
        resolution = (round(xn / max(xd, 1), 3), round(yn / max(yd, 1), 3), unit)
    facts["resolution"] = resolution
    if 286 in page.tags:
        facts["window"] = tuple(float(np.divide(*page.tags[tag].value)) for tag in (286, 287))
    profile = page.tags[34675].value if 34675 in page.tags else b""
    facts["profile"] = hash(bytes(profile)) if profile else None
    facts |= {f"tag {tag.code}": plain(tag.value) for tag in page.tags if tag.code not in STORAGE}
    return Part(samples, top, facts)


# How samples are stored, and what other facts have.
STORAGE = {254, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 282, 283, 284, 286, 287, 296, 317, 320, 322, 323, 324, 325, 338, 339, 347,
           332, 333, 334, 512, 530, 531, 532, 33300, 33301, 34675, 340, 341, 280, 281, 292, 293, 326, 327, 328}  # fmt: skip


def plain(value):
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
        return tuple(plain(entry) for entry in value)
    return value.rstrip("\0 ") if isinstance(value, str) else value


def show(path):
    with tifffile.TiffFile(path) as file:
        return Shown([show_page(path, number, page) for number, page in enumerate(file.pages)])


# ---- the cases


def by_hand(name, codes, photometric, bits, expected_codes=None, refused="", **settings):
    def make(path):
        write(path, codes, photometric, bits, **settings)

    return Case(f"tiff-{name}.tif", "tiff", make, codes if expected_codes is None else expected_codes, refused)


def by_tifffile(name, codes, shown=None, refused="", **settings):
    def make(path):
        tifffile.imwrite(path, codes.squeeze() if codes.ndim == 3 and codes.shape[2] == 1 else codes, **({"metadata": None} | settings))

    return Case(f"tiff-{name}.tif", "tiff", make, codes if shown is None else shown, refused)


def by_tiffcp(name, case, *options, keeps=True):
    """Another case's file, stored otherwise by libtiff's tool."""

    def make(path):
        first = path.with_suffix(".first")
        case.make(first)
        tool("tiffcp", *options, first, path)
        first.unlink()

    return Case(f"tiff-{name}.tif", "tiff", make, case.codes if keeps else None, case.expected)


def gray_cases():
    for bits in (1, 2, 4, 8, 10, 12, 14, 16, 24, 32):
        for photometric, word in ((1, "gray"), (0, "white-is-zero")):
            codes = noise(1, bits)
            shown = codes if photometric else (2**bits - 1 - codes.astype(np.int64))
            yield by_hand(f"{word}-u{bits}", codes, photometric, bits, shown)
    for kind in ("i1", "i2", "i4"):
        codes = (noise(1, 8 * int(kind[1])).view(kind))
        bits = 8 * codes.dtype.itemsize
        for photometric, word in ((1, "gray"), (0, "white-is-zero")):
            shown = codes if photometric else -1 - codes.astype(np.int64)
            yield by_hand(f"{word}-i{bits}", codes, photometric, bits, shown, tags=[(339, "H", [2])])
    for kind in ("f2", "f4", "f8"):
        codes = floats(1, kind) if kind != "f2" else floats(1, "f4").clip(-60000, 60000).astype("f2")
        bits = 8 * codes.dtype.itemsize
        for photometric, word in ((1, "gray"), (0, "white-is-zero")):
            shown = codes if photometric else 1 - codes
            yield by_hand(f"{word}-f{bits}", codes, photometric, bits, shown, tags=[(339, "H", [3])])
    yield by_hand("gray-f24", noise(1, 24), 1, 24, refused="24 bits", tags=[(339, "H", [3])])
    yield by_hand("bilevel-without-bits", noise(1, 1), 1, 1, without=[258, 277])
    yield by_hand("bilevel-without-bits-white-is-zero", noise(1, 1), 0, 1, 1 - noise(1, 1), without=[258])


def colour_cases():
    for bits in (1, 2, 4, 8, 10, 12, 14, 16, 24, 32):
        yield by_hand(f"rgb-u{bits}", noise(3, bits), 2, bits)
    for bits in (8, 12, 16, 32):
        for kind, word in ((1, "associated"), (2, "straight"), (0, "unspecified")):
            if bits == 12 and kind == 0:
                continue
            codes = with_alpha(noise(4, bits), bits, kind == 1)
            yield by_hand(f"rgba-{word}-u{bits}", codes, 2, bits, tags=[(338, "H", [kind])])
            codes = with_alpha(noise(2, bits), bits, kind == 1)
            yield by_hand(f"graya-{word}-u{bits}", codes, 1, bits, tags=[(338, "H", [kind])])
    white = with_alpha(noise(2, 8), 8)
    shown = white.astype(np.int64)
    shown[..., 0] = 255 - shown[..., 0]
    yield by_hand("white-is-zero-with-alpha-u8", white, 0, 8, shown, tags=[(338, "H", [2])])
    for kind, word in ((1, "associated"), (2, "straight")):
        for dtype in ("f2", "f4"):
            codes = np.abs(floats(4, "f4")).clip(0, 6e4).astype(dtype)
            codes[..., 3] = np.resize(np.array([0, 1 / 255, 0.5, 1], dtype), (HEIGHT, WIDTH))
            yield by_hand(f"rgba-{word}-{dtype}", codes, 2, 8 * codes.dtype.itemsize, tags=[(338, "H", [kind]), (339, "H", [3] * 4)])
    for bits in (8, 16):
        yield by_hand(f"five-channels-u{bits}", noise(5, bits), 2, bits, tags=[(338, "H", [0, 0])])
        yield by_hand(f"gray-and-two-u{bits}", noise(3, bits), 1, bits, tags=[(338, "H", [0, 0])])
        yield by_hand(f"inks-u{bits}", noise(4, bits), 5, bits, refused="" if bits == 8 else "8 bits a sample")
        yield by_hand(f"five-inks-u{bits}", noise(5, bits), 5, bits, refused="" if bits == 8 else "8 bits a sample", tags=[(332, "H", [2]), (334, "H", [5])])
        yield by_hand(f"inks-with-alpha-u{bits}", noise(5, bits), 5, bits, refused="" if bits == 8 else "8 bits a sample", tags=[(338, "H", [2])])
    for photometric, word in ((8, "cielab"), (9, "icclab"), (10, "itulab")):
        for bits in (8, 16):
            yield by_hand(f"{word}-u{bits}", noise(3, bits), photometric, bits, refused="" if photometric == 8 else "PhotometricInterpretation")
    for kind in ("f2", "f4", "f8"):
        codes = floats(3, "f4").clip(-60000, 60000).astype(kind)
        yield by_hand(f"rgb-f{8 * codes.dtype.itemsize}", codes, 2, 8 * codes.dtype.itemsize, tags=[(339, "H", [3] * 3)])
    for kind in ("i1", "i2", "i4"):
        codes = noise(3, 8 * int(kind[1])).view(kind)
        yield by_hand(f"rgb-i{8 * int(kind[1])}", codes, 2, 8 * int(kind[1]), tags=[(339, "H", [2] * 3)])
    yield by_hand("mosaic-u16", noise(1, 16), 32803, 16)
    yield by_hand("linear-raw-u16", noise(3, 16), 34892, 16)
    yield by_hand("mask-u1", noise(1, 1), 4, 1)
    palette = np.random.default_rng(1).integers(0, 256, (3, 256))
    index = with_alpha(noise(2, 8), 8)
    yield by_hand("palette-with-alpha-u8", index, 3, 8, np.dstack([palette.T[index[..., 0].astype(int)], index[..., 1]]),
                  refused="palette with alpha", tags=[(320, "H", [int(n) * 257 for n in palette.ravel()]), (338, "H", [2])])  # fmt: skip
    for bits in (1, 2, 4, 8, 16):
        rng = np.random.default_rng(bits)
        for word, table in (("", rng.integers(0, 256, (3, 2**bits)) * 257), ("-of-16-bits", rng.integers(0, 65536, (3, 2**bits)))):
            codes = noise(1, bits)
            shown = table.T[codes[..., 0].astype(int)]
            yield by_hand(f"palette{word}-u{bits}", codes, 3, bits, shown // 257 if not word else shown,
                          tags=[(320, "H", [int(n) for n in table.ravel()])])  # fmt: skip


def storage_cases():
    sources = {"gray-u8": by_hand("", noise(1, 8), 1, 8), "rgb-u8": by_hand("", noise(3, 8), 2, 8), "rgb-u16": by_hand("", noise(3, 16), 2, 16),
               "gray-f32": by_hand("", floats(1, "f4"), 1, 32, tags=[(339, "H", [3])]),
               "rgba-u16": by_hand("", with_alpha(noise(4, 16), 16), 2, 16, tags=[(338, "H", [2])])}  # fmt: skip
    for word, source in sources.items():
        for codec in ("none", "lzw", "lzw:2", "zip", "zip:2", "packbits", "lzma", "zstd"):
            yield by_tiffcp(f"{codec.replace(':', '-predictor-')}-{word}", source, "-c", codec)
        if word == "gray-f32":
            yield by_tiffcp("zip-predictor-3-gray-f32", source, "-c", "zip:3")
        for option, name in ((("-t", "-w", "16", "-l", "16"), "tiles"), (("-p", "separate"), "planes"), (("-r", "3"), "strips"),
                             (("-B",), "big-endian"), (("-8",), "bigtiff"), (("-t", "-w", "16", "-l", "16", "-p", "separate"), "tiled-planes"),
                             (("-f", "lsb2msb"), "flipped-bits")):  # fmt: skip
            if word != "rgb-u8" and "planes" in name:
                continue  # the tool makes them of 8 bits alone
            yield by_tiffcp(f"{name}-{word}", source, "-c", "none", *option)
    for bits in (8, 12, 16):
        yield by_hand(f"planes-rgb-u{bits}-by-hand", noise(3, bits), 2, bits, separate=True)
        yield by_hand(f"planes-rgba-u{bits}", with_alpha(noise(4, bits), bits), 2, bits, tags=[(338, "H", [2])], separate=True)
    yield by_hand("planes-rgb-f32", floats(3, "f4"), 2, 32, tags=[(339, "H", [3] * 3)], separate=True)
    bilevel = by_hand("", noise(1, 1), 0, 1, 1 - noise(1, 1))
    for codec in ("g3", "g3:2d", "g4", "lzw", "packbits", "none"):
        yield by_tiffcp(f"bilevel-{codec.replace(':', '-')}", bilevel, "-c", codec)
        yield by_tiffcp(f"bilevel-{codec.replace(':', '-')}-flipped-bits", bilevel, "-c", codec, "-f", "lsb2msb")
    for word, codes, photometric in (("gray", smooth(1), 1), ("columns", columns(), 2), ("smooth", smooth(3), 2)):
        source = by_hand("", codes, photometric, 8)
        for quality in ("75", "100"):
            yield by_tiffcp(f"jpeg-{quality}-{word}", source, "-c", f"jpeg:{quality}", keeps=False)
            yield by_tiffcp(f"jpeg-raw-{quality}-{word}", source, "-c", f"jpeg:r:{quality}", keeps=False)
    yield by_tiffcp("jpeg-tiles", by_hand("", columns(), 2, 8), "-c", "jpeg:100", "-t", "-w", "16", "-l", "16", keeps=False)

    ycbcr = noise(3, 8)
    ycbcr[..., 1:] = 100 + ycbcr[..., 1:] % 60
    yield Case("tiff-ycbcr-u8.tif", "tiff", lambda path: write(path, ycbcr, 6, 8, tags=[(530, "H", [1, 1])]))

    def halved(path):
        """Chroma for two by two pixels: four times luma, then both colours."""
        luma, chroma = ycbcr[..., 0], ycbcr[::2, ::2, 1:]
        units = np.dstack([luma[::2, ::2], luma[::2, 1::2], luma[1::2, ::2], luma[1::2, 1::2], chroma])
        first = path.with_suffix(".first")
        write(first, np.zeros((HEIGHT, WIDTH, 3), np.uint8), 6, 8, tags=[(530, "H", [2, 2])])
        data = bytearray(first.read_bytes())
        data[8 : 8 + units.size] = units.tobytes()
        path.write_bytes(data)
        first.unlink()

    yield Case("tiff-ycbcr-u8-halved.tif", "tiff", halved)


def orientation_cases():
    for orientation in range(1, 9):
        yield by_hand(f"orientation-{orientation}", noise(3, 8), 2, 8, tags=[(274, "H", [orientation])])


def tag_cases():
    profile = bytes(range(256)) * 3
    from support.icc import gamma_curve
    from support.icc import profile as icc

    profile = icc([gamma_curve(1.8)] * 3)
    yield by_hand("resolution-dpi", noise(3, 8), 2, 8, tags=[(282, "II", [300, 1]), (283, "II", [150, 1]), (296, "H", [2])])
    yield by_hand("resolution-centimetres", noise(3, 16), 2, 16, tags=[(282, "II", [7205, 100]), (283, "II", [7205, 100]), (296, "H", [3])])
    yield by_hand("resolution-no-unit", noise(1, 8), 1, 8, tags=[(282, "II", [2, 1]), (283, "II", [1, 1]), (296, "H", [1])])
    yield by_hand("profile", noise(3, 8), 2, 8, tags=[(34675, "B", list(profile))])
    yield by_hand("profile-gray-u16", noise(1, 16), 1, 16, tags=[(34675, "B", list(icc([gamma_curve(2.2)], space=b"GRAY")))])
    yield by_hand("position", noise(3, 8), 2, 8,
                  tags=[(282, "II", [1, 1]), (283, "II", [1, 1]), (286, "II", [5, 1]), (287, "II", [7, 1])])  # fmt: skip
    yield by_hand("texts", noise(3, 8), 2, 8, tags=[(270, "s", "a lamp"), (271, "s", "maker"), (272, "s", "model"), (305, "s", "a program"),
                                                   (306, "s", "2001:02:03 04:05:06"), (315, "s", "me"), (33432, "s", "mine")])  # fmt: skip
    yield by_hand("geo", floats(1, "f4"), 1, 32, tags=[(339, "H", [3]), (33550, "d", [30.0, 30.0, 0.0]), (33922, "d", [0.0, 0, 0, 440720, 3751320, 0]),
                                                       (34735, "H", [1, 1, 0, 1, 1024, 0, 1, 1])])  # fmt: skip
    yield by_hand("nodata", floats(1, "f4"), 1, 32, tags=[(339, "H", [3]), (42113, "s", "-9999")])
    yield by_hand("rpc", noise(1, 8), 1, 8, tags=[(50844, "d", [float(n) for n in range(92)])])
    yield by_hand("transfer-function", noise(1, 8), 1, 8, tags=[(301, "H", list(range(0, 65536, 256)))])
    yield by_hand("gray-response", noise(1, 8), 1, 8, tags=[(290, "H", [3]), (291, "H", list(range(256)))])
    yield by_hand("halftone", noise(1, 8), 1, 8, tags=[(321, "H", [10, 200])])
    yield by_hand("private-tag", noise(1, 8), 1, 8, tags=[(65000, "s", "a laboratory's"), (65001, "d", [1.5])])
    yield by_hand("page-number", noise(1, 8), 1, 8, tags=[(297, "H", [3, 7]), (285, "s", "page three"), (269, "s", "document")])


def page_cases():
    def pages(path):
        with tifffile.TiffWriter(path) as file:
            file.write(noise(3, 8)[..., :3], photometric="rgb", metadata=None)
            file.write(noise(1, 16)[..., 0], photometric="minisblack", metadata=None)
            file.write(floats(1, "f4")[..., 0], photometric="minisblack", metadata=None)

    yield Case("tiff-pages-of-three-types.tif", "tiff", pages, noise(3, 8))

    def white(path):
        with tifffile.TiffWriter(path) as file:
            file.write(noise(1, 16)[..., 0], photometric="minisblack", metadata=None)
            file.write(noise(1, 16, 1)[..., 0], photometric="miniswhite", metadata=None)

    yield Case("tiff-pages-white-is-zero-second.tif", "tiff", white, noise(1, 16))

    def stack(kind, imagej=False, ome=False):
        def make(path):
            pages = np.stack([noise(1, 16, seed)[..., 0] for seed in range(4)])
            if imagej:
                tifffile.imwrite(path, pages, imagej=True, metadata={"axes": "ZYX", "spacing": 0.5, "unit": "um"}, resolution=(2, 2))
            elif ome:
                tifffile.imwrite(path, pages, ome=True, metadata={"axes": "TYX", "TimeIncrement": 0.1})
            else:
                tifffile.imwrite(path, pages, photometric="minisblack")

        return Case(f"tiff-stack-{kind}.{'ome.tif' if ome else 'tif'}", "tiff", make, noise(1, 16))

    yield stack("shaped")
    yield stack("imagej", imagej=True)
    yield stack("ome", ome=True)


def cases():
    for group in (gray_cases, colour_cases, storage_cases, orientation_cases, tag_cases, page_cases):
        yield from group()
