# SPDX-License-Identifier: Apache-2.0
"""The project's scripts say what they do, and do nothing else when they are asked that."""

import re
import shutil
import subprocess

import pytest
from support.tool import ROOT, environment

LISTED = subprocess.run([ROOT / "scripts/help"], capture_output=True, text=True, check=True).stdout
PLACES = re.findall(r"^  ((?:scripts|bench)/\S+) +(\S+ \S+)", LISTED, re.M)
SCRIPTS = [(name, words) for name, words in [*PLACES, (".ci/run", "Runs every")] if name != "scripts/fresh-machine"]


@pytest.mark.parametrize("name, words", SCRIPTS, ids=[name for name, _ in SCRIPTS])
def test_help_is_the_scripts_own_text(name, words, tmp_path):
    text = (ROOT / name).read_text()
    assert "--help" in text or "argparse" in text, f"{name} would begin its work"
    # A user's CDPATH, in which there is a folder of the same name, leads nowhere else.
    (tmp_path / name).parent.mkdir(parents=True)
    env = environment(CDPATH=tmp_path)
    done = subprocess.run([name, "--help"], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert words in done.stdout
    assert not done.stderr


def test_help_names_a_script_that_does_not_exist():
    done = subprocess.run([ROOT / "scripts/help", "biuld"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "'biuld'" in done.stderr


@pytest.mark.skipif(not (shutil.which("git") and shutil.which("clang-format")), reason="needs git and clang-format")
def test_check_format_changes_only_the_files_it_is_given(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/check-format", tmp_path / "scripts")
    for folder in ("given", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.cpp").write_text("int  a;\n")
    subprocess.run(["scripts/check-format", "--fix", "given"], cwd=tmp_path, timeout=60, check=True)
    assert (tmp_path / "given/a.cpp").read_text() == "int a;\n"
    assert (tmp_path / "other/a.cpp").read_text() == "int  a;\n"


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_release_refuses_a_changelog_with_unreleased_entries(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/release", tmp_path / "scripts")
    (tmp_path / "CMakeLists.txt").write_text("project(clconv VERSION 0.1.0 LANGUAGES CXX)\n")
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n### Added\n- one\n- two\n\n## [0.1.0]\n\n- three\n")
    names = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    subprocess.run(["git", *names, "commit", "-qm", "all"], cwd=tmp_path, check=True)
    env = environment(DEBFULLNAME="A Name", DEBEMAIL="name@a.host.org")
    done = subprocess.run(["scripts/release"], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "2 entries under [Unreleased]" in done.stderr


@pytest.mark.parametrize("lacking", [[], ["oclgrind"], ["gmic"]], ids=str)
def test_setup_goes_without_what_is_optional_and_unknown_to_apt(lacking, tmp_path):
    """Debian 13 has no Oclgrind, and nothing was installed there. gmic is not optional: apt-get refuses it by name."""
    programs = {
        "dpkg-query": "exit 0",  # nothing is installed
        "apt-cache": f'[[ " {" ".join(lacking)} " == *" $2 "* ]] || echo "Package: $2"',
        "apt-get": f'echo "$@" >> {tmp_path}/log',
        "sudo": 'exec "$@"',
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{text}\n")
        (tmp_path / name).chmod(0o755)
    env = environment(PATH=f"{tmp_path}:/usr/bin:/bin")
    subprocess.run([ROOT / "scripts/setup", "test"], env=env, capture_output=True, text=True, timeout=60, check=True)
    updated, installed = (tmp_path / "log").read_text().splitlines()
    assert updated.endswith("update")
    assert ("oclgrind" in installed) == ("oclgrind" not in lacking)
    assert {"g++", "gmic"} <= set(installed.split())
