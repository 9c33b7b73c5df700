# SPDX-License-Identifier: Apache-2.0
"""Which inputs are found, in what order, and what their outputs are called."""

import json
from pathlib import Path

import pytest
from PIL import Image
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import fail, files_below, succeed
import numpy as np

SMALL = as_integers(picture(8, 8), np.uint8)
COPY = ("--method", "none")  # which inputs there are does not depend on what is made of them, and a device takes longer to open


@pytest.fixture()
def folder(tmp_path):
    for name in ["in/b.png", "in/a.png", "in/c.tif", "in/deep/d.png", "in/deep/er/e.png", "other/f.png"]:
        write_image(tmp_path / name, SMALL)
    (tmp_path / "in/notes.md").write_text("no image\n")
    (tmp_path / "in/deep/list.unknown").write_text("no image\n")
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    write_psf(tmp_path / "wide.txt", random_psf(5, 3))
    write_psf(tmp_path / "one.txt", [[1.0]])
    return tmp_path


def outputs(folder, *arguments, psfs=("psf.txt",), **settings):
    """What a run leaves below out/."""
    words = [word for psf in psfs for word in ("--psf", psf)]
    result = succeed("run", *arguments, *words, "--output", "out", *COPY, cwd=folder, **settings)
    return files_below(folder / "out"), result


def test_a_folder_means_the_images_directly_inside(folder):
    names, result = outputs(folder, "in")
    assert names == ["a.png", "b.png", "c.tif"]
    assert "notes.md" not in result.err, "what is no image is ignored, and only debug says so"


def test_recursive_keeps_the_folders_structure(folder):
    assert outputs(folder, "in", "--recursive")[0] == ["a.png", "b.png", "c.tif", "deep/d.png", "deep/er/e.png"]


def test_a_files_output_lies_directly_in_the_output_folder(folder):
    assert outputs(folder, "in/deep/d.png", "other")[0] == ["d.png", "f.png"]


def test_globs_are_expanded_by_the_tool(folder):
    assert outputs(folder, "in/*.png", "other/?.png")[0] == ["a.png", "b.png", "f.png"]


def test_a_glob_over_folders_keeps_them_so_that_equal_names_do_not_meet(folder):
    write_image(folder / "other/a.png", SMALL)
    assert outputs(folder, "*/[af].png")[0] == ["in/a.png", "other/a.png", "other/f.png"]


def test_include_and_exclude_choose_by_pattern(folder):
    assert outputs(folder, "in", "--recursive", "--include", "*.png", "--exclude", "b*")[0] == [
        "a.png",
        "deep/d.png",
        "deep/er/e.png",
    ]


def test_inputs_come_from_a_list_too(folder):
    (folder / "list.txt").write_text("in/a.png\nother\n")
    assert outputs(folder, "--files-from", "list.txt")[0] == ["a.png", "f.png"]


def test_a_list_may_begin_with_a_byte_order_mark(folder):
    (folder / "list.txt").write_bytes(b"\xef\xbb\xbfin/a.png\r\nother\r\n")
    assert outputs(folder, "--files-from", "list.txt")[0] == ["a.png", "f.png"]


def test_the_names_of_a_list_may_end_with_nulls(folder):
    """As those of find -print0, which may hold the end of a line."""
    (folder / "in/a.png").rename(folder / "in/a\n.png")
    (folder / "list.txt").write_bytes(b"in/a\n.png\0in/b.png\0")
    assert outputs(folder, "--files-from", "list.txt")[0] == ["a\n.png", "b.png"]


def test_inputs_come_from_standard_input_too(folder):
    assert outputs(folder, "in/b.png", "--files-from", "-", stdin="in/a.png\nin/c.tif\n")[0] == [
        "a.png",
        "b.png",
        "c.tif",
    ]


def test_an_input_named_twice_is_convolved_once(folder):
    assert outputs(folder, "in", "in/a.png", "in/../in/b.png", "in/*.png")[0] == ["a.png", "b.png", "c.tif"]


