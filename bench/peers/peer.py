# SPDX-License-Identifier: Apache-2.0
"""What the peers in Python share: the work, the way to time it, the check of the result, the line that is printed.

The work is that of `clconv bench --type float --layout planar --border zero --mode same`: random planes, one random
asymmetric PSF for all of them, its origin in the centre.
"""

import argparse
import json
import os
import statistics
import time

import numpy as np

SERIES_MS = 12  # as in peer.cpp: a series of images lasts so long


class Work:
    """`image`: float32 [channel][y][x]; `psf`: float64 [y][x]; `origin`: of the PSF, along either axis."""

    def __init__(self, options):
        random = np.random.default_rng(20260101)
        width, height = options.size
        self.image = random.random((options.channels, height, width), dtype=np.float32)
        self.psf = random.uniform(0.1, 1, (options.psf_size, options.psf_size))
        self.psf /= self.psf.sum()
        self.origin = options.psf_size // 2

    def expected(self, channel, y, x):
        """The output at one place, a direct sum in double precision."""
        size, (height, width) = len(self.psf), self.image.shape[1:]
        # Output x gets psf[i] * image[x + origin - i]; `first` is the least source row or column, not cut to the image.
        first_y, first_x = y + self.origin - size + 1, x + self.origin - size + 1
        rows = slice(max(first_y, 0), min(first_y + size, height))
        columns = slice(max(first_x, 0), min(first_x + size, width))
        flipped = self.psf[::-1, ::-1]
        part = flipped[rows.start - first_y : rows.stop - first_y, columns.start - first_x : columns.stop - first_x]
        return float(np.sum(self.image[channel, rows, columns].astype(np.float64) * part))

    def relative_error(self, result):
        """Relative L2 error over the corners and some hundred random pixels."""
        random = np.random.default_rng(7)
        channels, height, width = self.image.shape
        places = [(0, 0), (0, width - 1), (height - 1, 0), (height - 1, width - 1)]
        count = int(np.clip(2e7 / self.psf.size, 50, 400))
        places += [(int(random.integers(height)), int(random.integers(width))) for _ in range(count)]
        at = [(c, y, x) for y, x in places for c in range(channels)]
        wanted = np.array([self.expected(*place) for place in at])
        found = np.array([result[place] for place in at], dtype=np.float64)
        return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))


def parse_options(about):
    def extent(text):
        width, height = text.lower().split("x")
        return int(width), int(height)

    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--size", type=extent, required=True, help="image size, WxH")
    parser.add_argument("--channels", type=int, default=1, help="planes of the image")
    parser.add_argument("--psf-size", type=int, required=True, help="side of the square PSF")
    parser.add_argument("--repeat", type=int, default=9, help="series that are timed")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads of the library")
    parser.add_argument("--device", help="ignored: these libraries run on the CPU")
    parser.add_argument("--wisdom", help="ignored: FFTW's")
    parser.add_argument("--arrangement", action="append", help="only this one; may be repeated")
    return parser.parse_args()


def series_ms(convolve, images):
    start = time.perf_counter()
    for _ in range(images):
        convolve()
    return (time.perf_counter() - start) * 1e3 / images


def report(peer, arrangement, detail, options, work, convolve):
    """Checks, times and prints one line. `convolve()` returns the output of the work's image, [channel][y][x]."""
    if options.arrangement and arrangement not in options.arrangement:
        return
    error = work.relative_error(convolve())
    images = int(np.clip(SERIES_MS / min(series_ms(convolve, 1), series_ms(convolve, 1)), 1, 200))
    series = [series_ms(convolve, images) for _ in range(options.repeat)]
    median = statistics.median(series)
    spread = statistics.median(abs(ms - median) for ms in series)
    channels, height, width = work.image.shape
    line = {
        "peer": peer,
        "arrangement": arrangement,
        "detail": detail,
        "size": f"{width}x{height}",
        "channels": channels,
        "psf_size": f"{options.psf_size}x{options.psf_size}",
        "ms": {"median": median, "min": min(series), "mad": spread},
        "relative_error": error,
    }
    print(json.dumps(line), flush=True)
