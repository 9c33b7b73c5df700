# SPDX-License-Identifier: Apache-2.0
"""Where the results of --mode full and valid lie. OpenEXR headers are read as their format says, TIFF tags by Pillow."""

import struct

import numpy as np
import pytest
from PIL import Image
from support.images import as_integers, picture, random_psf, write_psf
from support.images import write_image as save
from support.tool import succeed

# The window of the data is 23x17 at (-5, 3); the PSF reaches 4 to the left and 2 to the right, 1 up and 3 down.
ORIGIN = "4,1"
WINDOWS = {"same": (-5, 3, 17, 19), "full": (-9, 2, 19, 22), "valid": (-3, 6, 13, 18)}


def window(path, name):
    """xMin, yMin, xMax, yMax of an attribute of an OpenEXR file."""
    data = path.read_bytes()
    begin = data.index(name + b"\0box2i\0") + len(name) + 1 + 6 + 4
    return struct.unpack("<4i", data[begin : begin + 16])


def write_image(path, image, position, display):
    import OpenImageIO as oiio

    height, width, channels = image.shape
    spec = oiio.ImageSpec(width, height, channels, str(image.dtype).replace("32", ""))
    spec.x, spec.y = position
    spec.full_width, spec.full_height = display
    spec.attribute("XResolution", 1.0)
    spec.attribute("YResolution", 1.0)
    output = oiio.ImageOutput.create(str(path))
    assert output.open(str(path), spec) and output.write_image(image) and output.close()


def run(folder, name, mode, *options):
    output = f"{mode}-{len(options)}"
    succeed("run", name, "--psf", "psf.txt", "--psf-origin", ORIGIN, "--mode", mode, "--output", output, *options,
            cwd=folder)  # fmt: skip
    return folder / output / name


@pytest.fixture()
def folder(tmp_path):
    write_psf(tmp_path / "psf.txt", random_psf(7, 5))
    return tmp_path


@pytest.mark.parametrize("mode", WINDOWS)
def test_the_data_window_of_an_exr_is_where_the_result_lies(folder, mode):
    write_image(folder / "a.exr", picture(23, 17, 3), (-5, 3), (100, 50))
    output = run(folder, "a.exr", mode)
    assert window(output, b"dataWindow") == WINDOWS[mode]
    assert window(output, b"displayWindow") == (0, 0, 99, 49)


def log_of(folder, command, *options):
    done = succeed(command, "in", "--psf", "psf.txt", "--output", "out", "--overwrite", *options, cwd=folder)
    return [line for line in done.err.splitlines() if "does not fill its frame" in line]


def test_a_window_that_does_not_fill_its_frame_is_warned_of_once(folder):
    (folder / "in").mkdir()
    for name in ("a", "b"):
        write_image(folder / f"in/{name}.exr", picture(40, 30, 3), (10, 5), (100, 80))
    (line,) = log_of(folder, "run")
    for word in ("warning", "exr", "(40x30 at 10,5)", "(100x80)", "--mode full", "--border zero"):
        assert word in line
    (line,) = log_of(folder, "bloom")
    assert "--croptofull" in line and "--mode" not in line
    assert log_of(folder, "run", "--mode", "full", "--border", "zero") == []
    assert log_of(folder, "run", "--mode", "valid") == []
    assert log_of(folder, "run", "--method", "none") == []
    write_psf(folder / "psf.txt", np.ones((1, 1)))
    assert log_of(folder, "run") == []


def test_a_window_that_fills_its_frame_or_more_is_not_warned_of(folder):
    (folder / "in").mkdir()
    write_image(folder / "in/full.exr", picture(40, 30, 3), (0, 0), (40, 30))
    write_image(folder / "in/overscan.exr", picture(60, 40, 3), (-10, -5), (40, 30))
    write_image(folder / "in/plain.tif", picture(40, 30, 3), (0, 0), (40, 30))
    assert log_of(folder, "run") == []
    write_image(folder / "in/moved.exr", picture(40, 30, 3), (1, 0), (40, 30))
    assert len(log_of(folder, "run")) == 1


def test_light_spreads_into_the_frame_as_the_readme_says(folder):
    """--mode full with --border zero, cropped to the frame, is the convolution of the frame filled with black."""
    from support.images import read_image, read_spec
    from support.reference import convolve

    image = picture(40, 30, 1)
    write_image(folder / "a.exr", image, (10, 5), (100, 80))
    out = run(folder, "a.exr", "full", "--border", "zero")
    spec, samples = read_spec(out), read_image(out)[..., 0]
    frame = np.zeros((80, 100))
    frame[5:35, 10:50] = image[..., 0]
    weights = random_psf(7, 5)
    expected = convolve(frame[..., None], weights / weights.sum(), "zero", origin=(4, 1))[..., 0]
    visible = np.zeros_like(frame)
    visible[spec.y : spec.y + spec.height, spec.x : spec.x + spec.width] = samples
    np.testing.assert_allclose(visible, expected, atol=2e-6)


def test_a_point_stays_where_it_is(folder):
    """Whatever the mode: the brightest sample lies at the same coordinates."""
    image = np.zeros((17, 23, 1), np.float32)
    image[8, 11] = 1
    save(folder / "a.exr", image)
    write_psf(folder / "psf.txt", np.pad(np.eye(1), ((1, 3), (4, 2))))
    import OpenImageIO as oiio

    for mode in WINDOWS:
        file = oiio.ImageInput.open(str(run(folder, "a.exr", mode)))
        spec, samples = file.spec(), np.asarray(file.read_image("float"))
        y, x = np.unravel_index(samples[..., 0].argmax(), samples.shape[:2])
        assert (x + spec.x, y + spec.y) == (11, 8), mode


def test_bands_lie_there_too(folder):
    write_image(folder / "a.exr", picture(900, 400, 3), (-5, 3), (1000, 500))
    output = run(folder, "a.exr", "full", "--memory-limit", "1M")
    assert window(output, b"dataWindow") == (-9, 2, 896, 405)
    assert window(output, b"displayWindow") == (0, 0, 999, 499)


def test_tiff_has_a_place_if_the_input_had_one_and_it_is_not_negative(folder):
    for name, position in (("near.tif", (2, 0)), ("far.tif", (20, 30))):
        write_image(folder / name, as_integers(picture(23, 17, 3), np.uint8), position, (100, 50))
    x_position, y_position = 286, 287
    far = Image.open(run(folder, "far.tif", "full")).tag_v2
    assert (far[x_position], far[y_position]) == (16, 29)
    near = Image.open(run(folder, "near.tif", "full")).tag_v2
    assert near.get(x_position, 0) == 0 and near.get(y_position, 0) == 0
