# SPDX-License-Identifier: Apache-2.0
"""What one run keeps for the next: built programs. It saves time and never changes or fails anything."""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import ROOT, fail, files_below, succeed

# So that a program that clconv has not kept is compiled, and not taken from PoCL's own cache.
NO_CACHE_OF_POCL = {"POCL_KERNEL_CACHE": "0"}
RUN = ("run", "--psf", "psf.txt", "--output", "out", "--overwrite", "-v", "--method", "direct")
ONE, BOTH = ("gray.png",), ("gray.png", "rgb.png")  # each has a program of its own, which takes a second to build


def write_inputs(folder):
    write_image(folder / "gray.png", as_integers(picture(40, 30), np.uint8))
    write_image(folder / "rgb.png", as_integers(picture(40, 30, 3), np.uint8))
    write_psf(folder / "psf.txt", random_psf(3, 3))
    return folder


@pytest.fixture()
def folder(tmp_path):
    return write_inputs(tmp_path)


def programs(folder, *options, images=ONE, cache="cache", env=None):
    """One start: how its programs came to be, by their names, and the pixels that came out."""
    env = {"CLCONV_CACHE_DIR": folder / cache, **NO_CACHE_OF_POCL} if env is None else {**env, **NO_CACHE_OF_POCL}
    log = succeed(*RUN, *images, *options, cwd=folder, env=env).err
    found = {}
    for line in log.splitlines():
        if line.startswith("debug: program ") and (": built" in line or ": from cache" in line):
            name, how = line.removeprefix("debug: program ").split(": ")
            found[name] = how.split(",")[0]
    assert len(found) == len(images), log
    return found, [read_image(folder / "out" / name) for name in images]


