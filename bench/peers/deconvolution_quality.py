#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How near `clconv deconvolve --method rl` and scikit-image's richardson_lucy come to a known picture, by iteration.

    bench/peers/deconvolution_quality.py CLCONV

The picture is gray and cut from a larger one, after that was blurred by a disc of radius 4.5 and got the noise of 3000 photons.
PSNR in dB and SSIM, of the whole and within 20 pixels of its edges. Prints the table of docs/deconvolution.md. Needs
python3-skimage, SciPy, tifffile and OpenImageIO's Python module.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import OpenImageIO as oiio
import tifffile
from scipy.signal import fftconvolve
from skimage.metrics import structural_similarity
from skimage.restoration import richardson_lucy

ROOT = Path(__file__).resolve().parent.parent.parent
CUT = 24  # of the larger picture, on each side
EDGE = 20
COUNTS = (5, 10, 20, 40, 80, 160)


def disc(radius):
    """Shares of pixels inside of a disc, by 9x9 points of each."""
    half = int(np.ceil(radius))
    at = (np.arange(9 * (2 * half + 1)) + 0.5) / 9 - half - 0.5
    inside = np.hypot(at[:, None], at) <= radius
    weights = inside.reshape(2 * half + 1, 9, 2 * half + 1, 9).mean(axis=(1, 3))
    return weights / weights.sum()


def scene():
    """Light of a photograph, gray."""
    codes = oiio.ImageBuf(str(ROOT / "data/images/harbour.jpg")).get_pixels(oiio.FLOAT)[..., :3]
    light = np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)
    return light @ [0.2126, 0.7152, 0.0722]


def quality(result, truth):
    """PSNR and SSIM, of the whole and near the edges."""
    near = np.ones(truth.shape, bool)
    near[EDGE:-EDGE, EDGE:-EDGE] = False
    square = (result - truth) ** 2
    similar = structural_similarity(result, truth, data_range=1, full=True)[1]
    return [
        (-10 * np.log10(square[where].mean()), similar[where].mean()) for where in (np.ones(truth.shape, bool), near)
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clconv", type=lambda path: str(Path(path).resolve()))
    options = parser.parse_args()
    psf = disc(4.5)
    inside = (slice(CUT, -CUT), slice(CUT, -CUT))
    large = scene()
    truth = large[inside]
    blurred = np.maximum(fftconvolve(large, psf, "same")[inside], 0)
    data = (np.random.default_rng(1).poisson(blurred * 3000) / 3000).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        tifffile.imwrite(Path(folder) / "data.tif", data)
        np.savetxt(Path(folder) / "psf.txt", psf)

        def by_clconv(count, *more):
            words = ["--psf", "psf.txt", "--method", "rl", "--iterations", str(count), "-o", "out.tif", "--overwrite", "-q"]
            subprocess.run([options.clconv, "deconvolve", "data.tif", *words, *more], cwd=folder, check=True)
            return tifffile.imread(Path(folder) / "out.tif").astype(float)

        ways = {
            "scikit-image": lambda count: richardson_lucy(data.astype(float), psf, num_iter=count, clip=False),
            "border zero, none": lambda count: by_clconv(count, "--accelerate", "none", "--border", "zero"),
            "masked, none": lambda count: by_clconv(count, "--accelerate", "none"),
            "masked, momentum": lambda count: by_clconv(count),
            "masked, momentum, tv 0.002": lambda count: by_clconv(count, "--tv", "0.002"),
        }
        (whole, near) = quality(data.astype(float), truth)
        size = "x".join(map(str, truth.shape[::-1]))
        print(f"{size}; the data have {whole[0]:.1f} dB {whole[1]:.3f}, near the edges {near[0]:.1f} dB {near[1]:.3f}\n")
        found = {name: [quality(way(count), truth) for count in COUNTS] for name, way in ways.items()}
        for k, title in enumerate(["whole", f"within {EDGE} pixels of the edges"]):
            print(f"| {title} | " + " | ".join(map(str, COUNTS)) + " |\n|---|" + "---|" * len(COUNTS))
            for name, all_counts in found.items():
                print(f"| {name} | " + " | ".join(f"{one[k][0]:.1f} {one[k][1]:.3f}" for one in all_counts) + " |")
            print()


if __name__ == "__main__":
    main()
