#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds damaged image files to the real binary: a bad file fails alone and with its name, and nothing else happens.

Mutants of small files (originals.py) are in folders, with good files between them. Each folder is convolved twice: the
second time with other bytes in fresh memory, in the opposite order and with another number of threads. Each run is checked:

  crash     the process ends by a signal, or a sanitizer reports clconv
  hang      it takes longer than --patience
  exit      the exit code is neither 0 nor 1, or does not fit what failed
  good      a good file is not made, or has other bytes than alone
  report    an item has no status, a failure no reason, "done" no file, a failure a file
  left      a file in the output folder that no item names: a temporary one
  leak      a mutant's output, or whether it fails, differs between the two runs: memory that was never written
  done      a file that lacks its second half is "done"

If a file ends a run, its folder is halved until the file is found. Findings are kept below --keep, each as the mutant and
its message. Everything depends on --seed.
"""

import argparse
import json
import os
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import originals

GOOD = 3  # good files in a folder: the first, one in the middle, the last
FORMATS = [None, "png", "exr", "tif"]  # of the outputs; None: each input's own
NUMBERS = [0, 1, 2, 3, 7, 255, 256, 32767, 65535, 65536, 2**20, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1]


class Mutant:
    def __init__(self, data, extension, lacks_half=False):
        self.data, self.extension, self.lacks_half = data, extension, lacks_half


def place(rng, data):
    """Headers decide most, and are small."""
    return rng.randrange(min(len(data), 256) if rng.random() < 0.6 else len(data))


def flip_bits(rng, data, _):
    for _ in range(rng.choice([1, 1, 2, 8])):
        data[place(rng, data)] ^= 1 << rng.randrange(8)


def set_bytes(rng, data, _):
    for _ in range(rng.choice([1, 1, 2, 4])):
        data[place(rng, data)] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])


def set_number(rng, data, _):
    size = rng.choice([2, 4, 4, 8])
    at = place(rng, data)
    number = rng.choice(NUMBERS) % 2 ** (8 * size)
    data[at : at + size] = struct.pack(rng.choice("<>") + {2: "H", 4: "I", 8: "Q"}[size], number)


def cut_out(rng, data, _):
    at = place(rng, data)
    del data[at : at + rng.choice([1, 2, 4, 16, 100])]


def insert(rng, data, _):
    at = place(rng, data)
    data[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice([1, 2, 4, 16]))) * rng.choice([1, 1, 50])


def splice(rng, data, others):
    other = rng.choice(others)
    at = rng.randrange(len(other))
    size = rng.choice([4, 16, 64, 256])
    to = place(rng, data)
    data[to : to + size] = other[at : at + size]


CHANGES = [flip_bits, set_bytes, set_bytes, set_number, set_number, cut_out, insert, splice]


def mutant(rng, files):
    """A changed or shortened copy of one of `files`: {extension: [bytes, ...]}."""
    extension = rng.choice(sorted(files))
    data = bytearray(rng.choice(files[extension]))
    if rng.random() < 0.15:
        whole = len(data)
        del data[rng.randrange(1, whole) :]
        return Mutant(bytes(data), extension, len(data) * 2 < whole)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        if data:
            rng.choice(CHANGES)(rng, data, files[extension])
    return Mutant(bytes(data), extension)


def reports_of(text):
    """What sanitizers say in `text`, each as the frames of the first stack."""
    return [re.findall(r"^ +#\d+ .*", part.split("\n\n")[0], re.M) for part in re.split(r"ERROR: \w+Sanitizer", text)[1:]]


def is_a_librarys(frames):
    """Whether it happened in a library, not in clconv: that is why codecs have a process of their own, and such an end
    of it is a failure of its file like others."""
    own = [frame for frame in frames if not re.search("sanitizer|sysdeps/", frame)]  # nor the C library's memmove
    return bool(own) and bool(re.search(r"\((/usr)?/lib/", own[0]))


class Run:
    """One run of the binary over files, and what it left."""

    def __init__(self, settings, files, output, environment, jobs, extension=None):
        options = ["--method", "none"] if settings.without_device else ["--psf", str(settings.psf), "--method", "direct"]
        options += ["--format", extension] if extension else []
        options += ["--damaged", settings.damaged]
        command = [settings.clconv, "run", *map(str, files), "--output", str(output), "--jobs", str(jobs), "-q", "--timeout", "10"]
        command += ["--report", str(output) + ".json", "--nonfinite", "zero", "--no-verify", *options]
        self.hung = False
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            self.err = process.communicate(timeout=settings.patience)[1].decode(errors="replace")
        except subprocess.TimeoutExpired:
            process.kill()
            self.err = process.communicate()[1].decode(errors="replace")
            self.hung = True
        self.code = process.returncode
        speaks = "runtime error:" in self.err or not all(map(is_a_librarys, reports_of(self.err)))
        self.end = None  # why it did not come to its end
        if self.hung:
            self.end = "hang"
        elif self.code < 0 or self.code > 128 or speaks:
            self.end = "crash"
        elif self.code not in (0, 1):
            self.end = "exit"
        self.items = {}
        if not self.end:
            for item in json.loads(Path(str(output) + ".json").read_text())["items"]:
                self.items[Path(item["input"]).name] = item
        self.files = {path.name: path.read_bytes() for path in output.rglob("*") if path.is_file()}

    def outcome(self, name):
        """What became of a file: its status, and the bytes of its output."""
        item = self.items[name]
        return item["status"], self.files.get(Path(item["output"]).name)


class Settings:
    def __init__(self, options, folder):
        self.clconv, self.patience, self.asan = options.clconv, options.patience, options.asan
        self.without_device = not options.device
        self.psf = folder / "psf.txt"
        self.psf.write_text("1 2 1\n2 4 2\n1 2 1\n")
        self.keep, self.damaged = options.keep, options.damaged

    def environment(self, byte):
        """Fresh memory is full of `byte`."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("CLCONV")}
        if self.asan:
            fill = f"malloc_fill_byte={byte}:max_malloc_fill_size={1 << 28}"
            env["ASAN_OPTIONS"] = f"detect_leaks=0:allocator_may_return_null=1:alloc_dealloc_mismatch=0:{fill}"
            env["UBSAN_OPTIONS"] = "print_stacktrace=1"
        else:
            env["MALLOC_PERTURB_"] = str(byte)
        return env


