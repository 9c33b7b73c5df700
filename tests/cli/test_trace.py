# SPDX-License-Identifier: Apache-2.0
"""--trace: a timeline that viewers can open; --progress: how far the run is; and the summary's sums."""

import json
import os
import pty
import re
import subprocess

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, write_image, write_psf
from support.tool import BINARY, environment, succeed

RUN = ("run", "in", "--psf", "psf.txt", "--output", "out")
COUNT = 8


@pytest.fixture()
def folder(tmp_path):
    for number in range(COUNT):
        write_image(tmp_path / f"in/{number}.png", as_integers(picture(120, 80, 3, seed=number), np.uint8))
    write_psf(tmp_path / "psf.txt", random_psf(9, 9))
    return tmp_path


@pytest.fixture()
def trace(folder):
    succeed(*RUN, "--jobs", "2", "--trace", "trace.json", "--report", "report.json", cwd=folder)
    return json.loads((folder / "trace.json").read_text())


def tracks(trace):
    """(process, thread) -> its name and its spans, in the order of their starts."""
    names = {}
    spans = {}
    for event in trace["traceEvents"]:
        if event["ph"] == "M" and event["name"] == "thread_name":
            names[event["pid"], event["tid"]] = event["args"]["name"]
        if event["ph"] == "X":
            spans.setdefault((event["pid"], event["tid"]), []).append(event)
    assert set(spans) <= set(names), "every track has a name"
    return {place: (names[place], sorted(events, key=lambda event: event["ts"])) for place, events in spans.items()}


def test_the_trace_has_the_form_that_viewers_want(trace):
    for event in trace["traceEvents"]:
        assert event["ph"] in ("X", "M") and isinstance(event["name"], str) and isinstance(event["pid"], int)
        assert isinstance(event["tid"], int) and isinstance(event["args"], dict)
        if event["ph"] == "X":
            assert event["ts"] >= 0 and event["dur"] >= 0 and event["cat"] in ("host", "device")
    processes = [event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "process_name"]
    assert len(processes) == 2 and processes[0].startswith("clconv ")


def test_spans_of_a_track_do_not_overlap(trace):
    for name, events in tracks(trace).values():
        for before, after in zip(events, events[1:]):
            assert before["ts"] + before["dur"] <= after["ts"] + 1e-3, name


def test_every_item_is_read_convolved_and_written_in_this_order(trace):
    for item in range(COUNT):
        spans = {e["name"]: e for e in trace["traceEvents"] if e["ph"] == "X" and e["args"].get("item") == item}
        assert spans["read"]["args"]["input"] == f"in/{item}.png"
        assert spans["read"]["ts"] + spans["read"]["dur"] <= spans["convolve"]["ts"]
        assert spans["convolve"]["ts"] + spans["convolve"]["dur"] <= spans["write"]["ts"]


def test_threads_and_passes_have_their_names(trace, folder):
    names = [name for name, _ in tracks(trace).values()]
    assert any(name.startswith("reader ") for name in names) and any(name.startswith("writer ") for name in names)
    assert "compute" in names and "passes" in names
    # Passes of images in flight may overlap: those have tracks of their own, "passes (2)".
    passes = [event for name, events in tracks(trace).values() if name.startswith("passes") for event in events]
    plan = json.loads((folder / "report.json").read_text())["items"][0]["stages"]
    of_device = {e["name"] for e in trace["traceEvents"] if e["ph"] == "X" and e["cat"] == "device"}
    assert of_device <= set(plan), "passes are called as in the report"
    assert {event["args"]["item"] for event in passes} == set(range(COUNT))


def test_the_device_works_within_the_convolve_span_of_its_item(trace):
    """The device's clock is laid on the host's."""
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    for item in range(COUNT):
        (whole,) = [e for e in events if e["name"] == "convolve" and e["args"]["item"] == item]
        for part in [e for e in events if e["cat"] == "device" and e["args"]["item"] == item]:
            assert part["ts"] >= whole["ts"] - 1000, "a millisecond, for a host that was interrupted"
            assert part["ts"] + part["dur"] <= whole["ts"] + whole["dur"] + 1000


