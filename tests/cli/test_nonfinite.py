# SPDX-License-Identifier: Apache-2.0
"""Samples that are NaN or infinite: --nonfinite error|zero|interpolate|propagate."""

import numpy as np
import pytest
from support.files_of_parts import write_pages
from support.full import mostly_full
from support.images import as_integers, as_values, picture, random_psf, read_image, write_image, write_psf
from support.reference import BORDERS, assert_same, assert_same_floats, convolve
from support.tool import fail, files_below, succeed

PSF = random_psf(7, 5)
WEIGHTS = PSF / PSF.sum()


def with_gaps(image, seed=1, share=0.1):
    """The image with NaN and infinities at a tenth of its samples, channel by channel."""
    rng = np.random.default_rng(seed)
    image = image.copy()
    gaps = rng.random(image.shape) < share
    image[gaps] = rng.choice([np.nan, np.inf, -np.inf], gaps.sum())
    return image


def run(folder, image, *options, psf=PSF, name="a.exr"):
    write_image(folder / "in" / name, image)
    write_psf(folder / "psf.txt", psf)
    result = succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", *options, cwd=folder)
    return read_image(folder / "out" / name), result


def interpolated(image, psf, border="clamp", **settings):
    """The sum over the known samples, divided by the weight that met one, times the sum of the PSF: in double, directly."""
    known = np.isfinite(image)
    values = np.where(known, image, 0).astype(np.float64)
    outside = "constant:1" if border == "zero" or border.startswith("constant") else border
    weight = convolve(known, psf, outside, **settings)
    total = 1 if border == "renormalize" else psf.sum()
    return convolve(values, psf, border, **settings) * total / weight


def test_error_is_the_default_and_names_the_ways_out(tmp_path):
    write_image(tmp_path / "in/a.exr", with_gaps(picture(23, 17, 3)))
    write_psf(tmp_path / "psf.txt", PSF)
    says = ["a.exr", "not finite", "zero", "interpolate", "propagate"]
    fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", says=says, cwd=tmp_path)
    assert not (tmp_path / "out/a.exr").exists()


def test_an_unknown_rule_is_a_usage_error(tmp_path):
    write_image(tmp_path / "in/a.exr", picture(23, 17, 3))
    write_psf(tmp_path / "psf.txt", PSF)
    says = ["--nonfinite", "skip", "interpolate"]
    fail(2, "run", "in", "--psf", "psf.txt", "--output", "out", "--nonfinite", "skip", says=says, cwd=tmp_path)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_zero_convolves_zeros_and_says_how_many(tmp_path, dtype):
    image = with_gaps(picture(23, 17, 3)).astype(dtype)
    bad = (~np.isfinite(image)).sum()
    out, result = run(tmp_path, image, "--nonfinite", "zero")
    assert out.dtype == dtype
    assert_same(out, convolve(as_values(np.where(np.isfinite(image), image, dtype(0))), WEIGHTS))
    assert f"{bad} samples are not finite" in result.err, result


@pytest.mark.parametrize(
    "border, method",
    mostly_full(
        [*((b, "fft") for b in BORDERS), ("clamp", "direct"), ("renormalize", "direct")],
        [("constant:0.75", "fft"), ("wrap", "fft"), ("renormalize", "fft"), ("clamp", "direct")],
    ),
)
def test_interpolate_is_the_masked_sum_divided_by_the_weight_of_the_mask(tmp_path, border, method):
    image = with_gaps(picture(33, 27, 3))
    out, _ = run(tmp_path, image, "--nonfinite", "interpolate", "--border", border, "--method", method)
    assert_same_floats(out, interpolated(image, WEIGHTS, border), tolerance=2e-6)


@pytest.mark.parametrize("mode", ["full", "valid"])
def test_interpolate_in_other_extents(tmp_path, mode):
    image = with_gaps(picture(33, 27, 3))
    out, _ = run(tmp_path, image, "--nonfinite", "interpolate", "--mode", mode, "--correlate", name="a.tif")
    assert_same_floats(out, interpolated(image, WEIGHTS, mode=mode, correlate=True), tolerance=2e-6)


def test_interpolate_keeps_a_flat_image_flat(tmp_path):
    image = np.full((17, 23, 3), 0.25, np.float32)
    image[5:8, 5:9] = np.nan
    out, _ = run(tmp_path, image, "--nonfinite", "interpolate")
    assert abs(out - 0.25).max() < 1e-6


