# SPDX-License-Identifier: Apache-2.0
"""Radiance pictures in all eight orders of pixels, and the lines of their heads. The files are made by hand."""

import numpy as np
import pytest
import tifffile
from support.files_of_parts import exr_headers
from support.tool import clconv, succeed

# Of a picture as it is displayed: how its pixels lie in the file, and Exif's number of that order.
ORDERS = {
    "-Y +X": (lambda p: p, 1),
    "-Y -X": (lambda p: p[:, ::-1], 2),
    "+Y -X": (lambda p: p[::-1, ::-1], 3),
    "+Y +X": (lambda p: p[::-1], 4),
    "+X -Y": (lambda p: p.swapaxes(0, 1), 5),
    "-X -Y": (lambda p: p.swapaxes(0, 1)[::-1], 6),
    "-X +Y": (lambda p: p.swapaxes(0, 1)[::-1, ::-1], 7),
    "+X +Y": (lambda p: p.swapaxes(0, 1)[:, ::-1], 8),
}


def picture(width=12, height=9):
    """Mantissas of at least 128 in one colour, so that there is one way to write a pixel."""
    rgbe = np.random.default_rng(0).integers(0, 256, (height, width, 4)).astype("u1")
    rgbe[..., 0] |= 128
    rgbe[..., 3] = 125 + rgbe[..., 3] % 8
    return rgbe


def write(path, shown, order="-Y +X", lines=()):
    stored = ORDERS[order][0](shown)
    first, second = order.split()
    size = f"{first} {stored.shape[0]} {second} {stored.shape[1]}\n"
    head = "#?RADIANCE\n" + "".join(line + "\n" for line in lines) + "FORMAT=32-bit_rle_rgbe\n\n" + size
    path.write_bytes(head.encode() + np.ascontiguousarray(stored).tobytes())


def unpacked(data, height, width):
    """RGBE of a raster that is packed by runs (or not, if it is narrow)."""
    rows, at = np.zeros((height, width, 4), "u1"), 0
    for y in range(height):
        if data[at : at + 2] != b"\2\2":
            rows[y] = np.frombuffer(data, "u1", 4 * width, at).reshape(width, 4)
            at += 4 * width
            continue
        at += 4
        for channel in range(4):
            x = 0
            while x < width:
                count = data[at]
                if count > 128:
                    rows[y, x : x + count - 128, channel] = data[at + 1]
                    x, at = x + count - 128, at + 2
                else:
                    rows[y, x : x + count, channel] = np.frombuffer(data, "u1", count, at + 1)
                    x, at = x + count, at + 1 + count
    return rows