@pytest.mark.parametrize("arguments", [["run"], ["bloom", "--resolution", "1/2"]])
def test_compiling_is_reported_as_compiling_also_at_a_kernels_first_launch(folder, arguments):
    """PoCL compiles kernels at their first launch, which takes most of this run."""
    env = {"POCL_CACHE_DIR": folder / "pocl"}
    command, *options = arguments
    options += ["--report", "report.json", "--trace", "trace.json"]
    succeed(command, "in/0.png", "--psf", "psf.txt", "--output", "out", *options, cwd=folder, env=env)
    stages = json.loads((folder / "report.json").read_text())["items"][0]["stages"]
    assert min(stages.values()) >= 0
    events = [e for e in json.loads((folder / "trace.json").read_text())["traceEvents"] if e["ph"] == "X"]
    built = [event for event in events if event["name"] == "build"]
    assert sum(event["dur"] for event in built) * 1e-6 == pytest.approx(stages["build"], rel=1e-3)
    launched = [event for event in built if "program" in event["args"]]
    of_passes = {e["args"]["program"] for e in events if e["cat"] == "device" and "program" in e["args"]}
    assert {event["args"]["program"] for event in launched} == of_passes
    assert sum(event["dur"] for event in launched) * 1e-6 > 0.2, "PoCL does not compile at launches any more"
    (convolve,) = [event for event in events if event["name"] == "convolve"]
    of_the_device = sum(seconds for name, seconds in stages.items() if name not in ("read", "write"))
    assert of_the_device == pytest.approx(convolve["dur"] * 1e-6, abs=0.05 + 0.05 * of_the_device)
    assert stages["launch and wait"] < 0.1 * stages["build"]


def test_the_summary_adds_up_to_the_clock(folder):
    err = succeed(*RUN, "--jobs", "2", "-v", cwd=folder).err
    wall = float(re.search(r"in ([0-9.]+) s$", err, re.M)[1])
    err = err[err.index("where the time went") :]
    lines = dict((name, float(seconds)) for name, seconds in re.findall(r"^ +(.+?) +(-?[0-9.]+) s ", err, re.M))
    working = wall - lines["preparing"]
    assert lines["2 readers"] == pytest.approx(2 * working, abs=0.03)
    assert lines["1 device"] == pytest.approx(working, abs=0.03)
    for kind in re.split(r"^  (?=\d)", err, flags=re.M)[1:]:
        seconds = [float(number) for number in re.findall(r" (-?[0-9.]+) s ", kind)]
        assert min(seconds) >= 0, "nobody knows what a negative time is"
        if "less what was done together" in kind:
            seconds[-1] *= -1
        assert sum(seconds[1:]) == pytest.approx(seconds[0], abs=0.02), kind


def on_a_terminal(folder, *options):
    """What a run prints to a terminal."""
    leader, follower = pty.openpty()
    command = list(map(str, [BINARY, *RUN, "--overwrite", *options]))
    process = subprocess.Popen(command, cwd=folder, stderr=follower, env=environment(TERM="xterm"))
    os.close(follower)
    text = b""
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:  # the last one to have it open has gone
            break
        if not piece:
            break
        text += piece
    os.close(leader)
    assert process.wait(timeout=60) == 0
    return text.decode()


def test_a_bar_is_drawn_on_a_terminal_and_only_there(folder):
    assert f"/{COUNT}" in on_a_terminal(folder) and "\r" in on_a_terminal(folder)
    assert f"0/{COUNT}" not in on_a_terminal(folder, "--progress", "none")
    assert f"0/{COUNT}" not in on_a_terminal(folder, "-q")
    assert "\x1b[K" in succeed(*RUN, "--overwrite", "--progress", "bar", cwd=folder).err
    for progress in ["auto", "text", "none"]:
        assert "\x1b" not in succeed(*RUN, "--overwrite", "--progress", progress, cwd=folder).err