def test_interpolate_with_a_psf_of_several_channels_and_another_sum(tmp_path):
    image, psf = with_gaps(picture(33, 27, 3)), random_psf(5, 4, 3)
    write_image(tmp_path / "in/a.exr", image)
    write_psf(tmp_path / "psf.exr", psf)
    options = ["--psf", "psf.exr", "--output", "out", "--nonfinite", "interpolate", "--normalize", "none"]
    succeed("run", "in", *options, cwd=tmp_path)
    out = read_image(tmp_path / "out/a.exr")
    for c in range(3):
        expected = interpolated(image[..., c : c + 1], psf[..., c])
        assert_same_floats(out[..., c : c + 1], expected, f"channel {c}", tolerance=2e-6)


def test_interpolate_where_nothing_is_known_stays_missing(tmp_path):
    """As astropy: a gap larger than the PSF has no answer in its middle."""
    image = picture(33, 27, 3)
    image[5:20, 5:25] = np.nan
    out, _ = run(tmp_path, image, "--nonfinite", "interpolate")
    no_weight = convolve(np.isfinite(image), WEIGHTS) < 1e-9
    assert no_weight.sum() > 50
    assert (np.isnan(out) == no_weight).all()
    expected = interpolated(image, WEIGHTS)
    assert abs(out - expected)[~no_weight].max() < 1e-5


def test_interpolate_to_halves_and_integers(tmp_path):
    image = with_gaps(picture(33, 27, 3)).astype(np.float16)
    expected = interpolated(as_values(image), WEIGHTS)
    out, _ = run(tmp_path, image, "--nonfinite", "interpolate")
    assert_same(out, expected)
    out, _ = run(tmp_path, image, "--nonfinite", "interpolate", "--depth", "u16", name="a.tif")
    assert out.dtype == np.uint16
    assert_same(out, expected)


def test_interpolate_under_half_precision(tmp_path):
    image = with_gaps(picture(65, 47, 3))
    out, _ = run(tmp_path, image, "--nonfinite", "interpolate", "--precision", "half")
    assert_same_floats(out, interpolated(image, WEIGHTS), tolerance=3e-3)


def test_interpolate_of_what_has_no_gaps_changes_no_byte(tmp_path):
    plain, _ = run(tmp_path, picture(33, 27, 3))
    out, _ = run(tmp_path, picture(33, 27, 3), "--nonfinite", "interpolate")
    assert (out == plain).all()


def test_interpolate_needs_a_psf_with_a_sum(tmp_path):
    write_image(tmp_path / "in/a.exr", with_gaps(picture(23, 17, 3)))
    write_image(tmp_path / "in/b.exr", picture(23, 17, 3))
    write_psf(tmp_path / "edges.txt", np.array([[-1, 0, 1.0]]))
    options = ["--psf", "edges.txt", "--output", "out", "--normalize", "none", "--nonfinite", "interpolate"]
    fail(1, "run", "in", *options, says=["edges", "sum", "zero"], cwd=tmp_path)
    assert files_below(tmp_path / "out") == ["b.exr"]


def test_a_batch_with_and_without_gaps_gives_what_each_alone_gives(tmp_path):
    """Several images are in flight at a time, of which some are convolved twice."""
    images = {f"{i}.exr": (with_gaps(picture(33, 27, 3, i), i) if i % 3 else picture(33, 27, 3, i)) for i in range(9)}
    for name, image in images.items():
        write_image(tmp_path / "in" / name, image)
    write_psf(tmp_path / "psf.txt", PSF)
    succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--nonfinite", "interpolate", cwd=tmp_path)
    for name, image in images.items():
        assert_same_floats(read_image(tmp_path / "out" / name), interpolated(image, WEIGHTS), name, tolerance=2e-6)


def test_propagate_gives_nan_and_leaves_other_images_alone(tmp_path):
    """A transform spreads what is not finite over the whole image; direct sums as far as the PSF."""
    image = picture(33, 27, 3)
    image[5, 7] = np.nan
    write_image(tmp_path / "in/b.exr", picture(33, 27, 3))
    out, _ = run(tmp_path, image, "--nonfinite", "propagate", "--method", "fft")
    assert np.isnan(out[5, 7]).all()
    assert_same_floats(read_image(tmp_path / "out/b.exr"), convolve(picture(33, 27, 3), WEIGHTS))
    out, _ = run(tmp_path, image, "--nonfinite", "propagate", "--method", "direct")
    reached = convolve(np.isnan(image), WEIGHTS) > 0
    assert (np.isnan(out) == reached).all()
    expected = convolve(np.nan_to_num(image), WEIGHTS)
    assert abs(out - expected)[~reached].max() < 1e-6


