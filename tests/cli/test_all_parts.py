# SPDX-License-Identifier: Apache-2.0
"""Files of several images come out whole: --parts all, the default, and {part} in --name. tifffile, Pillow and a reader
of OpenEXR's headers judge."""

import json
import struct

import numpy as np
import pytest
import tifffile
from PIL import Image
from support.files_of_parts import (
    exr_headers,
    frames_of,
    pages_of,
    read_part,
    write_exr_parts,
    write_frames,
    write_pages,
)
from support.icc import gamma_curve, profile
from support.images import as_integers, as_values, picture, random_psf, write_psf
from support.matrix import exr_files
from support.matrix.tiff import tool
from support.reference import assert_same, assert_same_floats, convolve
from support.tool import fail, files_below, peak_bytes, succeed

PSF = random_psf(5, 3)
COPY = ("run", "in", "--output", "out", "--overwrite", "--method", "none")  # no device: nothing is to be compiled
RUN = ("run", "in", "--output", "out", "--overwrite", "--psf", "psf.txt", "--no-verify")
STACK = np.stack([as_integers(picture(23, 17, seed=page)[..., 0], np.uint16) for page in range(7)])


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    write_psf(tmp_path / "psf.txt", PSF)
    return tmp_path


def report_items(folder):
    return json.loads((folder / "report.json").read_text())["items"]


def convolved(page, **settings):
    return convolve(as_values(page[..., None] if page.ndim == 2 else page), PSF / PSF.sum(), **settings)


def test_all_pages_of_stacks_are_convolved_and_counts_stay_true(folder):
    axes = {"axes": "TYX"}
    tifffile.imwrite(folder / "in/a.tif", STACK, imagej=True, metadata={**axes, "finterval": 2.5})
    tifffile.imwrite(folder / "in/b.ome.tif", STACK, metadata=axes, compression="zlib")
    tifffile.imwrite(folder / "in/c.tif", STACK, photometric="minisblack", tile=(16, 16))
    succeed(*RUN, "--report", "report.json", "--events", "events.ndjson", cwd=folder)
    expected = [convolved(page) for page in STACK]
    for item in report_items(folder):
        assert item["parts"] == 7 and item["part"] is None and item["warnings"] == []
        with tifffile.TiffFile(folder / item["output"]) as file:
            assert len(file.pages) == 7 and len(file.series) == 1 and file.series[0].shape == STACK.shape
            assert file.is_imagej == ("a.tif" in item["input"]) and file.is_ome == ("ome" in item["input"])
            assert not file.is_imagej or file.imagej_metadata["frames"] == 7
            for page, wanted in zip(file.asarray(), expected):
                assert_same(page[..., None], wanted, item["input"])
    ends = [json.loads(line) for line in (folder / "events.ndjson").read_text().splitlines()]
    assert [end["parts"] for end in ends if end.get("parts")] == [7, 7, 7]


def test_descriptions_follow_sizes_types_and_the_choice_of_pages(folder):
    tifffile.imwrite(folder / "in/a.tif", STACK, imagej=True, metadata={"axes": "ZYX", "unit": "um"})
    tifffile.imwrite(folder / "in/b.ome.tif", STACK, metadata={"axes": "ZYX"})
    tifffile.imwrite(folder / "in/c.tif", STACK, photometric="minisblack")
    succeed(*RUN, "--mode", "valid", "--depth", "float", cwd=folder)
    for name in ["a.tif", "b.ome.tif", "c.tif"]:
        with tifffile.TiffFile(folder / "out" / name) as file:
            assert file.series[0].shape == (7, 15, 19) and file.series[0].dtype == np.float32
            assert_same_floats(file.asarray()[6][..., None], convolved(STACK[6], mode="valid"), name)
    succeed(*COPY, "--parts", "5,0,2,2", "--report", "report.json", cwd=folder)
    for item in report_items(folder):
        with tifffile.TiffFile(folder / item["output"]) as file:
            assert np.array_equal(file.asarray(), STACK[[0, 2, 5]]), "in the file's order, each once"
            assert not file.is_imagej or file.imagej_metadata["images"] == 3
        # Which planes are left cannot be said in OME's words.
        assert [("description" in warning) for warning in item["warnings"]] == ([True] if "ome" in item["input"] else [])


