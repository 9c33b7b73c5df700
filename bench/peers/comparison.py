# SPDX-License-Identifier: Apache-2.0
"""Runs clconv and its peers alternately and compares them.

A contender is one arrangement of one peer. In every round clconv runs right before each peer, so that a machine whose
speed drifts slows both; a round's ratio is clconv's median over the contender's.
"""

import json
import math
import random
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

WRONG = 1e-4  # relative error above which a time means nothing
BOUND = 0.65  # ratios above it are counted
LARGE = 2e6  # pixels


@dataclass(frozen=True)
class Case:
    width: int
    height: int
    channels: int
    psf: int

    @property
    def size(self):
        return f"{self.width}x{self.height}"

    @property
    def psf_size(self):
        return f"{self.psf}x{self.psf}"

    def __str__(self):
        return f"{self.size}x{self.channels} K{self.psf}"

    def options(self):
        return ["--size", self.size, "--channels", str(self.channels), "--psf-size", str(self.psf)]

    def is_of(self, line):
        return (line["size"], line["channels"], line["psf_size"]) == (self.size, self.channels, self.psf_size)


# The suites of `clconv bench` (src/bench/suites.cpp).
SUITES = {
    "standard": [
        Case(1024, 1024, 1, 63),
        Case(1024, 1024, 3, 63),
        Case(2048, 2048, 3, 255),
        Case(3840, 2160, 3, 63),
        Case(3840, 2160, 3, 511),
        Case(6000, 4000, 3, 127),
        Case(7680, 4320, 3, 255),
    ],
    "planes": [
        Case(1024, 1024, 1, 15),
        Case(1024, 1024, 1, 63),
        Case(1024, 1024, 1, 255),
        Case(2048, 2048, 1, 63),
        Case(2048, 2048, 1, 255),
        Case(3840, 2160, 1, 15),
        Case(3840, 2160, 1, 63),
        Case(3840, 2160, 1, 255),
        Case(6000, 4000, 1, 63),
        Case(6000, 4000, 1, 511),
    ],
}
QUICK = {"standard": [0, 3], "planes": [1, 6]}


def random_cases(count, seed=1, sides=(400, 12000), largest_psf=1023, largest_samples=150e6, channels=(1, 3, 4)):
    """Sides and PSFs evenly spread over their logarithm: the same cases for the same arguments."""
    chance = random.Random(seed)

    def evenly(low, high):
        return round(math.exp(chance.uniform(math.log(low), math.log(high))))

    cases = []
    while len(cases) < count:
        width, height = evenly(*sides), evenly(*sides)
        psf, planes = evenly(3, min(1023, largest_psf)) | 1, chance.choice(channels)
        if psf < min(width, height) and width * height * planes <= largest_samples:
            cases.append(Case(width, height, planes, psf))
    return cases


@dataclass
class Contender:
    """What one arrangement printed, round by round, and clconv's medians just before."""

    peer: str
    arrangement: str
    detail: str = ""
    ms: list = field(default_factory=list)
    clconv_ms: list = field(default_factory=list)
    relative_error: float = None

    @property
    def name(self):
        return f"{self.peer} {self.arrangement}".strip()

    @property
    def wrong(self):
        return self.relative_error is not None and not self.relative_error <= WRONG

    def median(self):
        return statistics.median(self.ms)

    def ratios(self):
        return [ours / theirs for ours, theirs in zip(self.clconv_ms, self.ms)]

    def add(self, line, clconv_ms):
        self.detail = line.get("detail", "")
        self.ms.append(line["ms"]["median"])
        self.clconv_ms.append(clconv_ms)
        errors = [e for e in (self.relative_error, line.get("relative_error")) if e is not None]
        self.relative_error = max(errors, default=None)


