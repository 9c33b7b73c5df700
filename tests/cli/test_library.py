# SPDX-License-Identifier: Apache-2.0
"""libclconv as another program finds it: installed, moved to another place, and built against."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.images import read_image, write_image
from support.tool import BINARY, ROOT, environment, succeed

WIDTH, HEIGHT = 61, 47


def done(*words, **settings):
    """What a command prints; it must exit 0."""
    result = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment(), **settings)
    assert result.returncode == 0, f"{words}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """An installed library that was moved afterwards."""
    folder = tmp_path_factory.mktemp("library")
    for component in ("library", "development"):
        done("cmake", "--install", Path(BINARY).parent, "--prefix", folder / "first", "--component", component)
    return (folder / "first").rename(folder / "moved")


@pytest.fixture(scope="module")
def example(prefix):
    build = prefix.parent / "build"
    done("cmake", "-S", ROOT / "examples", "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    done("cmake", "--build", build)
    return build / "blur"


def test_the_example_gives_the_bytes_of_the_program(example, tmp_path):
    image = np.random.default_rng(3).random((HEIGHT, WIDTH), dtype=np.float32)
    (tmp_path / "in.raw").write_bytes(image.tobytes())
    out = done(example, "in.raw", WIDTH, HEIGHT, "gaussian:2.5", "out.raw", cwd=tmp_path)
    assert f"{WIDTH}x{HEIGHT}" in out
    result = np.frombuffer((tmp_path / "out.raw").read_bytes(), np.float32).reshape(HEIGHT, WIDTH)

    write_image(tmp_path / "in.tif", image)
    succeed("run", "in.tif", "--psf", "gaussian:2.5", "--border", "mirror", "-o", "out.tif", cwd=tmp_path)
    np.testing.assert_array_equal(result, read_image(tmp_path / "out.tif").reshape(HEIGHT, WIDTH))


def test_the_example_says_what_is_wrong(example, tmp_path):
    (tmp_path / "in.raw").write_bytes(bytes(400))
    result = subprocess.run(
        [example, "in.raw", "10", "10", "gausian:2", "out.raw"], cwd=tmp_path, env=environment(), capture_output=True, text=True
    )
    assert result.returncode == 1
    assert "gaussian" in result.stderr


def library_in(prefix):
    [library] = prefix.glob("lib/**/libclconv.so")
    return library


def test_the_library_names_its_version_and_shows_only_its_interface(prefix):
    library = library_in(prefix)
    assert re.search(r"SONAME.*libclconv\.so\.\d+\]", done("readelf", "-d", library))
    names = [line.split(" ", 2)[2] for line in done("nm", "-DC", "--defined-only", library).splitlines()]
    assert any("clconv::v0::Convolver::run" in name for name in names)
    foreign = [name for name in names if not re.match(r"(typeinfo (name )?for |vtable for )?clconv::v0::", name)]
    assert not foreign


def test_the_library_needs_no_image_library(prefix):
    needed = re.findall(r"NEEDED.*\[(\S+)\]", done("readelf", "-d", library_in(prefix)))
    known = ("libOpenCL", "libfmt", "libxxhash", "libstdc++", "libm.", "libgcc_s", "libc.", "ld-linux", "libasan", "libubsan")
    assert all(name.startswith(known) for name in needed), needed


def test_the_header_includes_only_the_standard_librarys(prefix):
    header = prefix / "include/clconv/clconv.hpp"
    included = re.findall(r"#include\s*(\S+)", header.read_text())
    assert included and all(re.fullmatch(r"<[a-z_]+>", name) for name in included)
    warnings = ["-Wall", "-Wextra", "-Werror"]
    done("c++", "-std=c++17", *warnings, "-fsyntax-only", "-x", "c++", "-include", header, "/dev/null")


def test_the_header_for_buffers_also_includes_opencls(prefix):
    header = prefix / "include/clconv/opencl.hpp"
    assert {"<CL/cl.h>", "<clconv/clconv.hpp>"} <= set(re.findall(r"#include\s*(\S+)", header.read_text()))
    words = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-DCL_TARGET_OPENCL_VERSION=120", "-I", prefix / "include"]
    done("c++", *words, "-fsyntax-only", "-x", "c++", "-include", header, "/dev/null")


def test_pkg_config_finds_the_moved_library(prefix):
    [description] = prefix.glob("lib/**/clconv.pc")
    env = environment(PKG_CONFIG_PATH=description.parent)
    words = subprocess.run(["pkg-config", "--cflags", "--libs", "clconv"], capture_output=True, text=True, env=env)
    assert words.returncode == 0, words.stderr
    paths = [Path(word[2:]).resolve() for word in words.stdout.split() if word.startswith(("-I", "-L"))]
    assert paths == [prefix / "include", library_in(prefix).parent]