def test_pages_keep_their_own_size_type_and_texts(folder):
    pages = [picture(23, 17)[..., 0], as_integers(picture(8, 9, 3), np.uint8), STACK[0]]
    with tifffile.TiffWriter(folder / "in/a.tif") as file:
        for number, page in enumerate(pages):
            kind = "rgb" if page.ndim == 3 else "minisblack"
            file.write(page, photometric=kind, description=f"page {number}", resolution=(number + 1, 1), metadata=None)
    write_pages(folder / "in/b.tif", pages, bigtiff=True)
    succeed(*COPY, cwd=folder)
    for name in ["a.tif", "b.tif"]:
        with tifffile.TiffFile(folder / "out" / name) as file:
            for page, found in zip(pages, file.pages, strict=True):
                assert found.dtype == page.dtype and np.array_equal(found.asarray(), page)
    with tifffile.TiffFile(folder / "out/a.tif") as file:
        assert [page.description for page in file.pages] == ["page 0", "page 1", "page 2"]
        assert [page.tags["XResolution"].value[0] for page in file.pages] == [1, 2, 3]


def test_smaller_copies_of_pages_are_no_parts(folder):
    small = STACK[:, ::2, ::2]
    with tifffile.TiffWriter(folder / "in/a.tif") as file:
        file.write(small[0], subfiletype=1, photometric="minisblack")
        for page in range(2):
            file.write(STACK[page], photometric="minisblack")
            file.write(small[page], subfiletype=1, photometric="minisblack")
    with tifffile.TiffWriter(folder / "in/b.tif") as file:
        file.write(STACK[0], subifds=1, photometric="minisblack")
        file.write(small[0], subfiletype=1, photometric="minisblack")
    succeed(*COPY, "--report", "report.json", cwd=folder)
    assert np.array_equal(pages_of(folder / "out/a.tif"), STACK[:2])
    assert np.array_equal(pages_of(folder / "out/b.tif"), STACK[:1])
    items = report_items(folder)
    assert [item["parts"] for item in items] == [2, 1]
    for item in items:
        assert len(item["warnings"]) == 1 and "smaller copies" in item["warnings"][0]
    succeed(*COPY, "--parts", "first", cwd=folder)
    assert np.array_equal(pages_of(folder / "out/a.tif"), STACK[:1])


def test_images_without_directories_are_a_warning(folder):
    tifffile.imwrite(folder / "in/a.tif", STACK, imagej=True, truncate=True)
    assert len(pages_of(folder / "in/a.tif")) == 1, "the others lie behind its samples"
    succeed(*COPY, "--report", "report.json", cwd=folder)
    (item,) = report_items(folder)
    assert len(item["warnings"]) == 1 and "counts 7 images" in item["warnings"][0]
    assert tifffile.imread(folder / "out/a.tif").shape == STACK[0].shape


def test_a_chain_of_pages_that_breaks_off_is_a_warning(folder):
    write_pages(folder / "in/a.tif", STACK[:2])
    with tifffile.TiffFile(folder / "in/a.tif") as file:
        second = file.pages[1].offset
    data = bytearray((folder / "in/a.tif").read_bytes())
    data[second : second + 2] = b"\0\0"
    (folder / "in/a.tif").write_bytes(data)
    result = succeed(*COPY, "--report", "report.json", cwd=folder)
    (item,) = report_items(folder)
    assert item["parts"] == 1 and "page 1 is damaged" in item["warnings"][0] and item["warnings"][0] in result.err
    # A chain that leads back to its beginning.
    write_pages(folder / "in/a.tif", STACK[:2])
    with tifffile.TiffFile(folder / "in/a.tif") as file:
        first, second = file.pages[0].offset, file.pages[1].offset
        place = second + 2 + 12 * len(file.pages[1].tags)
    data = bytearray((folder / "in/a.tif").read_bytes())
    data[place : place + 4] = struct.pack("<I", first)
    (folder / "in/a.tif").write_bytes(data)
    succeed(*COPY, cwd=folder)
    assert np.array_equal(pages_of(folder / "out/a.tif"), STACK[:2])


