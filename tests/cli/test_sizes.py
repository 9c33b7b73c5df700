# SPDX-License-Identifier: Apache-2.0
"""Folders of images of different sizes: few programs, and results that do not depend on company."""

import contextlib
import shutil
import subprocess

import numpy as np
import pytest
from support.images import as_integers, as_values, picture, random_psf, read_image, write_image, write_psf
from support.reference import convolve
from support.tool import BINARY, environment, fail, files_below, succeed

@contextlib.contextmanager
def warming(*arguments, env):
    """`clconv warm`, which the test ends."""
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen([BINARY, "warm", *arguments], text=True, env=environment(**env), **pipes) as process:
        yield process


SIZES = ((64, 40), (97, 61), (130, 75), (41, 150), (200, 33))
RUN = ("run", "in", "--psf", "psf.txt", "--overwrite", "-v")


@pytest.fixture()
def folder(tmp_path):
    for number, (width, height) in enumerate(SIZES):
        write_image(tmp_path / f"in/{number}.png", as_integers(picture(width, height, 3, seed=number), np.uint8))
    write_psf(tmp_path / "psf.txt", random_psf(9, 7))
    return tmp_path


def built(log):
    return [line for line in log.splitlines() if line.startswith("debug: program ") and ": built" in line]


@pytest.mark.parametrize("method, programs", [("fft", 2), ("tiled", 1), ("direct", 1), ("auto", 1)])
def test_a_folder_of_sizes_shares_its_programs(folder, method, programs):
    log = succeed(*RUN, "--method", method, "--output", "out", cwd=folder).err
    assert len(built(log)) == programs, log
    psf = random_psf(9, 7)
    for name in files_below(folder / "out"):
        expected = 255 * convolve(as_values(read_image(folder / "in" / name)), psf / psf.sum())
        assert np.abs(read_image(folder / "out" / name) - expected).max() < 0.51, name


def test_special_programs_give_the_same_bytes(folder):
    succeed(*RUN, "--method", "fft", "--output", "general", cwd=folder)
    log = succeed(*RUN, "--method", "fft", "--decide", "programs=special", "--output", "special", cwd=folder).err
    assert len(built(log)) > 2
    for name in files_below(folder / "general"):
        assert (folder / "general" / name).read_bytes() == (folder / "special" / name).read_bytes(), name


def test_plans_list_their_programs_and_the_menu_holds_them(folder):
    sizes = ("--psf-size", "31", "--device", "cpu")
    menu = succeed("plan", "--menu", *sizes).out.splitlines()
    assert menu[-1].startswith(f"{len(menu) - 1} programs for images of any size")
    for size in ("64x64", "640x480", "6000x4000"):
        for program in succeed("plan", "--programs", "--size", size, *sizes).out.splitlines():
            assert program in menu[:-1]


def test_the_menu_without_a_psf_size_is_that_of_the_psf_that_bench_takes(folder):
    menu = succeed("plan", "--menu", "--device", "cpu").out
    assert menu == succeed("plan", "--menu", "--psf-size", "63", "--device", "cpu").out


def test_warm_builds_programs_for_linear_light_on_request(folder):
    env = {"CLCONV_CACHE_DIR": folder / "cache", "POCL_KERNEL_CACHE": "0"}
    write_image(folder / "in/alpha.png", as_integers(picture(50, 60, 4), np.uint8))
    succeed("warm", "--psf-size", "9", "--linear", env=env)
    for number, linear in enumerate([(), ("--linear",)]):
        log = succeed(*RUN, *linear, "--output", f"out{number}", cwd=folder, env=env).err
        assert not built(log), log


MENU = ("--channels", "3", "--psf-size", "9")


@pytest.fixture(scope="module")
def warmed(tmp_path_factory):
    """A cache with a menu, and what `clconv warm` said when it built it."""
    folder = tmp_path_factory.mktemp("warmed") / "cache"
    # Without PoCL's own cache, so that it is clconv that keeps the programs.
    return folder, succeed("warm", *MENU, env={"CLCONV_CACHE_DIR": folder, "POCL_KERNEL_CACHE": "0"}).out


def test_warm_builds_the_menu_once_and_clears_it(folder, warmed):
    env = {"CLCONV_CACHE_DIR": folder / "cache", "POCL_KERNEL_CACHE": "0"}
    shutil.copytree(warmed[0], folder / "cache")
    assert "3 programs, 3 built and 0 there before" in warmed[1]
    assert "3 of 3: " in succeed("warm", *MENU, env=env).err
    again = succeed("warm", "-q", *MENU, env=env)
    assert "3 programs, 0 built and 3 there before" in again.out and again.err == ""
    assert "3 of 3 programs kept" in succeed("warm", "--list", *MENU, env=env).out
    log = succeed(*RUN, "--output", "out", cwd=folder, env=env).err
    assert not built(log), log
    foreign = ["fotos-2026-11-23.bin", "notes.txt"]  # the first has as many letters as a program
    for name in foreign:
        (folder / "cache/programs" / name).write_text("mine")
    assert "3 programs removed" in succeed("warm", "--clear", env=env).out
    assert files_below(folder / "cache/programs") == foreign
    assert "0 of 3" in succeed("warm", "--list", *MENU, env=env).out


