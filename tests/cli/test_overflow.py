# SPDX-License-Identifier: Apache-2.0
"""Results that their type does not hold, or that are no numbers: reported, or failed, for that image alone."""

import json

import numpy as np
import pytest
from support import icc
from support.files_of_parts import write_pages
from support.full import mostly_full
from support.images import as_integers, as_values, picture, read_image, write_image, write_psf
from support.methods import METHODS
from support.reference import assert_same, convolve
from support.tool import clconv, fail, files_below, succeed

BOX = np.ones((5, 5))


def halves(width=23, height=17):
    """Sums of 25 samples are beyond the largest half on the left only."""
    image = (picture(width, height, 3) + 0.5).astype(np.float16)
    image[:, :8] = 6000
    return image


@pytest.mark.parametrize("method", mostly_full(["fft", "direct"], ["fft"]))
def test_halves_that_overflow_are_counted_and_warned_of(tmp_path, method):
    write_image(tmp_path / "in/loud.exr", halves())
    write_image(tmp_path / "in/quiet.exr", (picture(23, 17, 3)).astype(np.float16))
    write_psf(tmp_path / "psf.txt", BOX)
    options = ["--normalize", "none", "--method", method, "--report", "report.json"]
    result = succeed("run", "in", "--psf", "psf.txt", "--output", "out", *options, cwd=tmp_path)
    out = read_image(tmp_path / "out/loud.exr")
    infinite = np.isinf(out).sum()
    assert infinite > 0 and not np.isnan(out).any()
    warnings = [line for line in result.err.splitlines() if line.startswith("warning")]
    assert len(warnings) == 1 and "loud.exr" in warnings[0] and f"{infinite} samples" in warnings[0], result
    assert "--depth float" in warnings[0] and "--normalize sum-all" in warnings[0]
    items = json.loads((tmp_path / "report.json").read_text())["items"]
    assert [item["overflowed"] for item in items] == [infinite, 0]
    assert [len(item["warnings"]) for item in items] == [1, 0] and "largest half" in items[0]["warnings"][0]


def test_halves_that_are_only_copied_are_counted_where_integers_clamp_them(tmp_path):
    write_image(tmp_path / "in/loud.exr", halves())
    options = ["--method", "none", "--depth", "u8", "--format", "tif", "--report", "report.json"]
    succeed("run", "in", "--output", "out", *options, cwd=tmp_path)
    (item,) = json.loads((tmp_path / "report.json").read_text())["items"]
    beyond = (halves().astype(float) > 256 / 255).sum()
    assert item["overflowed"] == beyond > 0
    assert "clamped" in [detail["kind"] for detail in item["warning_details"]]


def test_what_is_advised_holds_them(tmp_path):
    write_image(tmp_path / "in/loud.exr", halves())
    write_psf(tmp_path / "psf.txt", BOX)
    options = ["--normalize", "none", "--depth", "float"]
    result = succeed("run", "in", "--psf", "psf.txt", "--output", "out", *options, cwd=tmp_path)
    out = read_image(tmp_path / "out/loud.exr")
    assert out.max() == pytest.approx(25 * 6000, rel=1e-5)
    assert "largest half" not in result.err


def test_halves_of_bands_are_counted_too(tmp_path):
    image = np.full((1200, 1024, 3), 6000, np.float16)
    image[600:] = 1
    write_image(tmp_path / "in/large.exr", image)
    write_psf(tmp_path / "psf.txt", BOX)
    options = ["--normalize", "none", "--memory-limit", "64M", "--report", "report.json"]
    result = succeed("run", "in", "--psf", "psf.txt", "--output", "out", *options, cwd=tmp_path)
    item = json.loads((tmp_path / "report.json").read_text())["items"][0]
    assert "pieces" in item["plan"]
    assert item["overflowed"] == np.isinf(read_image(tmp_path / "out/large.exr")).sum() > 0, result


def test_the_first_result_beyond_float_is_named_by_its_place_in_the_image(tmp_path):
    """Not by its place in a band."""
    image = np.full((1200, 1024, 3), 0.5, np.float32)
    image[700, 30, 1] = 3e38
    write_image(tmp_path / "in/large.tif", image)
    write_psf(tmp_path / "psf.txt", np.diag([0, 9, 0]))
    options = ["--normalize", "none", "--method", "direct", "--memory-limit", "64M"]
    says = ["large.tif", "1 result is not finite", "x 30, y 700, channel 1"]
    fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", *options, says=says, cwd=tmp_path)