@pytest.mark.parametrize("tile, compression", [(None, "zip"), (16, "piz")])
def test_parts_of_openexr_keep_names_windows_and_types(folder, tile, compression):
    parts = {
        "left": (picture(23, 17, 3), (3, 5)),
        "right": (picture(31, 9, 4).astype(np.float16), (0, 0)),
        "depth": (picture(7, 20, 1), (-2, 1)),
    }
    write_exr_parts(folder / "in/a.exr", parts, (40, 30), tile, compression=compression)
    before = exr_headers(folder / "in/a.exr")
    for options in [(), ("--metadata", "strip")]:
        succeed(*COPY, *options, cwd=folder)
        after = exr_headers(folder / "out/a.exr")
        assert [header["name"] for header in after] == list(parts)
        for old, new in zip(before, after, strict=True):
            kept = ["channels", "compression", "dataWindow", "displayWindow", *([] if options else ["type"])]
            for name in kept:
                assert new[name] == old[name], name
        for number, (samples, _) in enumerate(parts.values()):
            assert np.array_equal(read_part(folder / "out/a.exr", number), samples)
    succeed(*COPY, "--parts", "0,2", cwd=folder)
    assert [header["name"] for header in exr_headers(folder / "out/a.exr")] == ["left", "depth"]


def test_changes_of_later_parts_are_reported_once(tmp_path):
    half, mixed = ({name: np.ones((20, 36), kind) for name, kind in zip("RGB", kinds)} for kinds in (["f2"] * 3, ["f2", "f4", "f2"]))
    names = [f"{number}.exr" for number in range(4)]
    for name, channels in zip(names, (half, mixed, half, mixed)):
        exr_files.write(tmp_path / name, channels)
    tool("exrmultipart", "-combine", "-i", *(f"{tmp_path / name}:0::{name[0]}" for name in names), "-o", tmp_path / "a.exr")
    for options, names_of_parts in (([], ["part 1"]), (["--memory-limit", "1M"], ["part 1"]), (["--parts", "0,3"], ["part 3"]), (["--parts", "0,2"], [])):
        succeed("run", "a.exr", "--psf", "box:3", "--output", "out", "--overwrite", "--report", "r.json", *options, cwd=tmp_path)
        (item,) = json.loads((tmp_path / "r.json").read_text())["items"]
        assert [(detail["kind"], detail["message"].split("(")[1].split(")")[0]) for detail in item["warning_details"]] == [
            ("type", name) for name in names_of_parts]  # fmt: skip


def test_patterns_of_channels_match_in_some_part_and_the_others_are_copied(folder):
    colours = np.stack([picture(23, 17, seed=c)[..., 0] for c in range(3)], axis=2).astype(np.float32)
    depth = (picture(23, 17, seed=9)[..., :1] * 1000).astype(np.float32)
    depth[3, 4] = np.inf
    write_exr_parts(folder / "in/a.exr", {"beauty": (colours, (0, 0)), "z": (depth, (0, 0))}, (23, 17))
    succeed(*RUN, "--channels", "R,G,B", "--report", "report.json", cwd=folder)
    assert np.array_equal(read_part(folder / "out/a.exr", 1), depth)
    assert_same_floats(read_part(folder / "out/a.exr", 0), convolved(colours))
    (item,) = report_items(folder)
    assert item["copied_channels"] == ["Y"] and item["parts"] == 2
    fail(1, *RUN, "--channels", "R,velocity", cwd=folder, says=["velocity", "it has R, G, B, Y"])


def test_parts_of_openexr_are_convolved_in_their_windows(folder):
    parts = {"a": (picture(23, 17, 3), (3, 5)), "b": (picture(9, 31, 3), (0, -1))}
    write_exr_parts(folder / "in/a.exr", parts, (40, 30))
    succeed(*RUN, "--mode", "full", cwd=folder)
    headers = exr_headers(folder / "out/a.exr")
    for number, (samples, (x, y)) in enumerate(parts.values()):
        found = read_part(folder / "out/a.exr", number)
        assert_same_floats(found, convolved(samples, mode="full"), f"part {number}")
        height, width = samples.shape[:2]
        assert headers[number]["dataWindow"] == (x - 2, y - 1, x + width + 1, y + height)
        assert headers[number]["displayWindow"] == (0, 0, 39, 29)


