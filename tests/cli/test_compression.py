# SPDX-License-Identifier: Apache-2.0
"""--compression NAME[:LEVEL]: how outputs are packed. Pixels of lossless ones do not depend on it."""

import json
import struct

import numpy as np
import pytest
from support.files_of_parts import exr_headers
from support.images import as_integers, picture, random_psf, read_image, read_spec, write_image, write_psf
from support.tool import fail, files_below, succeed

RUN = ("run", "in", "--psf", "psf.txt", "--output", "out", "--method", "none")


@pytest.fixture()
def folder(tmp_path):
    image = as_integers(picture(200, 150, 3), np.uint8)
    write_image(tmp_path / "in/a.tif", image, {"compression": "none"})
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    return tmp_path


@pytest.mark.parametrize("extension, compression", [("tif", "lzw"), ("tif", "zip:9"), ("exr", "piz"), ("exr", "zip:1")])
def test_the_file_is_packed_so(folder, extension, compression):
    succeed(*RUN, "--format", extension, "--depth", "same", "--compression", compression, cwd=folder)
    assert read_spec(folder / f"out/a.{extension}")["compression"] == compression.split(":")[0]


def test_a_level_is_no_metadata_of_openexr(folder):
    for compression in ("zip:1", "dwaa:200"):
        succeed(*RUN, "--format", "exr", "--compression", compression, "--overwrite", cwd=folder)
        made = exr_headers(folder / "out/a.exr")[0]
        assert "CompressionQuality" not in made
        if compression == "dwaa:200":
            assert struct.unpack("<f", made["dwaCompressionLevel"]) == (200,)
    succeed("run", "out/a.exr", "--method", "none", "--output", "again", cwd=folder)
    assert "CompressionQuality" not in exr_headers(folder / "again/a.exr")[0]


def test_levels_matter_and_pixels_stay(folder):
    sizes = {}
    for compression in ["none", "zip:1", "zip:9"]:
        succeed(*RUN, "--format", "png", "--compression", compression, "--overwrite", cwd=folder)
        sizes[compression] = (folder / "out/a.png").stat().st_size
        assert np.array_equal(read_image(folder / "out/a.png"), read_image(folder / "in/a.tif"))
    assert sizes["none"] > sizes["zip:1"] > sizes["zip:9"]


@pytest.mark.parametrize("extension, compression, can", [("png", "lzw", "zip[:0-9]"), ("jpg", "zip", "--quality")])
def test_what_the_format_cannot_is_refused_before_any_work(folder, extension, compression, can):
    fail(2, *RUN, "--format", extension, "--compression", compression, says=[compression, can], cwd=folder)
    assert not (folder / "out").exists()


def test_resume_makes_again_what_was_packed_otherwise(folder):
    resume = (*RUN, "--resume", "--report", "report.json")
    for compression, status in [("lzw", "done"), ("lzw", "skipped"), ("zip", "done")]:
        succeed(*resume, "--compression", compression, cwd=folder)
        report = json.loads((folder / "report.json").read_text())
        assert [item["status"] for item in report["items"]] == [status]
        assert report["options"]["--compression"] == compression
    assert "a.tif" in files_below(folder / "out")
