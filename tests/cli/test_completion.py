# SPDX-License-Identifier: Apache-2.0
"""clconv completion and clconv help: the scripts are run by the shells themselves."""

import re
import subprocess

import pytest
from support import reference
from support.tool import fail, succeed

BORDERS = [re.sub(":.*", ":", border) for border in reference.BORDERS]
COMMANDS = re.findall(r"^  ([a-z-]+) +[a-z]", succeed("--help").out.partition("Commands:")[2].partition("Options:")[0], re.M)

BASH = """
source "$1"; shift; COMP_WORDS=(clconv "$@"); COMP_CWORD=$#
_clconv 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
compadd() { local after=0 word; for word in "$@"; do ((after)) && print -r -- "$word"; [[ $word == -- ]] && after=1; done }
_files() { print -rl -- *(N) }
source "$1"; shift; words=(clconv "$@"); CURRENT=$#words; PREFIX=$words[-1]; _clconv
"""
FISH = 'source $argv[1]; complete -C "clconv "(string join -- " " $argv[2..-1]) | string replace -r "\\t.*" ""'


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scripts")
    for shell in ["bash", "zsh", "fish"]:
        (folder / shell).write_text(succeed("completion", shell).out)
    return folder


def offered(scripts, shell, *words, cwd="/"):
    """What the shell offers for the last of the words, which the user has begun to type."""
    script = str(scripts / shell)
    command = {
        "bash": ["bash", "--norc", "-c", BASH, "bash", script, *words],
        "zsh": ["zsh", "-fc", ZSH, "zsh", script, *words],
        "fish": ["fish", "--no-config", "-c", FISH, script, *words],
    }[shell]
    out = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60).stdout
    return [word for word in out.split() if word.startswith(words[-1])]


SHELLS = pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])


@SHELLS
def test_commands_are_offered_first(scripts, shell):
    assert {"run", "bloom", "deconvolve", "completion", "help"} <= set(COMMANDS)
    assert set(COMMANDS) <= set(offered(scripts, shell, ""))
    assert offered(scripts, shell, "dec") == ["deconvolve"]


@SHELLS
@pytest.mark.parametrize("command", ["run", "deconvolve", "psf", "plan", "tune", "devices", "merge-reports"])
def test_the_options_of_a_command_are_those_of_its_help(scripts, shell, command):
    help_text = succeed(command, "--help").out
    expected = set(re.findall(r"^  (?:-\w,)?(--[a-z][a-z0-9-]*)", help_text, re.M))
    found = offered(scripts, shell, command, "--")
    assert len(expected) >= 2 and expected == set(found) - {"--stored"}


@SHELLS
def test_the_values_of_an_option_are_offered(scripts, shell):
    assert set(BORDERS) == set(offered(scripts, shell, "run", "--border", ""))
    assert set(offered(scripts, shell, "run", "--mode", "")) == {"same", "full", "valid"}
    assert set(offered(scripts, shell, "deconvolve", "--method", "")) == {"auto", "wiener", "tikhonov", "rl"}
    methods = {"auto", "direct", "tiled", "fft"}
    assert set(offered(scripts, shell, "run", "--method", "")) == methods | {"none"}
    assert set(offered(scripts, shell, "bench", "--method", "")) == methods
    assert {"gpu", "cpu", "all"} == set(offered(scripts, shell, "run", "--device", ""))
    assert set(offered(scripts, shell, "completion", "")) >= {"bash", "zsh", "fish"}


@SHELLS
def test_psfs_are_kinds_or_files(scripts, shell, tmp_path):
    (tmp_path / "gauss.png").touch()
    assert {"gaussian:", "gauss.png"} == set(offered(scripts, shell, "run", "--psf", "gauss", cwd=tmp_path))


@SHELLS
def test_inputs_and_outputs_are_files(scripts, shell, tmp_path):
    (tmp_path / "photo.jpg").touch()
    for words in [("run", "pho"), ("run", "--report", "pho"), ("plan", "pho")]:
        assert "photo.jpg" in offered(scripts, shell, *words, cwd=tmp_path)


def test_no_other_shell_is_known():
    assert "bash, zsh or fish" in fail(2, "completion", "tcsh").err
    assert "SHELL" in fail(2, "completion").err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_is_what_the_command_prints(command):
    assert succeed("help", command).out == succeed(command, "--help").out


def test_help_alone_lists_the_commands():
    assert succeed("help").out == succeed("--help").out
    assert "no such command" in fail(2, "help", "colour").err


def test_the_message_about_an_option_in_front_of_the_command_says_where_options_go():
    fail(2, "--kernel-dir", "kernels", "run", says=["--kernel-dir", "behind it", "run, bloom"])