@pytest.mark.parametrize("delays, loop", [([40, 0, 120, 70], 3), ([0, 50, 50, 10], 0), ([30, 30, 30, 30], None)])
def test_animations_keep_durations_and_repetitions(folder, delays, loop):
    colours = np.random.default_rng(1).integers(0, 256, (4, 11, 1, 3)).astype(np.uint8)
    frames = list(np.broadcast_to(colours, (4, 11, 9, 3)))
    write_frames(folder / "in/a.gif", frames, duration=delays, **({} if loop is None else {"loop": loop}))
    succeed(*COPY, "--report", "report.json", cwd=folder)
    found, found_delays, found_loop = frames_of(folder / "out/a.gif")
    assert np.array_equal(found, frames) and found_delays == delays and found_loop == loop
    assert report_items(folder)[0]["parts"] == 4
    succeed(*COPY, "--parts", "2,3", cwd=folder)
    found, found_delays, _ = frames_of(folder / "out/a.gif")
    assert np.array_equal(found, frames[2:]) and found_delays == delays[2:]


def test_part_in_a_name_gives_a_file_each(folder):
    write_pages(folder / "in/a.tif", STACK[:3])
    write_frames(folder / "in/b.gif", [np.full((5, 4, 3), value, np.uint8) for value in (10, 200)], duration=50)
    Image.fromarray(STACK[0]).save(folder / "in/c.png")
    name = ("--name", "{stem}_{part}{ext}")
    succeed(*RUN, *name, "--format", "png", "--report", "report.json", cwd=folder)
    assert files_below(folder / "out") == ["a_0.png", "a_1.png", "a_2.png", "b_0.png", "b_1.png", "c_0.png"]
    items = report_items(folder)
    assert [item["part"] for item in items] == [0, 1, 2, 0, 1, 0] and {item["parts"] for item in items} == {1}
    for number in range(3):
        found = np.asarray(Image.open(folder / f"out/a_{number}.png")).astype(np.uint16)
        assert_same(found[..., None], convolved(STACK[number]), f"page {number}")
    listed = succeed(*COPY, *name, "--parts", "1", "--dry-run", cwd=folder).out.splitlines()
    assert listed[0] == "in/a.tif part 1 -> out/a_1.tif", listed
    fail(1, *COPY, *name, "--parts", "0,2", says=["in/b.gif", "parts 0 to 1"], cwd=folder)
    with tifffile.TiffFile(folder / "out/a_2.tif") as file:
        assert len(file.pages) == 1 and np.array_equal(file.asarray(), STACK[2])


def test_a_file_that_cannot_hold_them_is_an_error_that_names_both(folder):
    write_pages(folder / "in/a.tif", STACK[:3])
    Image.new("RGBA", (32, 32), "red").save(folder / "in/b.ico", sizes=[(32, 32), (16, 16)])
    says = ["in/a.tif", "3 parts", "out/a.png", "{part}", "--parts first", "in/b.ico", "2 parts", "out/b.png"]
    fail(1, *COPY, "--format", "png", says=says, cwd=folder)
    fail(1, *COPY, says=["in/b.ico", "out/b.ico", "{part}"], cwd=folder)
    assert files_below(folder / "out") == ["a.tif"]
    succeed(*COPY, "--format", "png", "--parts", "first", cwd=folder)
    fail(2, *COPY, "--parts", "0,x", says=["--parts 0,x", "all, first"], cwd=folder)


def test_a_part_that_fails_fails_its_file_and_nothing_is_left(folder):
    pages = [page.astype(np.float32) for page in STACK]
    pages[4][2, 3] = np.nan
    write_pages(folder / "in/a.tif", pages)
    fail(1, *RUN, says=["in/a.tif: part 4", "not finite", "x 3, y 2"], cwd=folder)
    write_pages(folder / "in/a.tif", STACK, compression="zlib")
    with tifffile.TiffFile(folder / "in/a.tif") as file:
        (offset,), (size,) = file.pages[5].dataoffsets, file.pages[5].databytecounts
    data = bytearray((folder / "in/a.tif").read_bytes())
    data[offset : offset + size] = bytes(size)
    (folder / "in/a.tif").write_bytes(data)
    fail(1, *COPY, says=["in/a.tif: part 5", "cannot be decoded"], cwd=folder)
    assert files_below(folder) == ["in/a.tif", "psf.txt"]