@dataclass
class Result:
    case: Case
    device: str = ""
    plan: str = ""
    method: str = ""
    origin: str = ""  # where the numbers of the plan are from
    floor: float = 0  # share of the byte floor
    ms: list = field(default_factory=list)
    relative_error: float = 0
    contenders: dict = field(default_factory=dict)
    failures: dict = field(default_factory=dict)

    def right(self):
        """The contenders whose result is right, in the order they came."""
        return [c for c in self.contenders.values() if not c.wrong]

    def best_of(self, peer):
        """The peer's fastest arrangement, or None."""
        return min((c for c in self.right() if c.peer == peer), key=Contender.median, default=None)


class Failed(Exception):
    pass


def run_lines(command, environment, timeout, shell=False):
    """The objects that a command prints, one a line, other lines ignored; and why it failed, if it did."""
    try:
        done = subprocess.run(
            command,
            env=environment,
            timeout=timeout,
            shell=shell,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        output, why = done.stdout, ""
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["no message"])[-1] + f" (exit {done.returncode})"
    except subprocess.TimeoutExpired as expired:
        output, why = (expired.stdout or b"").decode(errors="replace"), f"took more than {timeout} s"
    lines = []
    for text in output.splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict) and "ms" in line:
            lines.append(line)
    return lines, why


