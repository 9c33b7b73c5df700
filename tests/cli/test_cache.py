"""What one run keeps for the next: built programs. It saves time and never changes or fails anything."""

import os
import subprocess

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import files_below, succeed

# Where PoCL keeps its programs itself, clconv keeps none of them beside.
NO_CACHE_OF_POCL = {"POCL_KERNEL_CACHE": "0"}
RUN = ("run", "image.png", "--psf", "psf.txt", "--output", "out", "--overwrite", "-v", "--method", "direct")


@pytest.fixture()
def folder(tmp_path):
    write_image(tmp_path / "image.png", as_integers(picture(40, 30, 3), np.uint8))
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    return tmp_path


def programs(folder, *options, cache="cache", env=None):
    """One start: how its programs came to be, by their names, and the pixels that came out."""
    env = {"CLCONV_CACHE_DIR": folder / cache, **NO_CACHE_OF_POCL} if env is None else {**env, **NO_CACHE_OF_POCL}
    log = succeed(*RUN, *options, cwd=folder, env=env).err
    found = {}
    for line in log.splitlines():
        if line.startswith("debug: program ") and (": built" in line or ": from cache" in line):
            name, how = line.removeprefix("debug: program ").split(": ")
            found[name] = how.split(",")[0]
    assert found, log
    return found, read_image(folder / "out/image.png")


def test_the_second_start_builds_nothing(folder):
    first, pixels = programs(folder)
    assert set(first.values()) == {"built"}
    assert len(files_below(folder / "cache/programs")) == len(first)
    second, again = programs(folder)
    assert second == dict.fromkeys(first, "from cache")
    assert np.array_equal(pixels, again)


def test_no_cache_neither_reads_nor_writes(folder):
    programs(folder)
    before = files_below(folder / "cache")
    built, _ = programs(folder, "--no-cache", "--border", "wrap")
    assert set(built.values()) == {"built"}
    assert set(programs(folder, "--no-cache")[0].values()) == {"built"}
    assert files_below(folder / "cache") == before


def both_programs(folder):
    """Two starts, each with a program of its own: how they came to be, and the pixels."""
    starts = [programs(folder), programs(folder, "--border", "renormalize")]
    return [how for found, _ in starts for how in found.values()], [pixels for _, pixels in starts]


def test_a_damaged_file_is_replaced(folder):
    first, pixels = both_programs(folder)
    assert first == ["built"] * 2
    files = sorted((folder / "cache/programs").iterdir())
    contents = [file.read_bytes() for file in files]
    assert len(contents) == 2
    damages = {
        "empty": lambda content: b"",
        "half": lambda content: content[: len(content) // 2],
        "garbage": lambda content: b"\0" * 1000,
        "one bit": lambda content: content[:-7] + bytes([content[-7] ^ 1]) + content[-6:],
        "another's": lambda content: contents[1 - contents.index(content)],
    }
    for damage, damaged in damages.items():
        for file, content in zip(files, contents):
            file.write_bytes(damaged(content))
        second, again = both_programs(folder)
        assert second == ["built"] * 2, damage
        assert all(np.array_equal(a, b) for a, b in zip(pixels, again)), damage
        assert both_programs(folder)[0] == ["from cache"] * 2, damage


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
    subprocess.run(["mount", "-o", "remount,ro", target], check=True)
    assert set(programs(small_disk)[0].values()) == {"from cache"}
    assert "built" in programs(small_disk, "--border", "renormalize")[0].values()


def test_the_cache_is_where_the_environment_says(folder):
    drivers_own = {"POCL_CACHE_DIR": os.environ.get("POCL_CACHE_DIR", os.path.expanduser("~/.cache/pocl/kcache"))}
    for env, where in [
        ({"CLCONV_CACHE_DIR": None, "XDG_CACHE_HOME": folder / "xdg", "HOME": folder}, "xdg/clconv"),
        ({"CLCONV_CACHE_DIR": None, "XDG_CACHE_HOME": None, "HOME": folder}, ".cache/clconv"),
    ]:
        programs(folder, env={**env, **drivers_own})
        assert files_below(folder / where / "programs")


def test_bench_shares_the_programs(folder):
    arguments = ("bench", "--size", "40x30", "--psf-size", "9", "--method", "fft", "--repeat", "1")
    env = {"CLCONV_CACHE_DIR": folder / "cache", **NO_CACHE_OF_POCL}
    succeed(*arguments, "--no-cache", env=env)
    assert not (folder / "cache").exists()
    succeed(*arguments, env=env)
    assert files_below(folder / "cache/programs")


def test_where_the_driver_keeps_programs_none_are_kept_beside(folder):
    env = {"CLCONV_CACHE_DIR": folder / "cache", "POCL_CACHE_DIR": folder / "pocl", "POCL_KERNEL_CACHE": None}
    log = succeed(*RUN, cwd=folder, env=env).err
    assert "kept for the next start" not in log
    assert not (folder / "cache/programs").exists()
    assert files_below(folder / "pocl")
