# SPDX-License-Identifier: Apache-2.0
"""From one format to another: what a viewer shows of both, and which losses a report must name."""

import json
import subprocess

import numpy as np

EXTENSIONS = {"bmp": "bmp", "dpx": "dpx", "fits": "fits", "gif": "gif", "hdr": "hdr", "ico": "ico", "iff": "iff", "jpeg": "jpg", "openexr": "exr",
              "png": "png", "pnm": "ppm", "rla": "rla", "sgi": "sgi", "targa": "tga", "tiff": "tif", "webp": "webp"}  # fmt: skip

# One of each kind: types, depths, channels, alpha, orders, windows, curves, metadata.
SOURCES = """
bmp-palette-u4.bmp bmp-rgb-u8-resolution.bmp bmp-rgba-u8-masks.bmp dpx-aspect.dpx dpx-rgba-u16-filled-a-big.dpx dpx-transfer-logarithmic.dpx
exr-aspect.exr exr-attributes.exr exr-ids.exr exr-rgb-float-zip.exr exr-rgba-half.exr exr-window-smaller.exr
fits-cards.fits fits-cube-f32.fits fits-gray-i32.fits fits-gray-u16.fits gif-16-colours-clear.gif gif-comment.gif
hdr-exposure.hdr hdr-order-pypx.hdr ico-rgba-u8.ico iff-rgba-u16.iff jpeg-gray-95.jpg jpeg-orientation-6.jpg jpeg-tags.jpg
png-gray-u1.png png-graya-u8.png png-palette-u8-clear.png png-rgb-u16.png png-rgb-u8-aspect.png png-rgb-u8-gamma.png
png-rgb-u8-profile.png png-rgb-u8-resolution.png png-rgb-u8-texts.png png-rgba-u16.png pnm-gray-1023.pgm rla-rgba-f32.rla rla-window.rla
sgi-five-u8.rgb sgi-graya-u16.sgi tga-rgba-top-down.tga tiff-five-channels-u16.tif tiff-geo.tif tiff-gray-f64.tif tiff-gray-i16.tif tiff-gray-u32.tif
tiff-orientation-6.tif tiff-position.tif tiff-rgba-associated-u8.tif tiff-rgba-straight-u16.tif tiff-tags-u8.tif tiff-texts.tif
tiff-white-is-zero-u16.tif webp-lossless-alpha.webp
""".split()

TURNS = {1: lambda a: a, 2: lambda a: a[:, ::-1], 3: lambda a: a[::-1, ::-1], 4: lambda a: a[::-1], 5: lambda a: a.swapaxes(0, 1),
         6: lambda a: a.swapaxes(0, 1)[:, ::-1], 7: lambda a: a[::-1, ::-1].swapaxes(0, 1), 8: lambda a: a.swapaxes(0, 1)[::-1]}  # fmt: skip
FITS_TOPS = {"u8": 255, "i8": 127, "u16": 65535, "i16": 32767}
STRAIGHT = {"bmp", "gif", "ico", "png", "targa", "webp"}
ASSOCIATED = {"dpx", "iff", "openexr", "rla", "sgi"}


# Some of them, which lose most.
FEW = """
dpx-rgba-u16-filled-a-big.dpx dpx-aspect.dpx exr-attributes.exr exr-rgba-half.exr exr-window-smaller.exr fits-cards.fits fits-gray-u16.fits
gif-comment.gif hdr-order-pypx.hdr jpeg-tags.jpg png-graya-u8.png png-rgb-u8-gamma.png png-rgb-u8-texts.png rla-window.rla sgi-graya-u16.sgi
tiff-geo.tif tiff-position.tif tiff-rgba-straight-u16.tif tiff-texts.tif
""".split()


def viewed(part, format_, exif_orientation):
    """(colours and alpha as they are viewed, whether there is alpha, whether it is straight, the code of white)."""
    samples, top, facts = np.asarray(part.samples), part.top, part.facts
    if format_ == "fits":
        planes = samples.reshape(-1, *facts["shape"][-2:])
        samples, top = np.moveaxis(planes, 0, 2)[::-1], FITS_TOPS.get(facts["type"])
    channels, names = samples.shape[2], facts.get("channels")
    alpha, straight = channels in (2, 4) and format_ in STRAIGHT | ASSOCIATED, format_ in STRAIGHT and not facts.get("associated")
    if format_ == "openexr":
        order = sorted(range(channels), key=lambda n: ("RGBYA".find(names[n]) % 9, n))
        samples, alpha = samples[..., order], "A" in names and channels <= 4
    if format_ == "tiff":
        alpha, straight = bool(facts["alpha"]) and channels in (2, 4), facts["alpha"][:1] == ("straight",)
    orientation = {1: 2, 2: 4, 3: 3}.get(facts["orientation"], 1) if format_ == "dpx" else facts.get("orientation", exif_orientation)
    return TURNS[orientation](samples.astype(np.float64) / (top or 1)), alpha, straight, top


