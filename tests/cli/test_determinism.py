# SPDX-License-Identifier: Apache-2.0
"""The same input, options and device give the same bytes, whatever runs beside them."""

import time

import numpy as np
import pytest
from support.full import mostly_full
from support.images import as_integers, picture, random_psf, write_image, write_psf
from support.tool import files_below, succeed

COUNT = 10  # each once as floats and once as integers
FORMATS = ["bmp", "dpx", "exr", "fits", "gif", "hdr", "ico", "iff", "jpg", "png", "ppm", "rla", "sgi", "tga", "tif", "webp"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("determinism")
    for number in range(COUNT):
        image = picture(*[(64, 48), (33, 20)][number % 2], channels=3, seed=number)
        write_image(folder / f"in/{number:02}.exr", image)
        write_image(folder / f"in/{number:02}.png", as_integers(image, np.uint8))
    write_psf(folder / "small.txt", random_psf(3, 3))
    write_psf(folder / "large.txt", random_psf(27, 31))
    return folder


def results(folder, name, *arguments, psfs=("small.txt", "large.txt")):
    options = ("--psf", *psfs, "--output", name, "--overwrite")
    succeed("run", *arguments, *options, cwd=folder)
    return {file: (folder / name / file).read_bytes() for file in files_below(folder / name)}


@pytest.fixture(scope="module")
def together(folder):
    return results(folder, "together", "in", "--jobs", "1")


def test_the_number_of_jobs_does_not_matter(folder, together):
    assert len(together) == COUNT * 2 * 2
    assert together == results(folder, "four", "in", "--jobs", "4")


def test_nor_does_a_second_run(folder, together):
    assert together == results(folder, "second", "in", "--jobs", "1")


def test_nor_does_the_company_an_image_is_in(folder, together):
    for name in ["05.exr", "07.png"]:
        for file, content in results(folder, "alone-" + name.replace(".", "-"), f"in/{name}").items():
            assert together[file] == content, file


@pytest.mark.parametrize("extension", mostly_full(["exr", "tif", "png", "jpg"], ["exr", "tif"]))
def test_nor_does_the_time_of_day(folder, extension):
    def written(name):
        options = ("in/00.png", "in/00.exr", "--format", extension, "--name", "{index}{ext}")
        return results(folder, f"{name}-{extension}", *options, psfs=["small.txt"])

    before = written("before")
    time.sleep(1.1)  # files note their date to the second
    assert before == written("after")


@pytest.mark.parametrize("extension", mostly_full(FORMATS, ["bmp", "exr", "gif", "ico", "png", "rla", "tif"]))
def test_nor_does_what_memory_held_before(tmp_path, extension):
    """Encoders write no byte that they have from the heap. Small, odd sizes: tiles, palettes and rows are filled up."""
    for channels in (1, 3, 4):
        write_image(tmp_path / f"in/{channels}.tif", as_integers(picture(13, 9, channels), np.uint16))
    outputs = []
    for byte in (0x5A, 0xC3):
        succeed("run", "in", "--method", "none", "--format", extension, "--output", f"out{byte}", cwd=tmp_path,
                env={"MALLOC_PERTURB_": byte})  # fmt: skip
        files = files_below(tmp_path / f"out{byte}")
        assert len(files) == 3
        outputs.append([(tmp_path / f"out{byte}" / name).read_bytes() for name in files])
    assert outputs[0] == outputs[1]
