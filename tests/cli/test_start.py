# SPDX-License-Identifier: Apache-2.0
"""What a start loads: modules only for commands that touch image files, OpenImageIO's libraries only for files that need them;
and errors if a module is missing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from astropy.io import fits

from support.images import as_integers, picture, write_image
from support.tool import BINARY, environment, fail, succeed

MODULE = "libclconv_image.so"
CODECS = "libclconv_openimageio.so"
OPENIMAGEIO = "libOpenImageIO.so"  # and not its library of utilities


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
    names = " ".join(loaded("psf", "gaussian:2", "--output", "psf.exr", cwd=tmp_path))
    assert MODULE in names and CODECS in names and OPENIMAGEIO in names


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.fits", "a.ppm"])
def test_common_files_need_no_openimageio(name, tmp_path):
    if name == "a.fits":
        fits.PrimaryHDU(picture(20, 16)[..., 0]).writeto(tmp_path / name)
    else:
        write_image(tmp_path / name, as_integers(picture(20, 16, 3), np.uint8))
    options = ("--psf", "gaussian:2", "--output", "out", "--method", "direct")
    names = " ".join(loaded("run", name, *options, cwd=tmp_path))
    assert MODULE in names and OPENIMAGEIO not in names
    assert (tmp_path / "out" / name).exists()
    assert OPENIMAGEIO in " ".join(loaded("run", name, *options, "--format", "tif", cwd=tmp_path))


def test_the_program_has_every_function_that_the_module_calls(tmp_path):
    """They are found when they are first called, so one that is missing would end a run in the middle."""
    succeed("psf", "gaussian:2", "--output", tmp_path / "psf.exr", env={"LD_BIND_NOW": "1"})


def test_openimageio_calls_the_guarded_decoder_of_profiles(tmp_path):
    """Its own must not be called by two threads at once: src/openimageio/open_image_io.cpp."""
    write_image(tmp_path / "a.tif", picture(20, 16, 3))
    done = run("compare", str(tmp_path / "a.tif"), str(tmp_path / "a.tif"), LD_DEBUG="bindings", LD_BIND_NOW="1")
    assert done.returncode == 0
    bound = re.findall(r"binding file \S*/(libOpenImageIO\.so\S*) .* to (\S+) .*decode_icc_profile", done.stderr)
    assert bound and all(to.endswith(CODECS) for _, to in bound), bound


@pytest.fixture
def alone(tmp_path):
    """A folder with the program, and no module."""
    folder = tmp_path / "bin"
    folder.mkdir()
    shutil.copy(BINARY, folder / "clconv")
    return folder


@pytest.fixture
def without_codecs(alone):
    """A folder with the program and one of its two modules."""
    shutil.copy(Path(BINARY).parent / MODULE, alone)
    return alone


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


@pytest.mark.parametrize("module", [MODULE, CODECS])
def test_a_module_of_another_version_is_refused(without_codecs, module):
    version = re.match(r"clconv (\S+)", run("--version").stdout)[1].encode()
    other = b"9" * len(version)
    contents = (Path(BINARY).parent / module).read_bytes()
    assert version + b"\0" in contents
    (without_codecs / module).write_bytes(contents.replace(version + b"\0", other + b"\0"))
    assert f"belongs to version {other.decode()}" in refused(without_codecs)


def test_a_missing_module_of_codecs_is_named(without_codecs):
    message = refused(without_codecs)
    assert f"{without_codecs / CODECS}: cannot be loaded" in message and "install clconv again" in message


def test_the_modules_are_found_where_they_are_installed(alone):
    missing = re.search(r"nor in (\S+);", refused(alone))[1]
    os.makedirs(missing)
    for module in (MODULE, CODECS):
        shutil.copy(Path(BINARY).parent / module, missing)
    done = run("psf", "gaussian:2", "--output", str(alone / "psf.exr"), binary=alone / "clconv")
    assert done.returncode == 0, done.stderr
