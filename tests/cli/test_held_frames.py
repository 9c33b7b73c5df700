# SPDX-License-Identifier: Apache-2.0
"""Held frames: links to one file are computed once, and each of them gets an output of its own."""

import json
import os

import numpy as np
import pytest
import tifffile
from support.images import as_integers, picture, random_psf, write_image, write_psf
from support.tool import fail, files_below, succeed

FRAMES = [f"{number:04}.png" for number in range(1, 7)]
OPTIONS = ("--psf", "psf.txt", "--no-verify")


@pytest.fixture
def folder(tmp_path):
    """Six frames of three pictures: 1 1 1 4 5 1."""
    for number in (1, 4, 5):
        write_image(tmp_path / f"in/{number:04}.png", as_integers(picture(33, 21, 3, seed=number), np.uint8))
    for number in (2, 6):
        (tmp_path / f"in/{number:04}.png").symlink_to("0001.png")
    os.link(tmp_path / "in/0001.png", tmp_path / "in/0003.png")
    write_psf(tmp_path / "psf.txt", random_psf(5, 7))
    return tmp_path


def items_of(folder, name="report.json"):
    return json.loads((folder / name).read_text())["items"]


def copies_of(items):
    return {os.path.basename(i["output"]): i["copy_of"] and os.path.basename(i["copy_of"]) for i in items}


def assert_as_by_themselves(folder, *options):
    """A frame, two links to it, and another frame."""
    for name in ("0001.png", "0002.png", "0003.png", "0005.png"):
        succeed("run", f"in/{name}", *OPTIONS, *options, "--output", "alone", cwd=folder)
        assert (folder / "out" / name).read_bytes() == (folder / "alone" / name).read_bytes(), name


def test_links_are_computed_once_and_have_the_bytes_of_frames_by_themselves(folder):
    result = succeed("run", "in", *OPTIONS, "--output", "out", "--report", "report.json", "--events", "e", cwd=folder)
    assert_as_by_themselves(folder)
    assert not any((folder / "out" / name).is_symlink() for name in FRAMES)
    assert len({(folder / "out" / name).stat().st_ino for name in FRAMES}) == 6, "files of their own"
    items = items_of(folder)
    wanted = {"0002.png": "0001.png", "0003.png": "0001.png", "0006.png": "0001.png"}
    assert copies_of(items) == {name: wanted.get(name) for name in FRAMES}
    for item in items:
        assert item["status"] == "done" and (item["width"], item["type"], item["plan"] != "") == (33, "u8", True)
        assert (set(item["stages"]) == {"write"}) == (item["copy_of"] is not None)
    assert "3 of 6 outputs are made as copies" in result.err and "6 done" in result.err
    ends = [json.loads(line) for line in (folder / "e").read_text().splitlines()]
    assert sum("copy_of" in end and end["copy_of"] is not None for end in ends) == 3


def test_each_psf_format_and_part_has_its_own_copies(folder):
    write_psf(folder / "other.txt", random_psf(3, 3, seed=1))
    succeed("run", "in", *OPTIONS, "--psf", "other.txt", "--output", "out", "--report", "report.json", cwd=folder)
    of = copies_of(items_of(folder))
    assert of["0002_psf.png"] == "0001_psf.png" and of["0006_other.png"] == "0001_other.png"
    assert (folder / "out/0006_psf.png").read_bytes() != (folder / "out/0006_other.png").read_bytes()
    assert (folder / "out/0006_other.png").read_bytes() == (folder / "out/0001_other.png").read_bytes()
    (folder / "pages").mkdir()
    tifffile.imwrite(folder / "pages/a.tif", np.arange(2 * 9 * 9, dtype=np.uint8).reshape(2, 9, 9))
    (folder / "pages/b.tif").symlink_to("a.tif")
    parts = ("--name", "{stem}_{part}{ext}", "--report", "report.json")
    succeed("run", "pages", *OPTIONS, "--output", "pages_out", *parts, cwd=folder)
    assert copies_of(items_of(folder)) == {"a_0.tif": None, "a_1.tif": None, "b_0.tif": "a_0.tif", "b_1.tif": "a_1.tif"}
    succeed("run", "pages", *OPTIONS, "--output", "whole", "--report", "report.json", cwd=folder)
    assert copies_of(items_of(folder)) == {"a.tif": None, "b.tif": "a.tif"}
    assert tifffile.imread(folder / "whole/b.tif").shape == (2, 9, 9)


def test_noise_is_that_of_each_name(folder):
    succeed("run", "in", *OPTIONS, "--dither", "--output", "out", "--report", "report.json", cwd=folder)
    assert set(copies_of(items_of(folder)).values()) == {None}
    assert_as_by_themselves(folder, "--dither")


def test_resume_knows_copies_and_copies_of_what_is_done(folder):
    run = ("run", "in", *OPTIONS, "--output", "out", "--resume", "--report", "report.json")
    succeed(*run, cwd=folder)
    before = {name: (folder / "out" / name).read_bytes() for name in FRAMES}
    assert "6 of 6 images are done" in succeed(*run, cwd=folder).err
    for name in ("0001.png", "0003.png", "0006.png"):
        (folder / "out" / name).unlink()
    succeed(*run, cwd=folder)
    assert {item["output"][-8:]: item["status"] for item in items_of(folder)} == {
        name: "skipped" if name in ("0002.png", "0004.png", "0005.png") else "done" for name in FRAMES
    }
    assert {name: (folder / "out" / name).read_bytes() for name in FRAMES} == before


def test_shards_copy_what_is_theirs(folder):
    for shard in range(2):
        succeed("run", "in", *OPTIONS, "--output", "out", "--shard", f"{shard}/2", "--report", f"{shard}", cwd=folder)
    succeed("run", "in", *OPTIONS, "--output", "whole", cwd=folder)
    for name in FRAMES:
        assert (folder / "out" / name).read_bytes() == (folder / "whole" / name).read_bytes()
    assert copies_of(items_of(folder, "0"))["0003.png"] == "0001.png"
    assert copies_of(items_of(folder, "1"))["0002.png"] is None, "0001.png is the other shard's"
    assert copies_of(items_of(folder, "1"))["0006.png"] == "0002.png"
    merged = json.loads(succeed("merge-reports", "0", "1", cwd=folder).out)["items"]
    assert copies_of(merged)["0006.png"] == "0002.png"


def test_a_damaged_file_fails_under_each_of_its_names(folder):
    (folder / "in/0001.png").write_bytes(b"\x89PNG\r\n\x1a\nno picture")
    run = ("run", "in", *OPTIONS, "--output", "out")
    names = ["in/0001.png: ", "in/0002.png: ", "in/0003.png: ", "in/0006.png: "]
    fail(1, *run, "--jobs", "1", says=[*names, "2 done, 4 failed"], cwd=folder)
    assert [os.path.basename(path) for path in files_below(folder / "out")] == ["0004.png", "0005.png"]
    fail(1, *run, "--overwrite", "--fail-fast", says=["1 failed"], cwd=folder)
