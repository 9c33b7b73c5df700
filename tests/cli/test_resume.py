# SPDX-License-Identifier: Apache-2.0
"""Runs that are killed, and runs that go on: only whole files, nothing made twice, nothing old kept."""

import contextlib
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import BINARY, KERNELS, environment, fail, files_below, succeed

RUN = ("run", "in", "--psf", "psf.txt", "--output", "out")
MANIFEST = ".clconv-manifest.ndjson"
COUNT = 6


def write_inputs(folder):
    for number in range(COUNT):
        write_image(folder / f"in/{number}.png", as_integers(picture(23, 17, 3, seed=number), np.uint8))
    write_psf(folder / "psf.txt", random_psf(3, 3))
    return folder


@pytest.fixture()
def folder(tmp_path):
    return write_inputs(tmp_path)


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """A folder in which everything has been made."""
    folder = write_inputs(tmp_path_factory.mktemp("once"))
    assert resume(folder) == everything()
    return folder


@pytest.fixture()
def made(once, tmp_path):
    """A copy of it."""
    return shutil.copytree(once, tmp_path / "made")


def resume(folder, *options, run=RUN):
    """Runs with --resume. Returns the indices of what was made."""
    succeed(*run, "--resume", "--report", "report.json", *options, cwd=folder)
    report = json.loads((folder / "report.json").read_text())
    assert {item["status"] for item in report["items"]} <= {"done", "skipped"}
    return [item["index"] for item in report["items"] if item["status"] == "done"]


def everything():
    return list(range(COUNT))


def test_a_resumed_run_makes_nothing_twice(folder):
    assert resume(folder) == everything()
    before = {name: (folder / "out" / name).stat().st_mtime_ns for name in files_below(folder / "out")}
    assert resume(folder) == []
    assert "0 images to make" in succeed(*RUN, "--resume", cwd=folder).err
    assert before == {name: (folder / "out" / name).stat().st_mtime_ns for name in files_below(folder / "out")}


def test_the_manifest_has_a_line_an_item(made):
    lines = [json.loads(line) for line in (made / "out" / MANIFEST).read_text().splitlines()]
    assert sorted(line["output"] for line in lines) == [f"{number}.png" for number in range(COUNT)]
    for line in lines:
        assert line["output_bytes"] == (made / "out" / line["output"]).stat().st_size
    assert len({line["input_digest"] for line in lines}) == COUNT
    assert len({line["psf_digest"] for line in lines}) == len({line["options_digest"] for line in lines}) == 1


def test_what_changed_is_made_again_and_the_rest_is_not(made):
    write_image(made / "in/1.png", as_integers(picture(23, 17, 3, seed=99), np.uint8))
    (made / "out/2.png").unlink()
    with open(made / "out/3.png", "r+b") as file:
        file.truncate(20)
    damaged = bytearray((made / "out/4.png").read_bytes())
    damaged[-20] ^= 1
    (made / "out/4.png").write_bytes(damaged)
    os.utime(made / "in/5.png")
    assert resume(made) == [1, 2, 3, 4]
    assert resume(made) == []


@pytest.mark.parametrize("option", [["--border", "zero"], ["--depth", "u16"], ["--correlate"], ["--psf-clamp", "0.1"]])
def test_other_options_make_everything_again(made, option):
    assert resume(made, *option) == everything()
    assert resume(made, *option) == []


def test_every_option_that_may_change_an_output_makes_it_again(tmp_path):
    """As a dry run tells, which makes none."""
    write_image(tmp_path / "a.png", as_integers(picture(9, 7, 3), np.uint8))
    run = ("run", "a.png", "--method", "none", "--output", "out", "--resume")
    succeed(*run, cwd=tmp_path)
    assert "would be skipped" in succeed(*run, "--dry-run", cwd=tmp_path).out
    options = ["--alpha keep", "--nonfinite zero", "--nodata 7", "--damaged keep", "--dither", "--quality 50", "--metadata strip"]
    for option in options:
        assert "would be skipped" not in succeed(*run, *option.split(), "--dry-run", cwd=tmp_path).out, option


