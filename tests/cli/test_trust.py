# SPDX-License-Identifier: Apache-2.0
"""Files and folders of strangers: nothing that they hold ends a run, or leads it to read or write elsewhere."""

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, write_image, write_psf
from support.tool import BINARY, environment, fail, files_below, succeed

RUN = ("run", "in", "--psf", "psf.txt", "--output", "out")
GOOD = as_integers(picture(23, 17, 3), np.uint8)


@pytest.fixture()
def folder(tmp_path):
    write_image(tmp_path / "in/a.png", GOOD)
    shutil.copyfile(tmp_path / "in/a.png", tmp_path / "in/z.png")
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    return tmp_path


def test_special_files_in_a_folder_are_left_out_with_a_warning(folder):
    os.mkfifo(folder / "in/fifo.png")
    (folder / "in/zero.png").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "in/socket.png"))
    result = succeed(*RUN, "--resume", cwd=folder, timeout=60)
    for name, kind in [("fifo.png", "FIFO"), ("zero.png", "device"), ("socket.png", "socket")]:
        assert any(name in line and kind in line and "warning" in line for line in result.err.splitlines()), result
    assert [name for name in files_below(folder / "out") if name.endswith("png")] == ["a.png", "z.png"]


def test_a_named_special_file_fails_alone(folder):
    os.mkfifo(folder / "fifo.png")
    result = fail(
        1, "run", "fifo.png", "in", "--psf", "psf.txt", "--output", "out", "--manifest", "m.ndjson", cwd=folder, timeout=60
    )
    assert "fifo.png: is a FIFO" in result.err
    assert files_below(folder / "out") == ["a.png", "z.png"]


def test_a_psf_that_is_a_special_file_is_refused_and_not_waited_for(folder):
    for name in ["fifo.txt", "fifo.png", "fifo.fits"]:
        os.mkfifo(folder / name)
    (folder / "zero.txt").symlink_to("/dev/zero")
    for name in ["fifo.txt", "fifo.png", "fifo.fits", "zero.txt"]:
        kind = "a device" if name == "zero.txt" else "a FIFO"
        fail(2, "run", "in", "--psf", name, "--output", "out", says=[f"{name}: is {kind}"], cwd=folder, timeout=30)


def listens(process):
    """Whether a process has handlers for SIGTERM."""
    status = open(f"/proc/{process.pid}/status").read()
    return int(status.split("SigCgt:")[1].split()[0], 16) >> (signal.SIGTERM - 1) & 1


def test_a_fifo_that_nobody_answers_does_not_outlive_the_first_sigterm(folder):
    processes = {}
    for option in ["--files-from", "--events", "--trace", "--log-file", "--report", "-"]:
        inputs = ["in"] if option != "-" else ["--files-from", "-"]  # a pipe whose writer writes nothing
        named = [option, f"fifo{option}"] if option != "-" else []
        os.mkfifo(folder / f"fifo{option}")
        command = [BINARY, "run", *inputs, "--method", "none", "--output", f"out{option}", *named]
        processes[option] = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
        )
    for option, process in processes.items():
        deadline = time.monotonic() + 60
        while not (listens(process) and (option != "--report" or (folder / "out--report/z.png").exists())):
            assert process.poll() is None and time.monotonic() < deadline, process.communicate()
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
    for option, process in processes.items():
        assert process.wait(timeout=30) == 143, option
        err = process.stderr.read()
        assert "stopped before its end" in err if option in ("-", "--files-from") else "nobody has opened this FIFO" in err, err
        process.stdin.close()


def test_fifos_with_somebody_at_the_other_end_carry_what_files_do(folder):
    names = ["events", "trace", "log", "report"]
    for name in ["list", *names]:
        os.mkfifo(folder / name)
    options = ["--events", "events", "--trace", "trace", "--log-file", "log", "--report", "report"]
    command = [BINARY, "run", "--files-from", "list", "--method", "none", "--output", "out", *options]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, env=environment())
    with ThreadPoolExecutor() as readers:
        texts = {name: readers.submit((folder / name).read_text) for name in names}
        (folder / "list").write_text("in/a.png\nin/z.png\n")
        assert process.wait(timeout=60) == 0, process.stderr.read()
        texts = {name: text.result() for name, text in texts.items()}
    assert json.loads(texts["events"].splitlines()[-1])["event"] == "run_finished"
    assert len(json.loads(texts["trace"])["traceEvents"]) > 4 and "images" in texts["log"]
    assert [item["input"] for item in json.loads(texts["report"])["items"]] == ["in/a.png", "in/z.png"]