def assert_same_pixels(some, others, label=""):
    assert all(np.array_equal(a, b) for a, b in zip(some, others, strict=True)), label


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A folder whose cache has both programs, what their start said, and its pixels."""
    folder = write_inputs(tmp_path_factory.mktemp("first"))
    return folder, *programs(folder, images=BOTH)


@pytest.fixture()
def filled(first, folder):
    """A copy of its cache."""
    shutil.copytree(first[0] / "cache", folder / "cache")
    return folder


def test_the_second_start_builds_nothing(first, filled):
    _, found, pixels = first
    assert set(found.values()) == {"built"}
    assert len(files_below(filled / "cache/programs")) == len(found) == 2
    second, again = programs(filled, images=BOTH)
    assert second == dict.fromkeys(found, "from cache")
    assert_same_pixels(pixels, again)


def test_no_cache_neither_reads_nor_writes(folder):
    programs(folder, images=ONE)
    before = files_below(folder / "cache")
    assert len([name for name in before if name.startswith("programs/")]) == 1
    built, _ = programs(folder, "--no-cache", images=BOTH)  # one that is there, and one that is not
    assert set(built.values()) == {"built"}
    assert files_below(folder / "cache") == before


def test_a_damaged_file_is_replaced(first, filled):
    pixels = first[2]
    files = sorted((filled / "cache/programs").iterdir())
    contents = [file.read_bytes() for file in files]
    assert len(contents) == 2
    damages = {
        "empty": lambda content: b"",
        "half": lambda content: content[: len(content) // 2],
        "garbage": lambda content: b"\0" * 1000,
        "one bit": lambda content: content[:-7] + bytes([content[-7] ^ 1]) + content[-6:],
        "another's": lambda content: contents[1 - contents.index(content)],
    }
    # Damages do not depend on the program: a start meets two of them. Only another's needs that both are whole.
    for round in [("empty", "half"), ("one bit", "garbage"), ("another's", "another's")]:
        for file, content, damage in zip(files, contents, round):
            file.write_bytes(damages[damage](content))
        second, again = programs(filled, images=BOTH)
        assert set(second.values()) == {"built"}, round
        assert_same_pixels(pixels, again, round)
        assert set(programs(filled, images=BOTH)[0].values()) == {"from cache"}, round


def test_a_cache_that_cannot_be_made_is_none(folder):
    (folder / "file").write_text("in the way")
    for _ in range(2):
        assert set(programs(folder, cache="file/cache")[0].values()) == {"built"}


@pytest.fixture()
def small_disk(folder):
    """cache/ as a file system of 16 KiB."""
    (folder / "cache").mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder / "cache")]
    mounted = subprocess.run(command, capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"no tmpfs can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder / "cache")], check=True)


def test_a_full_disk_keeps_no_program(small_disk):
    for _ in range(2):
        assert set(programs(small_disk)[0].values()) == {"built"}
        assert [name for name in files_below(small_disk / "cache") if name.startswith("programs")] == []


def test_a_disk_that_may_only_be_read_is_read(small_disk):
    target = str(small_disk / "cache")
    subprocess.run(["mount", "-o", "remount,size=16m", target], check=True)
    programs(small_disk)
    env = {"CLCONV_CACHE_DIR": small_disk / "cache", **NO_CACHE_OF_POCL}
    record = json.loads((ROOT / "tests/hostile/corpus/record/one").read_text())
    (small_disk / "records.json").write_text(json.dumps({"clconv_tuning": 1, "records": [record]}))
    succeed("tune", "--import", small_disk / "records.json", env=env)
    subprocess.run(["mount", "-o", "remount,ro", target], check=True)
    assert sorted(programs(small_disk, images=BOTH)[0].values()) == ["built", "from cache"]
    fail(1, "warm", "--clear", env=env, says=["cache/programs: 0 programs removed, 1 left; is the folder read-only?"])
    fail(1, "tune", "--forget", env=env, says=["--forget: 0 records and 0 passes forgotten, 1 file left in", "read-only?"])


def test_the_cache_is_where_the_environment_says(folder):
    drivers_own = {"POCL_CACHE_DIR": os.environ.get("POCL_CACHE_DIR", os.path.expanduser("~/.cache/pocl/kcache"))}
    for env, where in [
        ({"CLCONV_CACHE_DIR": None, "XDG_CACHE_HOME": folder / "xdg", "HOME": folder}, "xdg/clconv"),
        ({"CLCONV_CACHE_DIR": None, "XDG_CACHE_HOME": None, "HOME": folder}, ".cache/clconv"),
    ]:
        programs(folder, env={**env, **drivers_own})
        assert files_below(folder / where / "programs")


def test_bench_shares_the_programs(folder):
    arguments = ("bench", "--size", "40x30", "--psf-size", "9", "--method", "direct", "--repeat", "1")
    env = {"CLCONV_CACHE_DIR": folder / "cache", **NO_CACHE_OF_POCL}
    succeed(*arguments, "--no-cache", env=env)
    assert not (folder / "cache").exists()
    succeed(*arguments, env=env)
    assert files_below(folder / "cache/programs")


def test_programs_of_pocl_are_kept_whether_it_keeps_kernels_or_not(folder):
    env = {"CLCONV_CACHE_DIR": folder / "cache", "POCL_CACHE_DIR": folder / "pocl", "POCL_KERNEL_CACHE": None}
    log = succeed(*RUN, *ONE, cwd=folder, env=env).err
    assert "kept for the next start" in log
    assert files_below(folder / "cache/programs")
    built = read_image(folder / "out/gray.png")
    log = succeed(*RUN, *ONE, cwd=folder, env=env).err
    assert ": from cache" in log and ": built" not in log
    assert np.array_equal(read_image(folder / "out/gray.png"), built)


def test_kernels_that_pocl_makes_for_each_launch_are_left_to_it(folder):
    env = {"CLCONV_CACHE_DIR": folder / "cache", "POCL_CACHE_DIR": folder / "pocl", "POCL_KERNEL_CACHE": None}
    env["POCL_WORK_GROUP_SPECIALIZATION"] = "1"  # then a binary would cost as much as the program
    log = succeed(*RUN, *ONE, cwd=folder, env=env).err
    assert "kept for the next start" not in log
    assert not (folder / "cache/programs").exists()
    assert files_below(folder / "pocl")
