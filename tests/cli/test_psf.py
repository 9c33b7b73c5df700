# SPDX-License-Identifier: Apache-2.0
"""PSFs: files and text, scale, channels."""

import numpy as np
import pytest
from support.full import mostly_full
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.reference import assert_same, convolve
from support.tool import fail, succeed

IMAGE = picture(23, 17, 3)


@pytest.fixture()
def folder(tmp_path):
    write_image(tmp_path / "image.exr", IMAGE)
    return tmp_path


def result_of(folder, psf, *options):
    succeed("run", "image.exr", "--psf", psf, "--output", "out", "--overwrite", *options, cwd=folder)
    return read_image(folder / "out/image.exr")



def test_the_folder_of_the_output_is_made(tmp_path):
    succeed("psf", "disc:2", "--output", "new/deep/disc.exr", "--preview", "pictures/disc.png", cwd=tmp_path)
    assert (tmp_path / "new/deep/disc.exr").is_file() and (tmp_path / "pictures/disc.png").is_file()


def test_text_has_rows_of_numbers_and_comments(folder):
    (folder / "psf.txt").write_text("# a blur\n1 2 1   # top\n\n2,4,2\n1\t2 1e0\n")
    expected = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]) / 16
    assert_same(result_of(folder, "psf.txt"), convolve(IMAGE, expected))


@pytest.mark.parametrize("name", ["psf.exr", "psf.tif", "psf.png", "psf.pfm"])
def test_any_image_file_can_be_a_psf(folder, name):
    psf = random_psf(7, 5)
    if name.endswith(".png"):
        codes = as_integers(psf[..., None], np.uint16)
        write_image(folder / name, codes)
        psf = codes[..., 0] / 65535
    else:
        write_psf(folder / name, psf)
    assert_same(result_of(folder, name), convolve(IMAGE, psf / psf.sum()))


def test_the_log_does_not_replace_the_psf(folder):
    (folder / "psf.txt").write_text("1 2 1\n")
    fail(2, "psf", "psf.txt", "--output", "psf.exr", "--log-file", "psf.txt", says=["would replace"], cwd=folder)
    assert (folder / "psf.txt").read_text() == "1 2 1\n"


def test_normalize_sum_is_the_default_and_scales_each_channel(folder):
    psf = random_psf(7, 5, 3) * [1, 5, 0.2]
    write_psf(folder / "psf.exr", psf)
    psf = psf.astype(np.float32).astype(float)
    expected = convolve(IMAGE, psf / psf.sum(axis=(0, 1)))
    assert_same(result_of(folder, "psf.exr"), expected)
    assert_same(result_of(folder, "psf.exr", "--normalize", "sum"), expected)


def test_normalize_sum_all_keeps_the_colour(folder):
    psf = (random_psf(7, 5, 3) * [1, 5, 0.2]).astype(np.float32).astype(float)
    write_psf(folder / "psf.exr", psf)
    expected = convolve(IMAGE, psf / psf.sum(axis=(0, 1)).mean())
    assert_same(result_of(folder, "psf.exr", "--normalize", "sum-all"), expected)


def test_normalize_peak_makes_the_largest_magnitude_one(folder):
    psf = random_psf(7, 5)
    psf[2, 3] = -4
    write_psf(folder / "psf.txt", psf)
    assert_same(result_of(folder, "psf.txt", "--normalize", "peak"), convolve(IMAGE, psf / 4))


@pytest.mark.parametrize("border", ["clamp", "constant:0.5", "zero"])
def test_normalize_none_takes_the_weights_as_they_are(folder, border):
    psf = random_psf(7, 5) - 0.6
    write_psf(folder / "psf.txt", psf)
    out = result_of(folder, "psf.txt", "--normalize", "none", "--border", border)
    assert_same(out, convolve(IMAGE, psf, border=border))


