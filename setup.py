# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel by CMake, or of a build that is there: CLCONV_BUILD_DIR=build/release python3 -m build --wheel."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent.resolve()


class BuildByCMake(build_ext):
    def run(self):
        build = Path(os.environ.get("CLCONV_BUILD_DIR") or Path(self.build_temp) / "cmake").absolute()
        cmake = ["cmake", "-S", str(ROOT), "-B", str(build)]
        if not (build / "CMakeCache.txt").exists():
            cmake += ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DCLCONV_TESTS=OFF", "-DCLCONV_IMAGES=OFF"]
            cmake += ["-DCLCONV_PYTHON_MODULE=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
            if shutil.which("ninja"):
                cmake += ["-G", "Ninja"]
        subprocess.run(cmake, check=True)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
        subprocess.run(["cmake", "--build", str(build), "--target", "clconv_python", "--parallel", jobs], check=True)

        staged = Path(self.build_temp).absolute() / "staged"
        shutil.rmtree(staged, ignore_errors=True)
        install = ["cmake", "--install", str(build), "--component", "python", "--prefix", str(staged), "--strip"]
        subprocess.run(install, check=True)
        folder = Path(self.build_lib) / "clconv" if not self.inplace else ROOT / "python/clconv"
        folder.mkdir(parents=True, exist_ok=True)
        for pattern in ("_core.*.so", "libclconv.so.*"):
            for file in staged.rglob(pattern):
                if not re.search(r"\.so\.\d+\.", file.name):  # the soname suffices
                    shutil.copy(file, folder / file.name)

    def get_outputs(self):
        return []


version = re.search(r"^project\(clconv VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)
setup(version=version, ext_modules=[Extension("clconv._core", ["python/core.cpp"])], cmdclass={"build_ext": BuildByCMake})
