# SPDX-License-Identifier: Apache-2.0
"""clconv deconvolve --method rl against the iteration by its definition (docs/deconvolution.md), in double."""

import json
import re
from itertools import product

import numpy as np
import pytest
from support.files_of_parts import pages_of, write_pages
from support.full import mostly_full
from support.images import as_integers, as_values, picture, random_psf, read_image, write_image, write_psf
from support.reference import BORDERS, assert_same_floats, convolve
from support.richardson_lucy import richardson_lucy
from support.tool import fail, succeed
from test_linear import decoded, encoded

PSF = random_psf(5, 4)
WEIGHTS = PSF / PSF.sum()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("richardson_lucy")
    write_psf(folder / "psf.txt", PSF)
    write_image(folder / "small.exr", picture(23, 17, 2))
    write_image(folder / "large.exr", picture(24, 17))
    return folder


def deconvolve(folder, image, *options, psf="psf.txt"):
    """The result, as a file of the input's format."""
    words = ("--method", "rl", "--psf", psf, "--output", "out", "--overwrite")
    succeed("deconvolve", image, *words, *options, cwd=folder)
    return read_image(folder / "out" / image)


PLAIN = ("--accelerate", "none")


def by_channel(image, *arguments, **named):
    return np.stack([richardson_lucy(image[..., c], *arguments, **named) for c in range(image.shape[2])], axis=2)


@pytest.mark.parametrize("border", mostly_full(["masked", *BORDERS], ["masked", "wrap", "renormalize"]))
def test_every_border_is_the_iteration_with_its_own_adjoint(folder, border):
    result = deconvolve(folder, "small.exr", "--iterations", 8, *PLAIN, *([] if border == "masked" else ["--border", border]))
    expected = by_channel(picture(23, 17, 2).astype(np.float64), WEIGHTS, 8, border)
    assert_same_floats(result, expected, tolerance=1e-5)


def test_any_size_of_psf_and_place_of_its_origin(folder):
    """Of one channel, and of rows that vectors do not fill: what is behind their end is the next row."""
    psf = random_psf(30, 3)
    write_psf(folder / "wide.txt", psf)
    write_image(folder / "gray.exr", picture(23, 17, 1))
    result = deconvolve(folder, "gray.exr", "--iterations", 4, *PLAIN, "--psf-origin", "20,0", psf="wide.txt")
    expected = by_channel(picture(23, 17, 1).astype(np.float64), psf / psf.sum(), 4, origin=(0, 20))
    assert_same_floats(result, expected, tolerance=1e-5)


def test_a_background_is_part_of_the_model_and_not_of_the_result(folder):
    image = picture(23, 17, 1) + np.float32(0.5)
    write_image(folder / "lit.exr", image)
    result = deconvolve(folder, "lit.exr", "--iterations", 8, *PLAIN, "--background", 0.4)
    expected = by_channel(image.astype(np.float64), WEIGHTS, 8, background=0.4)
    assert_same_floats(result, expected, tolerance=1e-5)


def test_no_iteration_gives_the_mean_of_each_channel(folder):
    result = deconvolve(folder, "small.exr", "--iterations", 0)
    assert_same_floats(result, np.full((17, 23, 2), picture(23, 17, 2).mean(axis=(0, 1), dtype=np.float64)), tolerance=1e-6)


@pytest.mark.parametrize("options", [PLAIN, ("--accelerate", "biggs-andrews"), ("--tv", 0.01), ("--border", "mirror", *PLAIN)])
def test_a_channel_does_not_depend_on_the_others(folder, options):
    image = picture(23, 17, 3) * np.float32([1, 0.01, 0])
    write_image(folder / "uneven.exr", image)
    together = deconvolve(folder, "uneven.exr", "--iterations", 8, *options)
    for c in range(3):
        write_image(folder / "one.exr", image[..., c : c + 1])
        alone = deconvolve(folder, "one.exr", "--iterations", 8, *options)
        assert np.array_equal(together[..., c : c + 1], alone), f"channel {c}"


def test_codes_are_decoded_and_results_encoded(folder):
    codes = as_integers(0.2 + 0.5 * picture(23, 17, 3), np.uint8)
    write_image(folder / "codes.png", codes)
    result = deconvolve(folder, "codes.png", "--iterations", 3, *PLAIN)
    expected = encoded(by_channel(decoded(as_values(codes)), WEIGHTS, 3))
    assert abs(as_values(result) - np.clip(expected, 0, 1)).max() < 0.6 / 255


