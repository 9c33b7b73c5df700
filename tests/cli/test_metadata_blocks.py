# SPDX-License-Identifier: Apache-2.0
"""What PNG, WebP and TIFF files say beside their pixels stays, as exiftool lists it, and goes along to each other."""

import json
import shutil
import struct
import zlib

import numpy as np
import pytest
import tifffile
from PIL import Image
from scipy import ndimage
from support.heif import write_avif
from support.icc import gamma_curve, profile
from support.images import as_integers, picture
from support.tool import succeed
from test_metadata import exiftool, tags

WIDTH, HEIGHT = 48, 40
STORED = {"IFD0:StripOffsets", "IFD0:StripByteCounts", "IFD0:RowsPerStrip", "PNG:Filter", "IFD0:Compression", "IFD0:SampleFormat",
          "IFD0:FillOrder", "IFD0:SubfileType", "IFD0:PlanarConfiguration", "RIFF:VP8Version", "RIFF:HorizontalScale",
          "RIFF:VerticalScale"}  # fmt: skip
SAID = ["-Make=Canon", "-Model=EOS 5D", "-ISO=400", "-LensModel=50mm", "-UserComment=of mine", "-GPSLatitude=48.1", "-GPSLatitudeRef=N",
        "-GPSImgDirection=77", "-XMP:Rating=4", "-XMP:Label=Red", "-XMP-dc:Subject=lamp", "-XMP-dc:Subject=night", "-Artist=me",
        "-DateTimeOriginal=2001:02:03 04:05:06", "-XMP-exif:ExifImageWidth=48", "-ExifImageWidth=48", "-ExifImageHeight=40",
        "-InteropIndex=R98"]  # fmt: skip


def image():
    return Image.fromarray(as_integers(picture(WIDTH, HEIGHT, 3), np.uint8))


def pictures(folder):
    """A full file of each format."""
    folder.mkdir()
    image().save(folder / "a.png", icc_profile=profile([gamma_curve(1.8)] * 3), dpi=(300, 300))
    exiftool("-overwrite_original", *SAID, "-PNG:Title=a lamp", "-PNG:Warning=mind", "-Orientation#=1", folder / "a.png")
    image().save(folder / "a.webp", lossless=True, icc_profile=profile([gamma_curve(1.8)] * 3))
    exiftool("-overwrite_original", *SAID, "-Orientation#=1", folder / "a.webp")
    for byte_order, name in (("<", "a.tif"), (">", "big-endian.tif")):
        extra = [(33550, "d", 3, (0.5, 0.5, 0.0), True), (33922, "d", 6, (0.0, 0.0, 0.0, 100.0, 200.0, 0.0), True),
                 (34735, "H", 4, (1, 1, 0, 0), True), (65000, "B", 5, b"12345", True), (65001, "I", 1, 4000000, True)]  # fmt: skip
        tifffile.imwrite(folder / name, np.asarray(image()), photometric="rgb", byteorder=byte_order, extratags=extra)
        exiftool("-overwrite_original", *SAID, "-IPTC:Keywords=lamp", "-IPTC:By-line=me", "-PhotoshopQuality=9", folder / name)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("blocks")
    pictures(folder / "in")
    succeed("run", "in", "--psf", "gaussian:1", "--output", "out", cwd=folder)
    return folder


def listed(path):
    return {name: value for name, value in tags(path).items() if name not in STORED}


@pytest.mark.parametrize("name", ["a.png", "a.webp"])
def test_every_tag_stays(folder, name):
    before = listed(folder / "in" / name)
    assert len(before) > 40
    assert listed(folder / "out" / name) == before
    Image.open(folder / "out" / name).load()


@pytest.mark.parametrize("name", ["a.tif", "big-endian.tif"])
def test_every_tag_of_a_tiff_stays(folder, name):
    before, after = listed(folder / "in" / name), listed(folder / "out" / name)
    assert len(before) > 40
    lost = {tag: (value, after.get(tag)) for tag, value in before.items() if after.get(tag) != value}
    # A whole number in a tag of somebody's own (65001) may be a place in the old file.
    assert set(lost) <= {"IFD0:SerialNumber"}, lost
    with tifffile.TiffFile(folder / "out" / name) as file:
        assert file.pages[0].tags[65000].value == b"12345"
        assert file.pages[0].tags[33922].value == (0.0, 0.0, 0.0, 100.0, 200.0, 0.0)
        assert 65001 not in file.pages[0].tags


