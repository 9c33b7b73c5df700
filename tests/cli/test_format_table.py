# SPDX-License-Identifier: Apache-2.0
"""docs/formats.md says what becomes of files of every format. This test makes the files, hands them to the real binary,
looks at what comes out with other programs, and makes the page anew: it must be the one in the tree.

WRITE_FORMATS=1 in the environment writes it.
"""

import json
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import OpenImageIO as oiio
import pytest
import tifffile
from astropy.io import fits
from PIL import Image
from support.files_of_parts import exr_headers
from support.formats_page import check_section
from support.format_pictures import EXTENSIONS, LOSSY, TYPES, samples, write, write_parts
from support.icc import gamma_curve, profile
from support.tool import clconv

# Of the library's list: no images, no pictures of light, videos.
NO_PICTURES = {"null", "term", "zfile", "openvdb", "ffmpeg"}
NAMES = {"uint8": "u8", "int8": "i8", "uint16": "u16", "int16": "i16", "uint32": "u32", "int32": "i32"}
MOST_CHANNELS = 5


def formats():
    """The formats that the library reads, with all their extensions."""
    readable = oiio.get_string_attribute("input_format_list").split(",")
    listed = dict(entry.split(":") for entry in oiio.get_string_attribute("extension_list").split(";"))
    known = {name: listed[name].split(",") for name in sorted(set(readable) - NO_PICTURES) if listed.get(name)}
    return known | {"fits": ["fits", "fit", "fts"]}


def extension_of(name, extensions):
    return EXTENSIONS.get(name, extensions[0])


def type_in_file(path, name):
    """The sample type, the number of channels and the samples of a file's first image, as another program sees them."""
    if name == "fits":
        samples = fits.getdata(path)
        kind = {"f4": "float", "f8": "double"}.get(samples.dtype.str[1:], samples.dtype.newbyteorder("=").name)
        return kind, 1, samples.reshape(-1)
    hints = oiio.ImageSpec()
    hints.attribute("oiio:UnassociatedAlpha", 1)
    file = oiio.ImageInput.open(str(path), hints)
    if not file:
        return None
    spec = file.spec()
    samples = file.read_image(str(spec.format))
    kind = {"uint": "uint32", "int": "int32"}.get(str(spec.format), str(spec.format))
    return kind, spec.nchannels, None if samples is None else samples.reshape(-1)


def exiftool_tags(path):
    done = subprocess.run(["exiftool", "-j", "-G1", "-a", "-u", "-b", "-ee", str(path)], capture_output=True, text=True)
    storage = ("File:", "System:", "ExifTool:", "IFD1:", "Composite:", "SourceFile")
    listed = json.loads(done.stdout)[0] if done.stdout else {}
    return {name: value for name, value in listed.items() if not name.startswith(storage)}


FAMILIES = {"IFD0": "Exif", "ExifIFD": "Exif", "InteropIFD": "Exif", "ICC_Profile": "ICC", "ICC-header": "ICC", "IPTC": "IPTC"}
# How a TIFF, PSD or PNG stores its samples.
STORED = {"ImageWidth", "ImageHeight", "BitsPerSample", "Compression", "PhotometricInterpretation", "StripOffsets", "SamplesPerPixel",
          "RowsPerStrip", "StripByteCounts", "PlanarConfiguration", "SampleFormat", "Predictor", "FillOrder", "SubfileType", "Filter",
          "Interlace", "BitDepth", "ColorType", "NumChannels", "ColorMode", "CurrentIPTCDigest", "ExtraSamples"}  # fmt: skip


def family(tag):
    group, name = tag.split(":", 1)
    if name in STORED and group in ("IFD0", "PNG", "Photoshop"):
        return None
    if group.startswith("XMP"):
        return "XMP"
    if group.startswith("ICC"):
        return "ICC"
    return FAMILIES.get(group, group if group in ("GPS", "IPTC") else "others")


