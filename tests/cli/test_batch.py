# SPDX-License-Identifier: Apache-2.0
"""Batches: several devices, memory limits, copying, and inputs that vanish."""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import BINARY, environment, fail, files_below, peak_bytes, succeed

COUNT = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("batch")
    for number in range(COUNT):
        write_image(folder / f"in/{number}.png", as_integers(picture(64, 48, 3, seed=number), np.uint8))
    write_psf(folder / "psf.txt", random_psf(7, 5))
    write_psf(folder / "other.txt", random_psf(3, 9))
    return folder


def results(folder, name, *arguments, **settings):
    command = ("run", "in", "--psf", "psf.txt", "--psf", "other.txt", "--output", name, "--report", f"{name}.json")
    succeed(*command, *arguments, cwd=folder, **settings)
    return {file: (folder / name / file).read_bytes() for file in files_below(folder / name)}


def test_several_devices_give_the_bytes_of_one_and_say_which_did_what(folder):
    first = json.loads(succeed("devices", "--json").out)[0]["index"]
    one = results(folder, "one", "--device", first)
    assert len(one) == 2 * COUNT
    assert results(folder, "twice", "--device", first, "--device", first) == one
    report = json.loads((folder / "twice.json").read_text())
    assert [device["index"] for device in report["devices"]] == [first, first]
    for item in report["items"]:
        assert item["worker"] in (0, 1) and item["device_index"] == first and item["device"]


def test_two_devices_of_one_platform_share_the_images(folder):
    env = {"POCL_DEVICES": "pthread pthread"}
    devices = json.loads(succeed("devices", "--json", env=env).out)
    if len(devices) < 2:
        pytest.skip("no PoCL to make two devices of")
    one = results(folder, "first", "--device", devices[0]["index"], env=env)
    assert results(folder, "all", "--device", "all", env=env) == one
    report = json.loads((folder / "all.json").read_text())
    assert len(report["devices"]) == len(devices)


def test_method_none_copies_without_a_device(folder):
    (folder / "vendors").mkdir()
    copies = results(folder, "copies", "--method", "none", env={"OCL_ICD_VENDORS": f"{folder / 'vendors'}/"})
    assert len(copies) == 2 * COUNT
    for number in range(COUNT):
        for psf in ("psf", "other"):
            copy = read_image(folder / f"copies/{number}_{psf}.png")
            assert np.array_equal(copy, read_image(folder / f"in/{number}.png"))
    report = json.loads((folder / "copies.json").read_text())
    assert report["device"] is None and report["items"][0]["device"] is None
    succeed("run", "in", "--method", "none", "--output", "bare", "--resume", cwd=folder)
    again = succeed("run", "in", "--method", "none", "--output", "bare", "--resume", cwd=folder)
    assert f"{COUNT} skipped" in again.err
    for number in range(COUNT):
        assert np.array_equal(read_image(folder / f"bare/{number}.png"), read_image(folder / f"in/{number}.png"))
    fail(2, "run", "in", "--output", "out", cwd=folder, says=["--psf is required"])
    fail(2, "plan", "--size", "64x64", "--psf-size", "5", "--method", "none", says=["--method", "none"])


