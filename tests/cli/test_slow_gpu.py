# SPDX-License-Identifier: Apache-2.0
"""A batch on a GPU whose driver takes its time: PoCL in its place, by an OpenCL that says so (faulty_opencl.cpp)."""

import contextlib
import json
import os
import re
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from support.images import as_integers, as_values, picture, random_psf, read_image, write_image, write_psf
from support.reference import convolve
from support.tool import BINARY, environment, fail, files_below, succeed

LIBRARY = os.environ.get("FAULTY_OPENCL_LIBRARY", "")
COUNT = 24
RUN = ("run", "in", "--psf", "psf.txt", "--output", "out", "--jobs", "2", "--report", "report.json")
RUN += ("--trace", "trace.json")
OPENING = 1.5  # seconds
OUT_OF_RESOURCES = -5

pytestmark = pytest.mark.skipif(not os.path.exists(LIBRARY), reason="needs FAULTY_OPENCL_LIBRARY; ctest sets it")


def slow_gpu(faults="", opening=OPENING):
    return {"LD_PRELOAD": LIBRARY, "FAULTY_OPENCL": faults, "SLOW_GPU": opening}


def filled(folder):
    for number in range(COUNT):
        write_image(folder / f"in/{number:02}.png", as_integers(picture(90, 70, 3, seed=number), np.uint8))
    write_psf(folder / "psf.txt", random_psf(9, 7))
    return folder


@pytest.fixture()
def folder(tmp_path):
    return filled(tmp_path)


@pytest.fixture(scope="module", autouse=True)
def long_build(tmp_path_factory):
    """A run that is asked to end while the driver compiles. It ends ten seconds later, and other tests pass the time."""
    folder = filled(tmp_path_factory.mktemp("long_build"))
    process = subprocess.Popen(
        [BINARY, *RUN, "--method", "direct"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**slow_gpu(opening=0.1), SLOW_BUILD=600),
    )
    while "slow build: begins" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    yield process, folder
    process.kill()


@pytest.fixture(scope="module", autouse=True)
def long_launch(tmp_path_factory):
    """The same on a CPU whose driver compiles a kernel when it is first launched, as PoCL does."""
    folder = filled(tmp_path_factory.mktemp("long_launch"))
    process = subprocess.Popen(
        [BINARY, *RUN],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(LD_PRELOAD=LIBRARY, SLOW_LAUNCH=600),
    )
    while "slow launch: begins" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    yield process, folder
    process.kill()


def assert_convolved(folder):
    """Every output is the definition's sum, rounded."""
    psf = random_psf(9, 7)
    psf = psf / psf.sum()
    assert len(files_below(folder / "out")) == COUNT
    for name in files_below(folder / "out"):
        expected = 255 * convolve(as_values(read_image(folder / "in" / name)), psf)
        assert np.abs(read_image(folder / "out" / name) - expected).max() < 0.51, name


def spans(folder, name):
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    return [event for event in events if event["ph"] == "X" and event["name"] == name]


def read_before_it_was_open(folder):
    (opening,) = spans(folder, "open")
    opened = opening["ts"] + opening["dur"]
    return [read for read in spans(folder, "read") if read["ts"] + read["dur"] < opened]


def test_images_are_read_while_it_opens_and_are_convolved_right(folder):
    for seconds in (OPENING, 10 * OPENING):  # the second is for a machine that is busy with other things
        result = succeed(*RUN, "--overwrite", cwd=folder, env=slow_gpu(opening=seconds))
        if len(read_before_it_was_open(folder)) == COUNT:
            break
    assert len(read_before_it_was_open(folder)) == COUNT
    assert_convolved(folder)
    (opening,) = spans(folder, "open")
    assert opening["dur"] >= seconds * 1e6
    assert json.loads((folder / "report.json").read_text())["opening_seconds"] >= seconds
    pins = int(re.search(r"^pins: (\d+)$", result.err, re.MULTILINE)[1])
    assert COUNT < pins <= 2 * COUNT, "every input's memory once, and that of results in flight, which is used again"


@pytest.mark.parametrize("trace", [(), ("--trace", "all.json")], ids=["some", "all"])
def test_some_launches_are_timed_or_all_for_a_trace(folder, trace):
    """Images that do not share launches have times of each pass either way, and results are the same."""
    for number in range(COUNT):
        write_image(folder / f"large/{number:02}.png", as_integers(picture(300, 280, 3, seed=number), np.uint8))
    run = ("run", "large", "--psf", "psf.txt", "--output", "large_out", "--report", "large.json", "--method", "fft")
    run += ("--decide", "residence=global", *trace)
    succeed(*run, cwd=folder, env=slow_gpu(opening=0.1))
    items = json.loads((folder / "large.json").read_text())["items"]
    assert len(items) == COUNT
    times = [item["stages"] for item in items]
    assert all(time["columns"] > 0 and time["rows"] > 0 for time in times), times[0]
    distinct = len({time["columns"] for time in times})
    assert distinct == COUNT if trace else distinct < COUNT
    if trace:
        events = json.loads((folder / "all.json").read_text())["traceEvents"]
        assert len([event for event in events if event["name"] == "columns"]) % COUNT == 0


