#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Batches of the real binary under ThreadSanitizer: whatever it says of clconv is a failure.

Processes that clconv forks are followed too (no_early_threads.cpp says how). Their exit codes say nothing about reports,
because they end without ThreadSanitizer's last words; so its reports on standard error are counted.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "hostile"))
import originals  # noqa: E402

SIDE_FILES = ["--report", "report.json", "--events", "events.ndjson", "--trace", "trace.json", "--resume"]

# Name, arguments, exit code.
BATCHES = [
    ("copies of all formats", ["run", "in", "--method", "none", "--jobs", "4", *SIDE_FILES], 0),
    ("resumed", ["run", "in", "--method", "none", "--jobs", "4", *SIDE_FILES], 0),
    ("direct", ["run", "in", "--psf", "box:3", "--method", "direct", "--jobs", "4"], 0),
    ("FFT, two PSFs", ["run", "in/*.png", "--psf", "gaussian:4", "box:5", "--method", "fft", "--format", "tif"], 0),
    ("tiles, half", ["run", "in/*.exr", "--psf", "gaussian:2", "--method", "tiled", "--precision", "half"], 0),
    ("bands", ["run", "large.tif", "--psf", "box:3", "--memory-limit", "16M"], 0),
    ("bloom", ["bloom", "in/*.png", "in/*.exr"], 0),
    ("bad images", ["run", "in", "bad", "--method", "none", "--jobs", "4"], 1),
]


def lay_out(folder):
    (folder / "in").mkdir()
    (folder / "bad").mkdir()
    (folder / "scratch").mkdir()
    files = originals.make(folder / "scratch")
    for extension, contents in files.items():
        for number, data in enumerate(contents):
            (folder / f"in/{extension}{number}.{extension}").write_bytes(data)
        (folder / f"bad/{extension}.{extension}").write_bytes(contents[0][: len(contents[0]) // 2])
    spec = originals.oiio.ImageSpec(1024, 1024, 3, "uint8")
    output = originals.oiio.ImageOutput.create(str(folder / "large.tif"))
    output.open(str(folder / "large.tif"), spec)
    output.write_image(originals.np.random.default_rng(1).integers(0, 256, (1024, 1024, 3)).astype("uint8"))
    output.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clconv", required=True, type=Path, help="the binary, built with -fsanitize=thread")
    parser.add_argument("--preload", required=True, type=Path, help="the library of no_early_threads.cpp")
    options = parser.parse_args()
    env = dict(os.environ, LD_PRELOAD=str(options.preload.resolve()))
    env["TSAN_OPTIONS"] = f"suppressions={HERE / 'suppressions.txt'} report_thread_leaks=0 report_signal_unsafe=0"
    failed = False
    with tempfile.TemporaryDirectory(prefix="clconv-threads-") as name:
        folder = Path(name)
        lay_out(folder)
        for number, (what, arguments, code) in enumerate(BATCHES):
            output = "out" if "--resume" in arguments else f"out{number}"
            command = [options.clconv.resolve(), *arguments, "--output", output]
            done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, errors="replace", timeout=900)
            said = re.findall(r"^(?:WARNING: |==\d+==)ThreadSanitizer.*", done.stderr, re.M)
            print(f"{what}: exit {done.returncode}, {len(said)} reports", flush=True)
            if said or done.returncode != code:
                failed = True
                print(done.stderr[-20000:])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