@pytest.mark.parametrize("border", mostly_full(["clamp", "wrap", "renormalize"], ["renormalize"]))
def test_propagate_reaches_no_further_than_the_psf_for_every_kind_of_border_and_depth(tmp_path, border):
    image = picture(33, 27, 3)
    image[5, 7] = np.nan
    image[20, 25, 1] = np.inf
    options = ["--nonfinite", "propagate", "--border", border, "--method", "direct"]
    reached = convolve(~np.isfinite(image), WEIGHTS, border) > 0
    expected = convolve(np.where(np.isfinite(image), image, 0), WEIGHTS, border)
    out, _ = run(tmp_path, image, *options, "--depth", "u8", name="a.tif")
    assert np.abs(out / 255.0 - expected)[~reached].max() < 0.51 / 255
    half, _ = run(tmp_path, image, *options, "--depth", "half", "--precision", "half", name="a.exr")
    assert (np.isfinite(half) == ~reached).all()
    assert np.abs(half - expected)[~reached].max() < 2e-3


def test_integers_have_no_such_samples(tmp_path):
    image = as_integers(picture(33, 27, 3), np.uint8)
    plain, _ = run(tmp_path, image, name="a.png")
    for rule in ("zero", "interpolate", "propagate"):
        out, _ = run(tmp_path, image, "--nonfinite", rule, name="a.png")
        assert (out == plain).all(), rule


def test_by_bands_zero_works_and_interpolate_is_refused(tmp_path):
    image = with_gaps(picture(300, 1100, 3), share=0.001)
    out, _ = run(tmp_path, image, "--nonfinite", "zero", "--memory-limit", "1M", name="a.tif")
    assert_same_floats(out, convolve(np.where(np.isfinite(image), image, 0), WEIGHTS))
    bad = (~np.isfinite(image)).sum()
    options = ["--psf", "psf.txt", "--output", "out2", "--memory-limit", "1M", "--nonfinite"]
    fail(1, "run", "in", *options, "interpolate", says=["a.tif", bad, "--memory-limit", "zero"], cwd=tmp_path)
    assert not (tmp_path / "out2/a.tif").exists()
    succeed("run", "in", *options, "propagate", cwd=tmp_path)
    assert read_image(tmp_path / "out2/a.tif").shape == image.shape


def test_rows_that_several_bands_read_are_counted_once(tmp_path):
    image = np.ones((4000, 400, 1), np.float32)
    image[[2, 1000, 3998], 5] = np.nan  # where the border wraps, the first and the last band both need two of these
    log = run(tmp_path, image, "--nonfinite", "zero", "--border", "wrap", "--memory-limit", "1M", name="a.tif")[1].err
    assert "a.tif: 3 samples are not finite (NaN or infinite), the first at x 5, y 2, channel 0; they count as 0" in log


def test_cut_into_pieces_interpolate_works(tmp_path):
    image = with_gaps(picture(290, 210, 3))
    out, _ = run(tmp_path, image, "--nonfinite", "interpolate", "--device-memory", "400K", name="a.tif")
    assert_same_floats(out, interpolated(image, WEIGHTS), tolerance=2e-6)


def test_files_read_by_bands_and_in_parts_say_how_many_too(tmp_path):
    image = picture(900, 800, 1)
    image[[37, 290], [20, 11]] = np.nan
    log = run(tmp_path, image, "--nonfinite", "zero", "--memory-limit", "1M", name="a.tif")[1].err
    assert "a.tif: 2 samples are not finite (NaN or infinite), the first at x 20, y 37, channel 0; they count as 0" in log
    options = ("--format", "sgi", "--memory-limit", "1M")  # of a format that is not written by bands
    arguments = ("run", "in", "--psf", "psf.txt", "--output", "out", "--nonfinite", "zero")
    assert "2 samples are not finite" in succeed(*arguments, *options, cwd=tmp_path).err
    for rule, says in (("zero", "they count as 0"), ("interpolate", "they count as missing")):
        write_pages(tmp_path / "in/a.tif", [picture(40, 30, 1)[..., 0], image[..., 0]])
        arguments = ("run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", "--nonfinite", rule)
        log = succeed(*arguments, cwd=tmp_path).err
        assert "a.tif: part 1: 2 samples are not finite (NaN or infinite), the first at x 20, y 37" in log and says in log
