# SPDX-License-Identifier: Apache-2.0
"""PSFs are given as images are viewed. Pillow turns the stored pixels upright; SciPy's sums say what belongs there."""

import numpy as np
import pytest
from PIL import Image, ImageOps
from support.images import as_integers, as_values, picture, random_psf, read_image, read_spec, write_image, write_psf
from support.reference import assert_same_codes, convolve
from support.tool import fail, succeed

ORIENTATIONS = range(1, 9)


def stored(folder, orientation, size=(23, 17)):
    path = folder / f"in/o{orientation}.png"
    path.parent.mkdir(exist_ok=True)
    exif = Image.Exif()
    exif[0x112] = orientation
    image = Image.fromarray(as_integers(picture(*size, 3), np.uint8))
    image.save(path, exif=exif)
    return path


def upright(path, orientation):
    """The samples as they are viewed, whatever the file's tags say now."""
    image = Image.fromarray(np.asarray(Image.open(path)))
    image.getexif()[0x112] = orientation
    return np.asarray(ImageOps.exif_transpose(image))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("orientation")
    write_psf(folder / "psf.txt", random_psf(6, 3))
    for orientation in ORIENTATIONS:
        stored(folder, orientation)
    return folder


def run(folder, *options, output, psf="psf.txt", command="run"):
    succeed(command, "in", "--psf", psf, "--output", output, *options, cwd=folder)
    return folder / output


@pytest.mark.parametrize("options, definition", [
    ((), {}),
    (("--mode", "full", "--psf-origin", "5,0", "--border", "zero"), {"mode": "full", "origin": (5, 0), "border": "zero"}),
    (("--mode", "valid", "--correlate"), {"mode": "valid", "correlate": True}),
])  # fmt: skip
def test_the_result_is_that_of_the_upright_image(folder, options, definition):
    psf = random_psf(6, 3)
    output = run(folder, *options, output=f"out-{len(options)}")
    for orientation in ORIENTATIONS:
        image = upright(folder / f"in/o{orientation}.png", orientation)
        expected = convolve(as_values(image), psf / psf.sum(), **definition)
        actual = upright(output / f"o{orientation}.png", orientation)
        assert_same_codes(actual, expected, str(orientation))


@pytest.mark.parametrize("extension", ["tif", "jpg"])
def test_pixels_and_tag_stay_as_stored(folder, extension):
    path = write_image(folder / f"a.{extension}", as_integers(picture(23, 17, 3), np.uint8), {"Orientation": 6})
    succeed("run", path.name, "--psf", "psf.txt", "--output", "tagged", cwd=folder)
    output = folder / "tagged" / path.name
    assert read_spec(output).get_int_attribute("Orientation") == 6
    assert read_image(output).shape == (17, 23, 3)


@pytest.mark.parametrize("before", ["tif", "jpg", "png"])
def test_other_formats_and_stripped_files_are_viewed_as_before(folder, before):
    exif = Image.Exif()
    exif[0x112] = 6
    Image.fromarray(as_integers(picture(23, 17, 3), np.uint8)).save(folder / f"turned.{before}", exif=exif)
    for after in ("png", "webp", "jpg", "tif"):
        for metadata in ("keep", "strip"):
            succeed("run", f"turned.{before}", "--method", "none", "--format", after, "--metadata", metadata, "--overwrite",
                    "--output", "viewed", cwd=folder)  # fmt: skip
            assert Image.open(folder / f"viewed/turned.{after}").getexif().get(0x112) == 6, (after, metadata)


def test_the_orientation_of_light_goes_along_with_what_else_it_says(folder):
    write_image(folder / "light.exr", picture(23, 17, 3), {"Orientation": 6, "Make": "Acme"})
    succeed("run", "light.exr", "--method", "none", "--format", "jpg", "--output", "viewed", cwd=folder)
    exif = Image.open(folder / "viewed/light.jpg").getexif()
    assert (exif.get(0x112), exif.get(0x10F)) == (6, "Acme")


def test_stored_is_for_the_pixels_as_they_are(folder):
    output = run(folder, "--psf-orientation", "stored", output="stored")
    plain = np.asarray(Image.open(output / "o1.png"))
    for orientation in ORIENTATIONS:
        assert (np.asarray(Image.open(output / f"o{orientation}.png")) == plain).all()


def test_symmetric_psfs_do_not_care(folder):
    viewed = run(folder, output="symmetric", psf="gaussian:1.5")
    for orientation in ORIENTATIONS:
        assert (np.asarray(Image.open(viewed / f"o{orientation}.png"))
                == np.asarray(Image.open(viewed / "o1.png"))).all()  # fmt: skip


def test_bloom_takes_the_height_that_is_viewed(folder):
    output = run(folder, "--stored", "--scale", "0.5", "--threshold", "0.2", "--border", "zero", output="bloom",
                 psf="streak:9", command="bloom")  # fmt: skip
    (folder / "upright").mkdir()
    for orientation in (1, 3, 6):
        Image.fromarray(upright(folder / f"in/o{orientation}.png", orientation)).save(
            folder / f"upright/o{orientation}.png")  # fmt: skip
    succeed("bloom", "upright", "--stored", "--scale", "0.5", "--threshold", "0.2", "--border", "zero", "--psf",
            "streak:9", "--output", "bloom-upright", cwd=folder)  # fmt: skip
    for orientation in (1, 3, 6):
        actual = upright(output / f"o{orientation}.png", orientation).astype(int)
        expected = np.asarray(Image.open(folder / f"bloom-upright/o{orientation}.png")).astype(int)
        assert abs(actual - expected).max() <= 1


def test_plans_and_bands_know_it(folder):
    listed = succeed("run", "in/o6.png", "--psf", "psf.txt", "--output", "dry", "--dry-run", cwd=folder).out
    assert "3x6x1@1,2" in listed, listed
    stored(folder, 6, (1100, 900)).rename(folder / "large.png")
    for limit, name in (("1M", "bands"), ("4G", "whole")):
        succeed("run", "large.png", "--psf", "psf.txt", "--memory-limit", limit, "--output", name,
                cwd=folder)  # fmt: skip
    bands = np.asarray(Image.open(folder / "bands/large.png")).astype(int)
    assert abs(bands - np.asarray(Image.open(folder / "whole/large.png"))).max() <= 1


def test_another_word_is_refused(folder):
    fail(2, "run", "in", "--psf", "psf.txt", "--psf-orientation", "up", "--output", "x", says=["--psf-orientation"],
         cwd=folder)  # fmt: skip
