# SPDX-License-Identifier: Apache-2.0
"""`-`: an image from standard input, an image to standard output."""

import json
import os
import subprocess
import time

import numpy as np
import pytest
import tifffile
from PIL import Image
from support.heif import write_avif
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import BINARY, environment, fail, files_below, succeed

PSF = ("--psf", "psf.txt")
COPY = ("--method", "none")  # for what a file holds: a device takes longer to open


@pytest.fixture()
def folder(tmp_path):
    image = picture(23, 17, 3)
    write_image(tmp_path / "a.png", as_integers(image, np.uint8))
    write_image(tmp_path / "a.exr", image)
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    (tmp_path / "tmp").mkdir()
    return tmp_path


def piped(folder, *arguments, stdin=b"", stdout=subprocess.PIPE):
    """Runs the tool on bytes; nothing may be left where temporary files lie."""
    done = subprocess.run(
        [BINARY, *map(str, arguments)],
        cwd=folder,
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=300,
        env=environment(TMPDIR=folder / "tmp"),
    )
    assert files_below(folder / "tmp") == [] and list((folder / "tmp").iterdir()) == []
    return done.returncode, done.stdout, done.stderr.decode()


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("name", ["a.png", "a.exr"])
def test_an_image_goes_through_as_it_would_through_files(folder, name):
    succeed("run", name, *PSF, "--output", "out", cwd=folder)
    code, out, err = piped(folder, "run", "-", *PSF, "-o", "-", stdin=(folder / name).read_bytes())
    assert code == 0 and "1 done" in err
    assert out == (folder / "out" / name).read_bytes()


def test_format_names_the_output_type(folder):
    code, out, _ = piped(folder, "run", "-", *PSF, "-o", "-", "--format", "tif", stdin=(folder / "a.png").read_bytes())
    assert code == 0 and out[:2] in (b"II", b"MM")
    code, out, _ = piped(folder, "run", "a.exr", *PSF, "-o", "-", "--format", "png")
    assert code == 0 and out.startswith(b"\x89PNG")


BEHIND_ANOTHER = ("bmp", "dpx", "exr", "gif", "hdr", "jpg", "png", "ppm", "rla", "sgi", "tga", "tif", "webp")


@pytest.mark.parametrize("name", [f"a.{extension}" for extension in BEHIND_ANOTHER])
def test_images_behind_the_first_one_of_a_pipe_are_missed(folder, name):
    """As ffmpeg -f image2pipe writes the frames of a video: all but one were lost without a word."""
    image = picture(23, 17, 3)
    write_image(folder / name, image if name in ("a.exr", "a.hdr") else as_integers(image, np.uint8))
    frame = (folder / name).read_bytes()
    for frames in (1, 3):
        code, out, err = piped(folder, "run", "-", *COPY, "-o", "-", stdin=frame * frames)
        assert code == 0 and out
        assert ("images" in "".join(line for line in err.splitlines() if "warning" in line)) == (frames > 1), err


def test_images_behind_other_kinds_of_files_are_missed(folder):
    """Several parts, tiles, and other formats; those that are not written become PNG."""
    (folder / "in").mkdir()
    for name in ("tif", "exr"):
        subprocess.run(["oiiotool", "a.png", "a.png", "--siappend", "-o", f"in/parts.{name}"], cwd=folder, check=True)
        write_image(folder / f"in/tiles.{name}", picture(40, 30, 3), tiles=(16, 16))
    succeed("run", "a.png", *COPY, "--format", "iff", "--output", "in", cwd=folder)
    write_image(folder / "in/a.ico", as_integers(picture(24, 17, 3), np.uint8))  # a width the library reads right
    large = np.tile(as_integers(picture(23, 17, 3), np.uint8), (4, 4, 1))  # the library refuses small ones of JPEG 2000
    for name in ("jp2", "j2k"):
        Image.fromarray(large).save(folder / f"in/a.{name}")
    write_avif(folder / "in/a.avif", as_integers(picture(23, 17, 3), np.uint8), True)
    for file in list((folder / "in").iterdir()):
        (folder / "in" / f"twice_{file.name}").write_bytes(2 * file.read_bytes())
    items = []
    unwritten = [f"in/{before}a.{ending}" for before in ("", "twice_") for ending in ("avif", "j2k", "jp2")]
    for inputs in (["in"], [*unwritten, "--format", "png", "--name", "{stem}_{index}{ext}"]):
        succeed("run", *inputs, *COPY, "--output", "out", "--report", "r.json", cwd=folder)
        items += json.loads((folder / "r.json").read_text())["items"]
    assert len(items) == 18
    for item in items:
        is_missed = f"{item['input']}: holds further images, which {item['output']} does not" in item["warnings"]
        assert is_missed == ("twice" in item["input"]), item


def test_standard_input_goes_into_a_folder_or_a_file(folder):
    succeed("run", "a.png", *PSF, "--output", "one.tif", cwd=folder)
    code, _, _ = piped(folder, "run", "-", *PSF, "-o", "out/x.tif", "--report", "r.json", stdin=(folder / "a.png").read_bytes())
    assert code == 0
    assert (read_image(folder / "out/x.tif") == read_image(folder / "one.tif")).all()
    item = json.loads((folder / "r.json").read_text())["items"][0]
    assert item["input"] == "-" and item["output"] == "out/x.tif" and item["status"] == "done"
    code, _, _ = piped(folder, "run", "-", *PSF, "-o", "out", stdin=(folder / "a.png").read_bytes())
    assert code == 0 and files_below(folder / "out") == ["stdin.png", "x.tif"]