@pytest.mark.parametrize("method", ["fft", "direct"])
def test_sums_beyond_float_fail_their_image_alone(tmp_path, method):
    """Ids that were stored as floats have any exponent: no reason to think that the driver computes wrongly."""
    image = picture(33, 27, 4)
    image[..., 3] = np.where(np.random.default_rng(1).random((27, 33)) < 0.5, 3.4e38, -3.4e38)
    image[:, :9, 3] = 3.4e38
    write_image(tmp_path / "in/ids.exr", image)
    write_image(tmp_path / "in/plain.exr", picture(33, 27, 4))
    write_psf(tmp_path / "psf.txt", BOX)
    options = ["--normalize", "none", "--method", method]
    result = fail(
        1, "run", "in", "--psf", "psf.txt", "--output", "out", *options, says=["ids.exr", "not finite", "--normalize"], cwd=tmp_path
    )
    assert "computes wrongly" not in result.err
    assert files_below(tmp_path / "out") == ["plain.exr"]


def test_results_below_the_smallest_float_are_infinite_too(tmp_path):
    """They were that float, in a file like any other."""
    write_image(tmp_path / "in/deep.exr", np.full((17, 23, 3), -2e38, np.float32))
    write_psf(tmp_path / "psf.txt", BOX)
    options = ["--normalize", "none", "--method", "direct"]
    says = ["deep.exr", f"{17 * 23 * 3} results are not finite"]
    fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", *options, says=says, cwd=tmp_path)


@pytest.mark.parametrize("rule", ["interpolate", "propagate"])
def test_every_rule_for_samples_that_are_not_finite_counts_what_overflows(tmp_path, rule):
    """Where no sample makes it so. Interpolated results may be missing, and are counted where they are infinite."""
    gaps = halves()
    gaps[3:12, 12:21] = np.nan
    huge = picture(23, 17, 3)
    huge[8, 9:11] = 3e38
    for name, image in [("gaps", gaps), ("huge", huge), ("loud", halves())]:
        write_image(tmp_path / f"in/{name}.exr", image)
    write_psf(tmp_path / "psf.txt", BOX)
    options = ["--normalize", "none", "--method", "direct", "--nonfinite", rule, "--report", "report.json"]
    fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", *options, says=["huge.exr", "not finite"], cwd=tmp_path)
    items = json.loads((tmp_path / "report.json").read_text())["items"]
    assert [item["status"] for item in items] == ["done", "failed", "done"]
    for item, counts in [(items[0], rule == "interpolate"), (items[2], True)]:
        infinite = np.isinf(read_image(tmp_path / item["output"])).sum()
        assert infinite > 0 and item["overflowed"] == (infinite if counts else 0)


def test_light_of_pages_is_clamped_by_the_curve_of_their_profile(tmp_path):
    """A steep curve: light of 1.012 is 0.8 of a code above white, where sRGB's would be 1.3."""
    profile = icc.profile([icc.gamma_curve(4)], "steep", space=b"GRAY")
    (tmp_path / "in").mkdir()
    write_pages(tmp_path / "in/pages.tif", [np.full((9, 11), 255, np.uint8)] * 2, extratags=[(34675, 7, len(profile), profile, False)])
    write_psf(tmp_path / "psf.txt", [[1.012]])
    assert overflow_of(tmp_path, "--psf", "psf.txt", "--normalize", "none", "--linear") == 0
    write_psf(tmp_path / "psf.txt", [[1.02]])
    assert overflow_of(tmp_path, "--psf", "psf.txt", "--normalize", "none", "--linear") == 2 * 99


def test_propagate_asks_for_what_is_not_finite(tmp_path):
    image = picture(23, 17, 3)
    image[8, 9] = np.inf
    write_image(tmp_path / "in/a.exr", image)
    write_psf(tmp_path / "psf.txt", BOX)
    result = clconv("run", "in", "--psf", "psf.txt", "--output", "out", "--nonfinite", "propagate", cwd=tmp_path)
    assert result.code == 0, result


def test_a_transform_that_leaves_float_is_not_taken_for_a_wrong_program(tmp_path):
    """The results themselves are well within float."""
    image = picture(33, 27, 4)
    image[..., 3] = (5e36 * (0.5 + image[..., 3])).astype(np.float32)
    write_image(tmp_path / "in/ids.exr", image)
    write_image(tmp_path / "in/plain.exr", picture(33, 27, 4))
    write_psf(tmp_path / "psf.txt", BOX)
    options = ["--border", "zero", "--method", "fft"]
    says = ["ids.exr", "not finite", "--precision double"]
    result = fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", *options, says=says, cwd=tmp_path)
    assert "computes wrongly" not in result.err
    assert files_below(tmp_path / "out") == ["plain.exr"]