def test_parts_that_are_too_large_to_be_held_go_by_bands(folder):
    pages = [as_integers(picture(1024, 1024, 3, seed=page), np.uint8) for page in range(2)]
    pages.insert(1, as_integers(picture(31, 17, 3), np.uint8))
    write_pages(folder / "in/a.tif", pages, rowsperstrip=64, compression="zlib")
    run = ["run", "in", "--psf", "gaussian:0.05", "--output", "out", "--no-verify", "--report", "report.json"]
    succeed(*run, "--memory-limit", "16M", cwd=folder)
    (item,) = report_items(folder)
    assert "pieces" in item["plan"], f"the test must read it by rows: {item['plan']}"
    with tifffile.TiffFile(folder / "out/a.tif") as file:
        for page, found in zip(pages, file.pages, strict=True):
            assert np.abs(found.asarray().astype(int) - page).max() <= 1, "a PSF of nearly one pixel changes nothing"


def test_a_long_stack_is_never_held_whole(folder):
    pages = np.broadcast_to(STACK[0], (400, 17, 23))
    tifffile.imwrite(folder / "in/a.tif", np.tile(pages, (1, 12, 20)), photometric="minisblack")
    stack_bytes = (folder / "in/a.tif").stat().st_size
    small = peak_bytes(*COPY, "--parts", "first", "--quiet", cwd=folder)
    assert peak_bytes(*COPY, "--quiet", cwd=folder) < small + stack_bytes / 2
    assert len(pages_of(folder / "out/a.tif")) == 400


def test_going_on_takes_the_choice_of_parts_into_account(folder):
    write_pages(folder / "in/a.tif", STACK)
    run = ("run", "in", "--method", "none", "--resume", "--output")
    for options, pages in [((), 7), (("--parts", "1,2"), 2), (("--parts", "1,2"), 2), ((), 7)]:
        succeed(*run, "out", *options, cwd=folder)
        assert len(pages_of(folder / "out/a.tif")) == pages
    for status in ["done", "skipped"]:
        succeed(*run, "parts", "--name", "{part}{ext}", "--report", "report.json", cwd=folder)
        assert {item["status"] for item in report_items(folder)} == {status}


def animation(path, frames, **options):
    images = [Image.fromarray(frame) for frame in frames]
    images[0].save(path, save_all=True, append_images=images[1:], lossless=True, **options)


def rgba_frames_of(path):
    with Image.open(path) as opened:
        frames = []
        for number in range(opened.n_frames):
            opened.seek(number)
            frames.append(np.asarray(opened.convert("RGBA")))
        return frames


def test_animations_of_webp_keep_durations_repetitions_and_metadata(folder):
    frames = [np.repeat(as_integers(picture(24, 20, 1, seed=n), np.uint8), 3, axis=2) for n in range(4)]  # no chroma to lose
    exif = Image.Exif()
    exif[0x10F] = "Acme"
    curve = profile([gamma_curve(2.2)] * 3)
    animation(folder / "in/a.webp", frames, duration=[100, 250, 40, 1000], loop=3, exif=exif, icc_profile=curve)
    run = ("run", "in", "--psf", "psf.txt", "--no-verify", "--overwrite", "--report", "report.json", "--output", "out")
    for options, chosen, mode in [((), [0, 1, 2, 3], "same"), (("--parts", "1,3"), [1, 3], "same"), (("--mode", "full"), [0, 1, 2, 3], "full")]:
        succeed(*run, *options, cwd=folder)
        found, delays, loop = frames_of(folder / "out/a.webp")
        assert (delays, loop) == ([[100, 250, 40, 1000][n] for n in chosen], 3)
        (item,) = report_items(folder)
        assert item["parts"] == len(chosen) and item["warnings"] == []
        for number, codes in zip(chosen, found, strict=True):  # the encoder rounds to YCbCr and back
            wanted = 255 * convolved(frames[number], mode=mode)
            assert codes.shape == wanted.shape and abs(codes - wanted).mean() < 1.5, number
        with Image.open(folder / "out/a.webp") as opened:
            assert opened.info["icc_profile"] == curve and opened.getexif()[0x10F] == "Acme"
    # An animation of clconv's can be read again, and the frames are those that it would write alone.
    succeed(*COPY, "--name", "{stem}{part}{ext}", cwd=folder)
    succeed(*COPY, cwd=folder)
    for number, frame in enumerate(rgba_frames_of(folder / "out/a.webp")):
        assert np.array_equal(frame, rgba_frames_of(folder / f"out/a{number}.webp")[0])