def test_a_manifest_or_a_kernel_that_is_a_fifo_is_refused(folder):
    os.mkfifo(folder / "fifo")
    fail(2, *RUN, "--manifest", "fifo", says=["--manifest fifo: is a FIFO"], cwd=folder, timeout=30)
    (folder / "kernels").mkdir()
    os.mkfifo(folder / "kernels/rows.cl")
    fail(2, *RUN, "--kernel-dir", "kernels", says=["kernels/rows.cl: is a FIFO"], cwd=folder, timeout=30)


def test_a_psf_called_dot_dot_leads_nowhere(folder):
    shutil.copyfile(folder / "psf.txt", folder / "...txt")
    options = ("--psf", "...txt", "--name", "{psf}/{stem}{ext}", "--output", "out/deep")
    fail(2, "run", "in", *options, says=["../a.png", "--name"], cwd=folder)
    assert not (folder / "out").exists()


def test_a_pattern_with_dot_dot_behind_a_wildcard_leads_nowhere(folder):
    (folder / "in/sub/sub").mkdir(parents=True)
    options = ("--psf", "psf.txt", "--output", "out/deep")
    fail(2, "run", "in/*/../../in/a.png", *options, says=["in/a.png", "--output"], cwd=folder)
    assert not (folder / "out").exists()


def test_a_link_in_the_output_folder_leads_nowhere(folder):
    write_image(folder / "in/sub/b.png", GOOD)
    for name in ["out", "elsewhere"]:
        (folder / name).mkdir()
    (folder / "out/sub").symlink_to(folder / "elsewhere")
    fail(2, *RUN, "--recursive", says=["out/sub/b.png", "elsewhere"], cwd=folder)
    assert files_below(folder / "elsewhere") == []


def test_a_link_within_the_output_folder_makes_no_two_outputs_one(folder):
    for name in ["x", "y"]:
        write_image(folder / "in" / name / "b.png", GOOD)
    (folder / "out/y").mkdir(parents=True)
    (folder / "out/x").symlink_to("y")
    fail(2, *RUN, "--recursive", says=["in/x/b.png", "in/y/b.png", "out/x/b.png", "the same file"], cwd=folder)
    assert files_below(folder / "out") == []


def test_a_cache_that_others_can_write_to_is_not_used_and_this_is_said(folder):
    # Where PoCL keeps programs itself, clconv does not.
    env = {"CLCONV_CACHE_DIR": folder / "cache", "POCL_KERNEL_CACHE": "0"}
    succeed(*RUN, cwd=folder, env=env)
    (folder / "cache").chmod(0o777)
    result = succeed(*RUN, "--overwrite", "-v", cwd=folder, env=env)
    assert "can be written by others" in result.err and "warning" in result.err
    assert "from cache" not in result.err
    (folder / "cache").chmod(0o700)
    result = succeed(*RUN, "--overwrite", "-v", cwd=folder, env=env)
    assert "warning" not in result.err and "from cache" in result.err


@pytest.mark.parametrize("extension", ["png", "tif", "exr", "rla", "sgi"])
def test_a_limit_on_the_size_of_files_is_an_ordinary_write_error(folder, extension):
    """ulimit -f sends SIGXFSZ. Without a device: drivers write files, too."""
    noise = as_integers(np.random.default_rng(1).random((96, 96, 3)), np.uint8)
    write_image(folder / "in/large.png", noise)
    done = subprocess.run(
        [BINARY, *RUN, "--method", "none", "--format", extension],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000)),
    )
    assert done.returncode == 1 and f"out/large.{extension}: cannot be written" in done.stderr, done
    assert files_below(folder / "out") == [f"a.{extension}", f"z.{extension}"]


def test_names_and_messages_give_no_orders_to_a_terminal(folder):
    """ESC and CSI in a name, which a terminal would obey, in warnings, errors of items and usage errors."""
    name = "a\x1b[2J\u009b2J\x07.png"
    (folder / "in" / name).write_bytes(b"not a PNG")
    os.mkfifo(folder / "in" / f"fifo{name}")
    log = folder / "log.txt"
    wrong = fail(1, "run", "in", "--psf", "psf.txt", "--output", "out", "--log-file", log, "-vv", cwd=folder)
    usage = fail(2, "run", f"in/{name}", "--psf", f"none{name}", "--output", "out2", cwd=folder)
    for text in (wrong.err, log.read_text(), usage.err):
        assert not [c for c in text if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160], repr(text)
        assert "a\\x1B[2J\\xC2\\x9B2J\\x07.png" in text, repr(text)


def test_a_device_is_no_report(folder):
    fail(1, "merge-reports", "/dev/zero", says=["/dev/zero", "device"], cwd=folder, timeout=20)
