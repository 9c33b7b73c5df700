# SPDX-License-Identifier: Apache-2.0
"""Files of several parts: made with other programs' libraries, and looked into without any."""

import struct

import numpy as np
import OpenImageIO as oiio
import tifffile
from PIL import Image


def write_pages(path, pages, bigtiff=False, **options):
    """A TIFF of pages that may differ in size and type."""
    with tifffile.TiffWriter(path, bigtiff=bigtiff) as file:
        for page in pages:
            file.write(page, photometric="rgb" if page.ndim == 3 else "minisblack", **options)


def pages_of(path):
    """The pages as arrays, one by one."""
    with tifffile.TiffFile(path) as file:
        return [page.asarray() for page in file.pages]


def write_exr_parts(path, parts, display, tile=None, **attributes):
    """`parts`: name -> (array, (x, y)), in one display window of (width, height)."""
    specs = []
    for name, (samples, (x, y)) in parts.items():
        kind = {"f2": "half", "f4": "float"}[samples.dtype.str[1:]]
        spec = oiio.ImageSpec(samples.shape[1], samples.shape[0], samples.shape[2], kind)
        spec.x, spec.y, spec.full_x, spec.full_y = x, y, 0, 0
        spec.full_width, spec.full_height = display
        spec.attribute("oiio:subimagename", name)
        for key, value in attributes.items():
            spec.attribute(key, value)
        if tile:
            spec.tile_width = spec.tile_height = tile
        specs.append(spec)
    file = oiio.ImageOutput.create(str(path))
    assert file.open(str(path), tuple(specs)), file.geterror()
    for number, (samples, _) in enumerate(parts.values()):
        if number > 0:
            assert file.open(str(path), specs[number], "AppendSubimage"), file.geterror()
        assert file.write_image(np.ascontiguousarray(samples)), file.geterror()
    assert file.close(), file.geterror()


def read_part(path, number):
    """The samples of a part in their own type."""
    file = oiio.ImageInput.open(str(path))
    assert file.seek_subimage(number, 0), f"{path} has no part {number}"
    return file.read_image(file.spec().format)


def exr_headers(path):
    """The headers of an OpenEXR file's parts, attribute -> value (OpenEXR File Layout, 2022)."""
    data, place = path.read_bytes(), 8
    has_parts = data[5] & 0x10

    def text():
        nonlocal place
        end = data.index(b"\0", place)
        place, found = end + 1, data[place:end].decode()
        return found

    headers = []
    while True:
        header = {}
        while name := text():
            kind = text()
            (size,) = struct.unpack_from("<I", data, place)
            header[name] = exr_value(kind, data[place + 4 : place + 4 + size])
            place += 4 + size
        headers.append(header)
        if not has_parts or data[place] == 0:
            return headers


def exr_value(kind, value):
    if kind == "box2i":
        return struct.unpack("<4i", value)
    if kind == "string":
        return value.decode()
    return channel_types(value) if kind == "chlist" else value


def channel_types(value):
    """Channel -> uint, half or float."""
    types, place = {}, 0
    while value[place]:
        end = value.index(b"\0", place)
        (kind,) = struct.unpack_from("<I", value, end + 1)
        types[value[place:end].decode()] = ["uint", "half", "float"][kind]
        place = end + 17
    return types


def write_frames(path, frames, **options):
    """An animation of arrays [row, column, 3] of codes, each with few colours."""
    images = [Image.fromarray(frame) for frame in frames]
    images[0].save(path, save_all=True, append_images=images[1:], **options)


def frames_of(path):
    """The frames as they are shown, [row, column, 3]; the milliseconds that each is shown; the repetitions."""
    with Image.open(path) as animation:
        frames, delays = [], []
        for number in range(animation.n_frames):
            animation.seek(number)
            frames.append(np.asarray(animation.convert("RGB")))
            delays.append(animation.info.get("duration") or 0)
        return frames, delays, animation.info.get("loop")
