# SPDX-License-Identifier: Apache-2.0
"""Outputs appear whole or not at all, and what exists is safe."""

import json
import os
import subprocess

import numpy as np
import pytest
from PIL import Image
from support.images import as_integers, picture, random_psf, read_image, write_image, write_psf
from support.tool import BINARY, environment, fail, files_below, succeed

# What becomes of files does not depend on what is made of them, and a device takes longer to open.
COPY = ("--psf", "psf.txt", "--method", "none", "--output")
RUN = ("run", "in", *COPY, "out")


@pytest.fixture()
def folder(tmp_path):
    for name in ["a.png", "b.png", "c.png"]:
        write_image(tmp_path / "in" / name, as_integers(picture(23, 17, 3), np.uint8))
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    return tmp_path


def test_an_existing_output_is_refused_before_any_work(folder):
    (folder / "out").mkdir()
    (folder / "out/b.png").write_text("precious\n")
    fail(4, *RUN, says=["out/b.png", "--overwrite", "--skip-existing"], cwd=folder)
    assert files_below(folder / "out") == ["b.png"]
    assert (folder / "out/b.png").read_text() == "precious\n"


def test_overwrite_replaces(folder):
    (folder / "out").mkdir()
    (folder / "out/b.png").write_text("old\n")
    succeed(*RUN, "--overwrite", cwd=folder)
    assert read_image(folder / "out/b.png").shape == (17, 23, 3)


def test_skip_existing_makes_only_what_is_missing(folder):
    (folder / "out").mkdir()
    (folder / "out/b.png").write_text("precious\n")
    result = succeed(*RUN, "--skip-existing", cwd=folder)
    assert (folder / "out/b.png").read_text() == "precious\n"
    assert files_below(folder / "out") == ["a.png", "b.png", "c.png"]
    assert "skipped" in result.err.lower()


def test_skipping_everything_is_a_success(folder):
    succeed(*RUN, cwd=folder)
    before = {name: (folder / "out" / name).stat().st_mtime_ns for name in files_below(folder / "out")}
    succeed(*RUN, "--skip-existing", cwd=folder)
    assert before == {name: (folder / "out" / name).stat().st_mtime_ns for name in files_below(folder / "out")}