# Sums up to 3, and to -1: it clamps at both ends.
LOUD = 1.01371 * np.array([[0.25, 0.5, -0.5], [1, 0.75, -0.5], [0.25, 0.25, 0]])


def clamped(exact, top):
    """Of exact results how many an integer clamps by more than a code."""
    codes = exact * top
    assert min(np.abs(codes - (top + 1)).min(), np.abs(codes + 1).min()) > 5e-8 * top  # none is too near to tell
    return int(((codes > top + 1) | (codes < -1)).sum())


def overflow_of(folder, *options):
    result = succeed("run", "in", "--output", "out", "--overwrite", "--report", "report.json", *options, cwd=folder)
    item = json.loads((folder / "report.json").read_text())["items"][0]
    assert (item["overflowed"] > 0) == any("clamped" in warning for warning in item["warnings"]) == ("clamped" in result.err), result
    return item["overflowed"]


@pytest.mark.parametrize("method", mostly_full(METHODS, ["lanes", "tiles", "direct of work-groups"]))
def test_codes_that_are_clamped_are_counted(tmp_path, method):
    codes = as_integers(picture(83, 61, 3), np.uint8)
    codes[40:, 50:] = 255
    codes[:30, 79], codes[:30, 80:] = 255, 0  # the ends of rows, which CPUs store one by one, clamp below zero
    write_image(tmp_path / "in/a.png", codes)
    write_psf(tmp_path / "psf.txt", LOUD)
    expected = clamped(convolve(as_values(codes), LOUD), 255)
    assert overflow_of(tmp_path, "--psf", "psf.txt", "--normalize", "none", *METHODS[method]) == expected > 1000


def test_other_integers_and_ways(tmp_path):
    """Of 16 bits; by bands; those that the writer rounds; an unsharp mask; floats that become codes."""
    values = picture(300, 1100, 1)
    values[300:500] = 0.99
    values[500:520] = 0
    codes = as_integers(values, np.uint16)
    write_image(tmp_path / "in/a.tif", codes)
    write_psf(tmp_path / "psf.txt", LOUD)
    expected = clamped(convolve(as_values(codes), LOUD), 65535)
    run = ["--psf", "psf.txt", "--normalize", "none"]
    assert overflow_of(tmp_path, *run) == overflow_of(tmp_path, *run, "--dither") == expected > 1000
    # Where cuts overlap, results are counted twice.
    assert expected <= overflow_of(tmp_path, *run, "--memory-limit", "1M") <= 1.1 * expected
    box = convolve(as_values(codes), np.ones((5, 5)) / 25)
    assert overflow_of(tmp_path, "--psf", "box:5", "--mix", "-0.6") == clamped(1.6 * as_values(codes) - 0.6 * box, 65535) > 0
    assert overflow_of(tmp_path, "--psf", "box:5") == overflow_of(tmp_path, "--psf", "box:5", "--mix", "0.4") == 0
    write_image(tmp_path / "in/a.tif", 2 * values)
    assert overflow_of(tmp_path, "--psf", "box:5", "--depth", "u8") == clamped(convolve(2 * values, np.ones((5, 5)) / 25), 255) > 1000
    assert overflow_of(tmp_path, "--psf", "box:5") == 0


@pytest.mark.parametrize("method", mostly_full(["fft", "direct"], ["direct"]))
def test_each_psf_of_one_size_has_its_own_count(tmp_path, method):
    write_image(tmp_path / "in/a.png", as_integers(picture(23, 17, 1), np.uint8))
    write_psf(tmp_path / "soft.txt", np.full((3, 3), 1 / 9))
    sharp = -2 * np.ones((3, 3))
    sharp[1, 1] = 17
    write_psf(tmp_path / "sharp.txt", sharp)
    for psfs in (["soft.txt", "sharp.txt"], ["sharp.txt", "soft.txt"]):
        given = [word for psf in psfs for word in ("--psf", psf)]
        succeed("run", "in", *given, "--method", method, "--output", "out", "--overwrite", "--report", "report.json", cwd=tmp_path)
        items = json.loads((tmp_path / "report.json").read_text())["items"]
        assert [item["overflowed"] > 0 for item in items] == ["sharp" in psf for psf in psfs], items


def test_counting_changes_no_code(tmp_path):
    """The same numbers in floats, rounded here."""
    codes = as_integers(picture(83, 61, 3), np.uint8)
    write_image(tmp_path / "in/a.tif", codes)
    write_psf(tmp_path / "psf.txt", LOUD)
    overflow_of(tmp_path, "--psf", "psf.txt", "--normalize", "none")
    out = read_image(tmp_path / "out/a.tif")
    assert_same(out, convolve(as_values(codes), LOUD))
