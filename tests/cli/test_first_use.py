# SPDX-License-Identifier: Apache-2.0
"""The first result of a plan on a device is checked: a wrong program must not give wrong pixels silently."""

import json
import shutil

import numpy as np
import pytest
from support.full import mostly_full
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.tool import KERNELS, clconv, fail, succeed

# Programs of one radix are built in half the time of those for lines of any length.
RUN = ("run", "in", "--psf", "psf.txt", "--method", "fft", "--radix", "8", "--overwrite", "--report", "report.json")


@pytest.fixture()
def work(tmp_path):
    for name in ("a", "b"):
        write_image(tmp_path / "in" / f"{name}.png", (picture(60, 44, 3) * 255).astype(np.uint8))
    write_psf(tmp_path / "psf.txt", random_psf(9, 9))
    return tmp_path


def checks(work):
    return [item["plan_check"] for item in json.loads((work / "report.json").read_text())["items"]]


def broken_kernels(work, file, old, new):
    shutil.copytree(KERNELS, work / "kernels")
    text = (work / "kernels" / file).read_text()
    assert old in text
    (work / "kernels" / file).write_text(text.replace(old, new))
    return ("--kernel-dir", "kernels")


def test_a_plan_is_checked_once_and_that_is_remembered(work):
    env = {"CLCONV_CACHE_DIR": work / "caches"}
    first = succeed(*RUN, "--output", "out", "-v", cwd=work, env=env)
    assert checks(work) == ["passed", "passed before"]
    assert first.err.count("first use of 60x44x3") == 1
    second = succeed(*RUN, "--output", "out", "-v", cwd=work, env=env)
    assert checks(work) == ["passed before", "passed before"]
    assert "first use of" not in second.err
    for file in (work / "caches" / "verified").iterdir():
        file.write_text("torn")
    succeed(*RUN, "--output", "out", cwd=work, env=env)
    assert checks(work) == ["passed", "passed before"]


def test_no_verify_and_images_without_content(work):
    succeed(*RUN, "--output", "out", "--no-verify", cwd=work)
    assert checks(work) == ["off", "off"]
    for file in (work / "in").iterdir():
        write_image(file, np.full((44, 60, 3), 90, np.uint8))
    succeed(*RUN, "--output", "out", cwd=work)
    assert checks(work) == ["undecided", "undecided"]


@pytest.mark.parametrize("method", mostly_full(["fft", "tiled", "direct"], ["fft"]))
def test_black_float_images_are_no_complaint(tmp_path, method):
    """No error is allowed beside them, and none is there: 0 / 0 had counted as wrong and ended the run."""
    write_image(tmp_path / "in/black.exr", np.zeros((24, 32, 4), np.float32))
    options = ["--psf", "disc:3", "--output", "out", "--method", method, "--report", "report.json"]
    succeed("run", "in", *options, cwd=tmp_path)
    assert checks(tmp_path) == ["undecided"] and not read_image(tmp_path / "out/black.exr").any()


def test_wrong_programs_of_one_plan_are_replaced_by_others_and_it_is_said(work):
    if "cpu" not in succeed("devices", "--json").out:
        pytest.skip("the kernels that are broken here are a CPU's")
    succeed(*RUN, "--output", "right", cwd=work)
    kernels = broken_kernels(work, "first_stage.cl", "scaled(swapped(v[m]), scale)", "scaled(v[m], scale)")
    result = succeed(*RUN, "--output", "out", *kernels, computes_wrongly=True, cwd=work)
    assert "60x44x3 u8>u8" in result.err and "by a direct sum" in result.err
    report = json.loads((work / "report.json").read_text())
    assert checks(work) == ["passed", "passed before"]
    assert [item["plan_origin"] for item in report["items"]] == ["first-use check"] * 2
    for name in ("a.png", "b.png"):
        difference = np.abs(read_image(work / "out" / name) - read_image(work / "right" / name)).max()
        assert difference <= 1 / 255 + 1e-6


def test_where_every_plan_is_wrong_nothing_is_written_and_the_exit_code_is_5(work):
    kernels = broken_kernels(work, "complex.cl", "fma(a.re, b.re, -a.im * b.im)", "fma(a.re, b.re, a.im * b.im)")
    fail(5, *RUN, "--output", "out", *kernels, says=["computes wrongly", "clconv selftest"], cwd=work)
    assert not list((work / "out").glob("*.png"))
    assert clconv(*RUN, "--output", "out", *kernels, "--no-verify", cwd=work).code == 0
