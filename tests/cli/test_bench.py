# SPDX-License-Identifier: Apache-2.0
"""bench checks what it times: times of wrong results mean nothing."""

import json
import shutil

import pytest
from support.tool import KERNELS, clconv, fail, succeed

DIRECT = ("bench", "--size", "40x30", "--channels", "1", "--psf-size", "7", "--method", "direct", "--repeat", "1")


def kernels_scaled_by(factor, folder):
    """Kernels whose results are `factor` times the right ones."""
    shutil.copytree(KERNELS, folder)
    file = folder / "results.cl"
    text = file.read_text()
    right, wrong = "fma(value, (type)(row.scale), ", f"fma(value, (type)(row.scale * (scalar){factor}), "
    assert right in text
    file.write_text(text.replace(right, wrong))
    return folder


@pytest.mark.parametrize("factor", ["0.9", "NAN"])
def test_kernels_that_compute_wrongly_are_named_and_exit_with_5(factor, tmp_path):
    bench = (*DIRECT, "--type", "float", "--kernel-dir", kernels_scaled_by(factor, tmp_path / "kernels"), "--json")
    result = clconv(*bench)
    case = json.loads(result.out)["cases"][0]
    assert result.code == 5 and not case["right"], result
    if factor == "NAN":
        assert case["relative_error"] is None
    else:
        assert case["relative_error"] > case["allowed_error"]
        assert "WRONG: relative error" in clconv(*bench[:-1]).out


def test_queues_that_the_device_lacks_are_an_error():
    error = fail(2, *DIRECT, "--queues", "2").err
    assert "--queues 2" in error and "has 1 for kernels" in error
    assert json.loads(succeed(*DIRECT, "--queues", "1", "--json").out)["cases"][0]["queues"] == 1


def test_dim_results_are_allowed_the_rounding_of_their_codes(tmp_path):
    """Light that spreads far beyond a small image leaves a few codes, of which rounding is a large part."""
    options = ("--border", "zero", "--mode", "full", "--type", "u8", "--json", "--repeat", "1")
    case = json.loads(succeed("bench", "--size", "16x16", "--channels", "1", "--psf-size", "63", *options).out)["cases"][0]
    assert case["right"] and case["relative_error"] > 0.01


def test_several_images_in_a_launch_are_right():
    """A CPU's own plans have no such launches; a GPU's, which it can run too, have."""
    size = ("bench", "--size", "40x30", "--channels", "1", "--psf-size", "7", "--repeat", "1", "--images", "3")
    tiles = ("--method", "tiled", "--decide", "lanes=1", "--decide", "tile=32x32")
    case = json.loads(succeed(*size, *tiles, "--json").out)["cases"][0]
    assert case["images"] == 3 and case["right"]
    assert "3 images a launch" in succeed(*size, *tiles).out
    assert "--images: a launch has several images only where" in fail(2, *size, "--method", "direct").err
