# SPDX-License-Identifier: Apache-2.0
"""A decoder or encoder that crashes, hangs or takes all memory fails its own image, by name; all others are made.

Codecs that do so are those of faulty_codec.cpp, and files that were damaged on purpose.
"""

import json
import os
import shutil
import signal
import struct
import subprocess
import time
import zlib

import numpy as np
import pytest
import tifffile
from support.exr import write_exr
from support.heif import write_avif
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import BINARY, clconv, environment, fail, files_below, succeed

GOOD = as_integers(picture(23, 17, 3), np.uint8)
FAULTY = {"LD_PRELOAD": os.environ.get("FAULTY_CODEC_LIBRARY", "")}
RUN = ("run", "in", "--psf", "psf.txt", "--output", "out", "--method", "none")  # no device: nothing is to be compiled

needs_faults = pytest.mark.skipif(not FAULTY["LD_PRELOAD"], reason="needs the library of faulty_codec.cpp")


@pytest.fixture()
def folder(tmp_path):
    write_image(tmp_path / "in/a.png", GOOD)
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    add(tmp_path, "z")
    return tmp_path


def add(folder, *names):
    for name in names:
        shutil.copyfile(folder / "in/a.png", folder / f"in/{name}.png")


def errors(folder):
    """The messages of the items that failed, by the names of their inputs; all others are done."""
    items = json.loads((folder / "report.json").read_text())["items"]
    assert {item["status"] for item in items} <= {"done", "failed"}
    return {os.path.basename(item["input"]): item["error"] for item in items if item["status"] == "failed"}


@needs_faults
def test_what_kills_its_codec_fails_alone_and_by_name(folder):
    add(folder, "b_abort", "c_encoder_abort", "d_exit", "e_eat", *[f"f{number}" for number in range(20)], "g_abort")
    options = ("--report", "report.json", "--jobs", "4", "--memory-limit", "100M")
    fail(1, *RUN, *options, cwd=folder, env=FAULTY, timeout=120)
    found = errors(folder)
    assert sorted(found) == ["b_abort.png", "c_encoder_abort.png", "d_exit.png", "e_eat.png", "g_abort.png"]
    assert "in/b_abort.png: its decoder was killed by SIGABRT" in found["b_abort.png"]
    assert "out/c_encoder_abort.png: its encoder was killed by SIGABRT" in found["c_encoder_abort.png"]
    assert "in/d_exit.png: its decoder ended with exit code 0" in found["d_exit.png"]
    assert "in/e_eat.png: its decoder takes more memory" in found["e_eat.png"]
    assert files_below(folder / "out") == sorted(["a.png", "z.png", *[f"f{number}.png" for number in range(20)]])


@needs_faults
def test_what_hangs_is_ended(folder):
    add(folder, "b_loop", "d_encoder_loop")
    fail(1, *RUN, "--timeout", "2", "--report", "report.json", cwd=folder, env=FAULTY, timeout=60)
    found = errors(folder)
    assert sorted(found) == ["b_loop.png", "d_encoder_loop.png"]
    assert "is not done after 2 s (--timeout)" in found["b_loop.png"]
    assert "its encoder is not done after 2 s (--timeout)" in found["d_encoder_loop.png"]
    assert files_below(folder / "out") == ["a.png", "z.png"]


@needs_faults
def test_with_a_device_and_several_psfs_the_rest_of_the_batch_is_made_too(folder):
    add(folder, "b_abort")
    write_psf(folder / "other.txt", random_psf(5, 5))
    run = ("run", "in", "--psf", "psf.txt", "other.txt", "--output", "out", "--report", "report.json")
    fail(1, *run, cwd=folder, env=FAULTY, timeout=120)
    items = json.loads((folder / "report.json").read_text())["items"]
    assert [item["status"] for item in items] == ["done", "done", "failed", "failed", "done", "done"]
    assert files_below(folder / "out") == ["a_other.png", "a_psf.png", "z_other.png", "z_psf.png"]


