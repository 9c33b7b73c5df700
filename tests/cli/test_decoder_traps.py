# SPDX-License-Identifier: Apache-2.0
"""Files whose numbers lead a library's reader out of its memory are refused before it decodes them."""

import struct
from itertools import product

import numpy as np
import pytest
from support.full import mostly_full
from support.images import as_integers, picture, read_image, write_image
from support.tool import clconv, environment, fail, succeed

WIDTH, HEIGHT = 37, 23


def run_lengths(row):
    """SGI's runs of a row of big-endian samples: repeated ones in pairs, others by up to 127."""
    runs, at = [], 0
    while at < len(row):
        same = at + 1 < len(row) and row[at] == row[at + 1]
        end = at + 1
        while end < len(row) and end - at < 127 and (row[end] == row[at] if same else row[end] != row[end - 1]):
            end += 1
        samples = row[at : at + 1] if same else row[at:end]
        runs.append(np.concatenate([[end - at if same else 0x80 | end - at], samples]).astype(row.dtype))
        at = end
    return np.concatenate([*runs, np.zeros(1, row.dtype)]).astype(row.dtype).tobytes()


def sgi(image, code=run_lengths):
    """An RLE file. Returns its bytes, and where each row of each channel begins."""
    height, width, channels = image.shape
    size = image.dtype.itemsize
    head = struct.pack(">hBBHHHHii", 474, 1, size, 3, width, height, channels, 0, 255)
    rows = [code(image[::-1][y, :, c].astype(f">u{size}")) for c in range(channels) for y in range(height)]
    places = np.cumsum([512 + 8 * len(rows), *map(len, rows)])[:-1]
    tables = np.concatenate([places, [len(row) for row in rows]]).astype(">u4").tobytes()
    return bytearray(head.ljust(512, b"\0") + tables + b"".join(rows)), list(places)


def steps(dtype, channels=3):
    """A picture with runs and without."""
    image = as_integers(picture(WIDTH, HEIGHT, channels), dtype)
    image[5:15] = image[5:15, 3:4]
    return image


def none(folder, name, *options, **settings):
    return clconv("run", name, "--method", "none", "--format", "tif", "--output", "out", "--overwrite", *options, cwd=folder, **settings)


@pytest.mark.parametrize(
    "dtype, channels", mostly_full(product([np.uint8, np.uint16], [1, 3, 4]), [(np.uint16, 1), (np.uint8, 3), (np.uint16, 4)])
)
def test_sound_sgi_files_of_run_lengths_are_read(tmp_path, dtype, channels):
    image = steps(dtype, channels)
    (tmp_path / "a.sgi").write_bytes(sgi(image)[0])
    assert none(tmp_path, "a.sgi").code == 0
    assert (read_image(tmp_path / "out/a.tif") == image).all()


def longer_run(data, place, size):
    data[place + size - 1] = 0x7F


def run_behind_the_row(data, place, size):
    data[place + size - 1] = 0xFF


@pytest.mark.parametrize(
    "dtype, damage",
    mostly_full(
        product([np.uint8, np.uint16], [longer_run, run_behind_the_row]), [(np.uint8, longer_run), (np.uint16, run_behind_the_row)]
    ),
)
def test_a_run_that_is_longer_than_its_row_of_an_sgi_file_is_refused(tmp_path, dtype, damage):
    data, places = sgi(steps(dtype))
    damage(data, places[30], np.dtype(dtype).itemsize)
    (tmp_path / "a.sgi").write_bytes(data)
    for options in [(), ("--damaged", "keep")]:
        result = none(tmp_path, "a.sgi", *options)
        assert result.code == 1 and "a.sgi: is damaged" in result.err and "row 30" in result.err, result
    assert not (tmp_path / "out/a.tif").exists()


@pytest.mark.parametrize("place, value, says", [(3, 4, "4 bytes"), (3, 0, "0 bytes"), (11, 0, "rows"), (8, 255, "needs at least")])
def test_an_sgi_head_that_cannot_be_true_is_refused(tmp_path, place, value, says):
    data = sgi(steps(np.uint8, 1))[0]
    data[5] = 2 if place == 11 else 3  # with two dimensions the number of channels does not count
    data[place] = value
    (tmp_path / "a.sgi").write_bytes(data)
    result = none(tmp_path, "a.sgi")
    assert result.code == 1 and "a.sgi: " in result.err and says in result.err, result


def test_a_row_of_an_sgi_file_that_is_too_short_is_damage_and_can_be_kept(tmp_path):
    image = steps(np.uint8)
    data, places = sgi(image)
    data[places[0]] = 0
    (tmp_path / "a.sgi").write_bytes(data)
    assert none(tmp_path, "a.sgi").code == 1
    assert none(tmp_path, "a.sgi", "--damaged", "keep").code == 0
    image[-1, :, 0] = 0
    assert (read_image(tmp_path / "out/a.tif") == image).all()


