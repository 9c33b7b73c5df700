# SPDX-License-Identifier: Apache-2.0
"""A device that fails while it works: an OpenCL that returns errors on request (faulty_opencl.cpp)."""

import json
import os
from dataclasses import dataclass

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, write_image, write_psf
from support.tool import clconv, fail, files_below, succeed

LIBRARY = os.environ.get("FAULTY_OPENCL_LIBRARY", "")
COUNT = 12
# Programs of one radix are built in half the time of those for lines of any length.
RUN = ("run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", "--method", "fft", "--radix", "8", "--jobs", "1")
RUN += ("-v", "--report", "report.json")

DEVICE_NOT_AVAILABLE, OUT_OF_MEMORY, LOST = -2, -4, -5  # LOST: CL_OUT_OF_RESOURCES, what drivers say after a fault
EVER = 1000000

pytestmark = pytest.mark.skipif(not os.path.exists(LIBRARY), reason="needs FAULTY_OPENCL_LIBRARY; ctest sets it")


@dataclass
class Fault:
    call: str
    first: int
    last: int
    code: int

    def __str__(self):
        return f"{self.call} {self.first} {self.last} {self.code}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("device_faults")
    for number in range(COUNT):
        write_image(folder / f"in/{number:02}.png", as_integers(picture(40, 30, 3, seed=number), np.uint8))
    write_psf(folder / "psf.txt", random_psf(9, 9))
    return folder


@pytest.fixture(scope="module")
def undisturbed(folder):
    succeed(*RUN, cwd=folder, env={"CLCONV_CACHE_DIR": folder / "cache", "POCL_KERNEL_CACHE": "0"})
    return outputs(folder)


def outputs(folder):
    return {name: (folder / "out" / name).read_bytes() for name in files_below(folder / "out")}


def run_with(folder, *faults):
    for name in files_below(folder / "out"):
        (folder / "out" / name).unlink()
    env = {"LD_PRELOAD": LIBRARY, "FAULTY_OPENCL": ",".join(map(str, faults)), "CLCONV_CACHE_DIR": folder / "cache"}
    env["POCL_KERNEL_CACHE"] = "0"  # else PoCL keeps the programs, and clconv does not
    return clconv(*RUN, cwd=folder, env=env)


def failures(folder):
    items = json.loads((folder / "report.json").read_text())["items"]
    assert len(items) == COUNT
    return [item["error"] for item in items if item["status"] == "failed"]


@pytest.mark.parametrize("fault", [Fault("launch", 17, 17, LOST), Fault("buffer", 5, 5, OUT_OF_MEMORY)], ids=str)
def test_an_error_that_passes_costs_no_image(folder, undisturbed, fault):
    result = run_with(folder, fault)
    assert result.code == 0, result
    assert "trying again with the device opened anew" in result.err
    assert outputs(folder) == undisturbed


def test_a_measurement_that_fails_costs_no_image(folder, undisturbed):
    env = {"LD_PRELOAD": LIBRARY, "FAULTY_OPENCL": str(Fault("buffer", 1, 1, OUT_OF_MEMORY)), "CLCONV_CACHE_DIR": folder / "none"}
    result = clconv(*RUN, "--tuning", "measure", cwd=folder, env=env | {"POCL_KERNEL_CACHE": "0"})
    assert result.code == 0 and failures(folder) == [], result


def test_the_device_opened_afresh_takes_its_programs_from_the_cache(folder, undisturbed):
    programs = run_with(folder).err.count(": from cache")
    result = run_with(folder, Fault("launch", 17, 17, LOST))
    assert programs > 0
    assert result.err.count(": from cache") == 2 * programs, result
    assert ": built" not in result.err


def test_what_a_device_opened_afresh_has_built_is_there_for_the_next_run(folder, tmp_path):
    """The sizes change after the fault: their programs are built by the device opened afresh."""
    for number in range(4):
        size = (40, 30) if number < 2 else (70, 50)
        write_image(tmp_path / f"in/{number}.png", as_integers(picture(*size, 3), np.uint8))
    (tmp_path / "psf.txt").write_bytes((folder / "psf.txt").read_bytes())
    env = {"CLCONV_CACHE_DIR": tmp_path / "cache", "POCL_KERNEL_CACHE": "0"}
    fault = {"LD_PRELOAD": LIBRARY, "FAULTY_OPENCL": str(Fault("launch", 2, 2, LOST))}
    first = succeed(*RUN, cwd=tmp_path, env=env | fault)
    assert "trying again with the device opened anew" in first.err
    assert first.err.count(": kept for the next start") > 0
    assert ": built" not in succeed(*RUN, cwd=tmp_path, env=env).err


def test_a_device_that_fails_at_every_launch_fails_the_images_that_are_left(folder, undisturbed):
    result = run_with(folder, Fault("launch", 17, EVER, LOST))
    assert result.code == 1, result
    made = outputs(folder)
    assert 0 < len(made) < COUNT
    assert made.items() <= undisturbed.items()
    assert len(failures(folder)) == COUNT - len(made)
    assert all("CL_OUT_OF_RESOURCES" in error for error in failures(folder)), failures(folder)


def test_a_device_without_memory_fails_every_image_and_says_why(folder, undisturbed):
    result = run_with(folder, Fault("buffer", 1, EVER, OUT_OF_MEMORY))
    assert result.code == 1, result
    assert files_below(folder / "out") == []
    assert len(failures(folder)) == COUNT
    assert all("CL_MEM_OBJECT_ALLOCATION_FAILURE" in error for error in failures(folder)), failures(folder)


def test_a_device_that_is_gone_fails_what_is_left(folder, undisturbed):
    result = run_with(folder, Fault("launch", 17, EVER, LOST), Fault("context", 2, EVER, DEVICE_NOT_AVAILABLE))
    assert result.code == 1, result
    made = outputs(folder)
    assert 0 < len(made) < COUNT
    assert made.items() <= undisturbed.items()
    assert len(failures(folder)) == COUNT - len(made)


def test_a_device_that_cannot_be_opened_is_said_before_any_work(folder, undisturbed):
    result = run_with(folder, Fault("context", 1, EVER, DEVICE_NOT_AVAILABLE))
    assert result.code == 5, result
    assert files_below(folder / "out") == []


@pytest.mark.parametrize("first", [3, 12])
def test_a_device_that_is_gone_ends_tuning(tmp_path, first):
    env = {"LD_PRELOAD": LIBRARY, "FAULTY_OPENCL": str(Fault("launch", first, EVER, LOST)), "CLCONV_CACHE_DIR": tmp_path}
    size = ("--size", "40x30", "--channels", "1", "--psf-size", "5", "--budget", "2s")
    assert "CL_OUT_OF_RESOURCES" in fail(5, "tune", *size, env=env).err