def test_the_light_of_a_scene_stays_its_light(folder):
    """Where all light of a scene falls into the image, each iteration keeps its sum."""
    scene = np.zeros((60, 70, 1), np.float32)
    scene[20:40, 25:45] = picture(20, 20, 1) + 1
    blurred = convolve(scene, WEIGHTS, "zero").astype(np.float32)
    write_image(folder / "scene.exr", blurred)
    result = deconvolve(folder, "scene.exr", "--iterations", 20, *PLAIN)
    assert result.min() >= 0
    assert abs(result.sum(dtype=np.float64) / blurred.sum(dtype=np.float64) - 1) < 1e-4
    assert abs(result - scene).mean() < 0.5 * abs(blurred - scene).mean()


@pytest.mark.parametrize(
    "accelerate, border",
    mostly_full(product(["momentum", "biggs-andrews"], ["masked", "mirror"]), [("momentum", "masked"), ("biggs-andrews", "mirror")]),
)
def test_accelerated_iterations_run_ahead_by_their_formula(folder, accelerate, border):
    by = {"border": border, "accelerate": accelerate}
    result = deconvolve(folder, "small.exr", "--iterations", 8, "--accelerate", accelerate, "--border", border)
    expected = by_channel(picture(23, 17, 2).astype(np.float64), WEIGHTS, 8, **by)
    assert_same_floats(result, expected, tolerance=2e-5)


def test_a_psf_that_takes_light_away_makes_none_of_it_negative(folder):
    """Factors that are less than 0 count as 0. Later the changes turn back, and momentum must not: it is 0 then."""
    weights = PSF.copy()
    weights[0, 0] = -0.2 * PSF.sum()
    write_psf(folder / "away.txt", weights)
    write_image(folder / "gray.exr", picture(23, 17, 1))
    result = deconvolve(folder, "gray.exr", "--iterations", 7, "--accelerate", "biggs-andrews", psf="away.txt")
    image = picture(23, 17, 1).astype(np.float64)
    assert_same_floats(result, by_channel(image, weights / weights.sum(), 7, accelerate="biggs-andrews"), tolerance=2e-5)


def test_momentum_is_the_default(folder):
    words = ("--iterations", 5)
    chosen = [deconvolve(folder, "small.exr", *words, *more) for more in ((), ("--accelerate", "auto"), ("--accelerate", "momentum"))]
    assert np.array_equal(chosen[0], chosen[1]) and np.array_equal(chosen[0], chosen[2])


def test_acceleration_needs_fewer_iterations_for_the_same_residual(folder):
    photograph = picture(64, 48, 1)
    blurred = convolve(photograph, WEIGHTS, "mirror").astype(np.float32)
    write_image(folder / "blurred.exr", blurred)
    plain = residuals(folder, "blurred.exr", "--iterations", 100, *PLAIN)
    fast = residuals(folder, "blurred.exr", "--iterations", 30, "--accelerate", "momentum")
    assert all(np.diff(plain) < 1e-7)  # each iteration of Richardson and Lucy lowers it
    assert fast[29] < plain[99]


def residuals(folder, image, *options):
    words = ("--method", "rl", "--psf", "psf.txt", "--output", "out", "--overwrite", "--report", "report.json")
    succeed("deconvolve", image, *words, *options, cwd=folder)
    item = json.loads((folder / "report.json").read_text())["items"][0]
    assert item["iterations"] == len(item["residuals"])
    return item["residuals"]


def test_the_report_has_the_divergence_before_each_iteration(folder):
    write_image(folder / "gray.exr", picture(23, 17, 1))
    found = residuals(folder, "gray.exr", "--iterations", 6, *PLAIN)
    expected = []
    richardson_lucy(picture(23, 17, 1).astype(np.float64)[..., 0], WEIGHTS, 6, residuals=expected)
    assert np.allclose(found, expected, rtol=1e-3, atol=1e-8)


def test_stop_ends_when_the_residual_falls_slowly(folder):
    write_image(folder / "gray.exr", picture(23, 17, 1))
    all_of_them = residuals(folder, "gray.exr", "--iterations", 60, *PLAIN)
    found = residuals(folder, "gray.exr", "--iterations", 60, *PLAIN, "--stop", 0.02)
    enough = next(k for k in range(5, 60, 5) if all_of_them[k - 5] - all_of_them[k] < 5 * 0.02 * all_of_them[k - 5])
    assert found == all_of_them[: enough + 1]


