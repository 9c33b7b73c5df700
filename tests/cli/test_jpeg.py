# SPDX-License-Identifier: Apache-2.0
"""JPEG outputs of JPEG inputs are compressed as the inputs were. Pillow writes the inputs and reads tables and scans."""

import json
import struct

import numpy as np
import pytest
from PIL import Image
from support.images import as_integers, picture
from support.tool import succeed

SUBSAMPLINGS = {"444": (1, 1), "422": (2, 1), "420": (2, 2)}


def save(path, channels=3, **settings):
    path.parent.mkdir(parents=True, exist_ok=True)
    samples = as_integers(picture(48, 40, channels), np.uint8)
    Image.fromarray(samples if channels > 1 else samples[..., 0]).save(path, **settings)


def factors(image):
    """The sampling factors, across and down, of each component."""
    return [component[1:3] for component in image.layer]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jpeg")
    for quality, subsampling, progressive in [
        (5, "420", False),
        (24, "422", True),
        (60, "420", False),
        (60, "444", True),
        (85, "422", False),
        (98, "444", False),
    ]:
        name = f"q{quality}-{subsampling}{'-progressive' if progressive else ''}.jpg"
        save(folder / "in" / name, quality=quality, subsampling=list(SUBSAMPLINGS).index(subsampling),
             progressive=progressive)  # fmt: skip
    save(folder / "in/gray.jpg", channels=1, quality=40)
    save(folder / "in/foreign.jpg", qtables=[[12] * 64, [30] * 64], subsampling=2)
    succeed("run", "in", "--psf", "gaussian:1", "--output", "out", cwd=folder)
    succeed("run", "in", "--psf", "gaussian:1", "--output", "out80", "--quality", "80", "--metadata", "strip",
            cwd=folder)  # fmt: skip
    return folder


def pairs(folder, output):
    for path in sorted((folder / "in").iterdir()):
        yield path.name, Image.open(path), Image.open(folder / output / path.name)


def test_tables_subsampling_and_scans_stay(folder):
    for name, before, after in pairs(folder, "out"):
        if name != "foreign.jpg":
            assert after.quantization == before.quantization, name
        assert factors(after) == factors(before), name
        assert after.info.get("progressive") == before.info.get("progressive"), name


def test_foreign_tables_become_the_nearest_of_libjpeg(folder):
    luma, chroma = Image.open(folder / "out/foreign.jpg").quantization.values()
    assert 8 < np.exp(np.mean(np.log(luma))) < 18
    assert 20 < np.exp(np.mean(np.log(chroma))) < 45


def test_a_quality_that_is_given_changes_the_tables_alone(folder):
    save(folder / "reference.jpg", quality=80)
    tables = Image.open(folder / "reference.jpg").quantization
    for name, before, after in pairs(folder, "out80"):
        assert after.quantization[0] == tables[0], name
        assert factors(after) == factors(before), name
        assert after.info.get("progressive") == before.info.get("progressive"), name


def test_other_inputs_get_quality_95(folder):
    samples = as_integers(picture(48, 40, 3), np.uint8)
    Image.fromarray(samples).save(folder / "a.png")
    Image.fromarray(samples).save(folder / "reference95.jpg", quality=95)
    succeed("run", "a.png", "--psf", "gaussian:1", "--format", "jpg", "--output", "converted", cwd=folder)
    after = Image.open(folder / "converted/a.jpg")
    assert after.quantization == Image.open(folder / "reference95.jpg").quantization
    assert "progressive" not in after.info


def test_bands_of_a_large_image_keep_all_but_the_order_of_scans(folder):
    """A file that is written by bands is not progressive: that takes all coefficients at once."""
    samples = np.random.default_rng(5).integers(0, 255, (1000, 800, 3), np.uint8)
    Image.fromarray(samples).save(folder / "large.jpg", quality=60, subsampling=1, progressive=True)
    succeed("run", "large.jpg", "--psf", "box:3", "--memory-limit", "1M", "--output", "large", cwd=folder)
    before, after = Image.open(folder / "large.jpg"), Image.open(folder / "large/large.jpg")
    assert after.quantization == before.quantization
    assert factors(after) == factors(before)
    assert "progressive" not in after.info


def segment(marker, contents):
    return bytes([0xFF, marker]) + struct.pack(">H", len(contents) + 2) + contents


def test_red_green_and_blue_do_not_become_luma_and_chroma(tmp_path):
    """Their chroma would be quantised more strongly."""
    save(tmp_path / "a.jpg", quality=75)
    table = Image.open(tmp_path / "a.jpg").quantization[0]
    save(tmp_path / "a.jpg", qtables=[table, table], subsampling=0)
    data = (tmp_path / "a.jpg").read_bytes()
    start = 4 + struct.unpack(">H", data[4:6])[0]  # behind JFIF
    (tmp_path / "a.jpg").write_bytes(data[:2] + segment(0xEE, b"Adobe\0\x64" + bytes(5)) + data[start:])
    succeed("run", "a.jpg", "--psf", "box:1", "--output", "out", cwd=tmp_path)
    before, after = Image.open(tmp_path / "a.jpg"), Image.open(tmp_path / "out/a.jpg")
    assert before.info["adobe_transform"] == after.info["adobe_transform"] == 0
    assert before.quantization[0] == after.quantization[0] and [part[3] for part in after.layer] == [0, 0, 0]
    assert np.abs(np.asarray(before).astype(int) - np.asarray(after)).max() <= 3


def test_bytes_that_fill_a_file_up_before_a_marker_hide_nothing(tmp_path):
    save(tmp_path / "a.jpg", quality=90)
    data = (tmp_path / "a.jpg").read_bytes()
    (tmp_path / "a.jpg").write_bytes(data[:2] + b"\xff\xff" + data[2:] + data)
    result = succeed("run", "a.jpg", "--method", "none", "--output", "out", cwd=tmp_path)
    assert "a.jpg: holds further images" in result.err


@pytest.mark.parametrize("behind, kind, words", [
    ("a picture", "parts", "further images"),
    (b"\0\0\0\x18ftypmp42" + bytes(100), "tags", "data behind the picture"),
    (bytes(5000), None, None), (b"\r\n", None, None), (b"", None, None)],
    ids=["picture", "video", "zeros", "line", "nothing"])  # fmt: skip
def test_what_is_behind_the_picture_is_missed(tmp_path, behind, kind, words):
    """The gain map of Ultra HDR, and the video of a moving picture; but not what only fills a file up."""
    for progressive in (False, True):
        save(tmp_path / "a.jpg", quality=90, progressive=progressive)
        data = (tmp_path / "a.jpg").read_bytes()
        (tmp_path / "a.jpg").write_bytes(data + (data if behind == "a picture" else behind))
        succeed("run", "a.jpg", "--method", "none", "--output", "out", "--overwrite", "--report", "r.json", cwd=tmp_path)
        (item,) = json.loads((tmp_path / "r.json").read_text())["items"]
        found = [(detail["kind"], words in detail["message"]) for detail in item["warning_details"] if words]
        assert found == ([(kind, True)] if kind else []) and len(item["warnings"]) == len(found)
