# SPDX-License-Identifier: Apache-2.0
"""What goes wrong while a run is on its way. docs/reliability.md lists all faults that are tried, and where."""

import json
import os
import shutil
import subprocess
import time

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import BINARY, environment, files_below, succeed

COUNT = 300


@pytest.fixture()
def folder(tmp_path):
    first = write_image(tmp_path / "in/000.png", as_integers(picture(256, 256, 3), np.uint8))
    for number in range(1, COUNT):
        shutil.copyfile(first, tmp_path / f"in/{number:03}.png")
    write_psf(tmp_path / "psf.txt", random_psf(9, 9))
    return tmp_path


def start(folder, *options, **settings):
    command = [BINARY, "run", "in", "--psf", "psf.txt", "--output", "out", "--report", "report.json", *options]
    return subprocess.Popen(list(map(str, command)), cwd=folder, stderr=subprocess.PIPE, env=environment(), **settings)


def whole_files(folder):
    """Images under their final names; temporary ones are hidden."""
    return [path for path in folder.glob("*.png") if not path.name.startswith(".")]


def wait_for_outputs(folder, process, count=3):
    deadline = time.monotonic() + 120
    while len(whole_files(folder / "out")) < count:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.005)


def statuses(folder):
    return [item["status"] for item in json.loads((folder / "report.json").read_text())["items"]]


def test_inputs_that_vanish_fail_alone(folder):
    process = start(folder)
    wait_for_outputs(folder, process)
    gone = [COUNT - 5, COUNT - 2]
    for number in gone:
        (folder / f"in/{number}.png").unlink()
    err = process.communicate(timeout=300)[1].decode()
    assert process.returncode == 1
    assert [index for index, status in enumerate(statuses(folder)) if status != "done"] == gone
    for number in gone:
        assert f"in/{number}.png" in err


def test_an_input_that_is_cut_off_while_it_is_due_fails_alone(folder):
    process = start(folder)
    wait_for_outputs(folder, process)
    with open(folder / f"in/{COUNT - 3}.png", "r+b") as file:
        file.truncate(500)
    process.communicate(timeout=300)
    assert process.returncode == 1
    assert [index for index, status in enumerate(statuses(folder)) if status != "done"] == [COUNT - 3]


def test_an_output_folder_that_vanishes_fails_the_items_that_are_left(folder):
    process = start(folder)
    wait_for_outputs(folder, process)
    (folder / "out").rename(folder / "away")
    process.communicate(timeout=300)
    assert process.returncode == 1
    found = statuses(folder)
    assert found.count("done") >= 3 and found.count("failed") > 0 and set(found) == {"done", "failed"}
    for path in whole_files(folder / "away"):
        assert read_image(path).shape == (256, 256, 3)


def test_a_reader_of_the_events_who_goes_away_ends_the_run_decently(folder):
    process = start(folder, "--events", "-", stdout=subprocess.PIPE)
    for _ in range(20):
        json.loads(process.stdout.readline())
    process.stdout.close()
    process.stderr.read()
    assert process.wait(timeout=300) == 128 + 13
    names = files_below(folder / "out")
    assert 0 < len(names) < COUNT
    assert statuses(folder).count("done") == len(names)
    for name in names:
        assert read_image(folder / "out" / name).shape == (256, 256, 3)


def test_a_reader_of_the_log_who_goes_away_changes_nothing(folder):
    process = start(folder, "-v")
    process.stderr.readline()
    process.stderr.close()
    assert process.wait(timeout=300) == 0
    assert len(files_below(folder / "out")) == COUNT


needs_full_disk = pytest.mark.skipif(
    not os.path.exists("/dev/full") or not os.access("/dev", os.W_OK), reason="needs /dev/full in a folder to write to"
)


@needs_full_disk
@pytest.mark.parametrize("option", ["--events", "--trace", "--log-file"])
def test_a_side_file_on_a_full_disk_costs_no_image(tmp_path, option):
    write_image(tmp_path / "in/a.png", as_integers(picture(23, 17, 3), np.uint8))
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    result = succeed("run", "in", "--psf", "psf.txt", "--output", "out", option, "/dev/full", cwd=tmp_path)
    assert files_below(tmp_path / "out") == ["a.png"]
    if option != "--log-file":
        assert "/dev/full" in result.err and "No space left" in result.err


@needs_full_disk
def test_a_manifest_on_a_full_disk_costs_no_image(tmp_path):
    write_image(tmp_path / "in/a.png", as_integers(picture(23, 17, 3), np.uint8))
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    run = ("run", "in", "--psf", "psf.txt", "--output", "out")
    assert "/dev/full" in succeed(*run, "--manifest", "/dev/full", cwd=tmp_path).err
    assert files_below(tmp_path / "out") == ["a.png"]


@needs_full_disk
def test_a_report_for_which_standard_output_has_no_room_is_an_error(tmp_path):
    """It is so short that only its end is written to the disk."""
    write_image(tmp_path / "a.png", as_integers(picture(23, 17, 3), np.uint8))
    command = [BINARY, "run", "a.png", "--method", "none", "--output", "out", "--report", "-"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, cwd=tmp_path, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and "--report -: cannot be written: No space left" in done.stderr, done.stderr