def test_the_events_of_an_image_that_takes_long_have_its_iterations(folder):
    write_image(folder / "long.exr", picture(400, 300, 3))
    words = ("--method", "rl", "--psf", "psf.txt", "--output", "out", "--overwrite", "--events", "events")
    for iterations in (250, 1000, 4000, 16000):  # what takes longer than a second depends on the machine
        (folder / "events").unlink(missing_ok=True)
        succeed("deconvolve", "long.exr", *words, "--iterations", iterations, cwd=folder)
        events = [json.loads(line) for line in (folder / "events").read_text().splitlines()]
        reported = [event for event in events if event["event"] == "item_progressed"]
        if reported:
            break
    kinds = [event["event"] for event in events]
    assert reported and kinds.index("item_started") < kinds.index("item_progressed") < kinds.index("item_finished")
    counts = [event["iterations"] for event in reported]
    assert counts == sorted(set(counts)) and 0 < counts[0] and counts[-1] <= iterations
    assert {(event["index"], event["max_iterations"]) for event in reported} == {(0, iterations)}


def test_total_variation_is_its_formula_and_takes_grain_away(folder):
    image = picture(23, 17, 2).astype(np.float64)
    result = deconvolve(folder, "small.exr", "--iterations", 8, *PLAIN, "--tv", 0.02)
    assert_same_floats(result, by_channel(image, WEIGHTS, 8, tv=0.02), tolerance=1e-5)
    without = deconvolve(folder, "small.exr", "--iterations", 8, *PLAIN)
    assert abs(np.diff(result, axis=0)).sum() < abs(np.diff(without, axis=0)).sum()
    # So strong that the divisor would be negative. What depends on signs of small differences makes rounding larger.
    strong = deconvolve(folder, "small.exr", "--iterations", 3, *PLAIN, "--tv", 0.3)
    assert_same_floats(strong, by_channel(image, WEIGHTS, 3, tv=0.3), tolerance=1e-4)


@pytest.mark.parametrize("channels, options", [(2, ("--tv", 0.01, *PLAIN)), (1, ("--accelerate", "biggs-andrews"))])
def test_the_unit_of_the_samples_does_not_matter(folder, channels, options):
    """Squares of the light of stars, in W/m2, are no floats."""
    image = picture(23, 17, channels) + 0.5
    for name, unit in [("white.exr", 1), ("watts.exr", 1e-24), ("huge.exr", 1e19)]:
        write_image(folder / name, (unit * image).astype(np.float32))
        result = deconvolve(folder, name, "--iterations", 8, *options).astype(np.float64) / unit
        if unit == 1:
            expected = result
        assert_same_floats(result, expected, name, tolerance=1e-3)


def test_samples_of_no_weight_do_not_count(folder):
    image = picture(23, 17, 1)
    image[4, 7:9] = np.nan
    image[10:12, 15] = np.inf
    write_image(folder / "holes.exr", image)
    result = deconvolve(folder, "holes.exr", "--iterations", 6, *PLAIN, "--weight", "auto")
    known = np.isfinite(image[..., 0]).astype(np.float64)
    image[~np.isfinite(image)] = 0
    expected = richardson_lucy(image[..., 0].astype(np.float64), WEIGHTS, 6, known=known)
    assert_same_floats(result[..., 0], expected, tolerance=1e-5)


def test_weights_come_from_a_file(folder):
    image, known = picture(23, 17, 1), (picture(23, 17, 1, seed=5) > 0.3).astype(np.float32)
    known[2, 3] = 0.25
    write_image(folder / "dotted.exr", image)
    write_image(folder / "known.exr", known)
    result = deconvolve(folder, "dotted.exr", "--iterations", 6, *PLAIN, "--weight", "known.exr")
    expected = richardson_lucy(image[..., 0].astype(np.float64), WEIGHTS, 6, known=known[..., 0].astype(np.float64))
    assert_same_floats(result[..., 0], expected, tolerance=1e-5)


def test_weights_may_be_inverse_variances(folder):
    """Those of bright stars are a thousandth of the sky's. They counted as none, and stars stayed as they were."""
    image = picture(23, 17, 1)
    known = np.where(picture(23, 17, 1, seed=5) > 0.3, 1e-3, 1).astype(np.float32)
    known[4:14, 5:16] = 1e-3
    write_image(folder / "stars.exr", image)
    write_image(folder / "inverse.exr", 7 * known)
    words = ("deconvolve", "stars.exr", "--method", "rl", "--psf", "psf.txt", "--output", "out", "--overwrite")
    weighted = (*words, "--iterations", 6, *PLAIN, "--weight", "inverse.exr")
    assert "largest" not in succeed(*weighted, cwd=folder).err
    expected = richardson_lucy(image[..., 0].astype(np.float64), WEIGHTS, 6, known=known[..., 0].astype(np.float64))
    # Sums over weights round to what the largest beside them leaves.
    assert_same_floats(read_image(folder / "out/stars.exr")[..., 0], expected, tolerance=1e-3)
    write_image(folder / "inverse.exr", np.where(known < 1, np.float32(1e-5), known))
    assert "weights go down to 1e-05 of the largest" in succeed(*weighted, "-v", cwd=folder).err