def library_tags(path):
    """What the library reads besides samples, for formats that exiftool does not write."""
    file = oiio.ImageInput.open(str(path))
    skipped = ("oiio:", "compression", "planarconfig", "ResolutionUnit", "dpx:", "tiff:", "jpeg2000:", "png:", "webp:", "ICCProfile:")
    return {"texts:" + a.name: str(a.value) for a in file.spec().extra_attribs if not a.name.startswith(skipped)}


def exr_tags(path):
    own = {"channels", "compression", "dataWindow", "displayWindow", "lineOrder", "type", "chunkCount", "tiles", "version"}
    return {"attributes:" + name: value for name, value in exr_headers(path)[0].items() if name not in own}


def give_metadata(path, name):
    """Fills a file with what it can hold. Returns how to list it; None where nothing can be put in."""
    if name in ("jpeg", "png", "webp", "tiff"):
        picture = Image.open(path)
        picture.load()
        picture.save(path, icc_profile=profile([gamma_curve(1.8)] * 3))
    done = subprocess.run(
        ["exiftool", "-overwrite_original", "-q", "-m", "-Make=Canon", "-Model=EOS", "-Orientation#=1", "-ISO=400", "-LensModel=50mm",
         "-UserComment=a comment", "-Artist=me", "-Copyright=mine", "-DateTimeOriginal=2001:02:03 04:05:06", "-GPSLatitude=48.1",
         "-GPSLatitudeRef=N", "-GPSImgDirection=7", "-XMP:Rating=4", "-XMP:Label=Red", "-XMP-dc:Subject=lamp", "-XMP-dc:Subject=night",
         "-IPTC:Keywords=lamp", "-IPTC:By-line=me", "-Comment=a comment", "-ImageDescription=a lamp", "-PNG:Warning=mind",
         "-PNG-pHYs:PixelsPerUnitX=300", str(path)],
        capture_output=True,
    )  # fmt: skip
    if done.returncode == 0:
        return exiftool_tags
    if name == "openexr":
        extra = {"owner": "me", "comments": "a lamp", "isoSpeed": 400.0, "framesPerSecond": 24.0, "my/own": 7, "name": "lamp"}
        rewrite(path, extra | {"worldToCamera": ("matrix", tuple(float(n) for n in range(16)))})
        return exr_tags
    if name == "fits":
        fits.setval(path, "OBJECT", value="lamp")
        fits.setval(path, "CRPIX1", value=7.5)
        fits.setval(path, "COMMENT", value="a comment")
        return lambda file: {"header:" + c.keyword: str(c.value) for c in fits.getheader(file).cards if c.keyword not in ("SIMPLE", "HISTORY")}
    rewrite(path, {"Artist": "me", "Copyright": "mine", "ImageDescription": "a lamp", "DateTime": "2001:02:03 04:05:06", "DocumentName": "lamp"})
    return library_tags if path.exists() else None


def rewrite(path, attributes):
    """The file again, by the library, with attributes. Removes it where that cannot be."""
    image = oiio.ImageBuf(str(path))
    pixels = image.get_pixels(image.spec().format)
    spec = image.spec().copy() if hasattr(image.spec(), "copy") else oiio.ImageSpec(image.spec())
    for name, value in attributes.items():
        if isinstance(value, tuple):
            spec.attribute(name, *value)
        else:
            spec.attribute(name, value)
    del image
    output = oiio.ImageOutput.create(str(path))
    if not (output and output.open(str(path), spec) and output.write_image(pixels) and output.close()):
        path.unlink()