def iff(path, compression, dtype=np.uint8):
    """A file of four tiles. Returns its bytes, and where each tile's name stands."""
    image = as_integers(picture(100, 90, 3), dtype)
    image[40:] = image[40:, 3:4]
    data = bytearray(write_image(path, image, {"compression": compression}, tiles=(64, 64)).read_bytes())
    at, places = data.index(b"TBMP") + 4, []
    while data[at : at + 4] == b"RGBA":
        places.append(at)
        at += 8 + -(-struct.unpack_from(">I", data, at + 4)[0] // 4) * 4
    return image, data, places


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("compression", ["none", "rle"])
def test_sound_iff_files_are_read(tmp_path, compression, dtype):
    image = iff(tmp_path / "a.iff", compression, dtype)[0]
    assert none(tmp_path, "a.iff").code == 0
    assert (read_image(tmp_path / "out/a.tif") == image).all()


def iff_longer_run(data, places):
    data[places[1] + 16] = 0x7F


def iff_shorter_tile(data, places):
    struct.pack_into(">I", data, places[1] + 4, 4)


def iff_other_chunk(data, places):
    data[places[1] : places[1] + 4] = b"ZBUF"


def iff_no_colours(data, _):
    struct.pack_into(">I", data, data.index(b"TBHD") + 20, 2)


def iff_elsewhere(data, _):
    struct.pack_into(">I", data, data.index(b"TBHD") + 32, 16)


def iff_long_text(data, _):
    """For which the library would take three GiB before it reads it."""
    data[data.index(b"FOR4", 4) :] = b"AUTH" + struct.pack(">I", 3 << 30) + bytes(100)


FAULTS = [
    (iff_long_text, "no tiles"),
    (iff_longer_run, "tile 1 is coded"),
    (iff_shorter_tile, "tile 1 has no place"),
    (iff_other_chunk, "before its tile 1"),
    (iff_no_colours, "no colours"),
    (iff_elsewhere, "another place"),
]


@pytest.mark.parametrize("damage, says", FAULTS)
def test_an_iff_file_that_leads_its_reader_astray_is_refused(tmp_path, damage, says):
    _, data, places = iff(tmp_path / "a.iff", "rle")
    assert len(places) == 4
    damage(data, places)
    (tmp_path / "a.iff").write_bytes(data)
    for options in [(), ("--damaged", "keep")]:
        result = none(tmp_path, "a.iff", *options)
        assert result.code == 1 and "a.iff: is damaged" in result.err and says in result.err, result
    assert not (tmp_path / "out/a.tif").exists()


@pytest.mark.parametrize("width, height", [(1, 1), (37, 23), (65, 3)])
def test_iff_files_of_any_size_can_be_read_again(tmp_path, width, height):
    """Tiles are multiples of four bytes, the last one too."""
    image = as_integers(picture(width, height, 3), np.uint8)
    write_image(tmp_path / "a.png", image)
    succeed("run", "a.png", "--method", "none", "--format", "iff", "--output", "out", cwd=tmp_path)
    assert (tmp_path / "out/a.iff").stat().st_size % 4 == 0
    assert (read_image(tmp_path / "out/a.iff") == image).all()


def test_alpha_of_iff_files_of_16_bits_stays(tmp_path):
    """The library's writer exchanges its bytes where it codes runs."""
    image = np.zeros((40, 50, 4), np.uint16)
    image[..., 0] = 1000
    image[..., 3] = 0x1234 + 0x100 * (np.arange(50) // 10)
    write_image(tmp_path / "a.tif", image)
    succeed("run", "a.tif", "--method", "none", "--format", "iff", "--output", "out", cwd=tmp_path)
    assert (read_image(tmp_path / "out/a.iff") == image).all()


def test_missing_tiles_of_an_iff_file_are_damage_and_can_be_kept(tmp_path):
    image, data, _ = iff(tmp_path / "a.iff", "none")
    struct.pack_into(">H", data, data.index(b"TBHD") + 26, 3)
    (tmp_path / "a.iff").write_bytes(data)
    result = none(tmp_path, "a.iff")
    assert result.code == 1 and "a.iff: cannot be decoded: its tiles do not cover it" in result.err, result
    result = none(tmp_path, "a.iff", "--damaged", "keep")
    assert result.code == 0 and "its tiles do not cover it" in result.err, result
    kept = read_image(tmp_path / "out/a.tif")
    assert (kept[:26] == image[:26]).all() or (kept[26:] == image[26:]).all()


@pytest.mark.parametrize(
    "width, height", mostly_full([(1, 1), (15, 15), (254, 1), (127, 2), (15, 17), (16, 16)], [(1, 1), (254, 1), (15, 17)])
)
def test_small_gifs_hold_nothing_from_memory(tmp_path, width, height):
    """The library's palette is on its stack, which differs from run to run."""
    image = as_integers(picture(width, height, 3), np.uint8)
    image[::3] = image[:1, :1]
    write_image(tmp_path / "a.png", image)
    outputs = set()
    for byte in (0, 0x5A, 0xC3):
        succeed("run", "a.png", "--method", "none", "--format", "gif", "--output", f"out{byte}", cwd=tmp_path,
                env=environment(MALLOC_PERTURB_=byte))  # fmt: skip
        outputs.add((tmp_path / f"out{byte}/a.gif").read_bytes())
    assert len(outputs) == 1
    data = outputs.pop()
    if width * height >= 255:
        return
    found = read_image(tmp_path / "out0/a.gif")[..., :3]
    assert (found == image).all()
    colours = len(np.unique(image.reshape(-1, 3), axis=0))
    palette = data[data.index(b"\x2c", 19) + 10 :][:768]
    assert palette[:3] == bytes(3) and not any(palette[3 + 3 * colours :])
    assert len({palette[i : i + 3] for i in range(3, 3 + 3 * colours, 3)}) == colours


def test_small_animations_keep_their_frames(tmp_path):
    frames = [as_integers(picture(9, 7, 3, seed=k), np.uint8) for k in range(4)]
    frames[2][2:5] = frames[1][2:5]
    from PIL import Image, ImageSequence

    pictures = [Image.fromarray(frame) for frame in frames]
    pictures[0].save(tmp_path / "a.gif", save_all=True, append_images=pictures[1:], duration=[70, 90, 110, 130], loop=0)
    outputs = set()
    for number in range(3):
        succeed("run", "a.gif", "--method", "none", "--output", f"out{number}", cwd=tmp_path)
        outputs.add((tmp_path / f"out{number}/a.gif").read_bytes())
    assert len(outputs) == 1
    with Image.open(tmp_path / "out0/a.gif") as animation:
        found = [(np.asarray(frame.convert("RGB")), frame.info["duration"]) for frame in ImageSequence.Iterator(animation)]
    assert [duration for _, duration in found] == [70, 90, 110, 130]
    assert all((one == frame).all() for (one, _), frame in zip(found, frames))


def psd(resource=b"", layer=None, bottom=HEIGHT, version=1):
    """A PSD of RGB, of rows as they are. `layer`: bytes of each of its channels, behind their compression."""
    image = steps(np.uint8)
    long = ">Q" if version == 2 else ">I"
    layers = b""
    if layer is not None:
        sections = [struct.pack(">H", 0) + layer for _ in range(4)]
        ids = b"".join(struct.pack(">h", c) + struct.pack(long, len(s)) for c, s in zip([0, 1, 2, -2], sections))
        mask = struct.pack(">IiiiiBBH", 20, 0, 0, 2, 2, 0, 0, 0)
        extra = mask + struct.pack(">I", 0) + b"\0\0\0\0"  # no ranges, no name
        record = struct.pack(">4iH", 0, 0, bottom, WIDTH, 4) + ids + b"8BIMnorm\xff\0\0\0" + struct.pack(">I", len(extra)) + extra
        info = struct.pack(">h", 1) + record + b"".join(sections)
        info += bytes(len(info) % 2)
        layers = struct.pack(long, len(info)) + info + struct.pack(">I", 0)
    head = struct.pack(">4sH6xHIIHHI", b"8BPS", version, 3, HEIGHT, WIDTH, 8, 3, 0) + struct.pack(">I", len(resource)) + resource
    return head + struct.pack(long, len(layers)) + layers + struct.pack(">H", 0) + image.transpose(2, 0, 1).tobytes()


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("layer", [None, bytes(WIDTH * HEIGHT)], ids=["no layer", "a layer"])
def test_sound_psd_files_are_read(tmp_path, version, layer):
    resource = b"8BIM" + struct.pack(">H2xI", 1005, 16) + struct.pack(">IHHIHH", 72 << 16, 1, 1, 72 << 16, 1, 1)
    (tmp_path / "a.psd").write_bytes(psd(resource, layer, version=version))
    assert none(tmp_path, "a.psd").code == 0
    assert (read_image(tmp_path / "out/a.tif") == steps(np.uint8)).all()


def test_a_psd_whose_layer_claims_billions_of_rows_is_refused_before_there_is_room_for_them(tmp_path):
    (tmp_path / "a.psd").write_bytes(psd(layer=bytes(WIDTH * HEIGHT), bottom=2**31 - 1))
    result = none(tmp_path, "a.psd", "--memory-limit", "1G")
    assert result.code == 1 and "a.psd: claims" in result.err and "a PSD takes" in result.err, result
    (tmp_path / "a.psd").write_bytes(psd(layer=bytes(WIDTH * HEIGHT), bottom=100 * HEIGHT))
    for options in [(), ("--damaged", "keep")]:
        result = none(tmp_path, "a.psd", *options)
        assert result.code == 1 and "a layer of 37x2300 has 853 bytes" in result.err, result


@pytest.mark.parametrize("number", [1036, 1060])
def test_a_psd_whose_resource_claims_four_gigabytes_is_refused_before_there_is_room_for_them(tmp_path, number):
    (tmp_path / "a.psd").write_bytes(psd(b"8BIM" + struct.pack(">H2xI", number, 2**32 - 16) + bytes(200)))
    result = none(tmp_path, "a.psd", "--memory-limit", "1G")
    assert result.code == 1 and f"resource {number} has 4294967280 bytes, and the file ends before" in result.err, result
