#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times of `clconv deconvolve --method rl` beside scikit-image's richardson_lucy and a loop over scipy.fft.

    bench/peers/deconvolution.py CLCONV [--size N] [--photographs N] [--memory]

One machine, one run, the same iterations for all: an image of 1024x1024 floats, a PSF of 31x31, 30 plain iterations with a
border of zeros. clconv and scipy.fft run five times in turns, and the middle ratio counts. clconv's time is the passes of
its report, without building programs and files; the peers' times are those of the calls. clconv is planned by itself, and
once more by each method of its convolutions. Then photographs, files to files: the whole command beside a script over
scipy.fft that reads, deconvolves and writes the same files. --size: another image than 1024x1024; 128 shows in a minute
that all of this runs, with --photographs 1. --memory: only how much of it a photograph of 24 megapixels takes. Needs
python3-skimage, SciPy and tifffile.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import tifffile
from scipy import fft, ndimage
from skimage.restoration import richardson_lucy

ITERATIONS = 30
NOT_PASSES = ("read", "write", "build", "prepare", "launch and wait", "check", "opening", "upload", "download")


def middle_time(call, rounds=3):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def by_scipy(image, psf, iterations):
    """Written tightly: float32, two workers, both transfers made once, no padding beyond what the border needs."""
    half = psf.shape[0] // 2
    shape = [fft.next_fast_len(count + half, real=True) for count in image.shape]
    placed = np.zeros(shape, np.float32)
    placed[: psf.shape[0], : psf.shape[1]] = psf
    transfer = fft.rfft2(np.roll(placed, (-half, -half), (0, 1)), workers=2)
    back = np.conj(transfer)
    estimate = np.full(image.shape, image.mean(), np.float32)

    def convolved(values, by):
        spectrum = fft.rfft2(values, s=shape, workers=2)
        spectrum *= by
        return fft.irfft2(spectrum, s=shape, workers=2)[: image.shape[0], : image.shape[1]]

    for _ in range(iterations):
        estimate *= convolved(image / convolved(estimate, transfer), back)
    return estimate


class Tool:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def deconvolve(self, *words):
        """The items of the report, and the seconds of the whole command."""
        command = [self.path, "deconvolve", *map(str, words), "--overwrite", "--quiet", "--report", "report.json"]
        start = time.perf_counter()
        subprocess.run(command, cwd=self.folder, check=True)
        wall = time.perf_counter() - start
        return json.loads((self.folder / "report.json").read_text())["items"], wall

    def pass_time(self, *words):
        """The seconds of the passes, and the method of the convolutions."""
        item = self.deconvolve(*words)[0][0]
        seconds = sum(seconds for stage, seconds in item["stages"].items() if stage not in NOT_PASSES)
        return seconds, re.search(r"\b(fft|tiled|direct)\b", item["plan"]).group()

    def most_memory(self, *words):
        """The most bytes that a process of the command has held."""
        command = [self.path, "deconvolve", *map(str, words), "--overwrite", "--quiet"]
        with subprocess.Popen(command, cwd=self.folder) as process:
            _, status, usage = os.wait4(process.pid, 0)
        assert status == 0
        return 1024 * usage.ru_maxrss


def gaussian(size, sigma):
    y, x = np.mgrid[: size, : size] - size // 2
    psf = np.exp(-(x**2 + y**2) / (2 * sigma**2))
    return psf / psf.sum()


def times(tool, size):
    rng = np.random.default_rng(0)
    psf = gaussian(31, 5)
    image = ndimage.gaussian_filter(rng.random((size, size)), 3).astype(np.float32) + np.float32(0.1)
    tifffile.imwrite(tool.folder / "image.tif", image)
    np.savetxt(tool.folder / "psf.txt", psf)
    words = ("image.tif", "--psf", "psf.txt", "--method", "rl", "--iterations", ITERATIONS, "-o", "out.tif")
    cases = {
        "border zero": ("--accelerate", "none", "--border", "zero"),
        "masked": ("--accelerate", "none"),
        "masked, momentum": (),
    }
    skimage = middle_time(lambda: richardson_lucy(image.astype(float), psf, num_iter=ITERATIONS, clip=False), 1)
    print(f"{ITERATIONS} iterations, {size}x{size}, PSF 31x31, seconds")
    for name, options in cases.items():
        for method in ("auto", "fft", "tiled"):
            forced = () if method == "auto" else ("--decide", f"method={method}")
            own, scipy = [], []
            for _ in range(5):
                seconds, planned = tool.pass_time(*words, *options, *forced)
                own.append(seconds)
                scipy.append(middle_time(lambda: by_scipy(image, psf, ITERATIONS), 1))
            ratio = statistics.median(a / b for a, b in zip(own, scipy))
            seconds = statistics.median(own)
            print(
                f"  clconv, {name:18} {method:5} ({planned:5}) {seconds:.3f}   scipy {statistics.median(scipy):.3f}, "
                f"ratio {ratio:.2f}   over scikit-image {seconds / skimage:.3f}"
            )
    print(f"  scikit-image {skimage:.3f}")