def lay_out(folder, mutants, good):
    """Mutants, and good files between them. Returns {name: mutant or None}."""
    folder.mkdir()
    entries = list(mutants)
    for k in range(GOOD):
        entries.insert(k * (len(entries) - 1) // (GOOD - 1) if k else 0, None)
    names = {}
    for number, entry in enumerate(entries):
        name = f"{number:04}.{entry.extension if entry else 'png'}"
        (folder / name).write_bytes(entry.data if entry else good)
        names[name] = entry
    return names


class Trial:
    """The two runs over a folder of mutants, judged."""

    def __init__(self, settings, mutants, good, extension):
        self.settings, self.findings, self.done, self.ended = settings, [], 0, None
        with tempfile.TemporaryDirectory(prefix="clconv-hostile-") as name:
            folder = Path(name)
            names = lay_out(folder / "in", mutants, good["input"])
            files = [folder / "in" / name for name in names]
            runs = []
            for byte, jobs, order in [(0x5A, 1, files), (0xC3, 3, files[::-1])]:
                run = Run(settings, order, folder / f"out{byte}", settings.environment(byte), jobs, extension)
                if run.end:
                    self.ended = (run.end, f"exit code {run.code}: {run.err[-3000:]}")
                    return
                self.judge(run, names, good[extension])
                if self.findings and self.findings[-1][0] == "report" and self.findings[-1][1] is None:
                    return
                runs.append(run)
            self.compare(*runs, names)

    def find(self, kind, mutant_or_none, text):
        self.findings.append((kind, mutant_or_none, text))

    def judge(self, run, names, good_output):
        if set(run.items) != set(names):
            return self.find("report", None, f"{len(run.items)} items of {len(names)}, exit code {run.code}: {run.err[-1000:]}")
        failed = [name for name in names if run.items[name]["status"] == "failed"]
        if run.code != (1 if failed else 0):
            self.find("exit", None, f"exit code {run.code} with {len(failed)} failures: {run.err[-500:]}")
        named = set()
        for name, entry in names.items():
            item = run.items[name]
            status, output = run.outcome(name)
            named.add(Path(item["output"]).name)
            if entry is None:
                if status != "done" or output != good_output:
                    self.find("good", None, f"{status} {item['error']}")
            elif status not in ("done", "failed") or (status == "done") != (output is not None):
                self.find("report", entry, f"{status}, and {'a' if output else 'no'} file")
            elif status == "failed" and not item["error"]:
                self.find("report", entry, "failed without a reason")
            elif status == "done" and entry.lacks_half and self.settings.damaged == "fail":
                self.find("done", entry, "a file without its second half is done")
        for name in set(run.files) - named:
            self.find("left", None, name)

    def compare(self, first, second, names):
        for name, entry in names.items():
            one, other = first.outcome(name), second.outcome(name)
            self.done += one[0] == "done" and entry is not None
            if entry is not None and one != other:
                reasons = [run.items[name]["error"] for run in (first, second) if run.items[name]["error"]]
                self.find("leak", entry, f"{one[0]} and {other[0]}, with different bytes: {reasons}")


def try_all(settings, mutants, good, extension, report):
    """Tries mutants in one folder; a folder that ends the process is halved until one mutant is left."""
    trial = Trial(settings, mutants, good, extension)
    if not trial.ended:
        for finding in trial.findings:
            report(*finding)
        return trial.done
    if len(mutants) == 1:
        report(trial.ended[0], mutants[0], trial.ended[1])
        return 0
    half = len(mutants) // 2
    parts = [mutants[:half], mutants[half:]]
    return sum(try_all(settings, part, good, extension, report) for part in parts)


def run_of_one(settings, data, extension, wanted):
    """A run of a single file, whose output is to be of format `wanted`, or its own."""
    with tempfile.TemporaryDirectory(prefix="clconv-hostile-") as name:
        folder = Path(name)
        file = folder / f"a.{extension}"
        file.write_bytes(data)
        return Run(settings, [file], folder / "out", settings.environment(0), 1, wanted)


def good_file(settings, data):
    """A good PNG, and its outputs by format: {"input": bytes, None: bytes, "exr": bytes, ...}."""
    good = {"input": data}
    for wanted in FORMATS:
        run = run_of_one(settings, data, "png", wanted)
        if run.code != 0:
            sys.exit(f"mutate: a good file fails: {run.err}")
        good[wanted] = next(iter(run.files.values()))
    return good


class Findings:
    def __init__(self, keep):
        self.counts, self.keep = Counter(), keep

    def __call__(self, kind, entry, text):
        self.counts[kind] += 1
        extension = entry.extension if entry else "txt"
        name = f"{kind}-{self.counts[kind]:03}.{extension}"
        print(f"{kind}: {name}: {' '.join(text.split())[:300]}", flush=True)
        if self.keep and self.counts[kind] <= 100:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / name).write_bytes(entry.data if entry else b"")
            (self.keep / (name + ".why")).write_text(text)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clconv", required=True, help="the binary")
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--minutes", type=float, help="as many as there is time for, instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=int, default=200, help="mutants a run")
    parser.add_argument("--only", help="formats, with commas between")
    parser.add_argument("--device", action="store_true", help="convolve, rather than read and write")
    parser.add_argument("--asan", action="store_true", help="the binary is built with AddressSanitizer")
    parser.add_argument("--damaged", default="fail", choices=["fail", "keep"], help="as for clconv run")
    parser.add_argument("--patience", type=float, default=20, help="seconds a run may take")
    parser.add_argument("--keep", type=Path, help="folder for what is found")
    parser.add_argument("--report-only", default="", help="kinds of findings that are reported and do not fail, with commas between")
    return parser.parse_args()


