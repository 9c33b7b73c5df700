# SPDX-License-Identifier: Apache-2.0
"""Forced plans: what --radix and --decide say is what runs, and is right. (tests/device tries every radix and variant.)"""

import pytest
from support.full import mostly_full
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.reference import assert_same, convolve
from support.tool import fail, succeed

WIDTH, HEIGHT = 60, 52
IMAGE = picture(WIDTH, HEIGHT)
PSF = random_psf(5, 7)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("radix")
    write_image(folder / "image.tif", IMAGE)
    write_psf(folder / "psf.txt", PSF)
    return folder


@pytest.fixture(scope="module")
def expected():
    return convolve(IMAGE, PSF / PSF.sum())


def check(folder, expected, *options):
    succeed("run", "image.tif", "--psf", "psf.txt", "--output", "out", "--overwrite", *options, cwd=folder)
    assert_same(read_image(folder / "out/image.tif"), expected, " ".join(options))


# The least, the largest, and primes. Every one of them makes programs of its own, and tests/device has the others.
LARGEST = {"local": [2, 13, 1024], "global": [11, 256]}


@pytest.mark.parametrize(
    "residence, largest", mostly_full([(r, n) for r in LARGEST for n in LARGEST[r]], [("local", 13), ("global", 256)])
)
def test_a_largest_radix_can_be_given(folder, expected, largest, residence):
    check(folder, expected, "--method", "fft", "--radix", str(largest), "--decide", f"residence={residence}")


# Lines hold at least 60 + 4 and 52 + 6 samples with the default border.
# Shorter ones in local memory: see the next test.
@pytest.mark.parametrize("residence, sequence", [("local", "2,3,11"), ("global", "16,4")])
def test_a_whole_sequence_can_be_given(folder, expected, sequence, residence):
    check(folder, expected, "--method", "fft", "--radix", sequence, "--decide", f"residence={residence}")


def test_each_axis_has_its_own(folder, expected):
    check(folder, expected, "--method", "fft", "--radix-x", "5,5,3", "--radix-y", "16,4")
    check(folder, expected, "--method", "fft", "--radix", "16", "--radix-y", "auto")


def test_the_plan_shows_the_sequence(folder):
    arguments = ("plan", "image.tif", "--psf", "psf.txt", "--method", "fft", "--radix-x", "5,5,3", "--radix-y", "16,4")
    plan = succeed(*arguments, cwd=folder).out
    assert "75" in plan and "5.5.3" in plan and "16.4" in plan


def test_variants_are_right(folder, expected):
    """Four in one run, which say nothing of each other: what counts here is that they reach the plan."""
    variants = ["lanes=1", "radix-order=ascending", "column-exchange=ping-pong", "padding=2", "butterflies=direct"]
    check(folder, expected, "--method", "fft", *[word for variant in variants for word in ("--decide", variant)])


def test_the_decisions_are_listed_with_values_and_meanings():
    lines = succeed("plan", "--decisions").out.splitlines()
    assert lines[0].split() == ["KEY", "VALUES", "MEANING"]
    keys = [line.split()[0] for line in lines[1:]]
    assert len(keys) == len(set(keys)) and {"method", "residence", "padding", "butterflies"} <= set(keys)
    assert all(len(line.split()) > 3 for line in lines[1:])


def test_the_decisions_of_a_plan_are_listed(folder):
    arguments = ("plan", "image.tif", "--psf", "psf.txt", "--method", "fft", "--radix-x", "5,5,3", "--decisions")
    lines = succeed(*arguments, "--decide", "padding=2", cwd=folder).out.splitlines()
    assert lines[0].split()[:3] == ["KEY", "VALUES", "CHOSEN"]
    chosen = {line.split()[0]: line.split()[2] for line in lines[1:]}
    assert chosen["method"] == "fft" and chosen["row-radices"] == "5.5.3" and chosen["padding"] == "2"


@pytest.mark.parametrize("radix", mostly_full(["0", "1", "-2", "17", "2048", "16,17", "16,,4", "big", "3.5"], ["0", "17", "16,17", "big"]))
def test_a_radix_that_is_not_supported_is_refused_with_those_that_are(folder, radix):
    arguments = ("run", "image.tif", "--psf", "psf.txt", "--output", "none", f"--radix={radix}")
    fail(2, *arguments, says=["radix", "13"], cwd=folder)


def test_a_sequence_too_short_for_the_image_is_refused_with_both_lengths(folder):
    arguments = ("run", "image.tif", "--psf", "psf.txt", "--output", "one", "--method", "fft", "--radix-x", "16")
    succeed(*arguments, cwd=folder)  # one number is a largest radix, not a sequence
    arguments = ("run", "image.tif", "--psf", "psf.txt", "--output", "short", "--method", "fft", "--radix-x", "4,4")
    fail(1, *arguments, says=["4,4", "16", "64"], cwd=folder)


@pytest.mark.parametrize("border", mostly_full(["zero", "wrap", "reflect"], ["wrap"]))
def test_lengths_at_the_edges_of_the_radices(tmp_path, border):
    images = {f"{width}x{height}.tif": picture(width, height) for width, height in [(64, 64), (257, 3), (1, 1030), (720, 31)]}
    psf = random_psf(3, 5)
    for name, image in images.items():
        write_image(tmp_path / "in" / name, image)
    write_psf(tmp_path / "psf.txt", psf)
    succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--border", border, "--method", "fft", cwd=tmp_path)
    for name, image in images.items():
        assert_same(read_image(tmp_path / "out" / name), convolve(image, psf / psf.sum(), border=border), name)