def read(path):
    """Lines of the head, the order, and the picture as it is displayed."""
    head, rest = path.read_bytes().split(b"\n\n", 1)
    size, raster = rest.split(b"\n", 1)
    first, count, second, along = size.decode().split()
    stored = unpacked(raster, int(count), int(along))
    for order, (store, _) in ORDERS.items():
        if order == f"{first} {second}":
            numbers = np.arange(stored.shape[0] * stored.shape[1])
            is_sideways = first[1] == "X"
            shape = (stored.shape[1], stored.shape[0]) if is_sideways else stored.shape[:2]
            shown = np.empty((*shape, 4), "u1")
            shown.reshape(-1, 4)[store(numbers.reshape(shape)).reshape(-1)] = stored.reshape(-1, 4)
            return head.decode().split("\n"), order, shown
    raise AssertionError(size)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder of a file in each order, and runs on all of them. The PSF moves pixels one to the right and two down."""
    folder = tmp_path_factory.mktemp("orders")
    (folder / "in").mkdir()
    for order in ORDERS:
        write(folder / "in" / f"{order}.hdr", picture(), order)
    (folder / "psf.txt").write_text("0 0 0\n0 0 0\n0 0 0\n0 0 0\n0 0 1\n")
    succeed("run", "in", "--method", "none", "--output", "copied", cwd=folder)
    succeed("run", "in", "--psf", "box:1", "--output", "one", cwd=folder)
    succeed("run", "in", "--psf", "psf.txt", "--border", "wrap", "--output", "moved", cwd=folder)
    succeed("run", "in", "--method", "none", "--format", "tif", "--output", "tif", cwd=folder)
    succeed("run", "tif", "--method", "none", "--format", "hdr", "--output", "back", cwd=folder)
    return folder


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_is_shown_the_same(made, order):
    assert np.array_equal(read(made / f"in/{order}.hdr")[2], picture())
    for name in ("copied", "one"):
        _, found, shown = read(made / f"{name}/{order}.hdr")
        assert found == order
        assert np.array_equal(shown, picture()), name


@pytest.mark.parametrize("order", ORDERS)
def test_the_psf_applies_to_what_is_shown(made, order):
    shown = read(made / f"moved/{order}.hdr")[2].astype(float)
    wanted = np.roll(picture().astype(float), (2, 1), (0, 1))

    def values(rgbe):
        return rgbe[..., :3] * 2.0 ** (rgbe[..., 3:] - 136)

    assert np.abs(values(shown) - values(wanted)).max() <= values(wanted).max() / 120


@pytest.mark.parametrize("order", ORDERS)
def test_orders_travel_as_exif_and_back(made, order):
    with tifffile.TiffFile(made / f"tif/{order}.tif") as file:
        tag = file.pages[0].tags.get(274)
        assert (tag.value if tag else 1) == ORDERS[order][1]
    _, found, shown = read(made / f"back/{order}.hdr")
    assert found == order and np.array_equal(shown, picture())


LINES = ["# made by hand", "EXPOSURE=2.5", "SOFTWARE=a program 1.0", "VIEW= -vtv -vp 0 0 1", "EXPOSURE=0.5", "COLORCORR=1 0.9 1.1",
         "PRIMARIES=0.708 0.292 0.170 0.797 0.131 0.046 0.3127 0.3290", "PIXASPECT=2"]  # fmt: skip


def test_all_lines_stay(tmp_path):
    write(tmp_path / "a.hdr", picture(), "+Y +X", LINES)
    succeed("run", "a.hdr", "--psf", "box:1", "--output", "out", cwd=tmp_path)
    lines, _, shown = read(tmp_path / "out/a.hdr")
    assert lines == ["#?RADIANCE", *LINES, "FORMAT=32-bit_rle_rgbe"]
    assert np.array_equal(shown, picture())
    succeed("run", "a.hdr", "--psf", "box:1", "--metadata", "strip", "--output", "bare", cwd=tmp_path)
    lines, order, _ = read(tmp_path / "bare/a.hdr")
    assert [line.split("=")[0] for line in lines[1:-1]] == ["EXPOSURE", "EXPOSURE", "COLORCORR", "PRIMARIES", "PIXASPECT"]
    assert order == "+Y +X"


def test_other_formats_get_primaries_or_a_warning(tmp_path):
    write(tmp_path / "a.hdr", picture(), lines=LINES)
    result = succeed("run", "a.hdr", "--method", "none", "--format", "exr", "--output", "out", cwd=tmp_path)
    assert "light times 1.25" in result.err and "COLORCORR" in result.err and "PRIMARIES" not in result.err
    chromaticities = np.frombuffer(exr_headers(tmp_path / "out/a.exr")[0]["chromaticities"], "<f4")
    assert np.allclose(chromaticities, [0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290])
    result = clconv("run", "a.hdr", "--psf", "box:1", "--format", "png", "--output", "out", cwd=tmp_path)
    assert result.code == 0 and "PRIMARIES" in result.err and "light times 1.25" in result.err
    write(tmp_path / "b.hdr", picture(), lines=["COLORCORR=1 0.9 1.1"])
    assert "COLORCORR" in succeed("run", "b.hdr", "--method", "none", "--format", "exr", "--output", "out", cwd=tmp_path).err


def test_a_plain_head_stays_plain(tmp_path):
    write(tmp_path / "a.hdr", picture())
    succeed("run", "a.hdr", "--method", "none", "--output", "out", cwd=tmp_path)
    assert (tmp_path / "out/a.hdr").read_bytes().startswith(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 9 +X 12\n")