def test_only_ratios_of_weights_count(folder):
    """A mask of 0 and 1 in bytes is 1/255 of white, and so little of the PSF's sum counted as unknown."""
    known = (picture(23, 17, 1, seed=5) > 0.3).astype(np.uint8)
    write_image(folder / "gray.exr", picture(23, 17, 1))
    results = []
    for name, weights in [("ones.exr", known.astype(np.float32)), ("bytes.png", known), ("small.tif", known * np.float32(1e-9))]:
        write_image(folder / name, weights)
        results.append(deconvolve(folder, "gray.exr", "--iterations", 6, "--weight", name))
        assert_same_floats(results[-1], results[0], name)


def test_weights_that_say_nothing_are_named(folder):
    weights = np.ones((17, 23, 1), np.float32)
    for name, sample, says in [("negative.exr", -1, "-1 at x 3, y 2"), ("nothing.exr", 0, "all weights are 0")]:
        weights[2 if sample else slice(None), 3 if sample else slice(None)] = sample
        write_image(folder / name, weights)
        words = ("--psf", "psf.txt", "--weight", name, "--output", "refused")
        assert says in fail(2, "deconvolve", "small.exr", *words, cwd=folder).err
    weights[2, 3] = np.nan
    write_image(folder / "unknown.exr", weights)
    words = ("--psf", "psf.txt", "--weight", "unknown.exr", "--output", "refused")
    assert "unknown.exr: is nan at x 3, y 2" in fail(2, "deconvolve", "small.exr", *words, cwd=folder).err


def test_an_image_without_a_sample_that_counts_is_warned_of(folder):
    """NaN do not spread where they have no weight, and the log does not say so."""
    write_image(folder / "nothing.exr", np.full((17, 23, 1), np.nan, np.float32))
    words = ("--psf", "psf.txt", "--weight", "auto", "--output", "unknown", "--overwrite", "--iterations", 2)
    log = succeed("deconvolve", "nothing.exr", *words, cwd=folder).err
    assert "391 samples are not finite" in log and "they have no weight" in log
    assert "warning: nothing.exr: no sample has a weight" in log
    assert (read_image(folder / "unknown/nothing.exr") == 0).all()
    write_image(folder / "gray.exr", picture(23, 17, 1))
    log = succeed("deconvolve", "gray.exr", *words, cwd=folder).err
    assert "no sample has a weight" not in log


def test_the_largest_code_is_clipped_light(folder):
    codes = as_integers(picture(23, 17, 1), np.uint16)
    codes[5:8, 9:12] = 65535
    write_image(folder / "clipped.tif", codes)
    result = deconvolve(folder, "clipped.tif", "--iterations", 4, *PLAIN, "--stored", "--weight", "auto")
    known = (codes[..., 0] < 65535).astype(np.float64)
    expected = np.clip(richardson_lucy(as_values(codes)[..., 0], WEIGHTS, 4, known=known), 0, 1)
    assert abs(as_values(result)[..., 0] - expected).max() < 1.5 / 65535


def test_the_file_of_weights_is_never_an_output(folder):
    write_image(folder / "weights/small.exr", np.ones((17, 23, 1), np.float32))
    words = ("--method", "rl", "--psf", "psf.txt", "--weight", "weights/small.exr", "--output", "weights", "--overwrite")
    fail(2, "deconvolve", "small.exr", *words, says=["weights/small.exr"], cwd=folder)


LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def by_luminance(image, *arguments, **named):
    """image: [row, column, red, green, blue and others]."""
    colours = np.maximum(image[..., :3].astype(np.float64), 0)
    own = colours @ LUMINANCE
    sharp = richardson_lucy(own, *arguments, **named)
    followed = colours * np.divide(sharp, own, where=own > 0, out=np.zeros_like(own))[..., None]
    followed[own <= 0] = sharp[own <= 0][:, None]
    return np.concatenate([followed, image[..., 3:]], axis=2)