def test_warm_fails_where_nothing_can_be_kept(folder):
    (folder / "file").write_text("")
    env = {"CLCONV_CACHE_DIR": str(folder / "file/cache")}
    fail(1, "warm", "--channels", "3", "--psf-size", "9", says=["file/cache", "CLCONV_CACHE_DIR"], env=env)


def test_warm_fails_where_others_could_change_what_is_kept(folder):
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
    env = {"CLCONV_CACHE_DIR": str(folder / "open")}
    says = ["open", "can be written by others", "CLCONV_CACHE_DIR"]
    fail(1, "warm", "--channels", "3", "--psf-size", "9", says=says, env=env)
    fail(1, "tune", "--list", says=says, env=env)
    assert not files_below(folder / "open")


def test_warm_fails_where_a_program_could_not_be_kept(folder, warmed):
    env = {"CLCONV_CACHE_DIR": folder / "cache", "POCL_KERNEL_CACHE": "0"}
    shutil.copytree(warmed[0], folder / "cache")
    programs = folder / "cache/programs"
    in_the_way = programs / files_below(programs)[0]
    in_the_way.unlink()
    in_the_way.mkdir()  # as good as a full disk: a file cannot replace it
    fail(1, "warm", *MENU, says=["1 of 3 programs could not be kept", programs], env=env)


def test_warm_keeps_each_program_when_it_is_built(folder):
    env = {"CLCONV_CACHE_DIR": folder / "cache", "POCL_KERNEL_CACHE": "0"}
    with warming("--channels", "1,3", "--psf-size", "9", env=env) as warm:
        assert "1 of " in warm.stderr.readline()
        warm.kill()
        warm.communicate()
    assert files_below(folder / "cache/programs")


def test_warm_builds_the_programs_of_blooms_too(folder):
    env = {"CLCONV_CACHE_DIR": folder / "cache", "POCL_KERNEL_CACHE": "0"}
    succeed("warm", "--channels", "3", "--psf-size", "9", "--resolution", "1/4", env=env)
    look = ("--psf", "gaussian:1,size=9", "--resolution", "1/4", "--mix", "lerp")
    log = succeed("bloom", "in", *look, "--output", "out", "-v", cwd=folder, env=env).err
    assert not built(log) and "coarse-4" in log and ": from cache" in log, log


@pytest.mark.parametrize("channels, resolution", [(3, "1"), (4, "1/2")])
def test_warm_knows_every_program_of_a_bloom(folder, channels, resolution):
    write_image(folder / "image.png", as_integers(picture(50, 40, channels), np.uint8))
    options = ("--channels", channels, "--psf-size", "9", "--resolution", resolution)
    listed = succeed("warm", "--list", *options).out.splitlines()
    look = ("--psf", "gaussian:1,size=9", "--resolution", resolution, "--mix", "screen", "--no-cache", "-v")
    log = succeed("bloom", "image.png", *look, "--output", "out", cwd=folder).err
    names = [line.split()[2] for line in built(log)]
    assert names and set(names) <= {line.strip() for line in listed}, (names, listed)


def test_programs_of_coarse_blooms_are_built_by_processes_too(folder):
    command = ("bloom", "in/0.png", "--psf", "psf.txt", "--resolution", "1/2", "--no-cache", "-v")
    for processes in (0, 2):
        env = {"CLCONV_COMPILE_PROCESSES": processes, "POCL_CACHE_DIR": folder / f"pocl-{processes}"}
        log = succeed(*command, "--output", f"out-{processes}", cwd=folder, env=env).err
        assert ("built by a compiler process" in log) == (processes > 0), log
    assert (folder / "out-0/0.png").read_bytes() == (folder / "out-2/0.png").read_bytes()


def test_warm_names_what_is_wrong(folder):
    fail(2, "warm", "--types", "u9", says=["--types", "u9", "u8, u16, half, float or double"])
    fail(2, "warm", "--resolution", "1/3", says=["--resolution 1/3", "1/2"])
    fail(2, "warm", "--types", "double", says=["--types double", "u8, u16, half or float"])
    fail(2, "warm", "--psf-size", "100000", says=["--psf-size 100000", "8192x8192"])
    for options in (["--type", "double"], ["--psf-channels", "2"]):
        fail(2, "plan", "--menu", "--psf-size", "63", *options)
    fail(2, "warm", "--list", "--clear", says=["--list", "--clear"])