def test_what_the_tool_starts_has_the_real_opencl(folder):
    """The tool's own compiler processes, and the driver's linker, which runs where the driver's cache is empty."""
    caches = {"POCL_CACHE_DIR": folder / "pocl", "CLCONV_COMPILE_PROCESSES": 2}
    result = succeed(*RUN, "-v", "--method", "fft", cwd=folder, env=slow_gpu(opening=0.1) | caches)
    assert "built by a compiler process" in result.err
    assert result.err.count("pins: ") == 1


def test_little_memory_bounds_how_far_readers_are_ahead(folder):
    succeed(*RUN, "--memory-limit", "1K", cwd=folder, env=slow_gpu())
    assert_convolved(folder)
    assert len(read_before_it_was_open(folder)) == 1, "one at a time, as nothing fits"


@pytest.mark.parametrize("pins", ["pin 1 1000000 -5", "pin 3 1000000 -5"], ids=["none", "two"])
def test_memory_that_cannot_be_pinned_does_as_well(folder, pins):
    succeed(*RUN, cwd=folder, env=slow_gpu(pins, opening=0.3))
    assert_convolved(folder)


def test_a_fault_of_the_device_costs_no_image(folder):
    # The PSF's, that of the first image, which is checked, and the first that several images may share.
    result = succeed(*RUN, cwd=folder, env=slow_gpu(f"launch 3 3 {OUT_OF_RESOURCES}", opening=0.3))
    assert "trying again with the device opened anew" in result.err
    assert_convolved(folder)


def test_one_that_does_not_open_leaves_nothing_behind(folder):
    fail(5, *RUN, cwd=folder, env=slow_gpu(f"context 1 1000000 {OUT_OF_RESOURCES}"))
    assert not (folder / "out").exists()


def test_a_signal_while_it_opens_starts_nothing(folder):
    process = subprocess.Popen(
        [BINARY, *RUN], cwd=folder, stderr=subprocess.PIPE, text=True, env=environment(**slow_gpu(opening=4))
    )
    while not (folder / "trace.json").exists():  # it minds signals from then on
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.01)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert files_below(folder / "out") == []
    report = json.loads((folder / "report.json").read_text())
    assert report["counts"]["not_started"] == COUNT


def test_a_build_that_takes_long_is_said_and_one_signal_ends_it(long_build):
    process, folder = long_build
    _, err = process.communicate(timeout=300)  # of 600 that the build takes
    assert process.returncode == 143, err
    assert re.search(r"the driver has been compiling direct-9x7-\S*-u8x3\S* \(direct.cl\) for 10 s", err), err
    assert files_below(folder / "out") == []
    report = json.loads((folder / "report.json").read_text())
    assert report["counts"]["not_started"] == COUNT and report["exit_code"] == 143 and report["signal"] == 15


def test_a_kernel_that_is_compiled_at_its_first_launch_is_reported_and_a_signal_ends_the_run(long_launch):
    process, folder = long_launch
    _, err = process.communicate(timeout=60)
    assert process.returncode == 143, err
    assert re.search(r"the driver has been compiling \S+ for 10 s", err) and "stopped while the driver compiles" in err, err
    assert files_below(folder / "out") == []


def test_a_compile_process_ends_in_the_middle_of_a_build_when_its_clconv_has_ended():
    device = json.loads(succeed("devices", "--json").out)[0]
    program = Path(BINARY).with_name("clconv-compile")
    ours, its = socket.socketpair()
    with subprocess.Popen(
        [program, device["index"], device["platform"], device["name"]],
        stdin=its,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(LD_PRELOAD=LIBRARY, SLOW_BUILD=600),
        start_new_session=True,  # as clconv starts it
    ) as process:
        its.close()
        for text in (b"", b"__kernel void nothing() {}"):
            ours.sendall(struct.pack("QQ", 0x636C636F6E763031, len(text)) + text)  # compile_messages.cpp
        while "slow build: begins" not in process.stderr.readline():
            assert process.poll() is None
        ours.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        assert process.returncode == -signal.SIGKILL