def test_other_kernels_in_the_same_folder_make_everything_again(made):
    shutil.copytree(KERNELS, made / "kernels")
    option = ("--kernel-dir", "kernels")
    assert resume(made, *option) == everything()
    assert resume(made, *option) == []
    with open(made / "kernels/columns.cl", "a") as kernel:
        kernel.write("// another\n")
    assert resume(made, *option) == everything()


@pytest.mark.parametrize("option", [["--jobs", "3"], ["-v"], ["--log-file", "log.txt"], ["--overwrite"]])
def test_options_that_change_no_pixel_make_nothing_again(made, option):
    assert resume(made, *option) == []


def test_another_psf_makes_everything_again(made):
    write_psf(made / "psf.txt", random_psf(3, 3, seed=8))
    assert resume(made) == everything()


def test_new_inputs_are_made(made):
    shutil.copy(made / "in/0.png", made / "in/9.png")
    assert resume(made) == [COUNT]


def test_one_of_several_psfs_makes_only_its_items_again(folder):
    write_psf(folder / "other.txt", random_psf(3, 3, seed=1))
    run = (*RUN, "--psf", "other.txt")
    resume(folder, run=run)
    write_psf(folder / "other.txt", random_psf(3, 3, seed=2))
    assert resume(folder, run=run) == list(range(1, 2 * COUNT, 2))


def test_a_run_with_a_manifest_can_be_resumed(folder):
    succeed(*RUN, "--manifest", "m.ndjson", cwd=folder)
    assert resume(folder, "--manifest", "m.ndjson") == []
    assert MANIFEST not in files_below(folder / "out")


def test_a_moved_folder_can_be_resumed_from_anywhere(made):
    (made / "out").rename(made / "moved")
    (made / "elsewhere").mkdir()
    run = ("run", "../in", "--psf", "../psf.txt", "--output", "../moved")
    assert resume(made / "elsewhere", run=run) == []


def test_a_manifest_that_lost_its_end_costs_one_image(made):
    manifest = made / "out" / MANIFEST
    manifest.write_bytes(manifest.read_bytes()[:-30])
    assert len(resume(made)) == 1
    assert resume(made) == []
    manifest.write_bytes(b"\0\xff garbage\n" + manifest.read_bytes())
    assert resume(made) == []


def test_files_of_others_are_not_replaced_where_there_is_no_manifest(folder):
    (folder / "out").mkdir()
    (folder / "out/3.png").write_text("precious\n")
    fail(4, *RUN, "--resume", says=["out/3.png", "no manifest", "--skip-existing instead of --resume"], cwd=folder)
    assert files_below(folder / "out") == ["3.png"]


def test_a_failed_image_is_tried_again(folder):
    whole = (folder / "in/2.png").read_bytes()
    (folder / "in/2.png").write_bytes(whole[:100])
    fail(1, *RUN, "--resume", cwd=folder)
    (folder / "in/2.png").write_bytes(whole)
    assert resume(folder) == [2]


def test_shards_have_manifests_of_their_own_and_any_cut_can_be_resumed(folder):
    for shard in range(2):
        resume(folder, "--shard", f"{shard}/2")
        assert resume(folder, "--shard", f"{shard}/2") == []
    hidden = [name for name in files_below(folder / "out") if name.startswith(".")]
    assert hidden == [".clconv-manifest-0-of-2.ndjson", ".clconv-manifest-1-of-2.ndjson"]
    assert resume(folder) == []
    assert resume(folder, "--shard", "2/3") == []


def test_resume_and_skip_existing_exclude_each_other(folder):
    fail(2, *RUN, "--resume", "--skip-existing", says=["--resume", "--skip-existing"], cwd=folder)


@pytest.mark.parametrize("manifest", ["m.png", "in", "psf.txt"])
def test_a_manifest_in_a_bad_place_is_refused(folder, manifest):
    fail(2, *RUN, "--manifest", manifest, says=["--manifest"], cwd=folder)
    assert not (folder / "out").exists()


def test_dry_run_tells_what_would_be_skipped_and_touches_nothing(made):
    (made / "out/2.png").unlink()
    before = files_below(made)
    out = succeed(*RUN, "--resume", "--dry-run", cwd=made).out
    assert out.count("would be skipped") == COUNT - 1
    assert files_below(made) == before


