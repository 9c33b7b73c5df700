# SPDX-License-Identifier: Apache-2.0
"""PoCL's cache and linker: whatever variables say, a device is found, and nothing is left where it does not belong."""

import os
import stat
import subprocess

import pytest
from support.tool import fail, files_below, succeed

DEFAULTS = {"XDG_CACHE_HOME": None, "POCL_KERNEL_CACHE": None}


def finds_pocl(env):
    return "Portable Computing Language" in succeed("devices", env={**DEFAULTS, **env}).out


@pytest.mark.parametrize("kernel_cache", [None, "0"])
def test_a_variable_that_is_set_to_nothing_is_not_set(tmp_path, kernel_cache):
    assert finds_pocl({"POCL_CACHE_DIR": "", "HOME": tmp_path, "POCL_KERNEL_CACHE": kernel_cache})
    assert finds_pocl({"POCL_CACHE_DIR": "", "XDG_CACHE_HOME": "", "HOME": tmp_path})
    assert (tmp_path / ".cache/pocl").is_dir() or kernel_cache == "0"


def test_a_missing_folder_is_made(tmp_path):
    assert finds_pocl({"POCL_CACHE_DIR": tmp_path / "a/b/c"})
    assert files_below(tmp_path) is not None and (tmp_path / "a/b/c").is_dir()
    assert list((tmp_path / "a").iterdir()) == [tmp_path / "a/b"], "what was tried is gone"


@pytest.mark.parametrize(
    "env",
    [
        {"POCL_CACHE_DIR": "/proc/nowhere"},
        {"POCL_CACHE_DIR": "/dev/null"},
        {"POCL_CACHE_DIR": "/dev/null/below", "POCL_KERNEL_CACHE": "0"},
        {"POCL_CACHE_DIR": "x" * 300},
        {"POCL_CACHE_DIR": None, "XDG_CACHE_HOME": "/proc/nowhere"},
        {"POCL_CACHE_DIR": None, "HOME": "/proc/nowhere"},
    ],
    ids=str,
)
def test_a_folder_that_cannot_be_written_is_replaced(tmp_path, env):
    assert finds_pocl({**env, "TMPDIR": tmp_path})
    (made,) = tmp_path.iterdir()
    assert made.name == f"clconv-pocl-{os.geteuid()}"
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_a_folder_on_a_full_disk_is_replaced(tmp_path):
    """PoCL failed to build the first program, without a reason."""
    full = tmp_path / "full"
    full.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", full], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"no tmpfs can be mounted here: {mounted.stderr.strip()}")
    try:
        env = {**DEFAULTS, "POCL_CACHE_DIR": full / "pocl", "TMPDIR": tmp_path}
        succeed("bench", "--size", "64x48", "--psf-size", "5", "--repeat", "1", "--no-cache", env=env)
    finally:
        subprocess.run(["umount", full], check=True)
    assert (tmp_path / f"clconv-pocl-{os.geteuid()}").is_dir()


def test_a_folder_that_others_can_write_is_not_trusted(tmp_path):
    theirs = tmp_path / f"clconv-pocl-{os.geteuid()}"
    theirs.mkdir()
    theirs.chmod(0o777)
    fail(5, "selftest", "--only", "nothing", env={**DEFAULTS, "POCL_CACHE_DIR": "/proc/nowhere", "TMPDIR": tmp_path})
    assert files_below(theirs) == []


def test_no_variable_of_a_home_leaves_a_device(tmp_path):
    assert finds_pocl({"POCL_CACHE_DIR": None, "HOME": None, "TMPDIR": tmp_path})
    assert list(tmp_path.iterdir()) == [], "PoCL's own default can be written"


@pytest.mark.parametrize("path", [None, ""], ids=["none", "empty"])
def test_the_linker_of_pocl_is_found_without_a_search_path(tmp_path, path):
    """As after env -i, or in subprocess.run() with an env of its own: PoCL aborted, and clconv reported a defect of itself."""
    env = {**DEFAULTS, "PATH": path, "POCL_CACHE_DIR": tmp_path / "pocl"}
    succeed("bench", "--size", "64x48", "--psf-size", "5", "--repeat", "1", env=env)