@pytest.mark.parametrize("mode,moved", [("same", 0), ("full", 3), ("valid", -3)])
def test_places_on_a_map_move_with_the_pixels(tmp_path, mode, moved):
    """Tie points, the matrix to the map, and the camera model of satellites (GDAL's RPCCoefficient)."""
    model = tuple(float(n) for n in range(92))
    matrix = (2.0, 0.0, 0.0, 100.0, 0.0, -2.0, 0.0, 200.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    ties = (0.0, 0.0, 0.0, 100.0, 200.0, 0.0, 5.0, 4.0, 0.0, 110.0, 192.0, 0.0)
    places = [(33922, "d", len(ties), ties, True), (34264, "d", len(matrix), matrix, True), (50844, "d", len(model), model, True)]
    tifffile.imwrite(tmp_path / "a.tif", np.asarray(image()), photometric="rgb", extratags=places)
    succeed("run", "a.tif", "--psf", "box:7", "--mode", mode, "--output", "out", "--report", "r.json", cwd=tmp_path)
    (item,) = json.loads((tmp_path / "r.json").read_text())["items"]
    assert item["warnings"] == []
    with tifffile.TiffFile(tmp_path / "out/a.tif") as file:
        tags = file.pages[0].tags
        assert tags[33922].value[:2] == (moved, moved) and tags[33922].value[6:8] == (5 + moved, 4 + moved)
        assert tags[34264].value[3::4][:2] == (100 - 2 * moved, 200 + 2 * moved)
        assert tags[50844].value == (*model[:2], model[2] + moved, model[3] + moved, *model[4:])


def test_pixels_are_those_of_a_plain_file(folder):
    image().save(folder / "plain.png")
    succeed("run", "plain.png", "--psf", "gaussian:1", "--output", "plain", cwd=folder)
    expected = np.asarray(Image.open(folder / "plain/plain.png"))
    for name in ("a.png", "a.tif", "big-endian.tif"):
        assert (np.asarray(Image.open(folder / "out" / name)) == expected).all(), name
    assert abs(np.asarray(Image.open(folder / "out/a.webp"), int) - expected).mean() < 8  # lossy


def test_the_profile_of_a_webp_stays_byte_for_byte(folder):
    before, after = (Image.open(folder / where / "a.webp").info["icc_profile"] for where in ("in", "out"))
    assert after == before


def chunks(path):
    data, at, found = path.read_bytes(), 8, []
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        name, contents = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert zlib.crc32(name + contents) == struct.unpack_from(">I", data, at + 8 + length)[0], name
        found.append((name, contents))
        at += 12 + length
    return found


def with_chunks(path, added):
    """Puts chunks behind the head of a PNG file."""
    data = path.read_bytes()
    packed = b"".join(struct.pack(">I", len(c)) + n + c + struct.pack(">I", zlib.crc32(n + c)) for n, c in added)
    path.write_bytes(data[:33] + packed + data[33:])


def test_what_only_the_old_samples_made_true_goes(folder):
    image().save(folder / "chunks.png")
    true = [(b"cHRM", struct.pack(">8I", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)), (b"gAMA", struct.pack(">I", 50000)),
            (b"tIME", b"\x07\xd1\x02\x03\x04\x05\x06"), (b"vpAg", bytes(9)), (b"bKGD", bytes(6))]  # fmt: skip
    old = [(b"sBIT", b"\5\5\5"), (b"caBX", b"signature of the samples"), (b"hIST", bytes(4))]
    with_chunks(folder / "chunks.png", true + old)
    succeed("run", "chunks.png", "--psf", "gaussian:1", "--output", "out", cwd=folder)
    after = chunks(folder / "out/chunks.png")
    assert [chunk for chunk in after if chunk[0] not in (b"IHDR", b"IDAT", b"IEND")] == true


def test_texts_behind_the_samples_stay(folder):
    image().save(folder / "behind.png")
    text = b"Comment\0behind"
    data = (folder / "behind.png").read_bytes()
    chunk = struct.pack(">I", len(text)) + b"tEXt" + text + struct.pack(">I", zlib.crc32(b"tEXt" + text))
    (folder / "behind.png").write_bytes(data[:-12] + chunk + data[-12:])
    succeed("run", "behind.png", "--psf", "gaussian:1", "--output", "out", cwd=folder)
    assert (b"tEXt", text) in chunks(folder / "out/behind.png")


def raw_profile(block):
    digits = (b"Exif\0\0" + block).hex()
    lines = "\n".join(digits[i : i + 72] for i in range(0, len(digits), 72))
    return b"Raw profile type exif\0\0" + zlib.compress(f"\nexif\n    {len(block) + 6}\n{lines}\n".encode())


def test_exif_behind_the_samples_stays_and_is_no_change(tmp_path):
    exif = Image.Exif()
    exif[274], exif[271] = 6, "Canon"
    image().save(tmp_path / "a.png", exif=exif)
    data = (tmp_path / "a.png").read_bytes()
    first, samples = data.index(b"eXIf") - 4, data.index(b"IDAT") - 4
    (tmp_path / "a.png").write_bytes(data[:first] + data[samples:-12] + data[first:samples] + data[-12:])
    for extension in ("png", "tif"):
        result = succeed("run", "a.png", "--method", "none", "--format", extension, "--output", "out", cwd=tmp_path)
        assert "warning" not in result.err
        made = tags(tmp_path / f"out/a.{extension}")
        assert (made["IFD0:Orientation"], made["IFD0:Make"]) == (tags(tmp_path / "a.png")["IFD0:Orientation"], "Canon")


def test_exif_as_programs_wrote_it_before_there_was_a_chunk_stays(folder):
    block = bytes.fromhex("49492a0008000000010012010300010000000600000000000000")
    image().save(folder / "raw.png")
    with_chunks(folder / "raw.png", [(b"zTXt", raw_profile(block))])
    succeed("run", "raw.png", "--psf", "gaussian:1", "--output", "out", cwd=folder)
    assert (b"zTXt", raw_profile(block)) in chunks(folder / "out/raw.png")


def test_strip_leaves_nothing(folder):
    names = ["a.png", "a.webp", "a.tif"]
    succeed("run", *names, "--psf", "box:3", "--metadata", "strip", "--output", "../strip", cwd=folder / "in")
    for name in names:
        assert not [tag for tag in tags(folder / "strip" / name) if tag.startswith(("XMP", "IPTC", "ICC", "GPS", "Exif"))], name


def test_sizes_are_those_of_the_result(folder):
    names = ["a.png", "a.webp", "a.tif", "big-endian.tif"]
    succeed("run", *names, "--psf", "box:5", "--mode", "full", "--output", "../full", cwd=folder / "in")
    for name in names:
        after = tags(folder / "full" / name)
        assert (after["ExifIFD:ExifImageWidth"], after["ExifIFD:ExifImageHeight"], after["XMP-exif:ExifImageWidth"]) == (52, 44, 52), name
        if name.endswith("tif"):  # the pixel that was (0, 0) is (2, 2)
            assert after["IFD0:ModelTiePoint"].split()[:2] == ["2", "2"], name


@pytest.fixture(scope="module")
def said(folder):
    """What files of three formats say: tags by the file's name. They are in the folder sources."""
    (folder / "sources").mkdir()
    for name in ("a.png", "a.webp"):
        shutil.copyfile(folder / "in" / name, folder / f"sources/{name[2:]}.{name[2:]}")
    photo = folder / "sources/jpg.jpg"
    image().save(photo, icc_profile=profile([gamma_curve(1.8)] * 3))
    exiftool("-overwrite_original", *SAID, "-Orientation#=1", photo)
    return {extension: tags(folder / f"sources/{extension}.{extension}") for extension in ("png", "webp", "jpg")}


@pytest.mark.parametrize("after", ["png", "webp", "jpg"])
def test_exif_xmp_and_profile_go_along_to_each_other(folder, said, after):
    succeed("run", "sources", "--psf", "box:3", "--format", after, "--output", f"as-{after}", cwd=folder)
    groups = ("ExifIFD:", "GPS:", "XMP-dc:", "XMP-xmp:", "ICC_Profile:")
    for before, all_tags in said.items():
        expected = {tag: value for tag, value in all_tags.items() if tag.startswith(groups)}
        found = tags(folder / f"as-{after}/{before}.{after}")
        assert len(expected) > 20
        assert {tag: found.get(tag) for tag in expected} == expected, before


def behind(data, mark):
    """What a segment of a JPEG has behind its mark."""
    at = data.index(mark)
    return data[at + len(mark) : at - 2 + struct.unpack_from(">H", data, at - 2)[0]]


def test_exif_and_xmp_of_a_heif_go_along_and_say_that_it_is_upright(folder):
    """Its decoder turns it, and its Exif says how it was before."""
    photo = folder / "turned.jpg"
    image().save(photo)
    exiftool("-overwrite_original", *SAID, "-Orientation#=6", "-XMP-tiff:Orientation#=6", photo)
    exif, xmp = (behind(photo.read_bytes(), mark) for mark in (b"Exif\0\0", b"http://ns.adobe.com/xap/1.0/\0"))
    write_avif(folder / "a.avif", np.asarray(image()), True, exif=exif, xmp=xmp)
    expected = {tag: value for tag, value in tags(photo).items() if tag.startswith(("ExifIFD:", "GPS:", "XMP-dc:", "XMP-xmp:"))}
    assert len(expected) > 14
    for after in ("png", "jpg", "webp", "tif"):
        succeed("run", "a.avif", "--method", "none", "--format", after, "--output", "of-heif", "--report", "r.json", cwd=folder)
        found = tags(folder / f"of-heif/a.{after}")
        assert {tag: found.get(tag) for tag in expected} == expected, after
        assert {value for tag, value in found.items() if tag.endswith(":Orientation")} <= {"1", "Horizontal (normal)", 1}, after
        (item,) = json.loads((folder / "r.json").read_text())["items"]
        assert "tags" not in [detail["kind"] for detail in item["warning_details"]], item["warnings"]


@pytest.mark.parametrize("before", ["png", "tif", "jpg"])
def test_profiles_of_several_segments_go_along_to_jpeg(tmp_path, before):
    small = profile([gamma_curve(1.8)] * 3)
    noise = np.random.default_rng(1).bytes(150_000)  # behind the tags, where a profile may have anything
    large = struct.pack(">I", len(small) + len(noise)) + small[4:] + noise
    image().save(tmp_path / f"a.{before}", icc_profile=large)
    succeed("run", f"a.{before}", "--psf", "gaussian:1", "--output", "out", "--format", "jpg", cwd=tmp_path)
    assert Image.open(tmp_path / "out/a.jpg").info["icc_profile"] == large


def test_exif_goes_along_to_tiff_and_back(folder, said):
    succeed("run", "sources", "--method", "none", "--format", "tif", "--output", "as-tif", cwd=folder)
    for extension, all_tags in said.items():
        name = f"as-tif/{extension}.tif"
        succeed("run", name, "--method", "none", "--format", extension, "--output", "again", cwd=folder)
        expected = {tag: value for tag, value in all_tags.items() if tag.startswith(("ExifIFD:", "GPS:", "XMP-xmp:"))}
        assert len(expected) > 12
        for path in (folder / name, folder / f"again/{extension}.{extension}"):
            found = tags(path)
            assert {tag: found.get(tag) for tag in expected} == expected, path
            assert found["IFD0:Make"] == "Canon" and found["IFD0:Artist"] == "me"


def test_a_lens_of_four_numbers_is_copied_to_tiff_and_is_no_garbage_in_exr(tmp_path):
    """OpenImageIO's reader of TIFF makes an address of it, on which its writer crashes."""
    tifffile.imwrite(tmp_path / "a.tif", np.asarray(image()), photometric="rgb", metadata=None)
    exiftool("-overwrite_original", "-LensInfo=24 70 2.8 4", "-SubjectLocation=7 9", tmp_path / "a.tif")
    for output in ("one.tif", "one.exr", "two.exr"):
        succeed("run", "a.tif", "--method", "none", "--output", output, cwd=tmp_path)
    wanted = ("-s3", "-LensInfo", "-SubjectLocation")
    assert exiftool(*wanted, tmp_path / "one.tif").splitlines() == ["24-70mm f/2.8-4", "7 9"]
    assert (tmp_path / "one.exr").read_bytes() == (tmp_path / "two.exr").read_bytes()
    assert b"LensSpecification" not in (tmp_path / "one.exr").read_bytes()
    # And once more, from a TIFF that clconv made.
    image().save(tmp_path / "b.jpg")
    exiftool("-overwrite_original", "-LensInfo=24 70 2.8 4", tmp_path / "b.jpg")
    succeed("run", "b.jpg", "--method", "none", "--output", "b.tif", cwd=tmp_path)
    succeed("run", "b.tif", "--method", "none", "--output", "again.tif", cwd=tmp_path)
    assert exiftool("-s3", "-LensInfo", tmp_path / "again.tif").strip() == "24-70mm f/2.8-4"


def test_iptc_of_a_jpeg_goes_along_to_tiff(folder):
    image().save(folder / "iptc.jpg")
    exiftool("-overwrite_original", "-IPTC:Keywords=lamp", "-IPTC:Keywords=wall", "-IPTC:By-line=me", folder / "iptc.jpg")
    succeed("run", "iptc.jpg", "--method", "none", "--format", "tif", "--output", "out", cwd=folder)
    assert exiftool("-s3", "-IPTC:Keywords", "-IPTC:By-line", folder / "out/iptc.tif").splitlines() == ["lamp, wall", "me"]


def test_pages_keep_their_own_tags(folder):
    with tifffile.TiffWriter(folder / "pages.tif", byteorder=">") as file:
        for number in range(3):
            xmp = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><page>{number}</page></x:xmpmeta>'.encode()
            file.write(np.asarray(image()), photometric="rgb", extratags=[(700, "B", len(xmp), xmp, True), (65000, "H", 1, number, True)])
    succeed("run", "pages.tif", "--psf", "box:3", "--output", "out", cwd=folder)
    with tifffile.TiffFile(folder / "out/pages.tif") as file:
        assert [page.tags[65000].value for page in file.pages] == [0, 1, 2]
        assert [page.tags[700].value.count(b"<page>%d</page>" % number) for number, page in enumerate(file.pages)] == [1, 1, 1]
        assert all((page.asarray() == file.pages[0].asarray()).all() for page in file.pages)


@pytest.mark.parametrize("name", ["sideways.png", "sideways.webp"])
def test_the_psf_is_turned_as_the_picture_is_viewed(folder, name):
    image().save(folder / name, **({"lossless": True} if name.endswith("webp") else {}))
    exiftool("-overwrite_original", "-Orientation#=6", folder / name)
    succeed("run", name, "--psf", "motion:9", "--format", "tif", "--output", "turned", cwd=folder)
    result = tifffile.imread(folder / "turned/sideways.tif").astype(np.float64)  # Pillow turns it
    before = np.asarray(Image.open(folder / name), np.float64)
    # Horizontal as viewed is vertical as stored: means of nine along columns, none along rows.
    expected = ndimage.uniform_filter1d(before, 9, axis=0, mode="nearest")
    assert abs(result - expected).max() <= 0.5 + 1e-3
    (folder / "turned/sideways.tif").unlink()


def test_damaged_chunks_are_left_out_and_the_file_is_made(folder):
    image().save(folder / "damaged.png")
    data = (folder / "damaged.png").read_bytes()
    bad = struct.pack(">I", 4) + b"tEXt" + b"a\0bc" + b"\0\0\0\0"
    (folder / "damaged.png").write_bytes(data[:33] + bad + data[33:])
    succeed("run", "damaged.png", "--psf", "box:3", "--output", "out", cwd=folder)
    assert b"tEXt" not in [name for name, _ in chunks(folder / "out/damaged.png")]


def test_an_animated_png_is_warned_of(folder):
    frames = [image(), image().rotate(180)]
    frames[0].save(folder / "moving.png", save_all=True, append_images=frames[1:])
    result = succeed("run", "moving.png", "--psf", "box:3", "--output", "out", cwd=folder)
    assert "moving.png: is an animation (APNG), of which the first picture alone is read" in result.err
    assert not [name for name, _ in chunks(folder / "out/moving.png") if name in (b"acTL", b"fcTL", b"fdAT")]