def associated(samples):
    return np.concatenate([samples[..., :-1] * samples[..., -1:], samples[..., -1:]], axis=2)


def pictures_differ(before, after, turns=False):
    """What a viewer sees differ, by the kind of a warning. Both: (part, format, orientation in Exif). `turns`: one of them may be
    mirrored or turned."""
    if turns:
        return min((pictures_differ(before, (*after[:2], orientation)) for orientation in TURNS), key=len)
    (a, a_alpha, a_straight, a_top), (b, b_alpha, b_straight, b_top) = viewed(*before), viewed(*after)
    if before[0].facts.get("lossy") and after[0].facts.get("lossy"):  # once more
        b = a if a.shape == b.shape else b
    if a.shape[:2] != b.shape[:2]:
        return [("size", a.shape, b.shape)]
    if not (a_straight and b_straight and a_alpha and b_alpha):
        a, b = associated(a) if a_alpha and a_straight else a, associated(b) if b_alpha and b_straight else b
    found, colours, others = [], a[..., :-1] if a_alpha else a, b[..., :-1] if b_alpha else b
    a_matte, b_matte = a[..., -1] if a_alpha else np.ones(a.shape[:2]), b[..., -1] if b_alpha else np.ones(b.shape[:2])
    step = 0.5001 / a_top if a_top else 1e-6
    if (off := np.abs(a_matte - b_matte).max()) > step:
        is_rounded = a_alpha and b_alpha and b_top and off <= 0.5001 / b_top
        found.append(("bits" if is_rounded else "alpha", f"{a_matte.min()} to {a_matte.max()}", f"{b_matte.min()} to {b_matte.max()}"))
    if colours.shape[2] == 1 and others.shape[2] == 3:
        colours = np.repeat(colours, 3, 2)
    if colours.shape[2] != others.shape[2]:
        return [*found, ("channels", colours.shape[2], others.shape[2])]
    near = step if a_top else (2**-11 if "16" in str(before[0].facts.get("type")) else 1e-7) * np.abs(colours)
    near = near + (0.5001 / b_top if b_top and b_straight and not a_straight else 0)  # divided by alpha, and rounded
    differs = ~((np.abs(colours - others) <= near) | (colours == others))
    if differs.any():
        place = tuple(np.argwhere(differs)[0])
        found.append(("samples", colours[place], f"{others[place]} at {place}, and {int(differs.sum())} of {differs.size}"))
    return found


def listed_tags(folder, names):
    done = subprocess.run(["exiftool", "-j", "-G1", "-a", "-n", *names], cwd=folder, capture_output=True, text=True)
    return {entry["SourceFile"]: entry for entry in json.loads(done.stdout or "[]")}


# What exiftool calls it, as the report does.
BY_GROUP = {"ExifIFD": "Exif", "GPS": "GPS", "IPTC": "IPTC", "ICC_Profile": "ICC"}
BY_NAME = {"ImageDescription": "description", "Project": "title", "Description": "description", "Comments": "description", "Artist": "author", "Author": "author",
           "Copyright": "copyright", "Owner": "copyright", "Title": "title", "DocumentName": "title", "GeoTiffDirectory": "tag 34735",
           "WorldToCamera": "worldToCamera", "Object": "cards"}  # fmt: skip


def kinds_of_tags(listed):
    """The kinds of metadata that exiftool finds."""
    kinds = set()
    for key, value in listed.items():
        group, _, name = key.partition(":")
        if value not in ("", None):
            kinds |= {kind for kind in (BY_GROUP.get(group), BY_NAME.get(name), "XMP" if group.startswith("XMP-") else None) if kind}
    dots = {listed.get("IFD0:XResolution", 0), listed.get("JFIF:XResolution", 0) if listed.get("JFIF:ResolutionUnit") else 0,
            round(listed.get("PNG-pHYs:PixelsPerUnitX", 0) * 0.0254, 1) if listed.get("PNG-pHYs:PixelUnits") == 1 else 0,
            round(listed.get("BMP:PixelsPerMeterX", 0) * 0.0254, 1), listed.get("OpenEXR:XResolution", 0)}  # fmt: skip
    return kinds | ({"resolution"} if any(number > 1 and round(number) != 72 for number in dots) else set())


def lost_kinds(listed, kept, output, words):
    """The kinds of metadata of one file that another has not, and that no word of a message names. exiftool does not list texts of
    some formats, so a text counts as kept if its bytes are in the file. Exif is one word for all that is in its block."""
    lost = {kind for kind in kinds_of_tags(listed) - kinds_of_tags(kept) if kind not in words}
    data = output.read_bytes()
    texts = {BY_NAME[key.partition(":")[2]]: str(value).encode() for key, value in listed.items() if key.partition(":")[2] in BY_NAME}
    lost -= {kind for kind in lost if kind in texts and texts[kind] in data}
    is_block = "Exif" in words and not any(key.startswith("IFD0:StripOffsets") for key in listed)
    return sorted(lost - {"GPS", "description", "author", "copyright"} if is_block else lost)
