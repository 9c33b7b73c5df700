# SPDX-License-Identifier: Apache-2.0
"""OpenEXR: written by hand and by OpenEXR's own tools; shown by hand, after exrmaketiled where its codecs are not zlib's."""

import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np

from support.exr import COMPRESSIONS, NUMBERS, TYPES, attribute, read_text, unpacked
from support.matrix.case import HEIGHT, WIDTH, Case, Part, Shown, floats
from support.matrix.tiff import tool

ROWS = {0: 1, 1: 1, 2: 1, 3: 16}
LOSSY = {"pxr24", "b44", "b44a", "dwaa", "dwab"}
OWN = {"channels", "compression", "dataWindow", "displayWindow", "lineOrder", "type", "chunkCount", "tiles", "version", "pixelAspectRatio", "name"}


# ---- written


def packed(block, compression):
    if compression == 0:
        return block
    codes = np.frombuffer(block, np.uint8)
    mixed = np.concatenate([codes[0::2], codes[1::2]]).astype(np.int64)
    mixed[1:] = mixed[1:] - mixed[:-1] + 384
    data = (mixed & 255).astype(np.uint8).tobytes()
    if compression == 1:
        small = b"".join(struct.pack("b", -len(data[n : n + 127])) + data[n : n + 127] for n in range(0, len(data), 127))
    else:
        small = zlib.compress(data)
    return small if len(small) < len(block) else block


