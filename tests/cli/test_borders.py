# SPDX-License-Identifier: Apache-2.0
"""Every border, on images and PSFs of every awkward size, with every method."""

import functools
import re

import pytest
from support.folders import Work
from support.full import mostly_full
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.reference import BORDERS, assert_same, convolve
from support.tool import ROOT, fail, succeed


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    return Work(tmp_path_factory.mktemp("borders"), images={"bright": bright_corner()})


def bright_corner():
    """Its lower right quarter is bright."""
    image = picture(32, 32)
    image[16:, 16:] += 1000
    return image


# Each border with one method, each method with several borders, and the rest with the label full.
ALWAYS = ["zero-direct", "constant:0.75-tiled", "clamp-fft", "wrap-fft", "mirror-tiled", "reflect-direct", "renormalize-fft"]


@pytest.fixture(scope="module", params=mostly_full((f"{b}-{m}" for b in BORDERS for m in ["fft", "tiled", "direct"]), ALWAYS))
def made(request, work):
    """Runs with a border and a method, whose results several tests look at. Returns both."""
    border, method = request.param.rsplit("-", 1)
    work.run("--border", border, "--method", method)
    return border, method


def test_every_border_is_right_for_every_size(work, made):
    work.check_results(*made, border=made[0])


def test_the_opposite_edge_never_bleeds_in(work, made):
    """A bright lower right quarter must not reach the left nor the upper edge."""
    border, _ = made
    psf = work.psfs["p7x5"]
    difference = abs(work.result("bright", "p7x5") - convolve(bright_corner(), psf / psf.sum(), border=border))
    # One weight of the bright part is about 1000 / 35; what floats lose in its presence is below a thousandth of that.
    assert difference[:8].max() < 0.01
    assert difference[:, :8].max() < 0.01


def test_clamp_is_the_default(work):
    work.check(border="clamp")


ALIASES = {
    "black": "zero",
    "edge": "clamp",
    "nearest": "clamp",
    "replicate": "clamp",
    "periodic": "wrap",
    "symmetric": "mirror",
    "reflect101": "reflect",
}


def test_every_border_of_the_tool_is_tested_and_documented():
    listed = fail(2, "plan", "--size", "9x9", "--psf-size", "3", "--border", "?").err.rpartition("use ")[2]
    modes = re.sub(r" \([^)]*\)", "", listed).replace(" or ", ", ").strip().split(", ")
    tested = [border.partition(":")[0] for border in BORDERS]
    assert [mode.partition(":")[0] for mode in modes] == tested, "support/reference.py needs a source() of each"
    assert {case.rsplit("-", 1)[0] for case in ALWAYS} == set(BORDERS), "ALWAYS above needs each"
    aliases = [alias for group in re.findall(r"\(([^)]*)\)", listed) for alias in group.split(", ")]
    assert aliases == list(ALIASES), "ALIASES above"
    page = (ROOT / "docs/conventions.md").read_text()
    assert not [mode for mode in modes if f"\n| {mode} " not in page], "docs/conventions.md lacks these"


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    write_image(folder / "image.tif", picture(16, 16, 3))
    write_psf(folder / "psf.txt", random_psf(7, 5))
    return folder


@functools.cache
def run_one(folder, border):
    succeed("run", "image.tif", "--psf", "psf.txt", "--output", "out", "--border", border, "--overwrite", cwd=folder)
    return read_image(folder / "out/image.tif")


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_means_the_same_border(one, alias):
    assert (run_one(one, alias) == run_one(one, ALIASES[alias])).all()


@pytest.mark.parametrize("value", ["constant:1,0.5,-2", "constant:0", "constant:1e3"])
def test_a_constant_border_takes_one_value_or_one_a_channel(one, value):
    psf = random_psf(7, 5)
    assert_same(run_one(one, value), convolve(picture(16, 16, 3), psf / psf.sum(), border=value), value)
