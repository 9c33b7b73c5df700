# SPDX-License-Identifier: Apache-2.0
"""The resolution of a file goes along to other formats: dots, their unit and the aspect of pixels, as exiftool lists them."""

import json

import numpy as np
import pytest
import tifffile
from PIL import Image
from support.images import as_integers, picture
from support.tool import succeed
from test_metadata import exiftool

PIXELS = as_integers(picture(24, 16, 3), np.uint8)
PER_INCH = {"inches": 1, "in": 1, "cm": 2.54, "meters": 0.0254}


def without_jfif(path):
    """As cameras write JPEG: Exif alone."""
    data = path.read_bytes()
    assert data[2:4] == b"\xff\xe0"
    path.write_bytes(data[:2] + data[4 + int.from_bytes(data[4:6], "big") :])


def in_exif(path, across, down, unit):
    exiftool("-overwrite_original", f"-EXIF:XResolution={across}", f"-EXIF:YResolution={down}", f"-EXIF:ResolutionUnit={unit}", path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of all units and ways to state them, and the same in other formats in out-exr, out-png, ..."""
    folder = tmp_path_factory.mktemp("dots")
    (folder / "in").mkdir()
    tifffile.imwrite(folder / "in/cm.tif", PIXELS, photometric="rgb", resolution=(100, 100), resolutionunit="CENTIMETER", metadata=None)
    tifffile.imwrite(folder / "in/none.tif", PIXELS, photometric="rgb", resolution=(2, 1), resolutionunit="NONE", metadata=None)
    image = Image.fromarray(PIXELS)
    image.save(folder / "in/metres.bmp", dpi=(300, 300))
    image.save(folder / "in/both.png", dpi=(200, 200))
    for name in ("camera.jpg", "jfif.jpg", "inches.webp", "metric.webp", "exif.png"):
        image.save(folder / "in" / name)
    without_jfif(folder / "in/camera.jpg")
    in_exif(folder / "in/camera.jpg", 300, 150, "inches")
    in_exif(folder / "in/jfif.jpg", 300, 300, "cm")
    in_exif(folder / "in/inches.webp", 300, 150, "inches")
    for name in ("metric.webp", "exif.png"):
        in_exif(folder / "in" / name, 300, 300, "cm")
    in_exif(folder / "in/both.png", 72, 36, "inches")
    for extension in ("exr", "png", "tif", "jpg"):
        succeed("run", "in", "--method", "none", "--format", extension, "--output", f"out-{extension}", "--report", f"{extension}.json", cwd=folder)
    return folder


# Dots an inch across and down.
FILES = {"cm.tif": (254, 254), "metres.bmp": (300, 300), "camera.jpg": (300, 150), "jfif.jpg": (762, 762), "inches.webp": (300, 150),
         "metric.webp": (762, 762), "exif.png": (762, 762), "both.png": (200, 200)}  # fmt: skip


def output(folder, name, extension):
    return folder / f"out-{extension}/{name.partition('.')[0]}.{extension}"


def listed(path):
    return json.loads(exiftool("-j", "-G1", path))[0]


def dots(path):
    tags = listed(path)
    if path.suffix == ".exr":
        assert "OpenEXR:ResolutionUnit" not in tags
        return tags["OpenEXR:XResolution"], tags["OpenEXR:XResolution"] * tags["OpenEXR:PixelAspectRatio"]
    group, across, down, unit = {".png": ("PNG-pHYs", "PixelsPerUnitX", "PixelsPerUnitY", "PixelUnits"),
                                 ".tif": ("IFD0", "XResolution", "YResolution", "ResolutionUnit"),
                                 ".jpg": ("JFIF", "XResolution", "YResolution", "ResolutionUnit")}[path.suffix]  # fmt: skip
    scale = PER_INCH[tags[f"{group}:{unit}"]]
    return tags[f"{group}:{across}"] * scale, tags[f"{group}:{down}"] * scale


@pytest.mark.parametrize("extension", ["exr", "png", "tif", "jpg"])
def test_dots_and_their_unit_go_along(folder, extension):
    for name, expected in FILES.items():
        if not name.endswith(extension):
            # JFIF has whole numbers, and PNG has whole numbers of dots in a metre.
            assert dots(output(folder, name, extension)) == pytest.approx(expected, rel=2e-3), name


def test_dots_without_a_unit_are_not_taken_for_dots_an_inch(folder):
    tags = listed(output(folder, "none.tif", "exr"))
    assert "OpenEXR:XResolution" not in tags and tags["OpenEXR:PixelAspectRatio"] == 0.5
    assert listed(output(folder, "none.tif", "png"))["PNG-pHYs:PixelUnits"] == "Unknown"


def test_no_warning_says_that_a_resolution_or_an_aspect_was_lost(folder):
    for extension in ("exr", "png", "tif", "jpg"):
        for item in json.loads((folder / f"{extension}.json").read_text())["items"]:
            if item["input"].rpartition(".")[2] != extension:
                assert not [w for w in item["warnings"] if "resolution" in w or "as wide" in w], item
