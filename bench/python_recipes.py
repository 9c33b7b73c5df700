#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times of docs/python.md: clconv beside SciPy, astropy and scikit-image, in turns, on the same arrays.

    PYTHONPATH=build/release/python bench/python_recipes.py [--size 1024] [--psf 63] [--rounds 15] [--iterations 30]

Each round measures every function once, so that whatever else the machine does falls on all of them. It prints medians,
quartiles, the time of processors (which others on the machine hardly change), and the median of the ratios within a round.
"""

import argparse
import os
import statistics
import time
from random import Random

import numpy as np
import scipy.fft
import scipy.signal
from astropy.convolution import convolve_fft
from skimage.restoration import richardson_lucy

import clconv


def fftconvolve_two_workers(image, psf):
    """scipy.fft in the image's own type: what fftconvolve computes, on two threads."""
    shape = [scipy.fft.next_fast_len(a + b - 1, True) for a, b in zip(image.shape, psf.shape)]
    spectrum = scipy.fft.rfft2(image, shape, workers=2)
    spectrum *= scipy.fft.rfft2(psf, shape, workers=2)
    full = scipy.fft.irfft2(spectrum, shape, workers=2)
    top, left = ((length - 1) // 2 for length in psf.shape)
    return full[top : top + image.shape[0], left : left + image.shape[1]]


def by_rounds(functions, rounds):
    """(seconds, seconds of processors) of each function, one a round; the first call of each is not measured."""
    seconds = {name: [] for name in functions}
    order, shuffle = list(functions.items()), Random(1).shuffle
    for round_ in range(rounds + 1):
        shuffle(order)  # nobody is always behind the one that fills the caches
        for name, function in order:
            start, used = time.perf_counter(), time.process_time()
            function()
            if round_:
                seconds[name].append((time.perf_counter() - start, time.process_time() - used))
    return seconds


def show(title, seconds, ours):
    print(f"\n{title}")
    print("| | median, ms | quartiles, ms | least, ms | processors, ms | clconv takes, times this | of processors |")
    print("|---|---|---|---|---|---|---|")
    for name, values in seconds.items():
        low, middle, high = (1e3 * value for value in statistics.quantiles((wall for wall, _ in values), n=4))
        used = 1e3 * statistics.median(used for _, used in values)
        ratios = [statistics.median(a[i] / b[i] for a, b in zip(seconds[ours], values)) for i in (0, 1)]
        print(f"| {name} | {middle:.1f} | {low:.1f} to {high:.1f} | {1e3 * min(values)[0]:.1f} | {used:.1f} "
              f"| {ratios[0]:.3f} | {ratios[1]:.3f} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--psf", type=int, default=63)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--skip-deconvolution", action="store_true")
    arguments = parser.parse_args()

    random = np.random.default_rng(1)
    image = random.random((arguments.size, arguments.size), np.float32)
    psf = random.random((arguments.psf, arguments.psf), np.float32)
    psf /= psf.sum()
    out = np.empty_like(image)
    blur = clconv.Convolver(psf, mode="same", normalize="none")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {blur.device!r}")

    expected = scipy.signal.fftconvolve(image.astype(float), psf, mode="same")
    print(f"largest difference to SciPy in double: {np.abs(blur(image) - expected).max():.1e}")
    ours = "clconv.Convolver, out="
    show(
        f"convolution: {arguments.size} x {arguments.size} float32, PSF of {arguments.psf} x {arguments.psf}",
        by_rounds(
            {
                ours: lambda: blur(image, out=out),
                "clconv.Convolver": lambda: blur(image),
                "clconv.convolve": lambda: clconv.convolve(image, psf, mode="same", normalize="none"),
                "scipy.signal.fftconvolve": lambda: scipy.signal.fftconvolve(image, psf, mode="same"),
                "scipy.fft, two workers": lambda: fftconvolve_two_workers(image, psf),
                "astropy convolve_fft": lambda: convolve_fft(image, psf, boundary="fill", allow_huge=True),
            },
            arguments.rounds,
        ),
        ours,
    )
    if arguments.skip_deconvolution:
        return
    data = np.abs(expected).astype(np.float32)
    ours = "clconv.deconvolve"
    options = {"method": "rl", "iterations": arguments.iterations, "like": "skimage"}
    show(
        f"Richardson-Lucy: the same sizes, {arguments.iterations} iterations",
        by_rounds(
            {
                ours: lambda: clconv.deconvolve(data, psf, **options),
                "skimage richardson_lucy": lambda: richardson_lucy(data, psf, num_iter=arguments.iterations),
            },
            max(3, arguments.rounds // 5),
        ),
        ours,
    )


if __name__ == "__main__":
    main()
