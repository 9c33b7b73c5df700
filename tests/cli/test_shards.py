# SPDX-License-Identifier: Apache-2.0
"""A batch cut into shards: disjoint, complete, the same bytes; and their reports put together."""

import json
import subprocess

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, write_image, write_psf
from support.tool import BINARY, environment, fail, files_below, succeed

RUN = ("run", "in", "--psf", "psf.txt", "--output", "out")
COUNT = 7


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Seven inputs, and out/ made in one piece."""
    folder = tmp_path_factory.mktemp("shards")
    for number in range(COUNT):
        write_image(folder / f"in/{number}.png", as_integers(picture(23, 17, 3, seed=number), np.uint8))
    write_psf(folder / "psf.txt", random_psf(3, 3))
    succeed(*RUN, cwd=folder)
    return folder


def copy(whole, folder):
    (folder / "in").symlink_to(whole / "in")
    (folder / "psf.txt").symlink_to(whole / "psf.txt")
    return folder


@pytest.fixture()
def folder(whole, tmp_path):
    return copy(whole, tmp_path)


def bytes_below(folder):
    return {name: (folder / name).read_bytes() for name in files_below(folder)}


def made(result_folder):
    return set(files_below(result_folder / "out"))


def test_shards_are_disjoint_and_complete_and_write_the_bytes_of_one_run(whole, folder):
    made_names = []
    for shard in range(3):
        before = made(folder) if shard else set()
        succeed(*RUN, "--shard", f"{shard}/3", "--report", f"{shard}.json", cwd=folder)
        made_names.append(made(folder) - before)
    assert [sorted(names) for names in made_names] == [["0.png", "3.png", "6.png"], ["1.png", "4.png"], ["2.png", "5.png"]]
    assert bytes_below(folder / "out") == bytes_below(whole / "out")


def test_a_shard_run_again_writes_the_same_bytes(folder):
    succeed(*RUN, "--shard", "1/3", cwd=folder)
    first = bytes_below(folder / "out")
    succeed(*RUN, "--shard", "1/3", "--overwrite", cwd=folder)
    assert bytes_below(folder / "out") == first


def test_two_processes_may_make_one_shard_at_once(whole, folder):
    command = list(map(str, [BINARY, *RUN, "--shard", "0/1", "--overwrite"]))
    processes = [subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, env=environment()) for _ in range(3)]
    for process in processes:
        err = process.communicate(timeout=300)[1]
        assert process.returncode == 0, err
    assert bytes_below(folder / "out") == bytes_below(whole / "out")


def test_outputs_of_other_shards_are_no_obstacle_and_ones_own_are(folder):
    succeed(*RUN, "--shard", "0/2", cwd=folder)
    succeed(*RUN, "--shard", "1/2", cwd=folder)
    fail(4, *RUN, "--shard", "1/2", says=["out/1.png"], cwd=folder)


def test_two_outputs_of_one_name_are_refused_by_every_shard(folder):
    for shard in range(2):
        fail(2, *RUN, "--name", "same.png", "--shard", f"{shard}/2", says=["same.png"], cwd=folder)


def test_a_shard_without_items_is_done(folder):
    succeed(*RUN, "--shard", "8/9", "--report", "r.json", cwd=folder)
    assert json.loads((folder / "r.json").read_text())["items"] == []


def test_a_pattern_does_not_find_the_outputs_of_other_shards(folder):
    for shard in ("0/2", "1/2"):
        succeed("run", "*/*.png", "--psf", "psf.txt", "--output", "out", "--shard", shard, cwd=folder)
    assert len(files_below(folder / "out")) == COUNT


def test_items_keep_their_number_in_the_whole_list(folder):
    succeed(*RUN, "--shard", "1/3", "--name", "{index}{ext}", "--report", "r.json", cwd=folder)
    assert files_below(folder / "out") == ["1.png", "4.png"]
    report = json.loads((folder / "r.json").read_text())
    assert [(item["index"], item["status"]) for item in report["items"]] == [(1, "done"), (4, "done")]
    assert report["shard"]["index"] == 1 and report["shard"]["count"] == 3 and report["shard"]["items"] == COUNT


def test_dry_run_lists_the_shards_items(folder):
    out = succeed(*RUN, "--shard", "2/3", "--dry-run", cwd=folder).out
    assert "in/2.png" in out and "in/5.png" in out and "in/1.png" not in out


@pytest.mark.parametrize(
    "shard, env",
    [
        ("slurm", {"SLURM_ARRAY_TASK_ID": 6, "SLURM_ARRAY_TASK_MIN": 2, "SLURM_ARRAY_TASK_MAX": 6,
                   "SLURM_ARRAY_TASK_STEP": 2, "SLURM_ARRAY_TASK_COUNT": 3}),
        ("slurm", {"SLURM_PROCID": 2, "SLURM_NTASKS": 3}),
        ("env:JOB_COMPLETION_INDEX/3", {"JOB_COMPLETION_INDEX": 2}),
        ("env:RANK/WORLD_SIZE", {"RANK": 2, "WORLD_SIZE": 3}),
    ],
)  # fmt: skip
def test_a_scheduler_says_which_shard_it_is(folder, shard, env):
    succeed(*RUN, "--shard", shard, cwd=folder, env=env)
    assert files_below(folder / "out") == ["2.png", "5.png"]


@pytest.mark.parametrize("shard", ["3/3", "1", "one/two", "slurm", "env:NO_SUCH_VARIABLE/4", ""])
def test_what_is_no_shard_is_refused_before_any_work(folder, shard):
    fail(2, *RUN, "--shard", shard, says=["--shard"], cwd=folder)
    assert not (folder / "out").exists()


@pytest.fixture(scope="module")
def reports(whole, tmp_path_factory):
    """0.json, 1.json and 2.json of three shards."""
    folder = copy(whole, tmp_path_factory.mktemp("reports"))
    for shard in range(3):
        succeed(*RUN, "--shard", f"{shard}/3", "--report", f"{shard}.json", cwd=folder)
    return folder


def test_merged_reports_have_every_item(reports):
    succeed("merge-reports", "2.json", "0.json", "1.json", "--output", "whole.json", cwd=reports)
    merged = json.loads((reports / "whole.json").read_text())
    assert [item["input"] for item in merged["items"]] == [f"in/{number}.png" for number in range(COUNT)]
    assert merged["counts"] == {"total": COUNT, "done": COUNT, "failed": 0, "skipped": 0, "not_started": 0}
    assert [shard["index"] for shard in merged["shards"]] == [0, 1, 2]
    out = succeed("merge-reports", "0.json", "1.json", "2.json", cwd=reports).out
    assert json.loads(out)["items"] == merged["items"]


def test_a_gap_an_overlap_and_a_stranger_are_named_and_nothing_is_written(reports, folder):
    merge = ("merge-reports", "--output", "none.json")
    fail(1, *merge, "0.json", "2.json", says=["1/3", "missing"], cwd=reports)
    fail(1, *merge, "0.json", "1.json", "2.json", "1.json", says=["1/3", "once"], cwd=reports)
    succeed(*RUN, "--shard", "1/3", "--border", "zero", "--report", "1.json", cwd=folder)
    fail(1, *merge, "0.json", folder / "1.json", "2.json", says=["--border", "clamp", "zero"], cwd=reports)
    fail(1, *merge, "0.json", "nowhere.json", says=["nowhere.json"], cwd=reports)
    fail(1, *merge, "psf.txt", says=["psf.txt"], cwd=reports)
    fail(2, "merge-reports", says=["REPORT"], cwd=reports)
    fail(2, "merge-reports", "0.json", "1.json", "2.json", "--output", "1.json", says=["would replace"], cwd=reports)
    assert not (reports / "none.json").exists()


def test_another_list_of_inputs_is_another_batch(reports, whole, tmp_path):
    (tmp_path / "in").mkdir()
    for number in range(COUNT):
        (tmp_path / f"in/x{number}.png").symlink_to(whole / f"in/{number}.png")
    (tmp_path / "psf.txt").symlink_to(whole / "psf.txt")
    succeed(*RUN, "--shard", "1/3", "--report", "1.json", cwd=tmp_path)
    fail(1, "merge-reports", "0.json", tmp_path / "1.json", "2.json", says=["names"], cwd=reports)


def test_an_image_that_failed_in_a_shard_is_in_the_merged_report(whole, tmp_path):
    copy(whole, tmp_path)
    more = (*RUN, "--files-from", "more.txt")
    (tmp_path / "broken.png").write_text("broken\n")
    (tmp_path / "more.txt").write_text("broken.png\n")
    codes = []
    for shard in range(2):
        run = fail if shard == 0 else lambda code, *words, **settings: succeed(*words, **settings)
        codes.append(run(1, *more, "--shard", f"{shard}/2", "--report", f"{shard}.json", cwd=tmp_path).code)
    assert sorted(codes) == [0, 1]
    fail(1, "merge-reports", "0.json", "1.json", "--output", "whole.json", cwd=tmp_path)
    merged = json.loads((tmp_path / "whole.json").read_text())
    assert merged["exit_code"] == 1 and merged["counts"]["failed"] == 1