@pytest.mark.parametrize(
    "border, channels",
    mostly_full(
        product(["masked", "constant:0.3,0.1,0.2", "mirror"], [3, 4]), [("masked", 3), ("constant:0.3,0.1,0.2", 4), ("mirror", 3)]
    ),
)
def test_colours_can_follow_their_luminance(folder, border, channels):
    image = picture(23, 17, channels)
    image[5, 6:9] -= np.float32(0.4)  # some are negative
    image[3, 4, :3] = 0
    if border.startswith("constant") and channels == 4:
        border += ",0"
    write_image(folder / "colours.exr", image)
    words = ("--iterations", 6, *PLAIN, "--alpha", "convolve", "--colour", "luminance")
    result = deconvolve(folder, "colours.exr", *words, "--border", border)
    gray = border if not border.startswith("constant") else f"constant:{np.array([0.3, 0.1, 0.2]) @ LUMINANCE}"
    assert_same_floats(result, by_luminance(image, WEIGHTS, 6, gray), tolerance=1e-5)


def test_clipped_colours_weigh_nothing_in_their_luminance(folder):
    codes = as_integers(0.1 + 0.5 * picture(23, 17, 3), np.uint16)
    codes[5:8, 9:12, 0] = 65535
    write_image(folder / "red.tif", codes)
    result = deconvolve(folder, "red.tif", "--iterations", 4, *PLAIN, "--stored", "--weight", "auto", "--colour", "luminance")
    known = (codes.max(axis=2) < 65535).astype(np.float64)
    own = as_values(codes) @ LUMINANCE
    sharp = richardson_lucy(own, WEIGHTS, 4, known=known)
    expected = as_values(codes) * (sharp / own)[..., None]
    assert abs(as_values(result) - np.clip(expected, 0, 1)).max() < 1.5 / 65535


def test_what_has_no_luminance_is_named(folder):
    write_image(folder / "five.exr", picture(23, 17, 5))
    write_image(folder / "rgb.exr", picture(23, 17, 3))
    write_image(folder / "coloured.exr", random_psf(5, 5, 3).astype(np.float32))
    words = ("--output", "never", "--colour", "luminance")
    fail(1, "deconvolve", "five.exr", "--psf", "psf.txt", *words, says=["--colour luminance", "5 channels"], cwd=folder)
    fail(1, "deconvolve", "rgb.exr", "--psf", "coloured.exr", *words, says=["--colour luminance", "--psf-gray"], cwd=folder)
    fail(2, "deconvolve", "rgb.exr", "--psf", "psf.txt", "--nsr", 0.1, *words, says=["--colour luminance", "rl"], cwd=folder)


def test_gray_images_have_nothing_but_luminance(folder):
    write_image(folder / "gray.exr", picture(23, 17, 1))
    both = [deconvolve(folder, "gray.exr", "--iterations", 4, "--colour", colour) for colour in ("channels", "luminance")]
    assert np.array_equal(*both)


@pytest.mark.parametrize("start", ["image", "0.3"])
def test_the_first_estimate_is_what_was_requested(folder, start):
    result = deconvolve(folder, "small.exr", "--iterations", 2, *PLAIN, "--start", start)
    number = start if start == "image" else float(start)
    expected = by_channel(picture(23, 17, 2).astype(np.float64), WEIGHTS, 2, start=number)
    assert_same_floats(result, expected, tolerance=1e-5)


@pytest.mark.parametrize(
    "options, code, says",
    [
        (["--start", "-1"], 2, ["--start -1", "flat"]),
        (["--weight", "nothing.exr"], 2, ["--weight", "nothing.exr"]),
        (["--weight", "large.exr"], 1, ["--weight is 24x17", "23x17"]),
        (["--colour", "gray"], 2, ["--colour", "gray", "luminance"]),
        (["--accelerate", "fast"], 2, ["--accelerate", "fast", "momentum"]),
        (["--precision", "half"], 2, ["--precision half", "float or double"]),
        (["--memory-limit", "1M"], 1, ["one piece"]),
    ],
)
def test_what_iterations_cannot_do_is_named(folder, options, code, says):
    image = "small.exr"
    if "--memory-limit" in options:
        image = "large.tif"
        write_image(folder / image, np.zeros((3000, 3000, 3), np.uint8))
    fail(code, "deconvolve", image, "--method", "rl", "--psf", "psf.txt", "--output", "never", *options, says=says, cwd=folder)


def warnings_of(folder, image, *options, psf="psf.txt"):
    words = ("--method", "rl", "--psf", psf, "--output", "out", "--overwrite", "--report", "report.json")
    succeed("deconvolve", image, *words, *options, cwd=folder)
    return " ".join(json.loads((folder / "report.json").read_text())["items"][0]["warnings"])


