# SPDX-License-Identifier: Apache-2.0
"""Files with many tags, which exiftool writes and lists: Exif, GPS, IPTC, XMP, ICC, comments."""

import json
import subprocess

import numpy as np
import tifffile
from PIL import Image

from support.icc import gamma_curve
from support.icc import profile as icc
from support.matrix.case import Case, noise, smooth

# Where and how the file is stored; what exiftool computes of other tags; the old picture made small.
STORAGE = ("File:", "System:", "ExifTool:", "IFD1:", "Composite:", "SourceFile", "RIFF:", "JFIF:")
STORED = {"ImageWidth", "ImageHeight", "BitsPerSample", "Compression", "PhotometricInterpretation", "StripOffsets", "SamplesPerPixel",
          "RowsPerStrip", "StripByteCounts", "PlanarConfiguration", "SampleFormat", "Predictor", "FillOrder", "SubfileType", "Filter",
          "Interlace", "BitDepth", "ColorType"}  # fmt: skip
TAGS = ("-Make=Canon", "-Model=EOS", "-Orientation#=6", "-ISO=400", "-LensModel=50mm", "-LensInfo=24 70 2.8 4", "-UserComment=a comment", "-Artist=me", "-Copyright=mine",
        "-DateTimeOriginal=2001:02:03 04:05:06", "-OffsetTimeOriginal=+01:00", "-GPSLatitude=48.1", "-GPSLatitudeRef=N", "-GPSImgDirection=7",
        "-XMP:Rating=4", "-XMP:Label=Red", "-XMP-dc:Subject=lamp", "-XMP-dc:Subject=night", "-XMP-dc:Title-de=Lampe", "-IPTC:Keywords=lamp",
        "-IPTC:By-line=me", "-Comment=a comment", "-ImageDescription=a lamp", "-XResolution=300", "-YResolution=150", "-ResolutionUnit=inches")  # fmt: skip


def tags_of(folder, names):
    """name -> tags of the files in a folder. exiftool starts slowly, so it lists all at once."""
    done = subprocess.run(["exiftool", "-j", "-G1", "-a", "-u", "-b", "-ee", *names], cwd=folder, capture_output=True, text=True)
    found = {}
    for listed in json.loads(done.stdout) if done.stdout else []:
        kept = {f"tag {key}": value for key, value in listed.items() if not key.startswith(STORAGE) and key.split(":")[-1] not in STORED}
        found[listed["SourceFile"]] = kept
    return found


def tagged(name, format_, save):
    def make(path):
        save(path)
        subprocess.run(["exiftool", "-overwrite_original", "-q", "-m", *TAGS, str(path)], check=True, capture_output=True)

    return Case(name, format_, make, has_tags=True)


def cases():
    curve = icc([gamma_curve(1.8)] * 3)
    photo, codes = Image.fromarray(smooth(3)), noise(3, 8)
    yield tagged("jpeg-tags.jpg", "jpeg", lambda path: photo.save(path, quality=90, icc_profile=curve))
    yield tagged("png-tags.png", "png", lambda path: Image.fromarray(codes).save(path, icc_profile=curve))
    yield tagged("webp-tags.webp", "webp", lambda path: photo.save(path, quality=90, icc_profile=curve))
    yield tagged("tiff-tags-u8.tif", "tiff", lambda path: tifffile.imwrite(path, codes, photometric="rgb", metadata=None, extratags=[(34675, "B", len(curve), curve, True)]))
    yield tagged("tiff-tags-f32.tif", "tiff", lambda path: tifffile.imwrite(path, np.float32(codes), photometric="rgb", metadata=None))
