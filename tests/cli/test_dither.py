# SPDX-License-Identifier: Apache-2.0
"""--dither: integers rounded up or down by noise that depends on the output's name alone."""

import numpy as np
import pytest
from support.images import read_image, write_image, write_psf
from support.tool import succeed

IDENTITY = np.ones((1, 1))


def run(folder, *options, out="out", name="a.png"):
    succeed("run", "in", "--psf", "psf.txt", "--output", out, "--overwrite", *options, cwd=folder)
    return read_image(folder / out / name)


@pytest.fixture
def ramp(tmp_path):
    """A float image of 64 flat bands, a quarter of an 8-bit code apart."""
    codes = 100 + np.repeat(np.arange(64) / 4, 256)
    image = np.broadcast_to(codes / 255, (128, codes.size)).astype(np.float32)[..., None]
    write_image(tmp_path / "in/a.exr", np.repeat(image, 3, axis=2))
    write_psf(tmp_path / "psf.txt", IDENTITY)
    return tmp_path, codes


def test_areas_keep_their_mean_and_whole_numbers_stay(ramp):
    folder, codes = ramp
    out = run(folder, "--format", "png", "--depth", "u8", "--dither").astype(float)
    # A whole number that float arithmetic leaves a little short falls once in ten thousand times.
    error = np.abs(out - codes[None, :, None])
    assert error.max() <= 1
    assert (error == 1).mean() < 1e-4
    bands = out.reshape(128, 64, 256, 3).mean(axis=(0, 2, 3))
    # 98304 samples a band, a standard deviation of at most 0.5 each: six times the mean's own.
    assert np.abs(bands - codes[::256]).max() < 6 * 0.5 / 98304**0.5
    assert np.abs(bands[::4] - codes[::1024]).max() < 1e-3
    # Noise, not a pattern: neighbours, rows and channels know nothing of each other.
    half = out[:, codes % 1 == 0.5, :] - np.floor(codes[codes % 1 == 0.5])[None, :, None] - 0.5
    for shifted in (np.roll(half, 1, axis=1), np.roll(half, 1, axis=0), np.roll(half, 1, axis=2)):
        assert abs((half * shifted).mean()) < 0.005


def test_without_it_integers_are_the_nearest(ramp):
    folder, codes = ramp
    out = run(folder, "--format", "png", "--depth", "u8").astype(float)
    assert np.all(np.abs(out - codes[None, :, None]) <= 0.5)


def test_the_noise_depends_on_the_name_only(ramp):
    folder, _ = ramp
    options = ["--format", "png", "--depth", "u16", "--dither"]
    once = run(folder, *options)
    assert np.array_equal(once, run(folder, *options, "--jobs", "3", out="elsewhere"))
    other = run(folder, *options, "--name", "b{ext}", name="b.png")
    assert 0.1 < (once != other).mean() < 0.9


def test_bands_and_the_whole_image_get_the_same_noise(tmp_path):
    image = np.random.default_rng(3).random((700, 600, 3), np.float32)
    write_image(tmp_path / "in/a.tif", image)
    write_psf(tmp_path / "psf.txt", np.ones((3, 3)))
    options = ["--depth", "u8", "--dither", "--format", "tif"]
    whole = run(tmp_path, *options, name="a.tif").astype(int)
    bands = run(tmp_path, *options, "--memory-limit", "24M", out="bands", name="a.tif").astype(int)
    # The sums differ in the last bits: the noise lifts one and not the other once in a while.
    assert (whole != bands).mean() < 1e-3
    assert np.abs(whole - bands).max() <= 1


@pytest.mark.parametrize("linear", [[], ["--linear"]])
def test_integers_get_it_too_but_alpha_does_not(tmp_path, linear):
    rng = np.random.default_rng(5)
    image = rng.integers(0, 256, (64, 48, 4), np.uint8)
    image[..., 3] = 255
    write_image(tmp_path / "in/a.png", image)
    write_psf(tmp_path / "psf.txt", np.ones((5, 5)))
    plain = run(tmp_path, *linear).astype(int)
    noisy = run(tmp_path, *linear, "--dither").astype(int)
    assert np.all(noisy[..., 3] == 255)
    difference = noisy - plain
    assert np.abs(difference).max() == 1
    assert 0.1 < (difference != 0)[..., :3].mean() < 0.5
    assert abs(difference[..., :3].mean()) < 0.02


def test_half_and_float_stay(ramp):
    folder, _ = ramp
    assert np.array_equal(run(folder, name="a.exr"), run(folder, "--dither", out="again", name="a.exr"))