class Files:
    """Pictures of one format."""

    def __init__(self, folder, name, extensions):
        self.name, self.extensions = name, extensions
        self.types, self.channels, self.parts, self.metadata = {}, {}, None, None
        dot = "." + extension_of(name, extensions)
        for kind in TYPES:
            for channels in (3, 1):
                if self.add(self.types, kind, folder / f"{name}-{kind}{dot}", kind, channels):
                    break
        first = next(iter(self.types), None)
        for channels in range(1, MOST_CHANNELS + 1) if first else []:
            self.add(self.channels, channels, folder / f"{name}-of-{channels}{dot}", first, channels)
        path = folder / f"{name}-parts{dot}"
        if what := write_parts(path, name):
            self.parts = (path, what)
        path = folder / f"{name}-metadata{dot}"
        if first and write(path, name, first, 3 if 3 in self.channels else 1):
            lister = give_metadata(path, name)
            self.metadata = (path, lister) if lister and path.exists() else None

    def add(self, table, key, path, kind, channels):
        """Keeps a picture if it has the type that it was to have: writers choose another without a word. Some readers make
        four channels of all."""
        if not write(path, self.name, kind, channels):
            return False
        found = type_in_file(path, self.name)
        is_it = found is not None and found[2] is not None and found[0] == kind
        if is_it and table is self.channels:
            key = found[1]
        if is_it and key not in table:
            table[key] = path
        else:
            path.unlink()
        return is_it

    def paths(self):
        own = [*self.types.values(), *self.channels.values()]
        return own + [entry[0] for entry in (self.parts, self.metadata) if entry]


class Outcome:
    """A run over files, each by its name."""

    def __init__(self, folder, output, inputs, *options):
        self.items, self.folder = {}, folder / output
        report = folder / f"{output}.json"
        result = clconv("run", *inputs, "--method", "none", "--output", self.folder, "--report", report, "-q", *options)
        assert result.code in (0, 1), result
        for item in json.loads(report.read_text())["items"]:
            self.items.setdefault(Path(item["input"]), []).append(item)

    def done(self, path):
        return [Path(item["output"]) for item in self.items.get(path, []) if item["status"] == "done"]


@pytest.fixture(scope="module")
def observed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("formats")
    (folder / "in").mkdir()
    files = [Files(folder / "in", name, extensions) for name, extensions in formats().items()]
    paths = [path for entry in files for path in entry.paths()]
    back = Outcome(folder, "back", paths)
    left = [path for path in paths if not back.done(path)]
    each = Outcome(folder, "each", left, "--name", "{stem}-{part}{ext}")
    other = Outcome(folder, "other", left, "--name", "{stem}-{part}.tif")
    return [(entry, back, each, other) for entry in files]


def read_cell(files, back, other):
    if not files.types:
        return "not tried"
    return "yes" if all(back.done(path) or other.done(path) for path in files.types.values()) else "in part"


def is_written(files, back):
    return any(back.done(path) for path in files.types.values())


def types_cell(files, back, other):
    kept, changed = [], []
    for kind, path in files.types.items():
        name = NAMES.get(kind, kind)
        done = back.done(path)
        if not done:
            (kept if other.done(path) else changed).append(name if other.done(path) else f"{name} fails")
            continue
        after, _, samples = type_in_file(done[0], files.name)
        before = type_in_file(path, files.name)[2]
        assert files.name in LOSSY or after != kind or np.array_equal(samples, before), f"{path}: other samples"
        (kept if after == kind else changed).append(name if after == kind else f"{name} → {NAMES.get(after, after)}")
    return ", ".join(kept + changed)


def channels_cell(files, back, other):
    kept, changed = [], []
    for count, path in files.channels.items():
        done = back.done(path)
        after = type_in_file(done[0], files.name)[1] if done else count if other.done(path) else None
        if after == count:
            kept.append(count)
        else:
            changed.append(f"{count} → {after}" if after else f"{count} fails")
    if len(kept) > 2 and kept == list(range(kept[0], kept[-1] + 1)):
        kept = [f"{kept[0]} to {kept[-1]}{' and more' if kept[-1] == MOST_CHANNELS else ''}"]
    return ", ".join(map(str, kept + changed))


def parts_in(path, name):
    """How many images other programs find in a file."""
    if name == "tiff":
        with tifffile.TiffFile(path) as file:
            return len(file.pages)
    if name == "openexr":
        return len(exr_headers(path))
    if name == "fits":
        samples = fits.getdata(path)
        return samples.shape[0] if samples.ndim == 3 else 1
    with Image.open(path) as file:
        return len(file.info["sizes"]) if name == "ico" else getattr(file, "n_frames", 1)