def while_another_program_makes_the_last_output(folder, *options):
    """Exit code, messages and events of a run of the folder and a larger image, whose output appears when it begins."""
    large = np.random.default_rng(5).integers(0, 256, (2000, 2000, 3), dtype=np.uint8)
    write_image(folder / "in/z.png", large)
    command = [BINARY, *RUN, *options, "--jobs", "1", "--events", "-"]
    process = subprocess.Popen(
        command, cwd=folder, env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    events = []
    while not any('"run_started"' in event for event in events):
        events.append(process.stdout.readline())
    (folder / "out/z.png").write_text("precious\n")
    out, err = process.communicate(timeout=120)
    return process.returncode, err, [json.loads(line) for line in [*events, *out.splitlines()]]


def test_an_output_that_another_program_makes_during_the_run_is_kept_and_its_item_fails_alone(folder):
    code, err, _ = while_another_program_makes_the_last_output(folder)
    assert code == 1 and "out/z.png: exists, because another program has made it" in err, err
    assert (folder / "out/z.png").read_text() == "precious\n"
    assert sorted(os.listdir(folder / "out")) == ["a.png", "b.png", "c.png", "z.png"]


def test_an_output_that_another_program_makes_during_the_run_is_skipped_if_existing_ones_are(folder):
    code, err, events = while_another_program_makes_the_last_output(folder, "--skip-existing")
    assert code == 0, err
    assert (folder / "out/z.png").read_text() == "precious\n"
    assert [event["status"] for event in events if event["event"] == "item_finished"] == ["done"] * 3 + ["skipped"]


def test_an_output_that_another_program_makes_during_the_run_is_replaced_by_overwrite(folder):
    code, err, _ = while_another_program_makes_the_last_output(folder, "--overwrite")
    assert code == 0, err
    assert read_image(folder / "out/z.png").shape == (2000, 2000, 3)


def test_overwrite_and_skip_existing_exclude_each_other(folder):
    fail(2, *RUN, "--overwrite", "--skip-existing", says=["--overwrite", "--skip-existing"], cwd=folder)


def test_dry_run_lists_and_touches_nothing(folder):
    before = files_below(folder)
    result = succeed(*RUN, "--dry-run", "--report", "report.json", "--log-file", "log.txt", cwd=folder)
    for name in ["a.png", "b.png", "c.png"]:
        assert f"in/{name}" in result.out and f"out/{name}" in result.out
    assert [name for name in files_below(folder) if name not in ("report.json", "log.txt")] == before
    assert not (folder / "out").exists()


def test_the_output_folder_and_its_parents_are_made(folder):
    succeed("run", "in", *COPY, "deep/er/out", cwd=folder)
    assert files_below(folder / "deep/er/out") == ["a.png", "b.png", "c.png"]


def test_an_output_folder_that_cannot_be_made_is_refused(folder):
    (folder / "file").write_text("")
    fail(2, "run", "in", "--psf", "psf.txt", "--output", "file/out", says=["file/out"], cwd=folder)


def test_no_temporary_file_is_left(folder):
    (folder / "in/broken.png").write_text("broken\n")
    fail(1, *RUN, cwd=folder)
    assert files_below(folder / "out") == ["a.png", "b.png", "c.png"]


# Root may write everywhere, unless it gives up the capability for it.
AS_OTHERS = ["setpriv", "--bounding-set", "-dac_override"] if os.geteuid() == 0 else []


@pytest.mark.skipif(subprocess.call([*AS_OTHERS, "true"]) != 0, reason="root cannot give up capabilities here")
def test_a_folder_without_permission_is_named(folder):
    (folder / "out").mkdir(mode=0o500)
    command = [*AS_OTHERS, BINARY, *RUN]
    refused = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert refused.returncode == 2, refused
    assert "error: out" in refused.stderr and "Permission denied" in refused.stderr, refused


ONE = ("run", "in/a.png", *COPY)


def test_a_file_is_written_under_the_name_it_is_given(folder):
    succeed(*ONE, "out", cwd=folder)
    succeed(*ONE, "deep/er/soft.png", cwd=folder)
    succeed("run", "in", "--include", "a*", *COPY, "soft.png", cwd=folder)
    wanted = (folder / "out/a.png").read_bytes()
    assert (folder / "deep/er/soft.png").read_bytes() == wanted and (folder / "soft.png").read_bytes() == wanted
    succeed(*ONE, "deep/er/soft.TIFF", "--format", "tif", "--recursive", cwd=folder)
    assert (folder / "deep/er/soft.TIFF").read_bytes()[:2] in (b"II", b"MM")
    assert (read_image(folder / "deep/er/soft.TIFF") == read_image(folder / "out/a.png")).all()
    assert files_below(folder / "deep") == ["er/soft.TIFF", "er/soft.png"]


def test_a_file_that_exists_is_as_safe_as_those_in_folders(folder):
    soft = folder / "soft.png"
    soft.write_text("precious\n")
    fail(4, *ONE, "soft.png", says=["soft.png", "--overwrite"], cwd=folder)
    succeed(*ONE, "soft.png", "--skip-existing", cwd=folder)
    assert "soft.png (exists, would be skipped)" in succeed(*ONE, "soft.png", "--skip-existing", "--dry-run", cwd=folder).out
    assert soft.read_text() == "precious\n"
    succeed(*ONE, "soft.png", "--overwrite", cwd=folder)
    assert read_image(soft).shape == (17, 23, 3)
    before = (folder / "in/a.png").read_bytes()
    fail(2, *ONE, "in/a.png", "--overwrite", says=["would replace the input"], cwd=folder)
    assert (folder / "in/a.png").read_bytes() == before


def test_a_file_can_be_resumed(folder):
    succeed(*ONE, "soft.png", "--resume", cwd=folder)
    assert "1 of 1 images are done" in succeed(*ONE, "soft.png", "--resume", cwd=folder).err
    assert '"output":"soft.png"' in (folder / ".clconv-manifest.ndjson").read_text()
    assert "0 of 1 images are done" in succeed(*ONE, "soft.png", "--resume", "--border", "zero", cwd=folder).err


def test_a_files_name_for_several_outputs_is_refused(folder):
    write_psf(folder / "other.txt", random_psf(3, 3))
    out = ("--output", "soft.png")
    fail(2, "run", "in", "--psf", "psf.txt", *out, says=["soft.png: is a file's name; 3 inputs", "end it with /"], cwd=folder)
    fail(2, "run", "in/a.png", "--psf", "psf.txt", "other.txt", *out, says=["2 PSFs need a folder"], cwd=folder)
    fail(2, *ONE, "soft.png", "--name", "{stem}{ext}", says=["--name"], cwd=folder)
    fail(2, *ONE, "soft.png", "--format", "exr", says=["soft.png", "--format exr"], cwd=folder)
    fail(2, *ONE, "soft.nef", says=["soft.nef", "not written", ".tif"], cwd=folder)
    assert not (folder / "soft.png").exists()


def test_a_folder_may_have_the_name_of_a_file(folder):
    succeed(*ONE, "soft.png/", cwd=folder)
    succeed("run", "in/b.png", "in/c.png", *COPY, "soft.png", cwd=folder)
    assert files_below(folder / "soft.png") == ["a.png", "b.png", "c.png"]


@pytest.fixture()
def small_disk(folder):
    """out/ as a file system of 256 KiB."""
    (folder / "out").mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder / "out")]
    mounted = subprocess.run(command, capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip(f"no tmpfs can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder / "out")], check=True)


@pytest.mark.parametrize("extension", ["png", "tif", "exr", "jpg"])
def test_a_full_disk_fails_the_items_that_do_not_fit_and_leaves_no_part_of_them(small_disk, extension):
    for name in ["a.png", "b.png", "c.png"]:
        (small_disk / "in" / name).unlink()
    noise = np.random.default_rng(3).random((512, 512, 3)).astype(np.float32)
    large = noise if extension == "exr" else as_integers(noise, np.uint8)
    write_image(small_disk / f"in/large.{extension}", large)
    write_image(small_disk / f"in/small.{extension}", large[:16, :16])
    write_psf(small_disk / "psf.txt", [[1.0]])
    quality = ["--quality", "100"] if extension == "jpg" else []
    # One writer: another could meet the disk while the large file still fills it.
    fail(1, *RUN, *quality, "--jobs", "1", says=[f"large.{extension}"], cwd=small_disk)
    assert files_below(small_disk / "out") == [f"small.{extension}"]
    read_image(small_disk / f"out/small.{extension}")


def test_a_full_disk_is_the_reason_that_an_animation_names(small_disk):
    noise = np.random.default_rng(3).integers(0, 256, (4, 200, 200, 3), dtype=np.uint8)
    first, *others = [Image.fromarray(frame) for frame in noise]
    first.save(small_disk / "a.webp", save_all=True, append_images=others, duration=50)
    arguments = ("run", "a.webp", "--method", "none", "--compression", "lossless", "--output", "out")
    fail(1, *arguments, says=["out/a.webp: cannot be written: No space left on device"], cwd=small_disk)
    assert files_below(small_disk / "out") == []