@needs_faults
def test_psfs_and_plans_are_read_in_processes_of_their_own(folder):
    shutil.copyfile(folder / "in/a.png", folder / "k_abort.png")
    fail(2, "run", "in", "--psf", "k_abort.png", "--output", "out", says=["k_abort.png", "SIGABRT"], cwd=folder, env=FAULTY)
    fail(1, "plan", "k_abort.png", "--psf", "psf.txt", says=["k_abort.png", "SIGABRT"], cwd=folder, env=FAULTY)
    shutil.copyfile(folder / "k_abort.png", folder / "in/A_abort.png")
    result = clconv(*RUN[:6], "--dry-run", cwd=folder, env=FAULTY)
    assert result.code == 0 and "A_abort.png: its decoder was killed" in result.err and "plan for in/a.png" in result.out


@needs_faults
def test_fail_fast_stops_at_an_image_that_kills_its_codec(folder):
    add(folder, "b_abort")
    fail(1, *RUN, "--fail-fast", "--report", "report.json", "--jobs", "1", cwd=folder, env=FAULTY)
    statuses = [item["status"] for item in json.loads((folder / "report.json").read_text())["items"]]
    assert statuses[1:] == ["failed", "not_started"]


@needs_faults
def test_the_process_that_works_ends_with_the_one_that_was_started(folder):
    add(folder, "b_loop")
    process = subprocess.Popen([BINARY, *RUN], cwd=folder, stderr=subprocess.DEVNULL, env=environment(**FAULTY))
    children = f"/proc/{process.pid}/task/{process.pid}/children"
    while not (child := open(children).read().split()):
        assert process.poll() is None
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while os.path.exists(f"/proc/{child[0]}") and open(f"/proc/{child[0]}/stat").read().split()[2] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.01)


@needs_faults
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_a_run_whose_codec_hangs(folder, number):
    add(folder, "b_loop")
    process = subprocess.Popen([BINARY, *RUN], cwd=folder, stderr=subprocess.PIPE, env=environment(**FAULTY))
    while not (folder / "out/a.png").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert b"stopping" in b"".join(process.stderr.readline() for _ in range(4))
    process.send_signal(number)
    assert process.wait(timeout=30) == -number