def iterations_to_the_same_residual(tool):
    """Of 100 plain iterations, on a blurred scene with noise."""
    rng = np.random.default_rng(1)
    scene = np.kron(rng.random((30, 30)), np.ones((10, 10)))
    blurred = ndimage.convolve(scene, gaussian(21, 3), mode="mirror")
    tifffile.imwrite(tool.folder / "scene.tif", (rng.poisson(blurred * 3000) / 3000).astype(np.float32))
    np.savetxt(tool.folder / "blur.txt", gaussian(21, 3))
    words = ("scene.tif", "--psf", "blur.txt", "--method", "rl", "--iterations", 100, "-o", "out.tif", "--accelerate")
    residuals = {how: tool.deconvolve(*words, how)[0][0]["residuals"] for how in ("none", "momentum", "biggs-andrews")}
    for how in ("momentum", "biggs-andrews"):
        count = next((k for k, value in enumerate(residuals[how]) if value <= residuals["none"][-1]), None)
        print(f"{how}: the residual of 100 plain iterations after {count}")


def photographs(tool, count):
    """Files to files: 1080p, 8 bits, 20 iterations with momentum; and a script that does the same with scipy.fft."""
    rng = np.random.default_rng(2)
    folder, results = tool.folder / "photographs", tool.folder / "by-script"
    folder.mkdir()
    results.mkdir()
    for k in range(count):
        noise = ndimage.gaussian_filter(rng.random((1080, 1920, 3)), (2, 2, 0))
        tifffile.imwrite(folder / f"{k}.tif", (255 * (noise - noise.min()) / np.ptp(noise)).astype(np.uint8))
    words = ("photographs", "--psf", "gaussian:2.5", "--method", "rl", "--iterations", 20, "-o", "sharp")
    first, again = tool.deconvolve(*words)[1], middle_time(lambda: tool.deconvolve(*words), 1)
    print(f"{count} photographs of 1080p, 20 iterations, files to files: {again:.1f} s, and {first:.1f} s with programs to build")
    psf = gaussian(21, 2.5).astype(np.float32)

    def deconvolve(path):
        image = tifffile.imread(path)
        light = np.where(image <= 10, image / 255 / 12.92, ((image / 255 + 0.055) / 1.055) ** 2.4).astype(np.float32)
        sharp = np.stack([by_scipy(light[..., c] + np.float32(1e-6), psf, 20) for c in range(3)], axis=2)
        codes = np.where(sharp <= 0.0031308, 12.92 * sharp, 1.055 * np.maximum(sharp, 0) ** (1 / 2.4) - 0.055)
        tifffile.imwrite(results / path.name, (255 * np.clip(codes, 0, 1) + 0.5).astype(np.uint8))

    def script():
        for path in sorted(folder.iterdir()):
            deconvolve(path)

    taken = middle_time(script, 1)
    print(f"  a script with scipy.fft, plain iterations: {taken:.1f} s, so clconv takes {again / taken:.2f} of it")


def memory(tool):
    """In planes of floats: of a photograph of 6000x4000 and 8 bits, over what a small one takes."""
    rng = np.random.default_rng(3)
    for name, (width, height) in {"small": (60, 40), "large": (6000, 4000)}.items():
        tifffile.imwrite(tool.folder / f"{name}.tif", rng.integers(0, 256, (height, width, 3), dtype=np.uint8))
    planes = 6000 * 4000 * 3 * 4
    print("a photograph of 6000x4000x3 bytes: the most memory over its size in floats")
    for psf in ("gaussian:2.5", "gaussian:40"):
        for how in ("none", "momentum"):
            words = ("--psf", psf, "--method", "rl", "--iterations", 3, "--accelerate", how, "-o", "out.tif")
            tool.deconvolve("large.tif", *words)  # later runs find the programs, and plans whose results were checked
            own = tool.most_memory("small.tif", *words)
            print(f"  {psf:13} {how:9} {(tool.most_memory('large.tif', *words) - own) / planes:.1f}   (the program {own >> 20} MiB)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clconv", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--photographs", type=int, default=16)
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(options.clconv, Path(folder))
        if options.memory:
            return memory(tool)
        times(tool, options.size)
        iterations_to_the_same_residual(tool)
        if options.photographs:
            photographs(tool, options.photographs)


if __name__ == "__main__":
    main()