def test_held_frames_that_are_links_are_convolved_each(folder):
    image = as_integers(picture(9, 7), np.uint8)
    write_image(folder / "hold/f1.png", image)
    (folder / "hold/f2.png").symlink_to("f1.png")
    (folder / "hold/f3.png").hardlink_to(folder / "hold/f1.png")
    names, _ = outputs(folder, "hold")
    assert names == ["f1.png", "f2.png", "f3.png"]
    first = read_image(folder / "out/f1.png")
    assert first.shape == image.shape
    for name in names[1:]:
        assert not (folder / "out" / name).is_symlink()
        assert (read_image(folder / "out" / name) == first).all()


def test_an_output_that_is_what_an_input_links_to_is_refused(folder):
    (folder / "links").mkdir()
    (folder / "links/a.png").symlink_to("../in/a.png")
    before = (folder / "in/a.png").read_bytes()
    arguments = ("run", "links", "--psf", "psf.txt", "--output", "in", "--overwrite")
    fail(2, *arguments, says=["would replace the input", "links/a.png"], cwd=folder)
    assert (folder / "in/a.png").read_bytes() == before


@pytest.mark.parametrize("name", ["a?.exr", "b?c=1.tif", "d?.png", "e?/f.exr", "g?.bmp"])
def test_a_question_mark_is_a_part_of_a_name(folder, name):
    write_image(folder / "plain" / f"x{Path(name).suffix}", SMALL)
    (folder / "odd" / name).parent.mkdir(parents=True)
    (folder / "plain" / f"x{Path(name).suffix}").rename(folder / "odd" / name)
    succeed("run", f"odd/{name}", *COPY, "--output", "made?", cwd=folder)
    made = f"made?/{Path(name).name}"
    succeed("run", made, *COPY, "--output", "again", cwd=folder)
    (folder / "odd" / name).write_bytes(b"not an image")
    fail(1, "run", f"odd/{name}", *COPY, "--output", "never", says=[name], cwd=folder)


def written_frames(folder, numbers):
    for number in numbers:
        write_image(folder / f"seq/shot.{number:04d}.png", SMALL)
    return folder


def test_a_frame_sequence_means_all_its_frames_in_the_order_of_their_numbers(folder):
    written_frames(folder, [9998, 9999, 10000, 12])
    write_image(folder / "seq/shot.00013.png", SMALL)
    write_image(folder / "seq/shot.14.png", SMALL)
    write_image(folder / "seq/shot.0015.tif", SMALL)
    for pattern in ["####", "@@@@", "%04d", "#"]:
        words = ("run", f"seq/shot.{pattern}.png", *COPY, "--output", "out", "--name", "{index}-{stem}{ext}")
        succeed(*words, "--overwrite", cwd=folder)
        names = files_below(folder / "out")
        assert names == ["0-shot.0012.png", "1-shot.9998.png", "2-shot.9999.png", "3-shot.10000.png"], pattern


def test_an_empty_input_is_a_usage_error_before_any_work(folder):
    fail(2, "run", "", "in", "--psf", "psf.txt", "--output", "out", *COPY, says="an INPUT is empty", cwd=folder)
    assert not (folder / "out").exists()


def test_plan_of_a_missing_image_finds_no_input_as_run_does(folder):
    fail(3, "plan", "gone.png", "--psf", "psf.txt", says="no input found; looked for: gone.png (does not exist)", cwd=folder)


def test_frames_choose_and_each_missing_one_fails_alone(folder):
    written_frames(folder, [1, 2, 3, 5, 8])
    assert outputs(folder, "seq/shot.####.png", "--frames", "1-5x2,8")[0] == [f"shot.000{n}.png" for n in (1, 3, 5, 8)]
    words = ("run", "seq/shot.####.png", *COPY, "--output", "some", "--frames")
    fail(1, *words, "1-4,6", says=["2 of 5 frames", "missing: 4, 6", "shot.0004.png", "shot.0006.png", "3 done, 2 failed"], cwd=folder)
    assert files_below(folder / "some") == ["shot.0001.png", "shot.0002.png", "shot.0003.png"]
    fail(3, *words, "20-29", says=["no input", "10 of 10 frames", "20, 21"], cwd=folder)


