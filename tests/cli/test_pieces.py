# SPDX-License-Identifier: Apache-2.0
"""Images larger than what the device, or the host, may take of them: cut into pieces, read and written by bands."""

import json
import os

import numpy as np
import pytest
from support.full import mostly_full
from support.images import as_integers, as_values, picture, random_psf, read_image, read_spec, write_image, write_psf
from support.reference import BORDERS, assert_same, assert_same_floats, convolve
from support.tool import fail, files_below, peak_bytes, succeed

PSF = random_psf(9, 8)
# Less than is needed to hold any image of these tests.
LITTLE = "1M"


def run(folder, *options, psf=PSF):
    """One run on folder/in; returns the report's items by the file's name."""
    write_psf(folder / "psf.txt", psf)
    succeed("run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", "--report", "r.json", *options, cwd=folder)
    items = json.loads((folder / "r.json").read_text())["items"]
    return {os.path.basename(item["input"]): item for item in items}


def is_cut(item):
    return "pieces of" in item["plan"]


@pytest.mark.parametrize("border", mostly_full(BORDERS, ["zero", "wrap", "reflect", "renormalize"]))
def test_a_device_with_little_memory_gives_the_same_pixels(tmp_path, border):
    image = picture(290, 210, 1)
    write_image(tmp_path / "in/a.tif", image)
    item = run(tmp_path, "--border", border, "--device-memory", "400K")["a.tif"]
    assert is_cut(item), item["plan"]
    assert_same_floats(read_image(tmp_path / "out/a.tif"), convolve(image, PSF / PSF.sum(), border))


@pytest.mark.parametrize("border", mostly_full(BORDERS, ["constant:0.75", "clamp", "mirror"]))
def test_an_image_read_by_bands_gives_the_same_pixels(tmp_path, border):
    image = picture(300, 1100, 2)
    write_image(tmp_path / "in/a.tif", image)
    item = run(tmp_path, "--border", border, "--memory-limit", LITTLE)["a.tif"]
    assert is_cut(item), item["plan"]
    assert_same_floats(read_image(tmp_path / "out/a.tif"), convolve(image, PSF / PSF.sum(), border))


@pytest.mark.parametrize("limit", [("--memory-limit", LITTLE), ("--memory-limit", "100M"), ("--device-memory", "400K")])
def test_a_dry_run_shows_the_plan_of_the_run(tmp_path, limit):
    write_image(tmp_path / "in/a.tif", picture(900, 700, 3))
    item = run(tmp_path, *limit)["a.tif"]
    assert is_cut(item)
    dry = succeed("run", "in", "--psf", "psf.txt", "--output", "dry", *limit, "--dry-run", cwd=tmp_path).out
    assert f"plan for in/a.tif with psf:\n{item['plan']}" in dry


@pytest.mark.parametrize("mode", ["full", "valid"])
def test_modes_by_bands(tmp_path, mode):
    image = picture(300, 1100, 2)
    write_image(tmp_path / "in/a.tif", image)
    item = run(tmp_path, "--mode", mode, "--memory-limit", LITTLE)["a.tif"]
    assert is_cut(item), item["plan"]
    assert_same_floats(read_image(tmp_path / "out/a.tif"), convolve(image, PSF / PSF.sum(), mode=mode))


def test_formats_read_and_written_by_bands(tmp_path):
    image = picture(500, 1500, 3)
    files = {
        "u8.png": as_integers(image, np.uint8),
        "u16.tif": as_integers(image, np.uint16),
        "half.exr": image.astype(np.float16),
        "tiled.tif": as_integers(image, np.uint8),
        "tiled.exr": image.astype(np.float16),
    }
    for name, samples in files.items():
        write_image(tmp_path / "in" / name, samples, tiles=(64, 48) if "tiled" in name else None)
    items = run(tmp_path, "--memory-limit", LITTLE)
    for name, samples in files.items():
        assert is_cut(items[name]), name
        out = read_image(tmp_path / "out" / name)
        assert out.dtype == samples.dtype, name
        spec = read_spec(tmp_path / "out" / name)
        assert (spec.tile_width, spec.tile_height) == ((64, 48) if "tiled" in name else (0, 0))
        assert_same(out, convolve(as_values(samples), PSF / PSF.sum()), name)


