# SPDX-License-Identifier: Apache-2.0
"""Every common format to every other: the file reads back with the same pixels, whatever the first said of itself."""

import numpy as np
import pytest
from support.images import as_integers, as_values, picture, read_image, write_image
from support.tool import succeed

FORMATS = ["bmp", "dpx", "exr", "jpg", "png", "ppm", "sgi", "tga", "tif"]
HALF_CODE = 0.5 / 255


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    image = as_integers(picture(23, 17, 3), np.uint8)
    for extension in FORMATS:
        pixels = as_values(image).astype(np.float32) if extension == "exr" else image
        write_image(folder / f"plain-{extension}.{extension}", pixels)
        write_image(folder / f"srgb-{extension}.{extension}", pixels, {"oiio:ColorSpace": "sRGB", "Artist": "somebody"})
    return folder


@pytest.mark.parametrize("extension", FORMATS)
def test_a_converted_file_reads_back(sources, tmp_path, extension):
    names = sorted(path.name for path in sources.iterdir())
    succeed("run", sources, "--method", "none", "--format", extension, "--output", tmp_path / "out")
    for name in names:
        before = as_values(read_image(sources / name))
        after = as_values(read_image(tmp_path / "out" / f"{name.split('.')[0]}.{extension}"))
        assert after.shape == before.shape, name
        difference = np.abs(after - before)
        if extension == "jpg":  # noise is what JPEG throws away
            assert difference.mean() < 0.1, name
        else:
            assert difference.max() <= HALF_CODE + 1e-6, name
