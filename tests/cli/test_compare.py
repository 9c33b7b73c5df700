# SPDX-License-Identifier: Apache-2.0
"""clconv compare: the numbers of scikit-image and of idiff, and what its exit code says."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import skimage
import tifffile
from skimage import metrics

from support.files_of_parts import write_exr_parts, write_pages
from support.images import as_integers, picture, read_image, write_image
from support.tool import clconv, environment, fail, succeed



def compared(*arguments, code=0):
    """The JSON of a comparison."""
    result = clconv("compare", *arguments, "--json")
    assert result.code == code, result
    return json.loads(result.out)


def part_of(*arguments, code=0):
    """The numbers of the only part of two files."""
    (pair,) = compared(*arguments, code=code)["pairs"]
    (part,) = pair["parts"]
    return part


def similarity(a, b, top):
    """scikit-image's, with the window of the method's authors."""
    return metrics.structural_similarity(
        a, b, data_range=top, channel_axis=2, gaussian_weights=True, use_sample_covariance=False
    )


def pair_of(folder, dtype, channels=3, extension="tif", amount=0.02):
    a = picture(61, 47, channels)
    noise = np.random.default_rng(5).normal(0, amount, a.shape)
    b = np.clip(a + noise, 0, 1).astype(np.float32)
    if np.dtype(dtype).kind == "u":
        a, b = as_integers(a, dtype), as_integers(b, dtype)
    a, b = a.astype(dtype), b.astype(dtype)
    return write_image(folder / f"a.{extension}", a), write_image(folder / f"b.{extension}", b), a, b


def test_published_values_of_scikit_images_test_pair(tmp_path):
    """skimage/metrics/tests of 0.19.3: the photographer and the noise of seed 5 on him, judged by imdiff."""
    camera = np.asarray(read_image(Path(skimage.__file__).parent / "data/camera.png"))[..., 0]
    random = np.random.RandomState(5)
    noisy = np.clip(camera + 20.0 * random.randn(*camera.shape), 0, 255).astype(np.uint8)
    part = part_of(write_image(tmp_path / "a.png", camera), write_image(tmp_path / "b.png", noisy))
    assert part["psnr"] == pytest.approx(22.409353363576034, abs=1e-4)  # the tolerance of scikit-image's own test
    assert part["psnr"] == pytest.approx(metrics.peak_signal_noise_ratio(camera, noisy, data_range=255), rel=1e-12)
    assert part["ssim"] == pytest.approx(0.357959091663361, abs=1e-3)  # likewise
    assert part["ssim"] == pytest.approx(similarity(camera[..., None], noisy[..., None], 255), rel=1e-10)


@pytest.mark.parametrize("dtype, top", [("uint8", 255), ("uint16", 65535), ("float16", 1), ("float32", 1)])
def test_numbers_are_those_of_scikit_image(tmp_path, dtype, top):
    first, second, a, b = pair_of(tmp_path, dtype, extension="exr" if dtype == "float16" else "tif")
    part = part_of(first, second)
    a, b = a.astype(np.float64), b.astype(np.float64)
    difference = np.abs(a - b)
    assert part["data_range"] == top
    assert part["max"] == difference.max()
    assert part["mean"] == pytest.approx(difference.mean(), rel=1e-12)
    assert part["rms"] == pytest.approx(np.sqrt(metrics.mean_squared_error(a, b)), rel=1e-12)
    assert part["psnr"] == pytest.approx(metrics.peak_signal_noise_ratio(a, b, data_range=top), rel=1e-12)
    assert part["ssim"] == pytest.approx(similarity(a, b, top), rel=1e-9)
    y, x, channel = np.unravel_index(difference.argmax(), difference.shape)
    largest = part["largest"]
    assert difference[largest["y"], largest["x"], largest["channel"]] == difference.max()
    assert (largest["a"], largest["b"]) == (a[y, x, channel], b[y, x, channel])


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_unit_scale_has_the_numbers_of_idiff(tmp_path, dtype):
    first, second, _, _ = pair_of(tmp_path, dtype)
    done = subprocess.run(["idiff", first, second], capture_output=True, text=True, env=environment())
    said = {name: float(value) for name, value in re.findall(r"(Mean error|RMS error|Peak SNR|Max error) += (\S+)", done.stdout)}
    part = part_of(first, second, "--scale", "unit")
    assert part["mean"] == pytest.approx(said["Mean error"], rel=1e-4)
    assert part["rms"] == pytest.approx(said["RMS error"], rel=1e-4)
    assert part["max"] == pytest.approx(said["Max error"], rel=1e-4)
    assert part["psnr"] == pytest.approx(said["Peak SNR"], rel=1e-4)


def test_files_with_other_codes_of_white_have_a_note(tmp_path):
    """White of 8 bits less white of 16 is -65280, which nobody wants to know."""
    one = {name: write_image(tmp_path / name, value * np.ones((20, 20, 3), dtype))
           for name, dtype, value in [("a.png", np.uint8, 255), ("b.png", np.uint16, 65535), ("c.exr", np.float16, 1), ("d.exr", np.float32, 1)]}  # fmt: skip
    for first, second, types in [("a.png", "b.png", "u8 and u16"), ("b.png", "c.exr", "u16 and half"), ("c.exr", "d.exr", None)]:
        note = part_of(one[first], one[second])["note"]
        assert note is None if types is None else (types in note and "--scale unit" in note)
        part = part_of(one[first], one[second], "--scale", "unit")
        assert part["max"] == 0 and part["note"] is None
    assert "--scale unit" in succeed("compare", one["a.png"], one["b.png"]).out


def test_files_whose_pixels_lie_elsewhere_have_a_note(tmp_path):
    """Pixels are compared by their numbers, so a picture that moved in its frame would be called the same."""
    image = picture(20, 16, 3).astype(np.float32)
    first, moved, larger = (tmp_path / name for name in ["a.exr", "b.exr", "c.exr"])
    write_exr_parts(first, {"all": (image, (3, 2))}, (40, 30))
    write_exr_parts(moved, {"all": (image, (10, 5))}, (40, 30))
    write_exr_parts(larger, {"all": (image, (3, 2))}, (64, 30))
    assert part_of(first, first)["note"] is None
    assert part_of(first, moved)["note"] == "the pixels lie at 3,2 of 40x30 and at 10,5 of 40x30"
    assert part_of(first, larger)["note"] == "the pixels lie at 3,2 of 40x30 and at 3,2 of 64x30"
    assert part_of(first, moved)["max"] == 0


def test_tolerances_decide_the_exit_code(tmp_path):
    a = write_image(tmp_path / "a.png", np.full((20, 20), 100, np.uint8))
    other = np.full((20, 20), 100, np.uint8)
    other[3, 5] = 104
    b = write_image(tmp_path / "b.png", other)
    for tolerance, value, holds in [
        ("--max", 4, True), ("--max", 3, False), ("--rms", 0.2, True), ("--rms", 0.19, False),
        ("--psnr", 62, True), ("--psnr", 63, False), ("--ssim", 0.9, True), ("--ssim", 1, False),
        ("--ulp", 4, True), ("--ulp", 3, False),
    ]:  # fmt: skip
        assert clconv("compare", a, b, tolerance, value).code == (0 if holds else 1), (tolerance, value)
    succeed("compare", a, b, "--max", 0, "--percent", 0.25)
    assert clconv("compare", a, b, "--max", 0, "--percent", 0.2).code == 1
    text = succeed("compare", a, b).out
    assert "4 at x 5, y 3, channel Y: 100 and 104" in text


def test_reports_say_which_tolerances_were_given(tmp_path):
    """The page said that pairs were within tolerances where there were none."""
    a = write_image(tmp_path / "a.png", np.full((20, 20), 100, np.uint8))
    for options, tolerances, heading in [
        ([], {}, "1 of 1 pairs compared, without tolerances"),
        (["--max", 4, "--percent", 2, "--psnr", 30], {"max": 4, "psnr": 30, "percent": 2}, "1 of 1 pairs within tolerances"),
    ]:
        page = tmp_path / "page.html"
        assert json.loads(succeed("compare", a, a, *options, "--html", page, "--json").out)["tolerances"] == tolerances
        assert f"<h1>{heading}</h1>" in page.read_text()


def test_exit_codes_of_usage_and_of_files_that_cannot_be_read(tmp_path):
    a = write_image(tmp_path / "a.png", np.zeros((8, 8), np.uint8))
    fail(3, "compare", a, tmp_path / "none.png", says=["none.png"])
    (tmp_path / "broken.png").write_bytes(a.read_bytes()[:60])
    fail(3, "compare", a, tmp_path / "broken.png", says=["broken.png"])
    fail(2, "compare", a)
    fail(2, "compare", a, a, "--max", -1)
    fail(2, "compare", a, a, "--percent", 1, says=["--max"])


def test_tolerances_have_their_own_ranges(tmp_path):
    a, b = tmp_path / "a.png", tmp_path / "b.png"
    image = np.random.default_rng(4).integers(0, 256, (32, 32)).astype(np.uint8)
    write_image(a, image)
    write_image(b, 255 - image)
    fail(2, "compare", a, b, "--max", 1, "--percent", -1, says=["--percent", "0 to 100"])
    fail(2, "compare", a, b, "--ssim", -2, says=["--ssim", "-1 to 1"])
    assert -1 < part_of(a, b)["ssim"] < -0.5  # of a negative
    succeed("compare", a, b, "--ssim", -1)
    fail(1, "compare", a, b, "--ssim", -0.5)
    fail(2, "compare", a, tmp_path, says=["folder"])
    (tmp_path / "loop.png").symlink_to("loop.png")
    for pair in [(a, tmp_path / "loop.png"), (tmp_path / "loop.png", a), (a, tmp_path / ("long" * 100))]:
        assert "filesystem error" not in fail(3, "compare", *pair, says=["cannot be read"]).err


def test_links_to_folders_are_not_taken_for_equal(tmp_path):
    for side, value in (("a", 1), ("b", 2)):
        write_image(tmp_path / side / "x.png", np.zeros((8, 8), np.uint8))
        write_image(tmp_path / f"real_{side}/y.png", np.full((8, 8), value, np.uint8))
        (tmp_path / side / "sub").symlink_to(f"../real_{side}")
    fail(3, "compare", "a", "b", says=["a/sub", "link to a folder"], cwd=tmp_path)


def test_sizes_channels_and_parts_that_differ_fail(tmp_path):
    a = write_image(tmp_path / "a.tif", picture(20, 10, 3))
    for name, other, says in [
        ("size", picture(10, 20, 3), "sizes differ: 20x10 and 10x20"),
        ("channels", picture(20, 10, 1), "channels differ: 3 and 1"),
    ]:
        result = clconv("compare", a, write_image(tmp_path / f"{name}.tif", other))
        assert result.code == 1 and says in result.out
    write_pages(tmp_path / "two.tif", [picture(20, 10, 3), picture(20, 10, 3)])
    result = clconv("compare", a, tmp_path / "two.tif")
    assert result.code == 1 and "parts differ: 1 and 2" in result.out


def test_all_parts_are_compared(tmp_path):
    pages = [picture(9, 8, 3, seed) for seed in range(3)]
    write_pages(tmp_path / "a.tif", pages)
    changed = [pages[0], pages[1], pages[2] + np.float32(0.25)]
    write_pages(tmp_path / "b.tif", changed)
    parts = compared(tmp_path / "a.tif", tmp_path / "b.tif", "--max", 0.1, code=1)["pairs"][0]["parts"]
    assert [len(part["failures"]) for part in parts] == [0, 0, 1]
    named = {"left": (picture(9, 8, 3), (0, 0)), "right": (picture(9, 8, 3, 1), (0, 0))}
    write_exr_parts(tmp_path / "a.exr", named, (9, 8))
    assert [part["max"] for part in compared(tmp_path / "a.exr", tmp_path / "a.exr")["pairs"][0]["parts"]] == [0, 0]


def test_folders_are_paired_by_relative_name(tmp_path):
    for folder in ["a", "b"]:
        write_image(tmp_path / folder / "same.png", np.zeros((8, 8), np.uint8))
        write_image(tmp_path / folder / "below/too.png", np.zeros((8, 8), np.uint8))
    assert len(compared(tmp_path / "a", tmp_path / "b")["pairs"]) == 2
    write_image(tmp_path / "a/first.png", np.zeros((8, 8), np.uint8))
    write_image(tmp_path / "b/below/second.png", np.zeros((8, 8), np.uint8))
    report = compared(tmp_path / "a", tmp_path / "b", code=1)
    assert [pair["name"] for pair in report["pairs"]] == ["below/too.png", "same.png"]
    assert (report["only_in_a"], report["only_in_b"]) == (["first.png"], ["below/second.png"])
    shutil.copy(tmp_path / "a/same.png", tmp_path / "b/first.png")
    (tmp_path / "b/same.png").write_bytes(b"nothing")
    report = compared(tmp_path / "a", tmp_path / "b", code=3)
    assert ["error" in pair for pair in report["pairs"]] == [False, False, True]


def test_stored_samples_are_compared_and_not_associated_ones(tmp_path):
    """Colours under alpha 0, doubles, 32-bit integers and signed codes are as numpy sees them."""
    a = np.zeros((8, 8, 4), np.uint8)
    b = a.copy()
    b[2, 3, 1] = 77
    part = part_of(write_image(tmp_path / "a.png", a), write_image(tmp_path / "b.png", b))
    assert (part["max"], part["largest"]["channel_name"]) == (77, "G")
    for dtype, step in [(np.float64, 1e-12), (np.uint32, 1), (np.int16, 3), (np.int32, 1)]:
        base = np.full((8, 8), 1 if np.dtype(dtype).kind == "f" else 30001, dtype)
        if np.dtype(dtype).itemsize == 4:
            base *= 70000 if dtype is np.int32 else 140000
        other = base.copy()
        other[1, 2] += dtype(step)
        tifffile.imwrite(tmp_path / "x.tif", base)
        tifffile.imwrite(tmp_path / "y.tif", other)
        assert part_of(tmp_path / "x.tif", tmp_path / "y.tif")["max"] == float(other[1, 2]) - float(base[1, 2]), dtype


def test_samples_that_are_not_finite_are_counted_and_fail(tmp_path):
    a = picture(12, 10)
    b = a.copy()
    b[0, 1], b[2, 2] = np.nan, np.inf
    first, second = write_image(tmp_path / "a.exr", a), write_image(tmp_path / "b.exr", b)
    part = part_of(first, second, "--rms", 1e9, code=1)
    assert (part["nonfinite_a"], part["nonfinite_b"], part["max"]) == (0, 2, "inf")
    assert part_of(second, second, "--max", 0)["differing"] == 0


def test_a_mask_says_which_pixels_count(tmp_path):
    first, second, a, b = pair_of(tmp_path, "uint8")
    mask = np.zeros(a.shape[:2], np.uint8)
    mask[10:20, 5:30] = 255
    part = part_of(first, second, "--mask", write_image(tmp_path / "mask.png", mask))
    difference = np.abs(a.astype(float) - b)[10:20, 5:30]
    assert part["samples"] == difference.size
    assert part["mean"] == pytest.approx(difference.mean(), rel=1e-12)
    small = write_image(tmp_path / "small.png", mask[1:])
    fail(2, "compare", first, second, "--mask", small, says=["--mask", "61x46"])


def test_a_mask_under_which_nothing_counts_is_refused(tmp_path):
    first, second, a, b = pair_of(tmp_path, "uint8")
    empty = write_image(tmp_path / "empty.png", np.zeros(a.shape[:2], np.uint8))
    fail(2, "compare", first, second, "--max", "0", "--mask", empty, says=["--mask", "0 everywhere"])
    pages = tmp_path / "pages.tif"
    tifffile.imwrite(pages, np.full((2, *a.shape[:2]), 255, np.uint8), photometric="minisblack")
    fail(2, "compare", first, second, "--max", "0", "--mask", pages, says=["--mask", "2 parts"])


def test_a_heatmap_has_the_largest_difference_of_the_channels(tmp_path):
    first, second, a, b = pair_of(tmp_path, "float32")
    succeed("compare", first, second, "--heatmap", tmp_path / "heat.exr")
    expected = np.abs(a.astype(np.float64) - b).max(axis=2)
    assert np.allclose(read_image(tmp_path / "heat.exr")[..., 0], expected, rtol=1e-6)
    succeed("compare", first, second, "--heatmap", tmp_path / "ok.png", "--heatmap-on-failure", "--max", 1)
    assert not (tmp_path / "ok.png").exists()
    assert clconv("compare", first, second, "--heatmap", tmp_path / "ok.png", "--heatmap-on-failure", "--max", 0).code == 1
    heat = read_image(tmp_path / "ok.png")
    assert np.unravel_index(heat.argmax(), heat.shape)[:2] == np.unravel_index(expected.argmax(), expected.shape)
    fail(2, "compare", first, second, "--heatmap", first, says=["would replace"])
    mask = tmp_path / "mask.png"
    write_image(mask, np.full((*a.shape[:2], 1), 255, np.uint8))
    before = mask.read_bytes()
    fail(2, "compare", first, second, "--mask", mask, "--heatmap", mask, says=["would replace"])
    assert mask.read_bytes() == before
    fail(2, "compare", tmp_path, tmp_path, "--heatmap", mask, says=["give a folder"])