def test_straight_alpha_by_bands(tmp_path):
    """Associated on load, un-associated on save, as in an image that is held whole."""
    write_image(tmp_path / "in/a.png", as_integers(picture(500, 1200, 4), np.uint16))
    run(tmp_path, "--depth", "u16")
    whole = read_image(tmp_path / "out/a.png").astype(int)
    assert is_cut(run(tmp_path, "--depth", "u16", "--memory-limit", LITTLE)["a.png"])
    assert np.abs(read_image(tmp_path / "out/a.png").astype(int) - whole).max() <= 1


def test_metadata_go_along_by_bands(tmp_path):
    said = {"Artist": "somebody", "Exif:FocalLength": 35.0, "PixelAspectRatio": 2.0}
    for name in ("a.tif", "b.png"):
        write_image(tmp_path / "in" / name, as_integers(picture(600, 1500, 3), np.uint8), said)
    items = run(tmp_path, "--memory-limit", LITTLE)
    assert is_cut(items["a.tif"]) and is_cut(items["b.png"])
    for name in ("a.tif", "b.png"):
        assert read_spec(tmp_path / "out" / name).getattribute("Artist") == "somebody"
    assert read_spec(tmp_path / "out/a.tif").getattribute("Exif:FocalLength") == 35


def test_samples_that_are_not_finite_are_counted_in_the_whole_file(tmp_path):
    image = picture(300, 1500, 2)
    image[40, 7, 1] = np.nan
    image[1400, 20:24, 0] = np.inf
    write_image(tmp_path / "in/a.exr", image)
    write_psf(tmp_path / "psf.txt", PSF)
    fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", "--memory-limit", LITTLE, cwd=tmp_path,
         says=["5 samples are not finite", "x 7, y 40, channel 1"])  # fmt: skip
    assert files_below(tmp_path / "out") == []


def test_a_file_that_ends_too_early_leaves_nothing(tmp_path):
    path = write_image(tmp_path / "in/a.tif", as_integers(picture(600, 1500, 3), np.uint8), {"compression": "none"})
    with open(path, "r+b") as file:
        file.truncate(path.stat().st_size // 2)
    write_psf(tmp_path / "psf.txt", PSF)
    fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", "--memory-limit", LITTLE, cwd=tmp_path, says=["a.tif"])
    assert files_below(tmp_path / "out") == []


def test_the_same_bytes_each_time(tmp_path):
    write_image(tmp_path / "in/a.tif", as_integers(picture(600, 1500, 3), np.uint8))
    results = []
    for jobs in (1, 3):
        run(tmp_path, "--memory-limit", LITTLE, "--jobs", jobs)
        results.append((tmp_path / "out/a.tif").read_bytes())
    assert results[0] == results[1]


def test_a_psf_that_no_piece_holds_is_refused_with_the_numbers(tmp_path):
    write_image(tmp_path / "in/a.tif", picture(400, 300, 1))
    write_psf(tmp_path / "psf.txt", random_psf(301, 201))
    fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", "--device-memory", "400K", cwd=tmp_path,
         says=["400x300", "301x201", "cut into pieces", "device memory"])  # fmt: skip


@pytest.mark.parametrize("option", ["--device-memory", "--memory-limit"])
def test_an_amount_of_memory_is_wanted(tmp_path, option):
    write_image(tmp_path / "in/a.tif", picture(4, 3, 1))
    write_psf(tmp_path / "psf.txt", PSF)
    fail(2, "run", "in", "--psf", "psf.txt", "--output", "out", option, "much", cwd=tmp_path, says=[option, "much"])


def test_memory_stays_below_the_limit(tmp_path):
    """176 MiB in, as many out, and 700 MiB of spectra in one piece. The first run builds the programs: the driver's
    compiler takes what it takes."""
    limit = 400 << 20
    row = as_integers(picture(8000, 1, 3), np.uint8)
    write_image(tmp_path / "in/a.tif", np.broadcast_to(row, (7700, 8000, 3)), {"compression": "none"})
    write_psf(tmp_path / "psf.txt", random_psf(31, 31))
    run = ("run", "in", "--psf", "psf.txt", "--output", "out", "--overwrite", "-q", "--memory-limit", limit)
    peak_bytes(*run, cwd=tmp_path)
    assert peak_bytes(*run, cwd=tmp_path) <= limit