def main():
    options = parsed()
    if not options.asan:
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))  # bombs are to fail, not the machine
    rng = random.Random(options.seed)
    findings = Findings(options.keep)
    start = time.monotonic()
    tried = done = 0
    with tempfile.TemporaryDirectory(prefix="clconv-hostile-") as name:
        settings = Settings(options, Path(name))
        files = originals.make(Path(name))
        if options.only:
            files = {extension: files[extension] for extension in options.only.split(",")}
        good = good_file(settings, originals.make(Path(name))["png"][0])
        own = {extension: kinds for extension, kinds in files.items() if run_of_one(settings, kinds[0], extension, None).code == 0}

        def is_over():
            if options.minutes:
                return time.monotonic() - start > 60 * options.minutes
            return tried >= options.mutants

        while not is_over():
            count = options.folder if options.minutes else min(options.folder, options.mutants - tried)
            wanted = rng.choice(FORMATS)
            mutants = [mutant(rng, files if wanted else own) for _ in range(count)]
            done += try_all(settings, mutants, good, wanted, findings)
            tried += count
    seconds = time.monotonic() - start
    print(f"{tried} mutants of {len(files)} formats, {done} done, {seconds:.0f} s, seed {options.seed}:", end=" ")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(findings.counts.items())) or "nothing found")
    return 1 if set(findings.counts) - set(options.report_only.split(",")) else 0


if __name__ == "__main__":
    sys.exit(main())
