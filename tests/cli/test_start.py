# SPDX-License-Identifier: Apache-2.0
"""What a start loads: OpenImageIO's libraries only for commands that touch image files, and errors if the module is missing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.tool import BINARY, environment, fail, succeed

MODULE = "libclconv_image.so"


def run(*arguments, binary=BINARY, **changes):
    return subprocess.run(
        [str(binary), *arguments], env=environment(**changes), capture_output=True, text=True, timeout=300
    )


def loaded(*arguments, cwd, **changes):
    """The names of the libraries that a process loads, or looks for."""
    done = subprocess.run(
        [BINARY, *arguments],
        env=environment(LD_DEBUG="files", LD_DEBUG_OUTPUT=str(cwd / "files"), **changes),
        cwd=cwd,
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    text = ""
    for file in cwd.glob("files.*"):
        text += file.read_text(errors="replace")
        file.unlink()
    return set(re.findall(r"file=(\S+)", text))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["help", "run"],
        ["run", "--help"],
        ["compare", "--help"],
        ["completion", "bash"],
        ["plan", "--size", "64x48", "--psf-size", "5"],
        ["devices"],
        ["bench", "--size", "64x48", "--psf-size", "5", "--repeat", "1"],
    ],
    ids=" ".join,
)
def test_commands_without_image_files_do_not_load_their_libraries(arguments, tmp_path):
    names = " ".join(loaded(*arguments, cwd=tmp_path))
    assert "libfmt" in names  # or nothing was traced
    assert MODULE not in names and "OpenImageIO" not in names


def test_nothing_of_opencl_is_loaded_to_print_help(tmp_path):
    names = " ".join(loaded("run", "--help", cwd=tmp_path))
    assert "pocl" not in names and "LLVM" not in names


PLAN = ["plan", "--size", "64x48", "--psf-size", "5"]


def plan_asks_the_driver(cwd, *options, **changes):
    changes = {"CLCONV_CACHE_DIR": cwd / "cache", **changes}
    return any("pocl" in name for name in loaded(*PLAN, *options, cwd=cwd, **changes))


def test_a_plan_asks_the_driver_only_once(tmp_path):
    cache = {"CLCONV_CACHE_DIR": tmp_path / "cache"}
    first = succeed(*PLAN, env=cache).out
    assert succeed(*PLAN, env=cache).out == first
    assert plan_asks_the_driver(tmp_path), "loaded() sets variables that the first plans did not have"
    assert not plan_asks_the_driver(tmp_path)
    assert not plan_asks_the_driver(tmp_path, TERM="another")


def test_a_plan_asks_the_driver_again_when_something_has_changed(tmp_path):
    vendors = tmp_path / "vendors"
    vendors.mkdir()
    icd = vendors / "pocl.icd"
    icd.write_text(next(Path("/etc/OpenCL/vendors").glob("pocl*.icd")).read_text())
    known = {"OCL_ICD_VENDORS": vendors, "OPENCL_VENDOR_PATH": vendors}
    assert plan_asks_the_driver(tmp_path, **known) and not plan_asks_the_driver(tmp_path, **known)
    assert plan_asks_the_driver(tmp_path, "--no-cache", **known)
    assert not plan_asks_the_driver(tmp_path, **known)
    icd.write_text(icd.read_text() + "\n")
    assert plan_asks_the_driver(tmp_path, **known), "the list of drivers was changed"
    assert not plan_asks_the_driver(tmp_path, **known)
    assert plan_asks_the_driver(tmp_path, POCL_DEVICES="basic", **known)
    assert plan_asks_the_driver(tmp_path, **known), "only the devices of the last environment are kept"
    assert not plan_asks_the_driver(tmp_path, **known)
    fail(5, *PLAN, "--device", "of nobody", env={**known, "CLCONV_CACHE_DIR": tmp_path / "cache"})


def test_a_list_of_devices_always_asks_the_drivers(tmp_path):
    for _ in range(2):
        names = loaded("devices", cwd=tmp_path, CLCONV_CACHE_DIR=tmp_path / "cache")
        assert any("pocl" in name for name in names)
    assert not plan_asks_the_driver(tmp_path), "the list is kept for plans"


def test_commands_for_image_files_load_them(tmp_path):
    names = loaded("psf", "gaussian:2", "--output", "psf.exr", cwd=tmp_path)
    assert any(name.endswith(MODULE) for name in names)
    assert any("libOpenImageIO" in name for name in names)


def test_the_program_has_every_function_that_the_module_calls(tmp_path):
    """They are found when they are first called, so one that is missing would end a run in the middle."""
    succeed("psf", "gaussian:2", "--output", tmp_path / "psf.exr", env={"LD_BIND_NOW": "1"})


@pytest.fixture
def alone(tmp_path):
    """A folder with the program, and no module."""
    folder = tmp_path / "bin"
    folder.mkdir()
    shutil.copy(BINARY, folder / "clconv")
    return folder


def refused(folder):
    """What the program says instead of making a PSF."""
    done = run("psf", "gaussian:2", "--output", str(folder / "psf.exr"), binary=folder / "clconv")
    assert done.returncode == 6, done
    assert not (folder / "psf.exr").exists()
    return done.stderr


def test_a_missing_module_is_named_with_the_places_where_it_belongs(alone):
    message = refused(alone)
    assert message.startswith(f"error: {MODULE} is missing")
    assert str(alone) in message and "install clconv again" in message
    assert run("--version", binary=alone / "clconv").returncode == 0


def test_a_broken_module_is_named_with_what_is_wrong(alone):
    (alone / MODULE).write_bytes(b"no library")
    message = refused(alone)
    assert f"{alone / MODULE}: cannot be loaded" in message and "install clconv again" in message


def test_another_library_under_its_name_is_refused(alone):
    names = re.findall(r"=> (\S*libfmt\S*)", subprocess.run(["ldd", BINARY], capture_output=True, text=True).stdout)
    shutil.copy(names[0], alone / MODULE)
    assert f"{alone / MODULE}: is no module of clconv" in refused(alone)


def test_a_module_of_another_version_is_refused(alone):
    version = re.match(r"clconv (\S+)", run("--version").stdout)[1].encode()
    other = b"9" * len(version)
    module = (Path(BINARY).parent / MODULE).read_bytes()
    assert version + b"\0" in module
    (alone / MODULE).write_bytes(module.replace(version + b"\0", other + b"\0"))
    assert f"belongs to version {other.decode()}" in refused(alone)


def test_the_module_is_found_where_it_is_installed(alone):
    missing = re.search(r"nor in (\S+);", refused(alone))[1]
    os.makedirs(missing)
    shutil.copy(Path(BINARY).parent / MODULE, missing)
    done = run("psf", "gaussian:2", "--output", str(alone / "psf.exr"), binary=alone / "clconv")
    assert done.returncode == 0, done.stderr
