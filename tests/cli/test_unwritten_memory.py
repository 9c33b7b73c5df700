# SPDX-License-Identifier: Apache-2.0
"""Damage that a library does not tell: outputs never hold memory that nobody has written."""

import base64
import struct

import numpy as np
import pytest
from support.images import picture, read_image, write_image
from support.tool import clconv, environment, fail

WIDTH, HEIGHT = 37, 70  # of PIZ three blocks

# One of tests/hostile/mutate.py: a picture of 37x23 whose stream lost its way.
HEIC = base64.b64decode("""
AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAAB5G1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG0AAAAAAAIAAAAQaWRh
dAAAAAAAJQAXAAAATGlsb2MBAAAAREAAAwABAAAAAAAAAgQAAQAAAAAAAAF3AAIAAQAAAAAAAAABAAAAAAAAAAgAAwAAAAAAAAN7AAEAAAAAAAAAGAAAAE1p
aW5mAAAAAAADAAAAFWluZmUCAAABAAEAAGh2YzEAAAAAFWluZmUCAAAAAAIAAGdyaWQAAAAAFWluZmUCAAABAAMAAEV4aWYAAAAA2GlwcnAAAAC2aXBjbwAA
AHZodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqrprm
4EBAwIAAAAMAgAAAAwCEIgABAAZEAcFzwYkAAAAUaXNwZQAAAAAAAABAAAAAQAAAABRpc3BlAAAAAAAAACUAAAAXAAAAEHBpeGkAAAAAAwgICAAAABppcG1h
AAAAAAAAAAIAAQKBAgACAgOEAAAAKGlyZWYAAAAAAAAADmRpbWcAAgABAAEAAAAOY2RzYwADAAEAAgAAAZdtZGF0AAABcygBrxMgizlhGPZSle5pghcSiTfX
uQYtYAUp6TZ6JX4qY0BrL0lFyUeAvCrU2zy87JpWtL9ERKa5WaqBU0/4FYIi9dyQqHo3tHvcgoghaozwT6NtTLb9pDJrhT+/sdDq0IlSKSr4fpdECdaSboeD
w+LWs7clOLYoev5uf4H9OnGB+XHMzkGo41AYXZ9X29tvbrdsJy/tub9g7hgwON+iBDrO0vybWVd5qHnCA4IjSEgKJM3BHxDtIoNcvp8PSP//AACm4vjQhWdb
RHs1i7KiAPVjyvtHI2yWREG99kLOQTtMrxrg4k5fOn20Gebim4iQtCFYFnmBCf47rRmeD5ypWg6zUqYaJMNU+ibXbQzywzN5N5JmY0Qy65ukDr2xNy+UzMyw
q9rsrQdizn14NRtQfqKDwgnPr61yPhUTwJSuDkJ7tqXtF9nzIjiJGE8QGeBAn3krH33yoNxitLRRTsTsVfDdQJlDQ30IF1g1ESBiClZ3WYe4AAAAEEV4aWYA
AE1NKgAAAAAIAAAAAAAA
""")


def piz(path):
    return write_image(path, picture(WIDTH, HEIGHT, 3).astype(np.float16), {"compression": "piz"})


def places(data):
    """Where the blocks of an OpenEXR file of one part lie, and where its table says so."""
    at = 8
    while data[at]:
        for _ in range(2):
            at = data.index(b"\0", at) + 1
        at += 4 + struct.unpack_from("<I", data, at)[0]
    return at + 1, struct.unpack_from(f"<{-(-HEIGHT // 32)}Q", data, at + 1)


def with_empty_block(data):
    """The second block says that it has no bytes."""
    place = places(data)[1][1]
    return data[: place + 4] + struct.pack("<I", 0) + data[place + 8 :]


def with_longer_head(data):
    """As if somebody had made a channel's name longer: all blocks lie four bytes behind the places in the table."""
    at = data.index(b"chlist") + 11
    return data[: at + 1] + b"long" + data[at + 1 :]


def with_empty_place(data):
    """The table names a place where the right number stands, and then zeros."""
    table, blocks = places(data)
    fake = struct.pack("<iI", 32, 0)
    return data[: table + 8] + struct.pack("<Q", len(data)) + data[table + 16 :] + fake + bytes(64)


