# SPDX-License-Identifier: Apache-2.0
"""The tree as a part of something else: of another project's build, and of another repository."""

import shutil
import subprocess

import pytest
from support.tool import ROOT

OUTER = f"""
cmake_minimum_required(VERSION 3.25)
project(outer VERSION 7.0 LANGUAGES CXX)
add_subdirectory("{ROOT}" clconv EXCLUDE_FROM_ALL)
file(WRITE main.cpp "int main() {{}}")
add_executable(outer main.cpp)
target_link_libraries(outer PRIVATE clconv::clconv)
"""


def done(*words, **settings):
    result = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **settings)
    assert result.returncode == 0, f"{words}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def test_a_project_that_contains_the_tree_has_neither_its_tests_nor_its_packages(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(OUTER)
    done("cmake", "-S", ".", "-B", "build", "-DCLCONV_IMAGES=OFF", cwd=tmp_path)
    assert "CLCONV_TESTS:BOOL=OFF" in (tmp_path / "build/CMakeCache.txt").read_text()
    assert not (tmp_path / "build/CPackConfig.cmake").exists()


@pytest.mark.skipif(shutil.which("ninja") is None, reason="needs ninja")
@pytest.mark.parametrize("target", ["libclconv", "clconv_python"])
def test_a_target_makes_all_that_its_component_installs(target, tmp_path):
    """A wheel (setup.py), and the library alone, are installed after a build of their target."""
    done("cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", "-DCLCONV_IMAGES=OFF", "-DCLCONV_TESTS=OFF")
    if f"\n{target}: phony" not in done("ninja", "-C", tmp_path, "-t", "targets", "all"):
        pytest.skip("no pybind11")
    assert "changelog.gz" in done("ninja", "-C", tmp_path, "-t", "commands", target)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_commit_is_not_that_of_a_repository_around_the_tree(tmp_path):
    tree = tmp_path / "clconv"
    tree.mkdir()
    done("git", "init", cwd=tmp_path)
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
    done("git", *who, "commit", "--allow-empty", "-m", "another project", cwd=tmp_path)
    output = tmp_path / "commit.cpp"
    done("cmake", f"-DSOURCE={tree}", f"-DOUTPUT={output}", "-P", ROOT / "cmake/WriteCommit.cmake")
    assert '"unknown"' in output.read_text()

    done("git", "init", cwd=tree)
    done("git", *who, "commit", "--allow-empty", "-m", "this one", cwd=tree)
    done("cmake", f"-DSOURCE={tree}", f"-DOUTPUT={output}", "-P", ROOT / "cmake/WriteCommit.cmake")
    assert f'"{done("git", "rev-parse", "--short=12", "HEAD", cwd=tree).strip()}"' in output.read_text()
