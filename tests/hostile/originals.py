# SPDX-License-Identifier: Apache-2.0
"""Small files in every format that can be written here: what the mutants are made of. Of our own making, in no tree."""

import io
import struct

import numpy as np
import OpenImageIO as oiio
from astropy.io import fits

oiio.attribute("tiff:half", 1)
oiio.attribute("openexr:core", 0)

WIDTH, HEIGHT = 37, 23

# Extension, samples, channels, attributes, tiles.
KINDS = [
    ("png", "uint8", 3, {}, 0),
    ("png", "uint16", 4, {}, 0),
    ("png", "uint8", 1, {"png:compressionLevel": 0}, 0),
    ("tif", "uint8", 3, {"compression": "none"}, 0),
    ("tif", "uint8", 3, {"compression": "lzw"}, 0),
    ("tif", "uint16", 4, {"compression": "zip"}, 0),
    ("tif", "half", 3, {"compression": "packbits"}, 0),
    ("tif", "float", 1, {"compression": "none"}, 16),
    ("tif", "uint8", 3, {"compression": "lzw", "planarconfig": "separate"}, 0),
    ("tif", "uint8", 3, {"compression": "zip"}, 16),
    ("tif", "uint8", 3, {"compression": "jpeg"}, 0),
    ("exr", "half", 3, {"compression": "none"}, 0),
    ("exr", "half", 4, {"compression": "zip"}, 0),
    ("exr", "float", 1, {"compression": "rle"}, 0),
    ("exr", "half", 3, {"compression": "piz"}, 0),
    ("exr", "half", 3, {"compression": "pxr24"}, 16),
    ("exr", "half", 3, {"compression": "b44"}, 0),
    ("exr", "half", 3, {"compression": "dwaa"}, 0),
    ("jpg", "uint8", 3, {}, 0),
    ("jpg", "uint8", 1, {"jpeg:progressive": 1}, 0),
    ("bmp", "uint8", 3, {}, 0),
    ("tga", "uint8", 4, {"compression": "rle"}, 0),
    ("hdr", "float", 3, {}, 0),
    ("gif", "uint8", 3, {}, 0),
    ("ppm", "uint8", 3, {}, 0),
    ("pgm", "uint16", 1, {}, 0),
    ("sgi", "uint8", 3, {}, 0),
    ("rla", "uint8", 3, {}, 0),
    ("dpx", "uint16", 3, {}, 0),
    ("iff", "uint8", 3, {}, 16),
    ("jp2", "uint8", 3, {}, 0),
    ("webp", "uint8", 3, {"compression": "lossless"}, 0),
    ("ico", "uint8", 4, {}, 0),
    ("psd", "uint8", 3, {}, 0),
    ("dds", "uint8", 3, {}, 0),
    ("heic", "uint8", 3, {}, 0),
    ("iff", "uint8", 3, {"compression": "rle"}, 16),
    ("iff", "uint16", 3, {"compression": "rle"}, 16),
]


def picture(channels, seed):
    """A ramp with noise, so that compressed rows differ; never 0, which damage often is."""
    rng = np.random.default_rng([seed, channels])
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    ramp = (x / WIDTH + y / HEIGHT)[..., None] / 3
    return (0.1 + ramp + 0.2 * rng.random((HEIGHT, WIDTH, channels))).astype(np.float32)


def write(path, kind, seed):
    """False where this OpenImageIO does not write that kind."""
    _, samples, channels, attributes, tile = kind
    output = oiio.ImageOutput.create(str(path))
    if output is None:
        return False
    spec = oiio.ImageSpec(WIDTH, HEIGHT, channels, samples)
    spec.tile_width = spec.tile_height = tile
    for name, value in attributes.items():
        spec.attribute(name, value)
    return output.open(str(path), spec) and output.write_image(picture(channels, seed)) and output.close()


def sgi_file(dtype):
    """Of run lengths, which the library does not write: flat rows and noisy ones."""
    image = (picture(3, 0) * np.iinfo(dtype).max).astype(dtype)
    image[::3] = image[::3, :1]
    rows = []
    for row in image.transpose(2, 0, 1).reshape(-1, WIDTH):
        run = [WIDTH, row[0]] if (row == row[0]).all() else [0x80 | WIDTH, *row]
        rows.append(np.array([*run, 0]).astype(f">u{np.dtype(dtype).itemsize}").tobytes())
    places = np.cumsum([512 + 8 * len(rows), *map(len, rows)])[:-1]
    head = struct.pack(">hBBHHHHii", 474, 1, np.dtype(dtype).itemsize, 3, WIDTH, HEIGHT, 3, 0, 255)
    return head.ljust(512, b"\0") + np.concatenate([places, [len(row) for row in rows]]).astype(">u4").tobytes() + b"".join(rows)


def fits_files():
    """The image last, so that whoever takes a file without its second half has taken damage for pixels."""
    pixels = 1000 * picture(1, 0)[..., 0]
    integers = pixels.astype(np.int16)
    header = fits.Header([("CTYPE1", "RA---TAN"), ("CRPIX1", 7.5), ("CRVAL1", 10.7), ("NOTE", "many letters " * 9), ("BLANK", 3)])
    table = fits.BinTableHDU.from_columns([fits.Column("x", "E", array=np.arange(9.0))])
    for hdus in [
        [fits.PrimaryHDU(pixels, header[:4])],
        [fits.PrimaryHDU(integers.astype(np.uint16))],
        [fits.PrimaryHDU(np.stack([integers, integers]), header)],
        [fits.PrimaryHDU(), table, fits.ImageHDU(pixels, header[:4])],
        [fits.PrimaryHDU(), fits.CompImageHDU(integers, header, compression_type="RICE_1")],
        [fits.PrimaryHDU(), fits.CompImageHDU(pixels, compression_type="GZIP_2")],
        [fits.PrimaryHDU(), fits.CompImageHDU(integers, compression_type="HCOMPRESS_1")],
    ]:
        file = io.BytesIO()
        fits.HDUList(hdus).writeto(file, checksum=len(hdus) == 1)
        yield file.getvalue()


def make(folder):
    """Writes them into `folder`. Returns {extension: [bytes of a file, ...]}."""
    made = {"fits": list(fits_files())}
    for number, kind in enumerate(KINDS):
        path = folder / f"{number:02}.{kind[0]}"
        if write(path, kind, number):
            data = path.read_bytes()
            data += bytes(-len(data) % 4) if kind[0] == "iff" else b""  # which the library's writer leaves out
            made.setdefault(kind[0], []).append(data)
    made["sgi"] += [sgi_file(np.uint8), sgi_file(np.uint16)]
    return made