def test_animations_of_webp_have_the_frames_that_viewers_show(folder):
    """Frames that are transparent, smaller than the picture, or taken away: OpenImageIO draws them over each other."""
    clear = np.zeros((3, 20, 24, 4), np.uint8)
    for number in range(3):
        clear[number, 4:10, 4 + 2 * number : 10 + 2 * number] = (200, 50 * number, 30, 255)
    animation(folder / "in/small.webp", clear, duration=50)
    through = np.random.default_rng(1).integers(0, 256, (3, 20, 24, 4)).astype(np.uint8)
    animation(folder / "in/through.webp", through, duration=50, exact=True)
    solid = np.concatenate([clear[..., :3], np.full((3, 20, 24, 1), 255, np.uint8)], axis=3)
    animation(folder / "in/solid.webp", solid, duration=50, minimize_size=True)
    succeed(*COPY, cwd=folder)
    for name in ("small", "through", "solid"):
        wanted = rgba_frames_of(folder / f"in/{name}.webp")
        for found, frame in zip(rgba_frames_of(folder / f"out/{name}.webp"), wanted, strict=True):
            assert np.array_equal(found, frame), name
    succeed(*COPY, "--parts", "2", "--overwrite", "--format", "png", cwd=folder)
    assert np.array_equal(np.asarray(Image.open(folder / "out/through.png")), rgba_frames_of(folder / "in/through.webp")[2])


def test_a_gif_of_one_picture_is_not_an_animation(folder):
    frames = [np.full((5, 4, 3), value, np.uint8) for value in (10, 200)]
    Image.fromarray(frames[0]).save(folder / "in/a.gif")
    Image.fromarray(frames[1]).save(folder / "in/b.png")
    write_frames(folder / "in/c.gif", frames, duration=50, loop=0)
    succeed(*COPY, "--format", "gif", "--parts", "first", cwd=folder)
    for name, frame in (("a", frames[0]), ("b", frames[1]), ("c", frames[0])):
        found, delays, loop = frames_of(folder / f"out/{name}.gif")
        assert np.array_equal(found, [frame]) and (delays, loop) == ([0], None), name


def test_the_shape_of_planes_and_of_single_pages_is_that_of_the_result(folder):
    planes = np.stack([as_integers(picture(23, 17, 3, seed=page), np.uint8).transpose(2, 0, 1) for page in range(2)])
    kind = {"photometric": "rgb", "planarconfig": "separate"}
    tifffile.imwrite(folder / "in/a.tif", planes, metadata={"of": "mine"}, **kind)
    tifffile.imwrite(folder / "in/b.tif", planes[0], **kind)
    tifffile.imwrite(folder / "in/c.tif", STACK[0])
    tifffile.imwrite(folder / "in/d.ome.tif", STACK[0], metadata={"axes": "YX"})
    succeed(*RUN, "--mode", "valid", cwd=folder)
    expected = [convolved(plane.transpose(1, 2, 0), mode="valid").transpose(2, 0, 1) for plane in planes]
    shapes = {"a.tif": (2, 3, 15, 19), "b.tif": (3, 15, 19), "c.tif": (15, 19), "d.ome.tif": (15, 19)}
    for name, shape in shapes.items():
        with tifffile.TiffFile(folder / "out" / name) as file:
            assert file.series[0].shape == shape, name
            assert file.is_ome == ("ome" in name) and (file.is_ome or file.shaped_metadata[0]["shape"] == list(shape)), name
            assert name != "a.tif" or file.shaped_metadata[0]["of"] == "mine"
    for found, wanted in zip(tifffile.imread(folder / "out/a.tif"), expected, strict=True):
        assert_same(found, wanted)
