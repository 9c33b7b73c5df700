# SPDX-License-Identifier: Apache-2.0
"""SIGINT, SIGTERM and SIGHUP end a run decently; a second SIGINT or SIGTERM ends it at once."""

import json
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import BINARY, environment, files_below

COUNT = 800


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Enough images to be interrupted in the middle."""
    folder = tmp_path_factory.mktemp("interrupt")
    first = write_image(folder / "in/000.png", as_integers(picture(256, 256, 3), np.uint8))
    for number in range(1, COUNT):
        shutil.copyfile(first, folder / f"in/{number:03}.png")
    write_psf(folder / "psf.txt", random_psf(31, 31))
    (folder / "broken.png").write_text("broken\n")  # an input of its own, before the others
    return folder


def start(inputs, folder, *options, ignored=()):
    files = ["--psf", inputs / "psf.txt", "--output", "out", "--report", "report.json"]
    command = [BINARY, "run", inputs / "in", *files, *options]
    before = {number: signal.signal(number, signal.SIG_IGN) for number in ignored}  # the new process inherits it
    try:
        return subprocess.Popen(
            list(map(str, command)),
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            start_new_session=True,
        )
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def whole_files(folder):
    """The outputs under their final names; temporary ones are hidden."""
    return [name for name in files_below(folder / "out") if not name.startswith(".")]


def wait_for_outputs(folder, process, count=3):
    deadline = time.monotonic() + 120
    while len(whole_files(folder)) < count:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_finishes_what_is_in_flight_and_writes_the_report(inputs, tmp_path, number, code):
    """Its exit code is the signal's, though an image has failed. A terminal that closes sends SIGHUP, and its shell another."""
    (tmp_path / "out").mkdir()
    process = start(inputs, tmp_path, inputs / "broken.png")
    wait_for_outputs(tmp_path, process)
    process.send_signal(number)
    while "stopping after" not in (line := process.stderr.readline()):
        assert line
    if number == signal.SIGHUP:
        process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code, err

    names = files_below(tmp_path / "out")
    assert 0 < len(names) < COUNT
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["exit_code"] == code
    done = [item["output"] for item in report["items"] if item["status"] == "done"]
    assert sorted(done) == sorted(f"out/{name}" for name in names), "what is reported done is there, and nothing else"
    for name in names[:3] + names[-3:]:
        assert read_image(tmp_path / "out" / name).shape == (256, 256, 3)


def test_a_quiet_run_says_nothing_about_the_signal_that_stops_it(inputs, tmp_path):
    process = start(inputs, tmp_path, "-q")
    wait_for_outputs(tmp_path, process)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 130


def test_the_second_signal_ends_at_once_and_leaves_only_whole_files(inputs, tmp_path):
    (tmp_path / "out").mkdir()
    process = start(inputs, tmp_path)
    wait_for_outputs(tmp_path, process)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT), err
    assert time.monotonic() - began < 10
    for name in whole_files(tmp_path):
        assert read_image(tmp_path / "out" / name).shape == (256, 256, 3)


def test_a_signal_that_the_caller_ignores_stays_ignored(inputs, tmp_path):
    process = start(inputs, tmp_path, ignored=[signal.SIGINT])
    wait_for_outputs(tmp_path, process)
    process.send_signal(signal.SIGTERM)
    while "stopping after" not in (line := process.stderr.readline()):
        assert line
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 143, err


def test_a_killed_run_leaves_only_whole_files(inputs, tmp_path):
    (tmp_path / "out").mkdir()
    process = start(inputs, tmp_path)
    wait_for_outputs(tmp_path, process)
    process.kill()
    process.communicate()
    for name in whole_files(tmp_path):
        assert read_image(tmp_path / "out" / name).shape == (256, 256, 3)