def test_frames_before_0_are_found_and_sorted_by_number(folder):
    for number in ("-012", "-003", "0000", "0001", "-100"):
        write_image(folder / f"seq/shot.{number}.png", SMALL)
    words = ("run", "seq/shot.####.png", *COPY, "--output", "out", "--name", "{index}-{stem}{ext}", "--overwrite")
    succeed(*words, cwd=folder)
    found = ["0-shot.-100.png", "1-shot.-012.png", "2-shot.-003.png", "3-shot.0000.png", "4-shot.0001.png"]
    assert files_below(folder / "out") == found
    for frames, names in [
        ("-100,-12--12,-3", ["-100", "-012", "-003"]),
        ("-12-3x9", ["-012", "-003"]),
        ("-12--1x9", ["-012", "-003"]),
        ("-3-1x3,1", ["-003", "0000", "0001"]),
    ]:
        wanted = [f"shot.{name}.png" for name in names]
        for spelled in ([f"--frames={frames}"], ["--frames", frames]):
            out = ("--output", "some", "--overwrite", *spelled)
            dry = succeed("run", "seq/shot.####.png", *COPY, *out, "--dry-run", cwd=folder).out
            assert [name for name in wanted if f"some/{name}" in dry] == wanted, (spelled, dry)
    fail(1, *words[:-1], "--frames=-4--3", "--overwrite", says=["1 of 2 frames", "missing: -4", "shot.-004.png"], cwd=folder)


def test_frames_without_a_place_for_them_are_refused(folder):
    words = ("--psf", "psf.txt", "--output", "out", "--frames")
    fail(2, "run", "in/a.png", *words, "1-3", says=["--frames", "shot.####.exr"], cwd=folder)
    fail(2, "run", "seq/shot.#.png", *words, "3-1", says=["--frames 3-1"], cwd=folder)
    fail(3, "run", "seq/shot.####.png", "--psf", "psf.txt", "--output", "out", says=["seq/shot.####.png (does not"], cwd=folder)


def test_a_file_that_has_the_name_of_a_sequence_is_taken_for_itself(folder):
    written_frames(folder, [1, 2])
    write_image(folder / "seq/shot.####.png", SMALL)
    assert outputs(folder, "seq/shot.####.png")[0] == ["shot.####.png"]


def test_several_psfs_make_one_output_each(folder):
    names, _ = outputs(folder, "in/a.png", psfs=("psf.txt", "wide.txt"))
    assert names == ["a_psf.png", "a_wide.png"]


def test_the_name_is_a_template(folder):
    names, _ = outputs(folder, "in/a.png", "in/b.png", "--name", "{index}-{psf}-{stem}{ext}")
    assert [name.split("-", 1)[1] for name in names] == ["psf-a.png", "psf-b.png"]
    assert len({name.split("-", 1)[0] for name in names}) == 2


def test_a_template_with_an_unknown_field_is_refused(folder):
    arguments = ("run", "in", "--psf", "psf.txt", "--output", "out", "--name", "{stam}{ext}")
    fail(2, *arguments, says=["stam", "{stem}"], cwd=folder)


def test_format_changes_the_format(folder):
    names, _ = outputs(folder, "in/a.png", "in/c.tif", "--format", "exr")
    assert names == ["a.exr", "c.exr"]
    image = read_image(folder / "out/a.exr")
    assert image.dtype.kind == "f" and abs(image).max() <= 1.0


def test_an_unknown_format_is_refused(folder):
    arguments = ("run", "in", "--psf", "psf.txt", "--output", "out", "--format", "xyz")
    fail(2, *arguments, says=["xyz"], cwd=folder)


def write_what_cannot_be_written(path):
    """JPEG 2000, which clconv reads only."""
    image = as_integers(picture(16, 16, 3), np.uint8)
    Image.fromarray(image).save(path, irreversible=False)
    return image