def test_what_is_no_image_fails_and_nothing_comes_out(folder):
    code, out, err = piped(folder, "run", "-", *PSF, "-o", "-", stdin=b"no image")
    assert code == 1 and out == b"" and "error: standard input: " in err
    whole = (folder / "a.png").read_bytes()
    code, out, err = piped(folder, "run", "-", *PSF, "-o", "-", stdin=whole[: len(whole) // 2])
    assert code == 1 and out == b"" and "error: standard input: cannot be decoded" in err
    code, out, err = piped(folder, "run", "-", *PSF, "-o", "-")
    assert code == 3 and out == b"" and "standard input is empty" in err


def test_a_reader_who_goes_away_is_an_error_of_that_image(folder):
    reading, writing = os.pipe()
    os.close(reading)
    code, _, err = piped(folder, "run", "a.png", *PSF, "-o", "-", "--report", "r.json", stdout=writing)
    os.close(writing)
    assert code == 1 and "standard output: the image cannot be written: Broken pipe" in err and "0 done, 1 failed" in err
    assert json.loads((folder / "r.json").read_text())["items"][0]["status"] == "failed"


def test_warnings_name_the_stream(folder):
    with tifffile.TiffWriter(folder / "pages.tif") as pages:
        for smaller in (0, 1):
            pages.write(np.zeros((17, 23, 3), np.uint8), photometric="rgb", subfiletype=smaller)
    stdin = (folder / "pages.tif").read_bytes()
    code, _, err = piped(folder, "run", "-", *PSF, "-o", "-", "--report", "r.json", stdin=stdin)
    assert code == 0 and "warning: standard input: has smaller copies" in err
    (warning,) = json.loads((folder / "r.json").read_text())["items"][0]["warnings"]
    assert warning.startswith("standard input: has smaller copies")


def test_a_terminal_gets_no_image(folder):
    main, terminal = os.openpty()
    code, _, err = piped(folder, "run", "a.png", *PSF, "-o", "-", stdout=terminal)
    os.close(terminal)
    os.close(main)
    assert code == 2 and "standard output is a terminal" in err


def test_dry_run_names_the_streams(folder):
    code, out, _ = piped(folder, "run", "-", *PSF, "-o", "-", "--dry-run", stdin=(folder / "a.png").read_bytes())
    assert code == 0 and out.decode().startswith("standard input -> standard output\n\nplan for standard input")


def test_options_that_make_no_sense_with_streams_are_refused(folder):
    fail(2, "run", "a.png", *PSF, "-o", "-", "--events", "-", says=["--events -", "the image"], cwd=folder)
    fail(2, "run", "a.png", *PSF, "-o", "x.png", "--events", "-", "--report", "-", says=["standard output"], cwd=folder)
    fail(2, "run", "a.png", *PSF, "-o", "x.png", "--manifest", "-", says=["--manifest -", "./-"], cwd=folder)
    fail(2, "run", "-", "a.png", *PSF, "-o", "x.png", says=["the only INPUT"], cwd=folder)
    fail(2, "run", "-", *PSF, "-o", "out", "--files-from", "-", says=["the only INPUT"], cwd=folder)
    fail(2, "run", "a.png", *PSF, "-o", "-", "--resume", says=["--resume"], cwd=folder)
    fail(2, "run", "a.png", "a.exr", *PSF, "-o", "-", says=["--format"], cwd=folder)
    several = ("run", "a.png", "a.exr", *PSF, "-o", "-", "--format", "png")
    assert "/tmp" not in fail(2, *several, says=["standard output", "2 inputs"], cwd=folder).err


@pytest.mark.parametrize("option", ["--report", "--trace"])
def test_a_report_goes_to_standard_output(folder, option):
    code, out, _ = piped(folder, "run", "a.png", *PSF, "-o", "x.png", option, "-")
    assert code == 0 and json.loads(out)
    assert not (folder / "-").exists()


def test_no_file_takes_the_place_of_a_stream_that_is_closed(folder):
    command = f'{BINARY} run a.png {" ".join(PSF)} -o x.png --overwrite --log-file log.txt --report - >&-'
    assert subprocess.run(["sh", "-c", command], cwd=folder, env=environment(), stderr=subprocess.DEVNULL).returncode == 1
    assert '"items"' not in (folder / "log.txt").read_text()


@pytest.mark.parametrize("temporary, code", [("/nowhere", 1), ("", 0)])
def test_an_image_of_a_stream_needs_a_folder_for_files_of_a_moment(folder, temporary, code):
    """An empty name is none, as for mktemp: the folder is the system's."""
    with open(folder / "a.png", "rb") as image:
        command = [BINARY, "run", "-", *PSF, "-o", "y.png"]
        env = environment(TMPDIR=temporary)
        done = subprocess.run(command, stdin=image, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert code == 0 or "/nowhere/clconv-" in done.stderr and "set TMPDIR" in done.stderr


def test_a_killed_run_leaves_no_image_of_standard_input(folder):
    """Nor does a second SIGINT, which ends the process as kill -9 does."""
    command = [BINARY, "run", "-", *PSF, "-o", "out.png"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, env=environment(TMPDIR=folder / "tmp")) as process:
        process.stdin.write((folder / "a.png").read_bytes())
        process.stdin.flush()
        wait_until(lambda: files_below(folder / "tmp") != [])
        process.kill()
    wait_until(lambda: list((folder / "tmp").iterdir()) == [])


def test_a_page_goes_to_standard_output(folder):
    code, out, _ = piped(folder, "run", "a.png", *PSF, "-o", "x.png", "--html", "-")
    assert code == 0 and out.startswith(b"<!") and out.rstrip().endswith(b"</html>")