def write(path, channels, compression=0, corner=(0, 0), display=None, down=True, aspect=1.0, more=b"", sampling=None):
    """`channels`: name -> [row, column] of half, float or uint32. `corner`: of the data window. `more`: attributes."""
    names, sampling = sorted(channels), sampling or {}
    height, width = next(array.shape for name, array in channels.items() if sampling.get(name, 1) == 1)
    listed = b"".join(name.encode() + b"\0" + struct.pack("<iBxxxii", NUMBERS[channels[name].dtype], 0, *([sampling.get(name, 1)] * 2)) for name in names)
    left, top = corner
    window = struct.pack("<iiii", left, top, left + width - 1, top + height - 1)
    whole = struct.pack("<iiii", *(display or (left, top, left + width - 1, top + height - 1)))
    head = struct.pack("<ii", 20000630, 2)
    head += attribute("channels", "chlist", listed + b"\0") + attribute("compression", "compression", bytes([compression]))
    head += attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", whole)
    head += attribute("lineOrder", "lineOrder", b"\0" if down else b"\1") + attribute("pixelAspectRatio", "float", struct.pack("<f", aspect))
    head += attribute("screenWindowCenter", "v2f", struct.pack("<ff", 0, 0)) + attribute("screenWindowWidth", "float", struct.pack("<f", 1))
    head += more + b"\0"
    blocks = []
    for y in range(0, height, ROWS[compression]):
        rows = range(y, min(y + ROWS[compression], height))
        data = b"".join(channels[name][row // sampling.get(name, 1)].tobytes() for row in rows for name in names if row % sampling.get(name, 1) == 0)
        data = packed(data, compression)
        blocks.append(struct.pack("<ii", top + y, len(data)) + data)
    sizes = [len(block) for block in blocks]
    stored = blocks if down else blocks[::-1]
    place, places = len(head) + 8 * len(blocks), {}
    for block in stored:
        places[id(block)] = place
        place += len(block)
    del sizes
    path.write_bytes(head + b"".join(struct.pack("<Q", places[id(block)]) for block in blocks) + b"".join(stored))


# ---- shown


def headers_of(data):
    """[attributes], and where they end."""
    several, at, result = data[5] & 0x10, 8, []
    while True:
        head = {}
        while data[at]:
            name, at = read_text(data, at)
            _, at = read_text(data, at)
            (size,) = struct.unpack_from("<I", data, at)
            head[name] = data[at + 4 : at + 4 + size]
            at += 4 + size
        at += 1
        result.append(head)
        if not several or data[at] == 0:
            return result, at + (1 if several else 0)


def channels_of(listed):
    result, at = [], 0
    while listed[at]:
        name, at = read_text(listed, at)
        kind, _, across, down = struct.unpack_from("<iiii", listed, at)
        result.append((name, TYPES[kind], across, down))
        at += 16
    return result


def run_lengths(data):
    result, at = b"", 0
    while at < len(data):
        count = struct.unpack_from("b", data, at)[0]
        if count < 0:
            result += data[at + 1 : at + 1 - count]
            at += 1 - count
        else:
            result += data[at + 1 : at + 2] * (count + 1)
            at += 2
    return result


def block_bytes(data, size, compression):
    if len(data) == size or compression == 0:
        return data
    return unpacked(zlib.compress(run_lengths(data)) if compression == 1 else data, size)


def planes_of(data, head, table, several):
    """name -> [row, column] of a part whose offsets begin at `table`. Level 0 alone."""
    left, top, right, bottom = struct.unpack("<4i", head["dataWindow"])
    width, height, compression = right - left + 1, bottom - top + 1, head["compression"][0]
    channels = channels_of(head["channels"])
    planes = {name: np.zeros((height // down, width // across), kind) for name, kind, across, down in channels}
    if "tiles" in head:
        wide, high = struct.unpack_from("<II", head["tiles"])
        count = -(-width // wide) * -(-height // high)
    else:
        step = ROWS[compression]
        count = -(-height // step)
    for number in range(count):
        (at,) = struct.unpack_from("<Q", data, table + 8 * number)
        at += 4 if several else 0
        if "tiles" in head:
            tx, ty, _, _, size = struct.unpack_from("<5i", data, at)
            at, x, y = at + 20, tx * wide, ty * high
            columns, rows = min(wide, width - x), min(high, height - y)
        else:
            line, size = struct.unpack_from("<ii", data, at)
            at, x, y = at + 8, 0, line - top
            columns, rows = width, min(step, height - y)
        listed = [(row, name, kind, columns // across, across, down) for row in range(y, y + rows)
                  for name, kind, across, down in channels if row % down == 0]  # fmt: skip
        block = block_bytes(data[at : at + size], sum(kind.itemsize * many for _, _, kind, many, _, _ in listed), compression)
        place = 0
        for row, name, kind, many, across, down in listed:
            planes[name][row // down, x // across : x // across + many] = np.frombuffer(block, kind, many, place)
            place += many * kind.itemsize
    return planes


def chunk_count(head):
    if "chunkCount" in head:
        return struct.unpack("<i", head["chunkCount"])[0]
    left, top, right, bottom = struct.unpack("<4i", head["dataWindow"])
    return -(-(bottom - top + 1) // {0: 1, 1: 1, 2: 1, 3: 16, 4: 32, 5: 16, 6: 32, 7: 32, 8: 32, 9: 256}[head["compression"][0]])


def shown_part(head, planes):
    names = [name for name, *_ in channels_of(head["channels"])]
    types = {name: str(kind) for name, kind, *_ in channels_of(head["channels"])}
    same = len({plane.shape for plane in planes.values()}) == 1
    samples = np.stack([planes[name].astype(np.float64) for name in names], 2) if same else np.zeros((1, 1, 1))
    codec = COMPRESSIONS[head["compression"][0]]
    lossy = codec in LOSSY and not (codec == "pxr24" and all(kind != "float32" for kind in types.values()))
    lossy = lossy and not (codec in ("b44", "b44a") and all(kind != "float16" for kind in types.values()))
    facts = {"type": types, "channels": names, "lossy": lossy, "data window": struct.unpack("<4i", head["dataWindow"]),
             "display window": struct.unpack("<4i", head["displayWindow"]), "aspect": struct.unpack("<f", head["pixelAspectRatio"]),
             "part name": head.get("name"), "levels": head["tiles"][8] & 15 if "tiles" in head else 0}  # fmt: skip
    level = "dwaCompressionLevel"  # 45 is the default
    facts |= {f"attribute {name}": value for name, value in head.items() if name not in OWN and (name != level or value != b"\0\0\x34\x42")}
    return Part(samples, None, facts)


def show(path):
    data = Path(path).read_bytes()
    headers, table = headers_of(data)
    parts = []
    for number, head in enumerate(headers):
        if head["compression"][0] <= 3:
            planes = planes_of(data, head, table, data[5] & 0x10)
        else:
            planes = by_tools(path, number, len(headers))
        parts.append(shown_part(head, planes))
        table += 8 * chunk_count(head)
    return Shown(parts)


def by_tools(path, number, count):
    with tempfile.TemporaryDirectory() as folder:
        one = path
        if count > 1:
            tool("exrmultipart", "-separate", "-i", path, "-o", f"{folder}/part")
            one = sorted(Path(folder).glob("part*"))[number]
        tool("exrmaketiled", "-o", "-z", "none", one, f"{folder}/flat.exr")
        data = Path(f"{folder}/flat.exr").read_bytes()
        headers, table = headers_of(data)
        return planes_of(data, headers[0], table, False)


# ---- the cases


def by_hand(name, channels, refused="", **settings):
    samples = np.stack([channels[key].astype(np.float64) for key in sorted(channels)], 2) if len({a.shape for a in channels.values()}) == 1 else None
    return Case(f"exr-{name}.exr", "openexr", lambda path: write(path, channels, **settings), samples, refused)


def by_tool(name, source, *options, keeps=True):
    def make(path):
        first = path.with_suffix(".first.exr")
        source.make(first)
        tool("exrmaketiled", *options, first, path)
        first.unlink()

    return Case(f"exr-{name}.exr", "openexr", make, source.codes if keeps else None)


def light(dtype, names="RGB", seed=0):
    values = floats(len(names), "f4", seed).clip(-60000, 60000).astype(dtype)
    return {name: np.ascontiguousarray(values[..., n]) for n, name in enumerate(names)}


def with_matte(dtype):
    channels = light(dtype, "RGBA")
    channels["A"] = np.resize(np.array([0, 1 / 255, 0.5, 1], dtype), (HEIGHT, WIDTH))
    for name in "RGB":
        channels[name] = np.abs(channels[name])
    return channels


def text(name, value):
    return attribute(name, "string", value.encode())


def cases():
    for dtype, word in (("f2", "half"), ("f4", "float")):
        for names in ("Y", "RGB"):
            for compression in range(4):
                yield by_hand(f"{names.lower()}-{word}-{COMPRESSIONS[compression]}", light(dtype, names), compression=compression)
        yield by_hand(f"rgba-{word}", with_matte(dtype))
        yield by_hand(f"rgba-{word}-bottom-first", with_matte(dtype), down=False)
        for codec in ("none", "rle", "zip", "piz", "pxr24", "b44", "b44a", "dwaa", "dwab"):
            keeps = codec not in LOSSY or (word == "half" and codec == "pxr24")
            yield by_tool(f"tiles-{word}-{codec}", by_hand("", light(dtype)), "-o", "-t", "16", "16", "-z", codec, keeps=keeps)
        yield by_tool(f"levels-{word}", by_hand("", light(dtype)), "-m", "-t", "16", "16", "-z", "zip")
        yield by_tool(f"levels-both-ways-{word}", by_hand("", light(dtype)), "-r", "-t", "16", "16", "-z", "zip")
    ids = np.random.default_rng(3).integers(0, 2**32, (HEIGHT, WIDTH), dtype=np.uint32)
    yield by_hand("ids", light("f2") | {"id": ids})
    yield by_hand("ids-alone", {"id": ids})
    yield by_hand("depth", light("f2") | {"Z": light("f4", "Z")["Z"]})
    yield by_hand("mixed-types", {"R": light("f2")["R"], "G": light("f4")["G"], "B": light("f2")["B"]})
    yield by_hand("layers", {f"{layer}.{name}": plane for layer in ("diffuse", "specular") for name, plane in light("f2").items()})
    yield by_hand("layer-with-colours", light("f2") | {f"glow.{name}": plane for name, plane in light("f2", seed=1).items()})
    yield by_hand("normals", light("f2") | {f"N.{name}": plane for name, plane in light("f4", "XYZ").items()})
    half = {"Y": light("f2", "Y")["Y"], "RY": light("f2", "Y", 1)["Y"][::2, ::2].copy(), "BY": light("f2", "Y", 2)["Y"][::2, ::2].copy()}
    yield by_hand("luma-chroma", half, sampling={"RY": 2, "BY": 2}, refused="ubsampled")
    for word, corner, display in (("smaller", (10, 6), (0, 0, 99, 49)), ("larger", (-8, -5), (0, 0, 15, 7)), ("moved", (-100, 300), None),
                                  ("beside", (200, 200), (0, 0, 99, 49)), ("display-moved", (12, 12), (10, 10, 79, 59))):  # fmt: skip
        yield by_hand(f"window-{word}", light("f2"), corner=corner, display=display)
    yield by_hand("aspect", light("f2"), aspect=2.0)
    more = text("owner", "me") + text("comments", "a lamp") + text("capDate", "2001:02:03 04:05:06") + attribute("expTime", "float", struct.pack("<f", 0.5))
    more += attribute("isoSpeed", "float", struct.pack("<f", 400)) + attribute("framesPerSecond", "rational", struct.pack("<iI", 24, 1))
    more += attribute("worldToCamera", "m44f", struct.pack("<16f", *range(16))) + attribute("my own", "int", struct.pack("<i", 7))
    more += attribute("timeCode", "timecode", struct.pack("<II", 1, 2)) + attribute("keyCode", "keycode", struct.pack("<7i", 1, 2, 3, 4, 5, 4, 64))
    more += attribute("corner", "v2i", struct.pack("<ii", 3, 4)) + attribute("place", "v3f", struct.pack("<3f", 1, 2, 3))
    more += attribute("box", "box2f", struct.pack("<4f", 1, 2, 3, 4)) + attribute("precise", "double", struct.pack("<d", 0.1))
    more += attribute("names", "stringvector", struct.pack("<i", 2) + b"me" + struct.pack("<i", 3) + b"you")
    more += attribute("matrix", "m33f", struct.pack("<9f", *range(9))) + attribute("envmap", "envmap", b"\0")
    more += attribute("lab", "laboratory", b"of my own")
    yield by_hand("attributes", light("f2"), more=more)
    yield by_hand("chromaticities", light("f2"), more=attribute("chromaticities", "chromaticities", struct.pack("<8f", 0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329)))
    yield by_hand("multi-view", light("f2") | {f"right.{n}": p for n, p in light("f2", seed=1).items()},
                  more=attribute("multiView", "stringvector", struct.pack("<i", 4) + b"left" + struct.pack("<i", 5) + b"right"))  # fmt: skip

    def parts(path):
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for number, (dtype, corner) in enumerate((("f2", (0, 0)), ("f4", (5, 3)))):
                names.append(f"{folder}/{number}.exr")
                write(Path(names[-1]), light(dtype, seed=number), corner=corner, display=(0, 0, 99, 49), compression=3)
            tool("exrmultipart", "-combine", "-i", f"{names[0]}:0::first", f"{names[1]}:0::second", "-o", path)

    yield Case("exr-parts.exr", "openexr", parts)
