# SPDX-License-Identifier: Apache-2.0
"""Which positions the output covers (--mode), where the PSF sits (--psf-origin), and which way round it lies."""

from itertools import product

import numpy as np
import pytest
from support.folders import Work
from support.full import mostly_full
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.reference import assert_same, convolve
from support.tool import fail, succeed


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    return Work(tmp_path_factory.mktemp("extent"))


@pytest.fixture(scope="module")
def inner(tmp_path_factory):
    """PSFs that fit into every image."""
    sizes = {"image_sizes": [(16, 16), (23, 17)], "psf_sizes": [(4, 2), (7, 5), (16, 16)]}
    return Work(tmp_path_factory.mktemp("inner"), **sizes)


@pytest.mark.parametrize(
    "border, method",
    mostly_full(product(["zero", "clamp", "renormalize"], ["fft", "direct"]), [("zero", "fft"), ("clamp", "fft"), ("renormalize", "direct")]),
)
def test_full_covers_every_position_the_psf_touches(work, border, method):
    options = ("--mode", "full", "--border", border, "--method", method)
    work.check(*options, mode="full", border=border)


@pytest.mark.parametrize("method", ["fft", "direct"])
def test_valid_covers_the_positions_that_need_no_border(inner, method):
    inner.check("--mode", "valid", "--method", method, mode="valid")


@pytest.mark.parametrize("border", mostly_full(["zero", "wrap", "renormalize"], ["renormalize"]))
def test_the_border_does_not_matter_for_valid(inner, border):
    inner.check("--mode", "valid", "--border", border, mode="valid")


# Each mode that looks over the border with each of these, and the one that does not.
@pytest.mark.parametrize(
    "mode, border",
    mostly_full(
        [*product(["same", "full"], ["clamp", "zero", "wrap"]), ("valid", "clamp")],
        [("same", "zero"), ("full", "clamp"), ("full", "wrap"), ("valid", "clamp")],
    ),
)
def test_correlate_turns_the_sum_around(inner, mode, border):
    inner.check("--correlate", "--mode", mode, "--border", border, mode=mode, border=border, correlate=True)


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    return Work(tmp_path_factory.mktemp("wide"), image_sizes=[(9, 1), (16, 16), (23, 17)], psf_sizes=[(7, 5), (4, 6)])


@pytest.mark.parametrize("origin, mode", [((0, 0), "same"), ((0, 0), "full"), ((3, 4), "same"), ((2, 0), "full"), ((0, 3), "same")])
def test_the_origin_can_be_any_sample_of_the_psf(wide, origin, mode):
    wide.check("--psf-origin", f"{origin[0]},{origin[1]}", "--mode", mode, origin=origin, mode=mode)


@pytest.mark.parametrize("correlate", [False, True])
def test_the_origin_and_correlation_go_together(wide, correlate):
    options = ["--correlate"] if correlate else []
    wide.check("--psf-origin", "0,1", "--border", "wrap", *options, border="wrap", origin=(0, 1), correlate=correlate)


def origin_used(folder, psf, rule):
    """Where an impulse in the middle of an image goes tells the origin."""
    image = np.zeros((21, 21, 1), np.float32)
    image[10, 10] = 1
    write_image(folder / "impulse.tif", image)
    write_psf(folder / "psf.txt", psf)
    options = ("--psf-origin", rule, "--normalize", "none", "--overwrite")
    result = succeed("run", "impulse.tif", "--psf", "psf.txt", "--output", "out", *options, cwd=folder)
    out = read_image(folder / "out/impulse.tif")[..., 0]
    for y in range(psf.shape[0]):
        for x in range(psf.shape[1]):
            shifted = convolve(image, psf, origin=(x, y))[..., 0]
            if np.allclose(out, shifted, atol=1e-5):
                return (x, y), result
    raise AssertionError(f"no origin explains the output of --psf-origin {rule}")


def test_the_rules_for_the_origin(tmp_path):
    psf = np.array([[0.1, 0.2, 0.1, 0.1], [0.1, 0.1, 0.3, 3.0], [0.1, 0.1, 0.2, 0.1]])
    assert origin_used(tmp_path, psf, "center")[0] == (2, 1)
    assert origin_used(tmp_path, psf, "peak")[0] == (3, 1)
    psf = np.zeros((5, 7))
    psf[4, 5], psf[4, 6], psf[3, 6], psf[4, 4] = 1.0, 0.9, 0.4, 0.9
    assert origin_used(tmp_path, psf, "centroid")[0] == (5, 4)


def test_an_origin_far_from_the_centroid_is_warned_of_and_every_origin_is_logged(tmp_path):
    psf = np.full((9, 9), 1e-3)
    psf[1, 1] = 1.0
    _, result = origin_used(tmp_path, psf, "center")
    assert "4,4" in result.err and "warn" in result.err.lower() and "centroid" in result.err.lower(), result
    _, result = origin_used(tmp_path, psf, "peak")
    assert "1,1" in result.err and "warn" not in result.err.lower(), result


def test_an_origin_outside_the_psf_is_refused(wide):
    arguments = ("run", wide.folder / "images", "--psf", wide.folder / "psfs/p7x5.txt", "--output", wide.folder / "none")
    for origin in ["7,0", "0,5", "-1,0", "middle", "1", "1,2,3"]:
        fail(2, *arguments, f"--psf-origin={origin}", says=["origin", origin])


def test_valid_needs_an_image_as_large_as_the_psf(tmp_path):
    write_image(tmp_path / "in/small.tif", picture(16, 16))
    write_image(tmp_path / "in/large.tif", picture(40, 35))
    psf = random_psf(33, 33)
    write_psf(tmp_path / "psf.txt", psf)
    arguments = ("run", "in", "--psf", "psf.txt", "--output", "out", "--mode", "valid")
    fail(1, *arguments, says=["small.tif", "33x33", "16x16", "same"], cwd=tmp_path)
    assert not (tmp_path / "out/small.tif").exists()
    expected = convolve(picture(40, 35), psf / psf.sum(), mode="valid")
    assert expected.shape == (3, 8, 1)
    assert_same(read_image(tmp_path / "out/large.tif"), expected)