def test_kill_at_random_moments_leaves_whole_files_and_a_run_that_can_go_on(tmp_path):
    count = 120
    first = write_image(tmp_path / "in/000.png", as_integers(picture(200, 200, 3), np.uint8))
    for number in range(1, count):
        shutil.copyfile(first, tmp_path / f"in/{number:03}.png")
    write_psf(tmp_path / "psf.txt", random_psf(9, 9))
    command = list(map(str, [BINARY, *RUN, "--resume", "-q"]))
    rng = random.Random(20)
    out = tmp_path / "out"
    start = time.monotonic()
    succeed(*RUN, cwd=tmp_path)
    longest = time.monotonic() - start  # before a run is killed
    shutil.rmtree(out)

    kills = 0
    finished = False
    while not finished and kills < 25:
        process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, env=environment())
        try:
            _, err = process.communicate(timeout=rng.uniform(0.05, 1) * longest)
            assert process.returncode == 0, err
            if kills < 5:  # a machine that is faster now than it was
                longest /= 2
                shutil.rmtree(out)
                continue
            finished = True
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
        if (out / MANIFEST).exists():
            lines = (out / MANIFEST).read_bytes().split(b"\n")
            for line in lines[:-1]:
                if line and not line.endswith(b"}"):
                    continue  # the torn end of a run that was killed
                json.loads(line)
        whole = [name for name in files_below(out) if not name.startswith(".")] if out.exists() else []
        for name in whole if finished else rng.sample(whole, min(5, len(whole))):
            assert read_image(out / name).shape == (200, 200, 3)
    assert kills >= 5
    if not finished:
        succeed(*RUN, "--resume", cwd=tmp_path)
    assert files_below(out) == sorted([MANIFEST, *(f"{number:03}.png" for number in range(count))])
    bytes_of_all = {(out / f"{number:03}.png").read_bytes() for number in range(count)}
    assert len(bytes_of_all) == 1, "equal inputs, equal outputs"
    assert resume(tmp_path) == []


def test_what_a_killed_run_left_half_written_is_removed_by_the_next_run(folder):
    """A writer that is stopped (SIGSTOP) before it is killed has its temporary file open for certain."""
    big = as_integers(np.random.default_rng(1).random((2000, 2000, 3)), np.uint8)
    write_image(folder / "big/big.png", big)
    command = [BINARY, "run", "big", "--psf", "psf.txt", "--output", "out", "-q", "--overwrite"]

    def begun():
        return [name for name in files_below(folder / "out") if name.startswith(".big")]

    def held():
        """The files that a run has begun and locked. One that is stopped between the two counts as abandoned."""
        locked = []
        for name in begun():
            with (folder / "out" / name).open() as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    locked.append(name)
        return locked

    def tell(process, number):
        """The run is two processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)

    def stands_still(group):
        """Whether all threads of the group's processes are stopped, or gone."""
        for stat in Path("/proc").glob("[0-9]*/task/[0-9]*/stat"):
            with contextlib.suppress(OSError):  # it is gone
                state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
                if int(its_group) == group and state not in "TZX":
                    return False
        return True

    def stopped_after_begin():
        """A run that was stopped once its file existed. It may have come to its end all the same."""
        process = subprocess.Popen(list(map(str, command)), cwd=folder, env=environment(), start_new_session=True)
        deadline = time.monotonic() + 60
        while not begun() and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.0002)
        tell(process, signal.SIGSTOP)
        if process.returncode is None:
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        while not stands_still(process.pid):  # the second process may be about to give its file its name
            assert time.monotonic() < deadline
            time.sleep(0.001)
        return process

    process = stopped_after_begin()
    for _ in range(50):
        if held():
            break
        tell(process, signal.SIGKILL)
        process.wait()
        for name in files_below(folder / "out"):
            (folder / "out" / name).unlink()
        process = stopped_after_begin()
    assert held(), "stopped in the middle of writing"
    succeed("run", "in/1.png", "--psf", "psf.txt", "--output", "out", cwd=folder)
    assert begun(), "a living run keeps its file"
    tell(process, signal.SIGKILL)
    process.wait()
    assert begun()
    err = succeed("run", "in/0.png", "--psf", "psf.txt", "--output", "out", cwd=folder).err
    assert files_below(folder / "out") == ["0.png", "1.png"]
    assert "removed 1 unfinished file" in err
