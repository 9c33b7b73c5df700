# SPDX-License-Identifier: Apache-2.0
"""Programs built by compiler processes: the same pixels, whether there are any or not."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, write_image, write_psf
from support.tool import BINARY, fail, succeed

# Of the ways that need several programs, the one whose programs are built soonest.
RUN = ("run", "image.png", "--psf", "psf.txt", "--overwrite", "-v", "--method", "fft", "--decide", "residence=global")


@pytest.fixture()
def folder(tmp_path):
    return write_inputs(tmp_path)


def write_inputs(folder):
    write_image(folder / "image.png", as_integers(picture(40, 30, 3), np.uint8))
    write_psf(folder / "psf.txt", random_psf(9, 9))
    return folder


def run(folder, processes):
    """One run without caches: its log and the bytes of its output."""
    env = {"CLCONV_COMPILE_PROCESSES": processes, "POCL_CACHE_DIR": folder / f"pocl-{processes}"}
    result = succeed(*RUN, "--output", "out", cwd=folder, env=env)
    return result.err, (folder / "out/image.png").read_bytes()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The log and the bytes of a run without compiler processes."""
    return run(write_inputs(tmp_path_factory.mktemp("alone")), 0)


def test_pixels_do_not_depend_on_who_compiles(folder, alone):
    log, expected = alone
    assert "compiler process" not in log
    log, pixels = run(folder, 2)
    assert "built by a compiler process" in log
    assert pixels == expected


def test_a_tool_that_was_copied_alone_compiles_by_itself(folder, alone, monkeypatch):
    _, expected = alone
    for name in ("clconv", "libclconv_image.so", "libclconv_openimageio.so"):  # without clconv-compile
        shutil.copy(Path(BINARY).with_name(name), folder / name)
    monkeypatch.setattr("support.tool.BINARY", str(folder / "clconv"))
    log, pixels = run(folder, 2)
    assert "compiler process" not in log
    assert pixels == expected


def test_the_variable_must_be_a_number(folder):
    for wrong in ("many", "-1", "65"):
        fail(2, *RUN, "--output", "out", cwd=folder, env={"CLCONV_COMPILE_PROCESSES": wrong}, says=[wrong, "0 to 64"])


def test_the_other_commands_build_with_them_too(folder):
    arguments = ("bench", "--size", "40x30", "--psf-size", "9", "--method", "fft", "--repeat", "1")
    succeed(*arguments, env={"CLCONV_COMPILE_PROCESSES": 2})


@pytest.mark.parametrize("arguments", [[], ["--help"], ["0:0", "more"], ["0:0"]])
def test_the_compiler_called_by_hand_says_who_calls_it(arguments, monkeypatch):
    monkeypatch.setattr("support.tool.BINARY", BINARY + "-compile")
    assert len(fail(2, *arguments, says=["clconv-compile", "clconv starts"]).err.splitlines()) == 1
