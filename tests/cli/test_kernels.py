# SPDX-License-Identifier: Apache-2.0
"""plan --kernels: the programs of a plan as files that any OpenCL compiler reads. The judge here is clang."""

import re
import subprocess

import pytest
from support.tool import files_below
from support.tool import KERNELS, fail, succeed

SIZES = ("plan", "--size", "640x480")
CLANG = ("clang", "-cl-std=CL1.2", "-fsyntax-only", "-Werror", "-Xclang", "-finclude-default-header", "-x", "cl")

# Plans of every method, for the device that is there, and for a GPU where there is none.
PLANS = [
    ("fft there", ("--psf-size", "63", "--method", "fft")),
    ("fft", ("--psf-size", "63", "--method", "fft", "--type", "half")),
    ("special", ("--psf-size", "63", "--method", "fft", "--decide", "programs=special", "--precision", "half")),
    ("global", ("--psf-size", "63", "--method", "fft", "--decide", "residence=global", "--border", "renormalize")),
    ("tiled", ("--psf-size", "9", "--method", "tiled", "--linear")),
    ("direct", ("--psf-size", "9", "--method", "direct", "--channels", "4")),
]


def assert_compiles(file, *flags):
    done = subprocess.run([*CLANG, *flags, str(file)], capture_output=True, text=True)
    assert done.returncode == 0, f"{file}\n{done.stderr}"


@pytest.mark.parametrize("name, options", PLANS, ids=[name for name, _ in PLANS])
def test_each_program_is_one_file_that_a_compiler_takes(tmp_path, name, options):
    (tmp_path / "none").mkdir()
    env = {} if name.endswith("there") else {"OCL_ICD_VENDORS": f"{tmp_path / 'none'}/"}
    programs = succeed(*SIZES, *options, "--programs", env=env).out.splitlines()
    plan = succeed(*SIZES, *options, env=env).out.splitlines()[0]
    printed = succeed(*SIZES, *options, "--kernels", "a/b", cwd=tmp_path, env=env).out.splitlines()
    assert len(printed) == len(programs) and set(printed) == {f"a/b/{file}" for file in files_below(tmp_path / "a/b")}
    for program, file in zip(programs, printed):
        assert file == f"a/b/{program}.cl"
        lines = (tmp_path / file).read_text().splitlines()
        assert lines[0] == f"// Program: {program}"
        assert lines[1].startswith("// Options: ") and "-cl-std=CL1.2" in lines[1]
        assert lines[2] == f"// Plan: {plan}"
        assert lines[4].startswith("#define ")
        assert not [line for line in lines if line.startswith("#include")]
        assert_compiles(tmp_path / file)


def test_the_files_hold_the_kernels_of_the_plan(tmp_path):
    (tmp_path / "none").mkdir()
    env = {"OCL_ICD_VENDORS": f"{tmp_path / 'none'}/"}
    succeed(*SIZES, "--psf-size", "63", "--method", "fft", "--kernels", tmp_path / "out", env=env)
    text = "".join((tmp_path / "out" / file).read_text() for file in files_below(tmp_path / "out"))
    for kernel in ("rows_forward", "psf_rows_forward", "rows_inverse", "convolve_columns", "psf_columns_forward"):
        assert re.search(rf"__kernel .*void {kernel}\(", text), kernel
    # What columns.cl alone says stands there once, word for word.
    last = (KERNELS / "columns.cl").read_text()[-500:]
    assert text.count(last) == 1


# Without defines each file takes the example that its head gives. Unused helpers are no mistake.
ALONE = ("-Wall", "-Wextra", "-Wno-unused", "-Wno-unused-parameter", "-Wno-pragma-once-outside-header")


@pytest.mark.parametrize("file", sorted(KERNELS.glob("*.cl")), ids=lambda file: file.stem)
def test_each_file_of_kernels_compiles_alone(file):
    assert_compiles(file, *ALONE)
    if file.name in ("lane_line.cl", "lane_rows.cl", "lane_columns.cl"):
        assert_compiles(file, *ALONE, "-DGENERAL=1")
    if file.name == "coarse.cl":
        assert_compiles(file, *ALONE, "-DLANES=8", "-DSTRIP=16")


def test_what_is_there_stays_unless_overwritten(tmp_path):
    arguments = (*SIZES, "--psf-size", "63", "--method", "fft", "--kernels", tmp_path)
    first, *others = succeed(*arguments).out.splitlines()
    assert others, "the test needs several programs"
    good = {file: (tmp_path / file).read_text() for file in files_below(tmp_path)}
    last = tmp_path / others[-1]
    last.write_text("mine")
    for other in (first, *others[:-1]):
        (tmp_path / other).unlink()
    fail(4, *arguments, says=[last.name, "exists", "--overwrite"])
    assert last.read_text() == "mine" and len(list(tmp_path.iterdir())) == 1, "nothing is written"
    succeed(*arguments, "--overwrite")
    assert {file: (tmp_path / file).read_text() for file in files_below(tmp_path)} == good


def test_wrong_uses_are_named(tmp_path):
    (tmp_path / "file").write_text("")
    sizes = (*SIZES, "--psf-size", "9")
    fail(2, *sizes, "--kernels", "file", says=["file", "--kernels"], cwd=tmp_path)
    fail(2, *sizes, "--kernels", "", says=["--kernels"], cwd=tmp_path)
    fail(2, *sizes, "--overwrite", says=["--overwrite", "--kernels"], cwd=tmp_path)
    for other in ("--menu", "--programs", "--decisions"):
        fail(2, *sizes, "--kernels", "out", other, says=[other, "--kernels"], cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
