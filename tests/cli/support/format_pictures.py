# SPDX-License-Identifier: Apache-2.0
"""Small pictures in every format that can be made here, by other programs' libraries or by hand."""

import struct
import warnings

import numpy as np
import OpenImageIO as oiio
import tifffile
from astropy.io import fits
from PIL import Image

from support.files_of_parts import write_exr_parts, write_frames, write_pages
from support.images import as_integers, picture

WIDTH, HEIGHT = 40, 24  # of which tiles and blocks of codecs are whole or not
TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "half", "float", "double"]
NUMPY = {"half": "float16", "float": "float32", "double": "float64"}
LOSSY = {"jpeg", "webp", "heif", "gif"}
# By the library's name: what it names first is not always what people use.
EXTENSIONS = {"jpeg": "jpg", "tiff": "tif", "openexr": "exr", "pnm": "ppm", "targa": "tga", "heif": "heic", "dicom": "dcm"}


def samples(kind, channels):
    """Noise on a ramp, in a sample type by its name; whole numbers where it has others than fractions of its largest."""
    dtype = np.dtype(NUMPY.get(kind, kind))
    values = 0.1 + 0.8 * picture(WIDTH, HEIGHT, channels)
    if dtype.kind == "f":
        return values.astype(dtype)
    return np.rint(values * min(np.iinfo(dtype).max, 100000)).astype(dtype)


def write_by_library(path, kind, channels):
    output = oiio.ImageOutput.create(str(path))
    if output is None:
        return False
    spec = oiio.ImageSpec(WIDTH, HEIGHT, channels, kind)
    if path.suffix == ".png":
        spec.attribute("oiio:UnassociatedAlpha", 1)
    return output.open(str(path), spec) and output.write_image(np.ascontiguousarray(samples(kind, channels))) and output.close()


def write_fits(path, kind, channels):
    if kind == "half" or channels != 1:
        return False
    fits.writeto(path, samples(kind, 1)[..., 0])
    return True


def write_tiff(path, kind, channels):
    tifffile.imwrite(path, samples(kind, channels).squeeze(), photometric="rgb" if channels >= 3 else "minisblack", planarconfig="contig",
                     metadata=None)  # fmt: skip
    return True


def write_jpeg2000(path, kind, channels):
    """Larger than others: the library refuses small ones."""
    output = oiio.ImageOutput.create(str(path))
    spec = oiio.ImageSpec(8 * WIDTH, 8 * HEIGHT, channels, kind)
    pixels = np.tile(samples(kind, channels), (8, 8, 1))
    return output.open(str(path), spec) and output.write_image(pixels) and output.close()


def write_psd(path, kind, channels):
    """Adobe Photoshop File Formats: gray, RGB, and RGB with alpha; no layers, no packing."""
    if kind not in ("uint8", "uint16", "float") or channels not in (1, 3, 4):
        return False
    planes = np.moveaxis(samples(kind, channels), 2, 0)
    bits = 8 * planes.dtype.itemsize
    head = struct.pack(">4sH6xHIIHH", b"8BPS", 1, channels, HEIGHT, WIDTH, bits, 1 if channels == 1 else 3)
    path.write_bytes(head + bytes(12) + b"\0\0" + planes.astype(planes.dtype.newbyteorder(">")).tobytes())
    return True


def write_softimage(path, kind, channels):
    """Softimage PIC: one packet of red, green and blue, in each row one run of pixels that differ."""
    if kind != "uint8" or channels != 3:
        return False
    head = struct.pack(">If80s4sHHfHH", 0x5380F634, 3.7, b"", b"PICT", WIDTH, HEIGHT, 1.0, 3, 0)
    rows = b"".join(bytes([WIDTH - 1]) + row.tobytes() for row in samples(kind, 3))
    path.write_bytes(head + bytes([0, 8, 2, 0xE0]) + rows)
    return True


def write_dds(path, kind, channels):
    """DirectDraw Surface, not packed: 8 bits of red, green, blue and perhaps alpha."""
    if kind != "uint8" or channels not in (3, 4):
        return False
    flags = 0x40 | (channels == 4)
    masks = [0xFF, 0xFF00, 0xFF0000, 0xFF000000 if channels == 4 else 0]
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x100F, HEIGHT, WIDTH, WIDTH * channels, 0, 0)
    head += struct.pack("<8I", 32, flags, 0, 8 * channels, *masks) + struct.pack("<I16x", 0x1000)
    path.write_bytes(head + samples(kind, channels).tobytes())
    return True


def write_dng(path, kind, channels):
    """Digital Negative: a mosaic of two by two, of which readers make three channels."""
    if kind != "uint16" or channels != 3:
        return False
    mosaic = samples("uint16", 1)[..., 0].repeat(4, 0).repeat(4, 1)
    tags = [(33421, "H", 2, (2, 2), True), (33422, "B", 4, bytes([0, 1, 1, 2]), True), (50706, "B", 4, bytes([1, 4, 0, 0]), True),
            (50708, "s", 0, "clconv test", True), (271, "s", 0, "clconv", True), (272, "s", 0, "test", True),
            (50721, "2i", 9, (1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1), True), (50778, "H", 1, 21, True)]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tifffile.imwrite(path, mosaic, photometric=32803, extratags=tags, metadata=None)
    return True


