# SPDX-License-Identifier: Apache-2.0
"""What is wrong is named, with what was found, what is wanted and what to do; nothing else is lost."""

import shutil
import subprocess

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, write_image, write_psf
from support.reference import BORDERS
from support.tool import BINARY, KERNELS, clconv, environment, fail, files_below, succeed

GOOD = as_integers(picture(23, 17, 3), np.uint8)


@pytest.fixture()
def folder(tmp_path):
    for name in ["a.png", "b.jpg", "c.tif"]:
        write_image(tmp_path / "in" / name, GOOD)
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    return tmp_path


RUN = ("run", "in", "--psf", "psf.txt", "--output", "out")


def break_files(folder):
    """A truncated JPEG, a truncated PNG, text that says it is a TIFF, and an empty file."""
    noisy = as_integers(np.random.default_rng(1).random((64, 64, 3)), np.uint8)
    for name in ["half.jpg", "half.png"]:
        path = write_image(folder / "in" / name, noisy)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    (folder / "in/text.tif").write_text("this is no TIFF\n")
    (folder / "in/empty.exr").write_bytes(b"")
    return ["half.jpg", "half.png", "text.tif", "empty.exr"]


def test_bad_images_fail_alone(folder):
    broken = break_files(folder)
    result = fail(1, *RUN, says=broken, cwd=folder)
    assert files_below(folder / "out") == ["a.png", "b.jpg", "c.tif"]
    assert "3" in result.err and "4" in result.err, "the summary counts 3 done and 4 failed"


def test_paths_that_lead_nowhere_are_named_with_the_reason(folder):
    (folder / "loop.png").symlink_to("loop.png")
    (folder / "in/loop.png").symlink_to("loop.png")
    long = "long" * 100
    says = ["loop.png: cannot be read: Too many levels of symbolic links"]
    assert "damaged" not in fail(1, *RUN, says=says, cwd=folder).err
    fail(2, "run", "in/a.png", "--psf", "loop.png", "--output", "out2", says=["--psf loop.png"], cwd=folder)
    fail(2, "run", "in/a.png", "--psf", long + ".png", "--output", "out2", says=["--psf", "too long"], cwd=folder)
    again = ("run", "in/a.png", "--psf", "psf.txt", "--output", "out2", "--report")
    result = fail(2, *again, "loop.png/report.json", says=["--report"], cwd=folder)
    assert "filesystem error" not in result.err and not (folder / "out2").exists()


def test_fail_fast_stops_at_the_first(folder):
    (folder / "in/0.png").write_text("broken\n")
    fail(1, *RUN, "--fail-fast", "--jobs", "1", says=["0.png"], cwd=folder)
    assert len(files_below(folder / "out")) < 3


def test_a_missing_input_beside_good_ones_is_named_and_fails_alone(folder):
    fail(1, "run", "in/a.png", "in/gone.png", "--psf", "psf.txt", "--output", "out", says=["gone.png"], cwd=folder)
    assert files_below(folder / "out") == ["a.png"]


@pytest.mark.parametrize("inputs", [["gone.png"], ["gone/"], ["gone*.png"], ["empty"], ["--files-from", "empty.txt"]])
def test_no_input_at_all_is_exit_3(folder, inputs):
    (folder / "empty").mkdir()
    (folder / "empty.txt").write_text("")
    says = ["no input"] if "--files-from" in inputs else [inputs[-1]]
    fail(3, "run", *inputs, "--psf", "psf.txt", "--output", "out", says=says, cwd=folder)
    assert not (folder / "out").exists()


WRONG_OPTIONS = {
    "border": ["--border", "mirrored"],
    "constant": ["--border", "constant"],
    "constant's value": ["--border", "constant:red"],
    "mode": ["--mode", "some"],
    "normalize": ["--normalize", "l2"],
    "method": ["--method", "magic"],
    "log-level": ["--log-level", "loud"],
    "jobs": ["--jobs", "many"],
    "jobs below one": ["--jobs", "0"],
    "frobnicate": ["--frobnicate"],
}


@pytest.mark.parametrize("what", WRONG_OPTIONS)
def test_a_wrong_option_is_a_usage_error(folder, what):
    options = WRONG_OPTIONS[what]
    result = fail(2, *RUN, *options, says=[options[0], options[-1].removeprefix("constant:")], cwd=folder)
    assert result.out == "" and not (folder / "out").exists()


def test_an_unknown_border_is_answered_with_those_that_exist(folder):
    names = [border.partition(":")[0] for border in BORDERS]
    fail(2, *RUN, "--border", "mirrored", says=["mirrored", *names], cwd=folder)