def parts_cell(files, back, each, other):
    if not files.parts:
        return "one image"
    path, what = files.parts
    count = parts_in(path, files.name)
    if done := back.done(path):
        found = parts_in(done[0], files.name)
        warned = ", with a warning" if back.items[path][0]["warnings"] else ""
        return f"all {what}, in one file" if found == count else f"the first of all {what}{warned}"
    found = len(each.done(path)) or len(other.done(path))
    return f"all {what}, a file each ({{part}})" if found == count else f"{found} of {count} {what}, a file each"


def metadata_cell(files, back):
    if not files.metadata:
        return ""
    path, lister = files.metadata
    if not (done := back.done(path)):
        return ""
    before, after = lister(path), lister(done[0])
    kind = family if lister is exiftool_tags else lambda tag: tag.split(":")[0]
    total = Counter(kind(tag) for tag in before)
    kept = Counter(kind(tag) for tag, value in before.items() if after.get(tag) == value)
    total.pop(None, None)
    return ", ".join(f"{group} {kept[group]} of {total[group]}" for group in sorted(total)) or "none"


HEAD = """# File formats

tests/cli/test_format_table.py makes this page. It writes small pictures in every format that
OpenImageIO and cfitsio of Debian 12 read, passes them to `clconv run --method none`, and checks the
outputs with other programs. It fails if this page says anything else.
`WRITE_FORMATS=1 scripts/test -R format_table` writes the page again.
[conventions.md](conventions.md) has the rules.

- **written back**: whether a file's output has the same format without further options. Otherwise
  `--format` must name another, and the other columns say what is read.
- **samples**: the types that stay; `a → b` means that a becomes b. Types that the format does not
  have, or that the test cannot write, are not listed. A convolution makes floats of doubles, except
  in TIFF and FITS with `--precision double`.
- **channels**: the numbers of channels that stay. A picture of one channel gets three if the format
  has no gray.
- **parts**: what happens to files of several images.
- **metadata**: how many tags of a file with many tags are unchanged in its output. exiftool counts
  them; in formats that exiftool does not write, the library does. Tags about the storage of samples
  do not count.

| format | extensions | read | written back | samples | channels | parts | metadata |
|---|---|---|---|---|---|---|---|
"""

TAIL = """
FITS files compressed by fpack (.fz) are also read. PFM files (floats) are read, and not written.
OpenImageIO reads signed samples of DICOM files as numbers without sign: the least possible value
becomes 0. Cineon's codes of 10 bits become 16 bits. OpenImageIO also reads videos and files that
are not pictures: {ignored}. clconv ignores them.
"""


def page(observed):
    rows = []
    for files, back, each, other in observed:
        cells = [files.name, ", ".join(files.extensions), read_cell(files, back, other)]
        if files.types:
            cells += ["yes" if is_written(files, back) else "no", types_cell(files, back, other), channels_cell(files, back, other),
                      parts_cell(files, back, each, other), metadata_cell(files, back)]  # fmt: skip
        else:
            cells += [""] * 5
        rows.append("| " + " | ".join(cells) + " |\n")
    ignored = sorted(NO_PICTURES & set(oiio.get_string_attribute("input_format_list").split(",")))
    return HEAD + "".join(rows) + TAIL.format(ignored=", ".join(ignored))


@pytest.mark.skipif(not oiio.VERSION_STRING.startswith("2.4."), reason="the page is of Debian 12's OpenImageIO")
def test_the_page_says_what_is_observed(observed):
    check_section(page(observed))


def test_what_can_be_written_is_read(observed):
    assert not [files.name for files, back, _, other in observed if read_cell(files, back, other) == "in part"]


def test_signed_samples_of_dicom_begin_at_zero(tmp_path):
    """What the page says below its table."""
    assert write(tmp_path / "in.dcm", "dicom", "int16", 1)
    result = clconv("run", "in.dcm", "--method", "none", "--name", "out.tif", "--output", "out", cwd=tmp_path)
    assert result.code == 0, result
    wanted = samples("int16", 1)[..., 0].astype(np.int32) + 32768
    assert np.array_equal(tifffile.imread(tmp_path / "out/out.tif").squeeze(), wanted)