def write_cineon(path, kind, channels):
    """Kodak Cineon 4.5: three channels of 8 bits, or of 10 bits in words of 32, whose last two are empty."""
    if kind not in ("uint8", "uint16") or channels != 3:
        return False
    bits = 8 if kind == "uint8" else 10
    if bits == 8:
        pixels = samples(kind, 3).tobytes()
    else:
        red, green, blue = np.moveaxis(samples(kind, 3).astype(np.uint32) >> 6, 2, 0)
        pixels = (red << 22 | green << 12 | blue << 2).astype(">u4").tobytes()
    file = struct.pack(">6I8s100s12s12s36x", 0x802A5FD7, 2048, 1024, 1024, 0, 2048 + len(pixels), b"V4.5", b"", b"", b"")
    elements = b"".join(
        struct.pack(">BBBxIIffff", 0, number + 1, bits, WIDTH, HEIGHT, 0, 0, 2**bits - 1, 2.046) for number in range(3)
    )
    image = struct.pack(">BB2x", 0, 3) + elements.ljust(8 * 28, b"\0") + bytes(32 + 200 + 28)
    storage = struct.pack(">BBBBII20x", 0, 0 if bits == 8 else 5, 0, 0, 0, 0)
    path.write_bytes((file + image + storage).ljust(2048, b"\0") + pixels)
    return True


def write_dicom(path, kind, channels):
    """DICOM PS3.5 and PS3.10: a secondary capture, explicit and little endian, not packed."""
    dtype = np.dtype(NUMPY.get(kind, kind))
    if dtype.kind == "f" or (channels != 1 and (kind, channels) != ("uint8", 3)):
        return False

    def element(group, number, kind, value):
        value += b"\0" * (len(value) % 2)
        size = struct.pack("<2xI" if kind in ("OB", "OW") else "<H", len(value))
        return struct.pack("<HH", group, number) + kind.encode() + size + value

    def number(group, tag, value):
        return element(group, tag, "US", struct.pack("<H", value))

    capture, instance, bits = b"1.2.840.10008.5.1.4.1.1.7", b"1.2.3.4", 8 * dtype.itemsize
    about = element(2, 1, "OB", b"\0\1") + element(2, 2, "UI", capture) + element(2, 3, "UI", instance)
    about += element(2, 0x10, "UI", b"1.2.840.10008.1.2.1")
    data = element(8, 0x16, "UI", capture) + element(8, 0x18, "UI", instance) + element(8, 0x60, "CS", b"OT")
    data += number(0x28, 2, channels) + element(0x28, 4, "CS", b"MONOCHROME2 " if channels == 1 else b"RGB ")
    data += number(0x28, 6, 0) if channels == 3 else b""
    for tag, value in ((0x10, HEIGHT), (0x11, WIDTH), (0x100, bits), (0x101, bits), (0x102, bits - 1), (0x103, dtype.kind == "i")):
        data += number(0x28, tag, value)
    data += element(0x7FE0, 0x10, "OW", samples(kind, channels).tobytes())
    path.write_bytes(bytes(128) + b"DICM" + element(2, 0, "UL", struct.pack("<I", len(about))) + about + data)
    return True


WRITERS = {"cineon": write_cineon, "dicom": write_dicom, "fits": write_fits, "tiff": write_tiff, "jpeg2000": write_jpeg2000, "psd": write_psd, "softimage": write_softimage, "dds": write_dds, "raw": write_dng}
EXTENSIONS |= {"softimage": "pic", "raw": "dng", "jpeg2000": "jp2"}


def write(path, name, kind, channels):
    """Whether a picture of that type and number of channels could be made."""
    if name == "dpx" and channels not in (1, 3, 4):
        return False  # the library's writer ends the process
    try:
        made = WRITERS.get(name, write_by_library)(path, kind, channels)
    except (OSError, ValueError, KeyError):
        made = False
    if not made:
        path.unlink(missing_ok=True)
    return made


def frames(count=3):
    """Pictures of few colours, each other than those before it."""
    codes = as_integers(picture(WIDTH, HEIGHT, 3), np.uint8) // 64 * 64
    return [np.roll(codes, 5 * number, axis=1) for number in range(count)]


def write_parts(path, name):
    """A file of three parts. Returns what its format calls them; None where no such file can be made."""
    pages = frames()
    if name == "tiff":
        write_pages(path, pages)
        return "pages"
    if name == "openexr":
        write_exr_parts(path, {f"part{n}": ((page / 255).astype(np.float32), (0, 0)) for n, page in enumerate(pages)}, (WIDTH, HEIGHT))
        return "parts"
    if name == "fits":
        fits.writeto(path, np.stack([page[..., 0].astype(np.float32) for page in pages]))
        return "planes"
    if name in ("gif", "webp", "png"):
        lossless = {"lossless": True} if name == "webp" else {}
        write_frames(path, pages, duration=[100, 200, 300], **lossless)
        return "frames"
    if name == "ico":
        Image.fromarray(pages[0]).resize((64, 64)).save(path, sizes=[(16, 16), (32, 32), (64, 64)])
        return "sizes"
    return None
