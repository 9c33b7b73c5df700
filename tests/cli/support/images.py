# SPDX-License-Identifier: Apache-2.0
"""Making, writing and reading images and PSFs. An image is an array [row, column, channel] in the file's own type."""

from pathlib import Path

import numpy as np
import OpenImageIO as oiio

oiio.attribute("tiff:half", 1)

TYPES = {np.dtype("u1"): "uint8", np.dtype("u2"): "uint16", np.dtype("f2"): "half", np.dtype("f4"): "float"}


def picture(width, height, channels=1, seed=0):
    """Random floats in [0, 1]: noise on a ramp, so that much is left to compare when a PSF has smoothed the noise."""
    rng = np.random.default_rng([seed, width, height, channels])
    y, x = np.mgrid[0:height, 0:width]
    ramp = (x + 0.5) / width + (y + 0.5) / height
    noise = rng.random((height, width, channels))
    return (0.25 * ramp[..., None] * rng.uniform(0.5, 1, channels) + 0.5 * noise).astype(np.float32)


def as_integers(image, dtype):
    """Floats in [0, 1] as codes."""
    top = np.iinfo(dtype).max
    return np.floor(np.clip(image, 0, 1) * float(top) + 0.5).astype(dtype)


def as_values(image):
    """What clconv computes with, in double: integer codes become [0, 1]."""
    if image.dtype.kind == "u":
        return image.astype(np.float64) / np.iinfo(image.dtype).max
    return image.astype(np.float64)


def write_image(path, image, attributes=None, tiles=None):
    """Writes the array in its own type. The alpha of PNG files is straight, as the format has it."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    image = image[..., None] if image.ndim == 2 else image
    height, width, channels = image.shape
    spec = oiio.ImageSpec(width, height, channels, TYPES[image.dtype])
    if path.suffix == ".png":
        spec.attribute("oiio:UnassociatedAlpha", 1)
    if tiles:
        spec.tile_width, spec.tile_height = tiles
    for name, value in (attributes or {}).items():
        if isinstance(value, tuple):
            spec.attribute(name, *value)
        else:
            spec.attribute(name, value)
    output = oiio.ImageOutput.create(str(path))
    assert output, oiio.geterror()
    assert output.open(str(path), spec), output.geterror()
    assert output.write_image(np.ascontiguousarray(image)), output.geterror()
    assert output.close(), output.geterror()
    return path


def open_image(path):
    settings = oiio.ImageSpec()
    settings.attribute("oiio:UnassociatedAlpha", 1)  # the file's own numbers
    file = oiio.ImageInput.open(str(path), settings)
    assert file, f"{path}: {oiio.geterror()}"
    return file


def read_image(path):
    """The file's samples in the file's own type."""
    file = open_image(path)
    image = file.read_image(str(file.spec().format))
    assert image is not None, f"{path}: {file.geterror()}"
    file.close()
    return image if image.ndim == 3 else image[..., None]


def read_spec(path):
    file = open_image(path)
    spec = file.spec()
    file.close()
    return spec


def random_psf(width, height, channels=None, seed=0):
    """Random positive weights, [row, column] or [row, column, channel], that floats hold exactly."""
    shape = (height, width) if channels is None else (height, width, channels)
    weights = np.random.default_rng([seed, width, height, channels or 0]).uniform(0.1, 1, shape)
    return weights.astype(np.float32).astype(np.float64)


def write_psf(path, weights):
    """As text (.txt), as a portable float map (.pfm), or as any other image of floats."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    weights = np.asarray(weights, np.float64)
    if path.suffix == ".txt":
        assert weights.ndim == 2
        np.savetxt(path, weights, fmt="%.17g")
        return path
    if path.suffix == ".pfm":  # OpenImageIO only reads these; rows go upwards
        height, width = weights.shape
        path.write_bytes(b"Pf\n%d %d\n-1.0\n" % (width, height) + weights[::-1].astype("<f4").tobytes())
        return path
    return write_image(path, weights.astype(np.float32))