@pytest.mark.parametrize("missing", ["psf", "output", "input"])
def test_what_is_required_is_named(folder, missing):
    arguments = {
        "psf": ("run", "in", "--output", "out"),
        "output": ("run", "in", "--psf", "psf.txt"),
        "input": ("run", "--psf", "psf.txt", "--output", "out"),
    }[missing]
    fail(2, *arguments, says=[missing], cwd=folder)


def test_a_required_option_that_is_misspelled_is_named_with_the_right_one(folder):
    fail(2, "run", "in", "--psf", "psf.txt", "--outptu", "out", says=["--outptu", "did you mean --output"], cwd=folder)


@pytest.mark.parametrize(
    "words, says",
    [
        (["--jobs", "1", "-j", "2"], "--jobs: is given 2 times; give it once"),
        (["--border"], "--border: has no value; write --border MODE"),
    ],
)
def test_an_option_that_is_there_twice_or_without_a_value_is_named(folder, words, says):
    fail(2, "run", "in", "--psf", "psf.txt", "--output", "out", *words, says=[says], cwd=folder)


def test_no_subcommand_or_a_wrong_one_is_a_usage_error(folder):
    fail(2)
    fail(2, "walk", says=["walk"])


@pytest.mark.parametrize("typed, meant", [("rnu", "run"), ("deconv", "deconvolve"), ("blom", "bloom")])
def test_the_command_that_was_meant_is_named(typed, meant):
    fail(2, typed, says=[f"did you mean {meant}"])
    fail(2, "help", typed, says=[f"did you mean {meant}"])


def test_a_psf_that_is_not_there_or_cannot_be_read_is_named(folder):
    (folder / "broken.exr").write_bytes(b"no image")
    for psf in ["gone.txt", "broken.exr"]:
        result = clconv("run", "in", "--psf", psf, "--output", "out", cwd=folder)
        assert result.code == 2 and psf in result.err, result
    assert not (folder / "out").exists()


def test_a_constant_border_with_the_wrong_number_of_values_fails_that_image(folder):
    fail(1, *RUN, "--border", "constant:1,2", says=["2", "3"], cwd=folder)


def test_the_output_folder_cannot_be_a_file(folder):
    (folder / "out").write_text("a file\n")
    fail(2, *RUN, says=["out"], cwd=folder)
    assert (folder / "out").read_text() == "a file\n"


def test_no_opencl_device_is_exit_5(folder):
    (folder / "vendors").mkdir()
    env = {"OCL_ICD_VENDORS": str(folder / "vendors") + "/"}
    result = fail(5, *RUN, says=["OpenCL", "pocl"], cwd=folder, env=env)
    assert not (folder / "out").exists() and "ulimit" not in result.err
    limited = ["sh", "-c", f'ulimit -v {2**40}; exec "$@"', "sh", BINARY, *RUN]
    result = subprocess.run(limited, cwd=folder, env=environment(**env), capture_output=True, text=True, timeout=60)
    assert result.returncode == 5 and "ulimit -v" in result.stderr


def test_a_device_that_does_not_exist_is_exit_5_with_those_that_do(folder):
    first = succeed("devices").out.splitlines()[0]
    result = fail(5, *RUN, "--device", "abacus", says=["abacus"], cwd=folder)
    assert any(word in result.err for word in first.split() if len(word) > 3), result
    fail(5, *RUN, says=["abacus"], cwd=folder, env={"CLCONV_DEVICE": "abacus"})


@pytest.mark.parametrize("method", ["fft", "tiled", "direct"])
def test_kernels_that_do_not_build_are_exit_5_with_the_compilers_words(folder, method):
    shutil.copytree(KERNELS, folder / "kernels")
    for path in (folder / "kernels").glob("*.cl"):
        path.write_text(path.read_text() + "\n#error broken on purpose\n")
    options = ("--kernel-dir", "kernels", "--method", method)
    fail(5, *RUN, *options, says=["broken on purpose"], cwd=folder)
    assert not (folder / "out").exists() or files_below(folder / "out") == []


def test_a_kernel_folder_that_lacks_files_is_named(folder):
    (folder / "kernels").mkdir()
    fail(2, *RUN, "--kernel-dir", "kernels", says=["--kernel-dir kernels", ".cl"], cwd=folder)
    assert not (folder / "out").exists()


def test_the_embedded_kernels_are_those_of_the_folder(folder):
    succeed(*RUN, cwd=folder)
    embedded = [(folder / "out" / name).read_bytes() for name in files_below(folder / "out")]
    succeed(*RUN, "--kernel-dir", KERNELS, "--overwrite", cwd=folder)
    assert embedded == [(folder / "out" / name).read_bytes() for name in files_below(folder / "out")]