def show(text):
    """Prints progress on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


class Comparison:
    """`clconv`: the command of its benchmark; `peers`: name -> command; `yardsticks`: name -> shell command with
    {size}, {width}, {height}, {channels}, {psf}."""

    def __init__(self, clconv, peers, yardsticks, options, environment):
        self.clconv = clconv
        self.peers = peers
        self.yardsticks = yardsticks
        self.options = options
        self.environment = environment

    def measure(self, case):
        result = Result(case)
        for number in range(self.options.rounds):
            for peer in [*self.peers, *self.yardsticks]:
                if peer in result.failures:
                    continue
                show(f"{case}: round {number + 1} of {self.options.rounds}, {peer}")
                ours = self.run_clconv(case, result)
                lines, why = self.run_peer(peer, case)
                for line in lines:
                    if not case.is_of(line):
                        continue
                    name, arrangement = line.get("peer", peer), line.get("arrangement", "")
                    key = (peer, name, arrangement)
                    result.contenders.setdefault(key, Contender(name, arrangement)).add(line, ours)
                if why or not lines:
                    result.failures[peer] = why or "printed no line for this case"
        if not result.ms:
            self.run_clconv(case, result)
        show("")
        return result

    def run_clconv(self, case, result):
        done = subprocess.run(
            [*self.clconv, *case.options(), "--repeat", str(self.options.repeat)],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            show("")
            raise Failed(f"{case}: clconv failed: {done.stderr.strip()}")
        printed = json.loads(done.stdout)
        (measured,) = printed["cases"]
        result.device, result.plan = printed["device"], measured["plan"]
        result.method, result.origin = measured["method"], measured["plan_origin"]
        result.floor = max(result.floor, measured["floor_fraction"])
        result.relative_error = max(result.relative_error, measured["relative_error"])
        result.ms.append(measured["ms"]["median"])
        return measured["ms"]["median"]

    def run_peer(self, peer, case):
        if peer in self.peers:
            command = [*self.peers[peer], *case.options(), "--repeat", str(self.options.repeat)]
            return run_lines(command, self.environment, self.options.timeout)
        command = self.yardsticks[peer].format(
            size=case.size, width=case.width, height=case.height, channels=case.channels, psf=case.psf
        )
        return run_lines(command, self.environment, self.options.timeout, shell=True)


def spread(values):
    """Median, least and median absolute deviation, as the bench prints them."""
    median = statistics.median(values)
    return {"median": median, "min": min(values), "mad": statistics.median(abs(v - median) for v in values)}


def to_json(results, device):
    """All that was measured, for other programs."""
    cases = []
    for result in results:
        contenders = []
        for contender in result.contenders.values():
            ratios = contender.ratios()
            contenders.append(
                {
                    "peer": contender.peer,
                    "arrangement": contender.arrangement,
                    "detail": contender.detail,
                    "ms": spread(contender.ms),
                    "rounds_ms": contender.ms,
                    "clconv_rounds_ms": contender.clconv_ms,
                    "ratio": {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)},
                    "relative_error": contender.relative_error,
                }
            )
        case = result.case
        cases.append(
            {
                "size": case.size,
                "channels": case.channels,
                "psf_size": case.psf_size,
                "plan": result.plan,
                "method": result.method,
                "plan_origin": result.origin,
                "floor_fraction": result.floor,
                "ms": spread(result.ms),
                "rounds_ms": result.ms,
                "relative_error": result.relative_error,
                "peers": contenders,
                "failures": result.failures,
            }
        )
    return {"device": device, "cases": cases}


def table(results):
    """Medians in ms, and clconv's time over each contender's: below 1 clconv is faster."""
    rows = [("case", "", "ms", "ratio", "spread", "error", "")]
    for result in results:
        error = f"{result.relative_error:.0e}"
        right = "" if result.relative_error <= WRONG else "WRONG"
        ms, how = f"{statistics.median(result.ms):.4g}", f"{result.floor:.2f} of the floor, {result.method}, {result.origin}"
        rows.append((str(result.case), "clconv", ms, right, "", error, how))
        for contender in sorted(result.contenders.values(), key=Contender.median):
            ratios = contender.ratios()
            error = "-" if contender.relative_error is None else f"{contender.relative_error:.0e}"
            ratio = "WRONG" if contender.wrong else f"{statistics.median(ratios):.2f}"
            between = f"{min(ratios):.2f}-{max(ratios):.2f}"
            ms = f"{contender.median():.4g}"
            rows.append(("", contender.name, ms, ratio, between, error, contender.detail))
        for peer, why in result.failures.items():
            rows.append(("", peer, "-", "-", "", "", why))
    return aligned(rows)


def summary(results):
    """Over all cases: each contender's ratios, and those of each peer's best arrangement, case by case."""
    ratios = {}
    for result in results:
        for contender in result.right():
            ratios.setdefault(contender.name, []).append(statistics.median(contender.ratios()))
        for peer in dict.fromkeys(c.peer for c in result.right()):
            arrangements = [c for c in result.right() if c.peer == peer]
            if len(arrangements) > 1:
                best = statistics.median(result.best_of(peer).ratios())
                ratios.setdefault(f"{peer}, best of its arrangements", []).append(best)
    rows = [("clconv's time over", "mean", "median", "lowest", "highest", "cases", f"above {BOUND}")]
    for name, values in ratios.items():
        mean, median = math.exp(statistics.fmean(map(math.log, values))), statistics.median(values)
        above = sum(value > BOUND for value in values)
        numbers = [f"{number:.3f}" for number in (mean, median, min(values), max(values))]
        rows.append((name, *numbers, str(len(values)), str(above)))
    return aligned(rows) + floors(results)


def floors(results):
    """The share of the byte floor, of large images alone: launches, not bytes, are what small ones take."""
    large = [result for result in results if result.case.width * result.case.height >= LARGE]
    if not large:
        return ""
    shares = [result.floor for result in large]
    worst = min(large, key=lambda result: result.floor)
    return (
        f"\nshare of the byte floor from {LARGE / 1e6:g} MP: median {statistics.median(shares):.2f}, "
        f"lowest {worst.floor:.2f} ({worst.case}, {worst.method}), {len(large)} cases"
    )


def aligned(rows):
    """Columns as wide as they must be; numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    numeric = [all(not row[i] or row[i][0] in "0123456789-W" for row in rows[1:]) for i in range(len(widths))]

    def cell(row, i):
        return row[i].rjust(widths[i]) if numeric[i] and i else row[i].ljust(widths[i])

    return "\n".join("  ".join(cell(row, i) for i in range(len(widths))).rstrip() for row in rows)