def test_in_a_folder_what_cannot_be_written_is_left_out_with_one_warning_a_kind(folder):
    (folder / "in/x.nef").write_text("camera raw\n")
    (folder / "in/y.nef").write_text("camera raw\n")
    (folder / "in/z.heic").write_text("HEIC\n")
    names, result = outputs(folder, "in", "--report", "report.json")
    assert names == ["a.png", "b.png", "c.tif"]
    warnings = [line for line in result.err.splitlines() if line.startswith("warning")]
    assert len(warnings) == 2 and all("--format tif" in line for line in warnings), result
    assert "2 images" in warnings[1] and ".nef" in warnings[1] and "1 image " in warnings[0] and ".heic" in warnings[0]
    assert json.loads((folder / "report.json").read_text())["counts"]["total"] == 3
    assert "3 done, 0 failed, 0 skipped" in result.err


def test_what_cannot_be_written_fails_alone_where_it_is_named(folder):
    write_what_cannot_be_written(folder / "in/x.jp2")
    words = ("run", "in/a.png", "in/x.jp2", "--psf", "psf.txt", "--output", "out")
    listed = succeed(*words, "--dry-run", cwd=folder).out
    assert "in/x.jp2 -> out/x.jp2 (no format that can be written, would fail)" in listed
    assert "plan for in/a.png" in listed
    result = fail(1, *words, "--compression", "zip", says=["x.jp2", "--format tif", "1 done, 1 failed"], cwd=folder)
    assert "warning" not in result.err
    assert files_below(folder / "out") == ["a.png"]


def test_with_format_what_cannot_be_written_is_an_input_as_any_other(folder):
    image = write_what_cannot_be_written(folder / "in/x.jp2")
    names, result = outputs(folder, "in", "--format", "tif", psfs=("one.txt",))
    assert names == ["a.tif", "b.tif", "c.tif", "x.tif"] and "warning" not in result.err
    assert (read_image(folder / "out/x.tif") == image).all()


def test_nothing_but_what_cannot_be_written_is_no_input(folder):
    (folder / "raw").mkdir()
    (folder / "raw/x.CR2").write_text("camera raw\n")
    arguments = ("run", "raw", "--psf", "psf.txt", "--output", "out")
    fail(3, *arguments, says=["no input found", "1 image with the extension .cr2", "--format tif"], cwd=folder)
    assert not (folder / "out").exists()


def test_two_inputs_with_one_output_are_refused_before_any_work(folder):
    write_image(folder / "other/a.png", SMALL)
    fail(2, "run", "in", "other", "--psf", "psf.txt", "--output", "out", says=["in/a.png", "other/a.png", "--name"], cwd=folder)
    assert not (folder / "out").exists() or files_below(folder / "out") == []


def test_an_output_that_is_an_input_is_refused_before_any_work(folder):
    before = (folder / "in/a.png").read_bytes()
    arguments = ("run", "in", "--psf", "psf.txt", "--output", "in", "--overwrite")
    fail(2, *arguments, says=["in/a.png", "--output"], cwd=folder)
    (folder / "link").symlink_to("in")
    fail(2, "run", "in", "--psf", "psf.txt", "--output", "link", "--overwrite", says=["a.png"], cwd=folder)
    assert (folder / "in/a.png").read_bytes() == before
    assert files_below(folder / "in") == ["a.png", "b.png", "c.tif", "deep/d.png", "deep/er/e.png", "deep/list.unknown", "notes.md"]


def test_links_to_folders_are_not_followed_and_named(folder):
    (folder / "in/deep/round").symlink_to("../../in")
    found, result = outputs(folder, "in", "-r")
    assert "in/deep/round: is a link to a folder" in result.err
    assert "deep/er/e.png" in found and not [name for name in found if "round" in name]
    assert "round" not in outputs(folder, "in", "--overwrite")[1].err


def test_odd_file_names_are_fine(folder):
    names = ["in/with space.png", "in/ümlaut.png", "in/-dash.png", "in/[x].png", "in/two.dots.png"]
    for name in names:
        write_image(folder / name, SMALL)
    found, _ = outputs(folder, "in")
    assert {name.removeprefix("in/") for name in names} <= set(found)


def test_a_file_with_brackets_is_not_taken_for_a_pattern(folder):
    write_image(folder / "in/[x].png", SMALL)
    assert outputs(folder, "in/[x].png")[0] == ["[x].png"]