def png(width, height, interlace=0, data=b"", colour=2):
    """A file that claims so many pixels of 8 bits, of RGB or (6) RGBA."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, interlace)), (b"IDAT", zlib.compress(data)), (b"IEND", b"")]
    text = b"\x89PNG\r\n\x1a\n"
    for name, body in chunks:
        text += struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return text


def progressive_jpeg(width, height):
    """As much of a head as a library needs to begin with the coefficients of a whole image."""
    frame = struct.pack(">BHHB", 8, height, width, 3) + b"\1\x11\0\2\x11\0\3\x11\0"
    scan = b"\3\1\0\2\0\3\0\0\0\0"
    return b"\xff\xd8\xff\xc2" + struct.pack(">H", len(frame) + 2) + frame + b"\xff\xda" + struct.pack(">H", len(scan) + 2) + scan + b"\0" * 64


def compressed_bmp(width, height):
    """RLE of a byte a pixel, which ends after its first row."""
    head = struct.pack("<IiiHHIIiiII", 40, width, -height, 1, 8, 1, 0, 0, 0, 256, 0)
    return b"BM" + struct.pack("<IHHI", 1082, 0, 0, 1078) + head + bytes(1024) + b"\0\0\0\1"


def webp(width, height):
    """A lossless one, whose stream is zeros."""
    stream = b"\x2f" + struct.pack("<I", width - 1 | (height - 1) << 14) + bytes(95)
    return b"RIFF" + struct.pack("<I", 112) + b"WEBPVP8L" + struct.pack("<I", 100) + stream


def jpeg2000(width, height, channels, profile=b""):
    """A codestream that ends after its marker of sizes, in the boxes of a JP2."""
    sizes = struct.pack(">HIIIIIIIIH", 0, width, height, 0, 0, width, height, 0, 0, channels) + b"\7\1\1" * channels
    stream = b"\xff\x4f\xff\x51" + struct.pack(">H", len(sizes) + 2) + sizes
    head = struct.pack(">IIHBBBB", height, width, channels, 7, 7, 0, 0)
    colours = struct.pack(">I4s3s", 11 + len(profile), b"colr", b"\2\0\0") + profile
    boxes = [(b"jP  ", b"\r\n\x87\n"), (b"ftyp", b"jp2 \0\0\0\0jp2 "), (b"jp2h", struct.pack(">I4s", 22, b"ihdr") + head + colours), (b"jp2c", stream)]
    return b"".join(struct.pack(">I4s", len(body) + 8, name) + body for name, body in boxes)


def test_files_that_ask_for_too_much_are_refused_before_they_are_decoded(folder):
    (folder / "in/b.png").write_bytes(png(40000, 40000, interlace=1))
    (folder / "in/c.png").write_bytes(png(70000, 70000))
    (folder / "in/d.jpg").write_bytes(progressive_jpeg(65500, 65500))
    filled = progressive_jpeg(65500, 65500)
    (folder / "in/d2.jpg").write_bytes(filled[:2] + b"\xff\xff" + filled[2:])
    write_image(folder / "in/e.tif", GOOD, {"compression": "none"})
    whole = (folder / "in/e.tif").read_bytes()
    (folder / "in/e.tif").write_bytes(whole[: len(whole) - 600])
    (folder / "in/f.bmp").write_bytes(compressed_bmp(40000, 40000))
    (folder / "in/g.webp").write_bytes(webp(16383, 16383))
    fail(1, *RUN, "--memory-limit", "1G", "--report", "report.json", cwd=folder, timeout=60)
    found = errors(folder)
    assert sorted(found) == ["b.png", "c.png", "d.jpg", "d2.jpg", "e.tif", "f.bmp", "g.webp"]
    assert "a compressed BMP takes 1.49G to decode" in found["f.bmp"]
    assert "a WebP takes 2G to decode" in found["g.webp"]
    assert "40000x40000 pixels" in found["b.png"]
    assert "70000x70000 pixels" in found["c.png"] and "--max-pixels" in found["c.png"]
    for name in ("d.jpg", "d2.jpg"):
        assert "a progressive JPEG takes 24G to decode, and the limit is 1G" in found[name]
    assert files_below(folder / "out") == ["a.png", "z.png"]
    fail(1, *RUN, "--overwrite", "--max-pixels", "100", says=["in/a.png: claims 23x17 pixels"], cwd=folder)
    write_avif(folder / "i.avif", GOOD, True)
    extent = b"ispe" + struct.pack(">III", 0, 23, 17)
    data = (folder / "i.avif").read_bytes()
    assert extent in data
    (folder / "i.avif").write_bytes(data.replace(extent, b"ispe" + struct.pack(">III", 0, 30000, 20000)))
    said = "i.avif: claims 30000x20000 pixels of 3 channels; a HEIF takes 4.47G to decode"
    fail(1, "run", "i.avif", *RUN[2:], "--format", "png", "--memory-limit", "1G", says=[said], cwd=folder)
    for profile in (b"", bytes(3144)):  # those of sRGB have as many bytes
        (folder / "h.jp2").write_bytes(jpeg2000(50000, 100, 16384, profile))
        said = "h.jp2: claims 50000x100 pixels of 16384 channels; a JPEG 2000 takes 305G to decode"
        fail(1, "run", "h.jp2", *RUN[2:], "--format", "png", says=[said], cwd=folder)


def test_damage_fails_an_image_or_is_kept(folder):
    ramp = (np.arange(64 * 64 * 3).reshape(64, 64, 3) % 251 + 1).astype(np.uint8)
    (folder / "in/b.png").write_bytes(png(64, 64, data=b"".join(b"\0" + row.tobytes() for row in ramp[:32])))
    (folder / "in/c.webp").write_bytes(webp(64, 64))
    result = fail(1, *RUN, says=["in/b.png", "in/c.webp", "--damaged keep"], cwd=folder)
    assert result.err.count("Couldn't decode subimage 0") == 1, "what a library says of each row is reported once"
    assert files_below(folder / "out") == ["a.png", "z.png"]
    result = succeed(*RUN, "--overwrite", "--damaged", "keep", "--report", "report.json", cwd=folder)
    assert "in/b.png: is damaged" in result.err
    items = json.loads((folder / "report.json").read_text())["items"]
    assert [len(item["warnings"]) for item in items] == [0, 1, 1, 0], "the warning is its item's, and no other's"
    assert files_below(folder / "out") == ["a.png", "b.png", "c.webp", "z.png"]


def test_what_can_be_decoded_under_straight_alpha_is_kept(folder):
    """Its colours are converted before they are convolved: all rows were lost, of a PNG and behind a strip of a TIFF."""
    ramp = (np.arange(64 * 64 * 4).reshape(64, 64, 4) % 251 + 1).astype(np.uint8)
    ramp[..., 3] = 255
    (folder / "b.png").write_bytes(png(64, 64, data=b"".join(b"\0" + row.tobytes() for row in ramp[:32]), colour=6))
    options = {"photometric": "rgb", "extrasamples": ["unassalpha"], "rowsperstrip": 8, "compression": "zlib", "metadata": None}
    tifffile.imwrite(folder / "b.tif", ramp, **options)
    with tifffile.TiffFile(folder / "b.tif") as file:
        places, sizes = file.pages[0].dataoffsets, file.pages[0].databytecounts
    data = bytearray((folder / "b.tif").read_bytes())
    data[places[3] : places[3] + sizes[3]] = bytes(sizes[3])
    (folder / "b.tif").write_bytes(data)
    command = ["run", "b.png", "b.tif", "--psf", "box:1", "--output", "out", "--damaged", "keep", "--nonfinite", "zero"]
    succeed(*command, cwd=folder)
    assert np.array_equal(read_image(folder / "out/b.png")[:32], ramp[:32])
    found = read_image(folder / "out/b.tif")
    assert np.array_equal(found[:24], ramp[:24]) and np.array_equal(found[32:], ramp[32:])


def test_damage_that_is_kept_is_reported_images_that_are_read_by_rows(folder):
    rows = b"".join(b"\0" + bytes(3 * 1024) for _ in range(512))
    (folder / "in/b.png").write_bytes(png(1024, 1024, data=rows))
    command = ["run", "in/b.png", "--psf", "psf.txt", "--output", "out", "--no-verify"]
    succeed(*command, "--damaged", "keep", "--memory-limit", "16M", "--report", "report.json", cwd=folder)
    (item,) = json.loads((folder / "report.json").read_text())["items"]
    assert "pieces" in item["plan"], f"the test must read it by rows: {item['plan']}"
    assert len(item["warnings"]) == 1 and "in/b.png: is damaged" in item["warnings"][0]


def test_exr_blocks_that_are_too_short_are_damage(folder):
    """Of a channel that claims to be wider than it was when the blocks were packed."""
    for number, compression in enumerate(["rle", "zip", "none"]):
        path = write_image(folder / f"in/b{number}.exr", picture(32, 24, 3).astype(np.float16), {"compression": compression})
        head = path.read_bytes()
        place = head.index(b"chlist\0") + 7 + 4  # after the attribute's size: the first channel's name
        place = head.index(b"\0", place) + 1
        assert head[place : place + 4] == b"\1\0\0\0"  # half
        path.write_bytes(head[:place] + b"\0\0\0\0" + head[place + 4 :])  # 32-bit unsigned
    fail(1, *RUN, "--report", "report.json", cwd=folder)
    assert sorted(errors(folder)) == ["b0.exr", "b1.exr", "b2.exr"]
    assert files_below(folder / "out") == ["a.png", "z.png"]


@pytest.mark.parametrize("tiles", [None, (16, 8)])
def test_exr_blocks_that_lack_bytes_are_damage_without_compression(folder, tiles):
    """OpenEXR's newer reader (3.1) fills the rest with what was in memory."""
    plane = picture(32, 24)[..., 0].astype(np.float32)
    write_exr(folder / "in/b.exr", {"R": plane, "G": plane, "B": plane}, tiles=tiles)
    succeed(*RUN, cwd=folder)
    write_exr(folder / "in/b.exr", {"R": plane, "G": plane, "B": plane}, tiles=tiles, short=4)
    for options in ([], ["--damaged", "keep"]):
        result = fail(1, *RUN, "--overwrite", *options, cwd=folder)
        assert "in/b.exr: is damaged" in result.err and "shorter than its samples" in result.err


@needs_faults
def test_a_decoder_that_crashes_fails_its_pair_of_a_comparison_alone(folder):
    add(folder, "b_abort")
    result = fail(3, "compare", "in", "in", "--json", cwd=folder, env=FAULTY)
    errors_of = {pair["name"]: pair.get("error", "") for pair in json.loads(result.out)["pairs"]}
    assert "its decoder was killed by SIGABRT" in errors_of.pop("b_abort.png")
    assert errors_of == {"a.png": "", "z.png": ""}