def test_it_warns_of_what_spoils_a_result(folder):
    y, x = np.mgrid[0:40, 0:50]
    write_image(folder / "ramp.exr", (0.2 + (x + y) / 200).astype(np.float32))
    assert warnings_of(folder, "ramp.exr") == ""
    clipped = as_integers(picture(64, 48, 1), np.uint16)
    clipped[10:20, 20:30] = 65535
    write_image(folder / "clipped.tif", clipped)
    assert "3.5 % of the samples are clipped" in warnings_of(folder, "clipped.tif", "--stored", *PLAIN)
    assert "clipped, which" not in warnings_of(folder, "clipped.tif", "--stored", *PLAIN, "--weight", "auto")
    ringing = PSF.copy()
    ringing[0, 0] = -0.2 * PSF.sum()
    write_psf(folder / "ringing.txt", ringing)
    assert "% of PSF ringing is negative" in warnings_of(folder, "ramp.exr", psf="ringing.txt")
    write_psf(folder / "bright.txt", 4 * WEIGHTS)
    said = warnings_of(folder, "small.exr", "--normalize", "none", psf="bright.txt")
    assert "sums to 4, so the result is 0.25 times as bright" in said


def test_it_warns_of_iterations_that_only_add_noise(folder):
    """A smooth scene and the noise of 50 photons: the divergence from the truth is 1 / 100 of the mean."""
    rng = np.random.default_rng(3)
    write_image(folder / "noisy.exr", rng.poisson(np.full((48, 64, 1), 50.0)).astype(np.float32) / 50)
    said = warnings_of(folder, "noisy.exr", "--iterations", 40)
    assert "of 40 iterations the residual is less than the image's noise makes likely" in said
    found = residuals(folder, "noisy.exr", "--iterations", 40)
    after = int(said.partition("after ")[2].partition(" ")[0])
    assert found[after] < 0.8 * 0.01 and found[after - 1] > 0.6 * 0.01
    assert "noise" not in warnings_of(folder, "noisy.exr", "--iterations", 3)


def test_samples_of_no_weight_make_no_noise(folder):
    image = np.random.default_rng(3).poisson(np.full((96, 64, 1), 50.0)).astype(np.float32) / 50
    image[:70] = np.nan
    write_image(folder / "gap.exr", image)
    assert "noise" not in warnings_of(folder, "gap.exr", "--iterations", 3, "--weight", "auto")


# The device's memory, how far parts may be from the whole, and options. Momentum makes rounding larger, and so also what
# differs far from the cuts. biggs-andrews finds its momentum for each part, and tv depends on the signs of small differences.
PARTS = {
    "plain": ("12M", 0.0001, PLAIN),
    "momentum": ("12M", 0.003, ()),
    "weights": ("12M", 0.0001, (*PLAIN, "--weight", "known.exr")),
    "biggs-andrews": ("12M", 0.02, ("--weight", "auto", "--accelerate", "biggs-andrews")),
    "tv": ("12M", 0.02, ("--tv", 0.002)),
    "luminance": ("5M", 0.003, ("--colour", "luminance")),
}


@pytest.mark.parametrize("case", mostly_full(PARTS, ["momentum", "weights", "luminance"]))
def test_parts_of_an_image_that_does_not_fit_the_device_join_without_a_seam(folder, case):
    """docs/deconvolution.md has how much they differ from the whole, which is most at the cuts."""
    memory, tolerance, options = PARTS[case]
    rng = np.random.default_rng(8)
    scene = np.kron(rng.random((30, 40, 3)), np.ones((16, 16, 1)))
    blurred = np.stack([convolve(scene[..., c : c + 1], WEIGHTS, "mirror")[..., 0] for c in range(3)], axis=2)
    write_image(folder / "whole.tif", as_integers(rng.poisson(blurred * 3000) / 3300, np.uint16))
    known = (rng.random((480, 640)) > 0.02).astype(np.float32)
    known[225:260, 300:340] = 0  # across the cuts
    write_image(folder / "known.exr", known)
    words = ("--stored", "--report", "report.json", *options)
    whole = as_values(deconvolve(folder, "whole.tif", *words))
    own = json.loads((folder / "report.json").read_text())["items"][0]
    parts = as_values(deconvolve(folder, "whole.tif", *words, "--device-memory", memory))
    item = json.loads((folder / "report.json").read_text())["items"][0]
    assert re.match(r"in \d x \d parts of \d+x\d+ that overlap by 15x12, each", item["plan"]) and "in 1 x 1" not in item["plan"]
    assert np.allclose(item["residuals"], own["residuals"], rtol=0.05)
    assert abs(parts - whole).max() < tolerance and np.sqrt(np.mean((parts - whole) ** 2)) < tolerance / 20