def test_an_input_that_vanishes_fails_alone(folder, tmp_path):
    for number in range(40):
        shutil.copyfile(folder / f"in/{number % COUNT}.png", tmp_path / f"{number:02}.png")
    os.mkfifo(tmp_path / "events")
    command = [BINARY, "run", tmp_path, "--psf", folder / "psf.txt", "--output", tmp_path / "out", "--jobs", "1"]
    command += ["--memory-limit", "64M"]  # so little that no second image is read before the first is done
    process = subprocess.Popen(
        [*map(str, command), "--events", str(tmp_path / "events")],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    with open(tmp_path / "events") as events:
        while '"run_started"' not in events.readline():  # by then the list is made
            assert process.poll() is None
        (tmp_path / "39.png").unlink()
        ended = [json.loads(line) for line in events]
    assert process.wait(timeout=60) == 1
    statuses = {os.path.basename(e["input"]): e["status"] for e in ended if e["event"] == "item_finished"}
    assert statuses.pop("39.png") == "failed"
    assert set(statuses.values()) == {"done"} and len(statuses) == 39
    assert "39.png" in process.stderr.read()


def test_amounts_of_memory_are_checked(folder):
    arguments = ("run", "in", "--psf", "psf.txt", "--output", "never", "--memory-limit")
    for text in ["lots", "-1", "2X"]:
        fail(2, *arguments, text, cwd=folder, says=["--memory-limit", text])


def test_a_memory_limit_holds(tmp_path):
    # 52 MB of floats, and as many come out. Not compressed, because the processor's time is in deflate otherwise.
    pixels = np.tile(picture(400, 300, 3), (6, 6, 1))
    image = write_image(tmp_path / "in/00.tif", pixels, {"compression": "none"})
    for number in range(1, 12):
        os.link(image, tmp_path / f"in/{number:02}.tif")
    write_psf(tmp_path / "psf.txt", random_psf(9, 9))
    limit = 700 << 20
    # The noise of --dither depends on names. Floats get none, but links are then computed each, and not copied.
    arguments = ("run", "in", "--psf", "psf.txt", "--jobs", "8", "--dither")
    free = peak_bytes(*arguments, "--output", "free", cwd=tmp_path)
    held = peak_bytes(*arguments, "--output", "held", "--memory-limit", "700M", cwd=tmp_path)
    assert free > limit, "otherwise the limit had nothing to do"
    assert held <= limit


def test_encoders_count_within_a_memory_limit(tmp_path):
    """For 1400x1400 pixels, libwebp takes about 50 MB beside the samples. Eight writers take 400 MB at once."""
    noise = np.random.default_rng(1).integers(0, 256, (1400, 1400, 3), dtype=np.uint8)
    for number in range(8):
        write_image(tmp_path / f"in/{number}.tif", noise + np.uint8(number))
    arguments = ("run", "in", "--method", "none", "--format", "webp", "--compression", "lossless", "--jobs", "8")
    # The checks' tunables of glibc give each thread 64 MB in advance.
    env = {"GLIBC_TUNABLES": None}
    assert peak_bytes(*arguments, "--output", "held", "--memory-limit", "400M", cwd=tmp_path, env=env) <= 400 << 20


def test_transfers_of_many_psfs_stay_within_the_devices_memory(tmp_path):
    """Each takes 10 MB of a plan for 1500x1000."""
    write_image(tmp_path / "a.png", as_integers(picture(1500, 1000), np.uint8))
    for number in range(40):
        write_psf(tmp_path / f"psf{number:02}.txt", random_psf(41, 41, seed=number))
    arguments = ("run", "a.png", "--method", "fft", "--no-verify", "--device-memory", "60M", "--output", "out", "--overwrite")
    psfs = sorted(path.name for path in tmp_path.glob("psf*.txt"))
    few = peak_bytes(*arguments, "--psf", *psfs[:3], cwd=tmp_path)
    assert peak_bytes(*arguments, "--psf", *psfs, cwd=tmp_path) < few + (150 << 20)


def test_a_psf_that_is_too_large_for_mode_valid_costs_the_others_nothing(tmp_path):
    write_image(tmp_path / "a.png", as_integers(picture(13, 13), np.uint8))
    for side in (1, 15):
        write_psf(tmp_path / f"k{side}.txt", np.ones((side, side)))
    arguments = ("run", "a.png", "--psf", "k1.txt", "k15.txt", "--output", "out", "--mode", "valid")
    fail(1, *arguments, cwd=tmp_path, says=["15x15 PSF is larger"])
    assert files_below(tmp_path / "out") == ["a_k1.png"]
