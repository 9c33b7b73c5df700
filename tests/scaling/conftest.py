# SPDX-License-Identifier: Apache-2.0
"""The worked examples of examples/schedulers, run for real: a batch, and what one process makes of it."""

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))

from support.images import as_integers, picture, random_psf, write_image, write_psf  # noqa: E402
from support.tool import files_below, succeed  # noqa: E402

SCALING = ROOT / "examples/schedulers"
COUNT = 10


class Batch:
    """in/ and psf.txt in `folder`; `check()` compares out/ with what one process made."""

    def __init__(self, folder, expected):
        self.folder = folder
        self.expected = expected

    def outputs(self):
        out = self.folder / "out"
        names = [name for name in files_below(out) if name.endswith(".png")]
        return {name: (out / name).read_bytes() for name in names}

    def check(self):
        assert sorted(self.outputs()) == sorted(self.expected), "complete"
        assert self.outputs() == self.expected, "the bytes of one process"


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    for number in range(COUNT):
        write_image(folder / f"in/{number}.png", as_integers(picture(40, 30, 3, seed=number), np.uint8))
    write_psf(folder / "psf.txt", random_psf(5, 5))
    succeed("run", "in", "--psf", "psf.txt", "--output", "out", cwd=folder)
    return folder


@pytest.fixture()
def batch(whole, tmp_path):
    (tmp_path / "in").mkdir()
    for source in (whole / "in").iterdir():
        (tmp_path / "in" / source.name).write_bytes(source.read_bytes())
    (tmp_path / "psf.txt").write_bytes((whole / "psf.txt").read_bytes())
    return Batch(tmp_path, {name: (whole / "out" / name).read_bytes() for name in files_below(whole / "out")})