def test_a_dry_run_says_that_an_image_is_worked_on_in_parts(folder):
    write_image(folder / "wide.exr", picture(640, 480, 3))
    words = ("deconvolve", "wide.exr", "--psf", "psf.txt", "--method", "rl", "--output", "never", "--dry-run")
    assert "in overlapping parts" in succeed(*words, "--device-memory", "12M", cwd=folder).out
    assert "in overlapping parts" not in succeed(*words, cwd=folder).out


def test_what_needs_the_whole_image_is_not_worked_on_in_parts(folder):
    write_image(folder / "wide.exr", picture(640, 480, 3))
    for options in (("--stop", 0.01), ("--border", "mirror")):
        words = ("--psf", "psf.txt", "--output", "never", "--device-memory", "12M", *options)
        fail(1, "deconvolve", "wide.exr", *words, says=["one piece", "--border masked"], cwd=folder)


def test_a_background_can_be_the_darkest_tenth(folder):
    rng = np.random.default_rng(4)
    image = np.full((40, 50, 1), 0.2, np.float32)
    image[10:20, 10:20] += rng.random((10, 10, 1)).astype(np.float32)
    write_image(folder / "offset.exr", image)
    chosen = deconvolve(folder, "offset.exr", "--iterations", 6, "--background", "auto")
    given = deconvolve(folder, "offset.exr", "--iterations", 6, "--background", np.float32(0.2))
    assert_same_floats(chosen, given, tolerance=1e-6)


@pytest.mark.parametrize("extent", [(1, 300), (300, 2)])
def test_spectra_have_a_background_and_noise_too(folder, extent):
    """Samples of so few rows or columns have no neighbours on all sides."""
    lines = np.maximum(0, np.sin(np.arange(300) / 30)) * 20
    noise = np.random.default_rng(5).normal(0, 0.1, extent)
    image = 100 + lines.reshape((1, 300) if extent[0] == 1 else (300, 1)) + noise
    write_image(folder / "spectrum.exr", image[..., None].astype(np.float32))
    for option, says in [("--background", "background (99.|100)"), ("--nsr", "noise to signal 0.000[12]")]:
        words = (option, "auto", "--psf", "psf.txt", "--output", "out", "--overwrite", "--report", "spectrum.json")
        succeed("deconvolve", "spectrum.exr", *words, cwd=folder)
        plan = json.loads((folder / "spectrum.json").read_text())["items"][0]["plan"]
        assert re.search(says, plan), plan


def test_auto_is_this_method_unless_an_option_of_another_is_given(folder):
    def plan(*options):
        words = ("--psf", "psf.txt", "--output", "out", "--overwrite", "--report", "report.json")
        said = succeed("deconvolve", "small.exr", *words, *options, cwd=folder).err
        method = "wiener" if "--nsr" in options else "tikhonov" if "--lambda" in options else "rl"
        assert f"--method auto is {method} here" in said
        return json.loads((folder / "report.json").read_text())["items"][0]["plan"]

    assert plan().startswith("Richardson-Lucy, 20 iterations with momentum, nothing known outside")
    assert plan("--method", "auto", "--nsr", "0.02").startswith("wiener inverse of the PSF, noise to signal 0.02")
    assert plan("--lambda", "0.02").startswith("tikhonov inverse")


@pytest.mark.parametrize("noise, expected", [(0.003, 1e-4), (0.03, 1e-2)])
def test_the_noise_of_an_image_can_be_estimated(folder, noise, expected):
    """A smooth scene of variance 0.083, and white noise: the power of one over the other, to a factor of 2."""
    rng = np.random.default_rng(6)
    y, x = np.mgrid[0:90, 0:128]
    scene = (x + 0.5) / 128 + rng.normal(0, noise, x.shape)
    write_image(folder / "ramp.exr", scene[..., None].astype(np.float32))
    words = ("--method", "wiener", "--nsr", "auto", "--psf", "psf.txt", "--output", "out", "--overwrite")
    succeed("deconvolve", "ramp.exr", *words, "--report", "report.json", cwd=folder)
    plan = json.loads((folder / "report.json").read_text())["items"][0]["plan"]
    found = float(plan.partition("noise to signal ")[2].partition(":")[0])
    assert expected / 2 <= found <= 2 * expected


def test_pages_of_a_file_are_worked_on_one_by_one(folder):
    pages = [picture(23, 17, 1, seed=seed) for seed in (1, 2, 3)]
    write_pages(folder / "pages.tif", [page[..., 0] for page in pages])
    words = ("--method", "rl", "--psf", "psf.txt", "--iterations", 4)
    succeed("deconvolve", "pages.tif", *words, "--output", "paged", cwd=folder)
    for page, result in zip(pages, pages_of(folder / "paged/pages.tif"), strict=True):
        write_image(folder / "page.exr", page)
        assert_same_floats(result.reshape(17, 23, 1), deconvolve(folder, "page.exr", "--iterations", 4), tolerance=1e-6)