@pytest.mark.parametrize("damage", [with_empty_block, with_longer_head, with_empty_place])
def test_an_empty_block_of_openexr_is_damage(tmp_path, damage):
    data = damage(piz(tmp_path / "whole.exr").read_bytes())
    (tmp_path / "a.exr").write_bytes(data)
    result = fail(1, "run", "a.exr", "--method", "none", "--output", "out", cwd=tmp_path)
    assert "a.exr: cannot be" in result.err
    assert not (tmp_path / "out/a.exr").exists()


@pytest.mark.parametrize("damage", [with_empty_block, with_empty_place])
def test_what_is_kept_of_it_is_no_leftover(tmp_path, damage):
    whole = read_image(piz(tmp_path / "whole.exr"))
    (tmp_path / "a.exr").write_bytes(damage((tmp_path / "whole.exr").read_bytes()))
    outputs = []
    for byte in (0x5A, 0xC3):
        result = clconv("run", "a.exr", "--method", "none", "--damaged", "keep", "--nonfinite", "zero", "--output", f"out{byte}",
                        cwd=tmp_path, env=environment(MALLOC_PERTURB_=byte))  # fmt: skip
        assert result.code == 0, result
        outputs.append(read_image(tmp_path / f"out{byte}/a.exr"))
    assert (outputs[0] == outputs[1]).all()
    assert (outputs[0][:32] == whole[:32]).all()
    assert (outputs[0][32:64] == 0).all()


def test_a_sound_file_is_not_suspected(tmp_path):
    whole = read_image(piz(tmp_path / "a.exr"))
    assert clconv("run", "a.exr", "--method", "none", "--output", "out", cwd=tmp_path).code == 0
    assert (read_image(tmp_path / "out/a.exr") == whole).all()


LAYOUTS = {"tiles": (1, {"tiles": (16, 16)}), "planes": (3, {"planarconfig": "separate"}), "strips": (1, {})}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tiffs_without_bits_a_sample_have_one(tmp_path, layout):
    """As TIFF says. OpenImageIO takes eight, and seven eighths of a block would be what its memory holds."""
    channels, how = LAYOUTS[layout]
    attributes = {"compression": "none"} | {name: value for name, value in how.items() if name != "tiles"}
    data = bytearray(write_image(tmp_path / "whole.tif", picture(37, 23, channels), attributes, tiles=how.get("tiles")).read_bytes())
    at = struct.unpack_from("<I", data, 4)[0] + 2
    while struct.unpack_from("<H", data, at)[0] != 258:
        at += 12
    struct.pack_into("<H", data, at, 257)  # a second ImageLength
    (tmp_path / "a.tif").write_bytes(data)
    outputs = []
    for byte in (0x5A, 0xC3):
        result = clconv("run", "a.tif", "--method", "none", "--output", f"out{byte}", cwd=tmp_path, env=environment(MALLOC_PERTURB_=byte))
        assert result.code == 0, result
        outputs.append(read_image(tmp_path / f"out{byte}/a.tif"))
    assert (outputs[0] == outputs[1]).all()
    assert set(np.unique(outputs[0])) == {0, 255}


def test_what_is_kept_of_a_damaged_tiff_is_its_own(tmp_path):
    """The library decodes planes into memory of its own, and copies what a row that ends too early has not filled."""
    image = np.random.default_rng(3).integers(1, 65536, (48, 64, 3)).astype(np.uint16)
    attributes = {"compression": "none", "planarconfig": "separate", "tiff:RowsPerStrip": 1}
    data = write_image(tmp_path / "a.tif", image, attributes).read_bytes()
    (tmp_path / "a.tif").write_bytes(data[: data.index(image[40, :, 1].tobytes()) + 50])
    outputs = []
    for byte in (0x5A, 0xC3):
        options = ("--method", "none", "--damaged", "keep", "--overwrite", "--output", "out")
        result = clconv("run", "a.tif", *options, cwd=tmp_path, env={"MALLOC_PERTURB_": byte})
        assert result.code == 0 and "a.tif: is damaged" in result.err, result
        outputs.append((tmp_path / "out/a.tif").read_bytes())
    assert outputs[0] == outputs[1]
    found = read_image(tmp_path / "out/a.tif")
    assert (found[:40] == image[:40]).all()
    assert not found[40:].any(), "missing samples are 0"