def test_a_psf_whose_sum_is_zero_is_refused_with_a_way_out(folder):
    laplace = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]])
    write_psf(folder / "laplace.txt", laplace)
    for how in ["sum", "sum-all"]:
        arguments = ("run", "image.exr", "--psf", "laplace.txt", "--output", "out", "--normalize", how)
        fail(2, *arguments, says=["laplace", "--normalize none"], cwd=folder)
        assert not (folder / "out/image.exr").exists()
    assert_same(result_of(folder, "laplace.txt", "--normalize", "none"), convolve(IMAGE, laplace))


@pytest.mark.parametrize("method", mostly_full(["fft", "direct"], ["direct"]))
def test_a_psf_with_the_images_channels_applies_channel_by_channel(folder, method):
    psf = random_psf(4, 6, 3)
    write_psf(folder / "psf.exr", psf)
    expected = convolve(IMAGE, psf / psf.sum(axis=(0, 1)))
    assert_same(result_of(folder, "psf.exr", "--method", method), expected)


@pytest.mark.parametrize("method", mostly_full(["fft", "direct"], ["fft"]))
def test_alpha_takes_the_mean_of_the_colours_psfs(folder, method):
    image = picture(23, 17, 4)
    psf = random_psf(4, 6, 3)
    write_psf(folder / "psf.exr", psf)
    write_image(folder / "image.exr", image)
    psf /= psf.sum(axis=(0, 1))
    expected = convolve(image, np.concatenate([psf, psf.mean(axis=2, keepdims=True)], axis=2))
    assert_same(result_of(folder, "psf.exr", "--method", method), expected)


def test_psf_gray_averages_the_channels_first(folder):
    psf = random_psf(4, 6, 3) * [1, 2, 3]
    write_psf(folder / "psf.exr", psf)
    mean = psf.astype(np.float32).astype(float).mean(axis=2)
    assert_same(result_of(folder, "psf.exr", "--psf-gray"), convolve(IMAGE, mean / mean.sum()))


def test_psf_gray_lets_any_psf_fit_any_image(folder):
    psf = random_psf(4, 6, 3)
    write_psf(folder / "psf.exr", psf)
    write_image(folder / "image.exr", IMAGE[..., :1])
    mean = psf.mean(axis=2)
    assert_same(result_of(folder, "psf.exr", "--psf-gray"), convolve(IMAGE[..., :1], mean / mean.sum()))


def test_a_psf_with_another_number_of_channels_fails_that_image_alone(folder):
    write_psf(folder / "psf.exr", random_psf(4, 6, 3))
    write_image(folder / "gray.exr", IMAGE[..., :1])
    arguments = ("run", "image.exr", "gray.exr", "--psf", "psf.exr", "--output", "out")
    fail(1, *arguments, says=["gray.exr", "psf", "3", "1", "--psf-gray"], cwd=folder)
    assert (folder / "out/image.exr").exists() and not (folder / "out/gray.exr").exists()


@pytest.mark.parametrize(
    "text, says",
    [
        ("1 2 1\n1 2\n", "2"),
        ("1 two 1\n", "two"),
        ("# nothing\n", "psf"),
        ("1 nan 1\n", "nan"),
    ],
)
def test_text_that_is_no_psf_is_refused(folder, text, says):
    (folder / "psf.txt").write_text(text)
    result = fail(2, "run", "image.exr", "--psf", "psf.txt", "--output", "out", says=["psf.txt", says], cwd=folder)
    assert "internal" not in result.err.lower()


def test_an_even_psf_follows_the_documented_centre(folder):
    """floor(K / 2), as scipy.ndimage: a 2x2 box spreads a point up and left."""
    (folder / "psf.txt").write_text("1 1\n1 1\n")
    image = np.zeros((17, 23, 1), np.float32)
    image[8, 8] = 4
    write_image(folder / "image.exr", image)
    out = result_of(folder, "psf.txt")[..., 0]
    assert set(map(tuple, np.argwhere(out > 0.5))) == {(7, 7), (7, 8), (8, 7), (8, 8)}
