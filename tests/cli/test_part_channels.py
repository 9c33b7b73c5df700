# SPDX-License-Identifier: Apache-2.0
"""Parts of a file that differ: --channels with {part}, where each part gets a file, and what plan says of parts."""

import json

import numpy as np
import pytest
import tifffile
from support.exr import read_exr, same_bits
from support.files_of_parts import read_part, write_exr_parts
from support.images import picture, random_psf, write_psf
from support.reference import assert_same_halves, convolve
from support.tool import fail, files_below, succeed

PSF = random_psf(7, 5)
BEAUTY = picture(23, 17, 3).astype(np.float16)
DEPTH = picture(23, 17, 1, seed=1).astype(np.float32)
NAME = ("--name", "{stem}_{part}{ext}")


@pytest.fixture
def folder(tmp_path):
    parts = {"beauty": (BEAUTY, (0, 0)), "fog": (DEPTH, (0, 0)), "again": (BEAUTY, (0, 0))}
    write_exr_parts(tmp_path / "in.exr", parts, (23, 17))
    write_psf(tmp_path / "psf.txt", PSF)
    return tmp_path


def run(*options):
    return ("run", "in.exr", "--psf", "psf.txt", "--output", "out", *NAME, *options)


def test_a_part_without_a_listed_channel_is_copied_into_its_file_with_a_warning(folder):
    succeed(*run("--channels", "R,G,B", "--report", "report.json", "--no-verify"), cwd=folder)
    depth = read_exr(folder / "out/in_1.exr")
    assert [same_bits(plane, DEPTH[..., 0]) for plane in depth.values()] == [True]
    for part in (0, 2):
        made = np.stack([read_exr(folder / f"out/in_{part}.exr")[name] for name in "RGB"], -1)
        assert_same_halves(made, convolve(BEAUTY.astype(np.float64), PSF / PSF.sum()))
    items = json.loads((folder / "report.json").read_text())["items"]
    assert [(item["status"], len(item["warnings"])) for item in items] == [("done", 0), ("done", 1), ("done", 0)]
    assert "copy" in items[1]["warnings"][0] and items[1]["copied_channels"] == list(depth)


@pytest.mark.parametrize("channels,parts", [("R,nix", "all"), ("R", "1")])
def test_a_list_that_no_chosen_part_has_fails_the_file(folder, channels, parts):
    wrong = channels.split(",")[-1]
    fail(1, *run("--channels", channels, "--parts", parts), says=[f"--channels {wrong}"], cwd=folder)
    assert not files_below(folder / "out")


def test_a_part_of_bands_does_not_need_the_other_parts_channels(folder):
    size = 700
    large = {"a": (picture(size, size, 3).astype("f2"), (0, 0)), "b": (picture(size, size, 1).astype("f4"), (0, 0))}
    write_exr_parts(folder / "in.exr", large, (size, size))
    options = ["--psf", "psf.txt", *NAME, "--channels", "R,G,B", "--no-verify"]
    succeed("run", "in.exr", "--output", "out", *options, "--memory-limit", "20M", cwd=folder)
    succeed("run", "in.exr", "--output", "whole", *options, cwd=folder)
    for part in (0, 1):
        bands, whole = (read_part(folder / where / f"in_{part}.exr", 0).astype(np.float64) for where in ("out", "whole"))
        assert np.abs(bands - whole).max() <= 2**-11


def test_plan_tells_each_plan_of_a_files_parts_once(folder):
    plan = ("plan", "in.exr", "--psf", "psf.txt")
    text = succeed(*plan, cwd=folder).out
    assert "parts 0, 2:\n23x17x3 half" in text and "\npart 1:\n23x17x1 float" in text
    assert "part" not in succeed(*plan, "--parts", "0,2", cwd=folder).out.split("because")[0]
    assert "23x17x1 float" in succeed(*plan, "--parts", "1", cwd=folder).out
    assert "23x17x3 half" in succeed(*plan, "--channels", "R,G,B", cwd=folder).out, "the others are copied"
    fail(1, *plan, "--parts", "3", says=["parts 0 to 2", "--parts 3"], cwd=folder)
    fail(1, *plan, "--channels", "nix", says=["--channels nix"], cwd=folder)
    fail(2, *plan, "--kernels", "programs", says=["2 plans", "--parts 0"], cwd=folder)
    fail(2, *plan, "--parts", "some", says=["--parts some"], cwd=folder)
    succeed(*plan, "--parts", "first", "--kernels", "programs", cwd=folder)
    assert files_below(folder / "programs")


def test_a_dry_run_plans_what_parts_have(folder):
    options = ["--psf", "psf.txt", "--output", "out", "--dry-run"]
    whole = succeed("run", "in.exr", *options, cwd=folder).out
    assert whole.count("plan for") == 2 and "parts 0, 2, with" in whole
    assert "23x17x1 float" in succeed("run", "in.exr", *options, *NAME, "--parts", "1", cwd=folder).out
    listed = succeed("run", "in.exr", *options, *NAME, "--channels", "R,G,B", cwd=folder)
    assert listed.out.count("plan for") == 1 and "23x17x3 half" in listed.out and "no channel" not in listed.err


def test_pages_of_one_size_have_one_plan(folder):
    tifffile.imwrite(folder / "in.tif", np.zeros((5, 17, 23), np.uint16), photometric="minisblack")
    text = succeed("plan", "in.tif", "--psf", "psf.txt", cwd=folder).out
    assert text.startswith("23x17x1 u16")