def test_what_is_kept_of_a_damaged_exr_is_not_a_rest_of_a_mark(tmp_path):
    """Marks of 16 bytes lie every KiB. Row 7 of these begins inside one, and is missing."""
    image = picture(37, 23, 1).astype(np.float32) + 1
    data = write_image(tmp_path / "a.exr", image, {"compression": "rle"}).read_bytes()
    table = places(data)[0]
    (tmp_path / "a.exr").write_bytes(data[: struct.unpack_from("<Q", data, table + 7 * 8)[0]])
    options = ("--method", "none", "--damaged", "keep", "--nonfinite", "zero", "--format", "tif", "--output", "out")
    result = clconv("run", "a.exr", *options, cwd=tmp_path)
    assert result.code == 0 and "a.exr: is damaged" in result.err, result
    found = read_image(tmp_path / "out/a.tif")
    assert (found[:7] == image[:7]).all()
    assert not found[7:].any()


@pytest.mark.parametrize("width", [36, 37, 38])
@pytest.mark.parametrize("bits", [10, 16])
def test_alpha_of_dpx_files_of_10_bits_is_right_or_refused(tmp_path, width, bits):
    """Of three widths one has rows whose last word OpenImageIO does not read: alpha of the last column."""
    codes = np.random.default_rng(1).integers(0, 1 << bits, (9, width, 4))
    image = (codes * 65535 // ((1 << bits) - 1)).astype(np.uint16)
    write_image(tmp_path / "a.dpx", image, {"oiio:BitsPerSample": bits, "dpx:Packing": "Filled, method A"})
    if bits == 10 and width == 37:
        fail(1, "run", "a.dpx", "--method", "none", "--format", "tif", "--output", "out", cwd=tmp_path, says=["a.dpx: is a DPX of 10 bits"])
        return
    assert clconv("run", "a.dpx", "--method", "none", "--format", "tif", "--output", "out", cwd=tmp_path).code == 0
    found = np.rint(read_image(tmp_path / "out/a.tif") / 65535 * ((1 << bits) - 1))
    assert (found == codes).all()


def test_holes_in_heic_are_damage(tmp_path):
    (tmp_path / "a.heic").write_bytes(HEIC)
    for byte in (0, 0x5A, 0xC3):
        fail(1, "run", "a.heic", "--method", "none", "--format", "tif", "--output", "out", cwd=tmp_path, says=["left some samples out"],
             env=environment(MALLOC_PERTURB_=byte))  # fmt: skip
    assert not (tmp_path / "out/a.tif").exists()


def test_what_is_kept_of_heic_is_no_leftover(tmp_path):
    (tmp_path / "a.heic").write_bytes(HEIC)
    outputs = []
    for byte in (0, 0x5A, 0xC3):
        result = clconv("run", "a.heic", "--method", "none", "--format", "tif", "--damaged", "keep", "--output", f"out{byte}", cwd=tmp_path,
                        env=environment(MALLOC_PERTURB_=byte))  # fmt: skip
        assert result.code == 0 and "left some samples out" in result.err, result
        outputs.append((tmp_path / f"out{byte}/a.tif").read_bytes())
    assert outputs[0] == outputs[1] == outputs[2]


def test_sound_heic_files_read_side_by_side_are_not_suspected(tmp_path):
    (tmp_path / "in").mkdir()
    for number in range(8):
        image = np.rint(255 * picture(96, 80, 3, seed=number)).astype(np.uint8)
        write_image(tmp_path / f"in/{number}.heic", image)
    paths = sorted((tmp_path / "in").iterdir())
    result = clconv("run", *paths, "--method", "none", "--format", "png", "--jobs", "8", "--output", "out", cwd=tmp_path)
    assert result.code == 0, result
    for path in paths:
        assert (read_image(tmp_path / f"out/{path.stem}.png") == read_image(path)).all()