def test_images_of_several_types_in_one_run_are_as_each_alone(folder):
    image = picture(23, 17, 3)
    write_image(folder / "codes8.png", (image * 255).astype(np.uint8))
    write_image(folder / "codes16.png", (image * 65535).astype(np.uint16))
    write_image(folder / "with_alpha.png", (np.dstack([image, image[..., :1]]) * 255).astype(np.uint8))
    for options, names in (
        ((), ["codes8.png", "codes16.png", "with_alpha.png"]),
        (("--colour", "luminance"), ["codes8.png", "with_alpha.png"]),
    ):
        words = ("--method", "rl", "--psf", "psf.txt", "--iterations", 3, "--overwrite", *options)
        succeed("deconvolve", *names, *words, "--output", "mixed", cwd=folder)
        for name in names:
            together = read_image(folder / "mixed" / name)
            assert np.array_equal(together, deconvolve(folder, name, "--iterations", 3, *options)), name


def test_each_psf_has_its_own_light_from_a_constant_border(folder):
    write_psf(folder / "bright.txt", 2 * PSF)
    words = ("--iterations", 3, "--border", "constant:0.2", "--normalize", "none")
    named = ("--method", "rl", "--psf", "psf.txt", "bright.txt", "--name", "{psf}{ext}", "--output", "lights")
    succeed("deconvolve", "small.exr", *named, *words, "--overwrite", cwd=folder)
    for psf in ("psf", "bright"):
        alone = deconvolve(folder, "small.exr", *words, psf=f"{psf}.txt")
        assert np.array_equal(read_image(folder / f"lights/{psf}.exr"), alone), psf


def test_alpha_is_as_in_run(folder):
    """Colours are associated; alpha is worked on with them, or stays."""
    image = picture(23, 17, 4)
    image[..., :3] *= image[..., 3:]
    write_image(folder / "alpha.exr", image)
    expected = by_channel(image.astype(np.float64), WEIGHTS, 4)
    assert_same_floats(deconvolve(folder, "alpha.exr", "--iterations", 4, *PLAIN), expected, tolerance=1e-5)
    kept = deconvolve(folder, "alpha.exr", "--iterations", 4, *PLAIN, "--alpha", "keep")
    assert np.array_equal(kept[..., 3], image[..., 3])


def test_resume_makes_only_what_is_missing_or_has_other_iterations(folder):
    def made(*options):
        words = ("--method", "rl", "--psf", "psf.txt", "--output", "resumed", "--resume", "--report", "report.json")
        succeed("deconvolve", "small.exr", "large.exr", *words, *options, cwd=folder)
        return [item["status"] for item in json.loads((folder / "report.json").read_text())["items"]]

    assert made("--iterations", 3) == ["done", "done"]
    (folder / "resumed/large.exr").unlink()
    assert sorted(made("--iterations", 3)) == ["done", "skipped"]
    assert made("--iterations", 4) == ["done", "done"]


def test_shards_and_frames_divide_the_work_as_those_of_run_do(folder):
    for number in (1, 2, 3):
        (folder / f"shot.{number:04}.exr").write_bytes((folder / "small.exr").read_bytes())
    words = ("--method", "rl", "--iterations", 2, "--psf", "psf.txt")
    succeed("deconvolve", "shot.####.exr", "--frames", "2-3", *words, "--output", "frames", cwd=folder)
    assert sorted(file.name for file in (folder / "frames").glob("*.exr")) == ["shot.0002.exr", "shot.0003.exr"]
    for index, names in ((0, ["shot.0001.exr", "shot.0003.exr"]), (1, ["shot.0002.exr"])):
        succeed("deconvolve", "shot.####.exr", "--shard", f"{index}/2", *words, "--output", f"shard{index}", cwd=folder)
        assert sorted(file.name for file in (folder / f"shard{index}").glob("*.exr")) == names
    assert np.array_equal(read_image(folder / "frames/shot.0003.exr"), read_image(folder / "shard0/shot.0003.exr"))


def test_what_the_other_methods_do_not_have_is_refused(folder):
    for options, name in ((["--iterations", "5"], "--iterations"), (["--border", "masked"], "--border masked")):
        words = ("--method", "wiener", "--psf", "psf.txt", "--output", "never")
        fail(2, "deconvolve", "small.exr", *words, *options, says=[name, "rl"], cwd=folder)
