# SPDX-License-Identifier: Apache-2.0
"""clconv devices and clconv plan: what they print, and that they touch nothing."""

import json

import pytest
from support.images import picture, random_psf, write_image, write_psf
from support.tool import fail, files_below, succeed


@pytest.fixture()
def folder(tmp_path):
    write_image(tmp_path / "image.tif", picture(60, 52, 3))
    write_psf(tmp_path / "psf.txt", random_psf(21, 21))
    return tmp_path


def test_devices_are_listed_with_the_index_that_device_takes(folder):
    devices = json.loads(succeed("devices", "--json").out)
    assert devices
    for device in devices:
        assert {"index", "platform", "name", "driver", "type"} <= set(device)
        assert device["index"] in succeed("devices").out
    arguments = ("run", "image.tif", "--psf", "psf.txt", "--output", "out", "--overwrite")
    device = devices[0]
    for selector in [device["index"], device["type"], device["name"][:6].lower()]:
        succeed(*arguments, "--device", selector, cwd=folder)
        succeed(*arguments, cwd=folder, env={"CLCONV_DEVICE": selector})


def test_no_device_is_exit_5_and_an_empty_list(folder):
    (folder / "vendors").mkdir()
    env = {"OCL_ICD_VENDORS": str(folder / "vendors") + "/"}
    result = fail(5, "devices", "--json", says=["OpenCL"], env=env)
    assert json.loads(result.out) == []


def test_plan_prints_what_would_run_for_sizes(folder):
    out = succeed("plan", "--size", "3840x2160", "--channels", "3", "--psf-size", "511", "--method", "fft").out
    for word in ["3840x2160x3", "511x511x1@255,255", "clamp", "same", "fft", "rows", "columns"]:
        assert word in out, f"{word} is not in\n{out}"
    assert "clamp same planar" in succeed("plan", "--size", "64x64", "--psf-size", "9", "--layout", "planar").out
    fail(2, "plan", "--size", "64x64", "--psf-size", "9", "--layout", "rows", says=["--layout rows", "planar"])


def test_plan_prints_what_would_run_for_an_image(folder):
    before = files_below(folder)
    out = succeed("plan", "image.tif", "--psf", "psf.txt", "--border", "zero", cwd=folder).out
    assert "60x52x3" in out and "21x21x1@10,10" in out and "zero" in out
    assert files_below(folder) == before


def test_plan_is_the_one_that_run_uses(folder):
    plan = succeed("plan", "image.tif", "--psf", "psf.txt", "--method", "fft", cwd=folder).out
    arguments = ("run", "image.tif", "--psf", "psf.txt", "--output", "out", "--method", "fft", "--report", "report.json")
    succeed(*arguments, cwd=folder)
    used = json.loads((folder / "report.json").read_text())["items"][0]["plan"]
    for line in used.splitlines():
        assert line.strip() in plan


def test_plan_in_json_says_what_its_text_does(folder):
    words = ("plan", "--size", "640x480", "--psf-size", "63x31", "--method", "fft")
    made = json.loads(succeed(*words, "--json").out)
    [plan] = made["plans"]
    text = succeed(*words).out
    assert text.startswith(plan["problem"]) and f"-> {plan['output']} padded {plan['padded']} " in text
    assert all(f"because  {reason}" in text for reason in plan["reasons"])
    assert f"chosen   by {plan['chosen_by']}" in text
    assert (plan["method"], plan["image"], plan["psf"], plan["parts"]) == ("fft", "640x480", "63x31", [0])
    assert f"{plan['scratch_bytes'] / 2**20:.1f} MiB" in text and plan["pieces"] is None
    assert plan["programs"] == succeed(*words, "--programs").out.split()
    forced = [word for key, value in plan["decisions"].items() for word in ("--decide", f"{key}={value}")]
    assert f"padded {plan['padded']} " in succeed(*words, *forced).out, "the decisions make the plan again"


def test_plan_in_json_tells_of_pieces_and_of_parts(folder):
    sizes = ("--psf-size", "63", "--device-memory", "1M")
    [plan] = json.loads(succeed("plan", "--size", "640x480", *sizes, "--json").out)["plans"]
    pieces = plan["pieces"]
    assert f"in {pieces['columns']} x {pieces['rows']} pieces of {pieces['output']}," in succeed(
        "plan", "--size", "640x480", *sizes
    ).out
    assert plan["output"] == "640x480"
    [plan] = json.loads(succeed("plan", "image.tif", "--psf", "psf.txt", "--json", cwd=folder).out)["plans"]
    assert (plan["parts"], plan["image"]) == ([0], "60x52")
    fail(2, "plan", "--size", "9x9", "--psf-size", "3", "--json", "--programs", says=["--json", "--programs"])


def test_a_small_psf_is_summed_directly_and_a_large_one_transformed(folder):
    assert "direct" in succeed("plan", "--size", "1000x1000", "--psf-size", "3").out
    assert "fft" in succeed("plan", "--size", "1000x1000", "--psf-size", "255").out


@pytest.mark.parametrize("size", ["3840", "0x5", "axb", "-3x5"])
def test_a_size_that_is_none_is_refused(folder, size):
    fail(2, "plan", f"--size={size}", "--psf-size", "3", says=["--size"])


def test_valid_without_a_position_is_refused_with_both_sizes(folder):
    arguments = ("plan", "--size", "16x16", "--psf-size", "33", "--mode", "valid")
    fail(2, *arguments, says=["16x16", "33x33"])
