#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""OpenCV at clconv's work, plane by plane.

filter2D  the library's own choice of method
dft       dft, mulSpectrums, idft of the padded plane; rows of zeros left out, the PSF's spectrum kept
"""

import cv2
import numpy as np

from peer import Work, parse_options, report


def by_filter(work):
    # filter2D correlates: the PSF rotated by 180 degrees, and its anchor with it.
    flipped = work.psf[::-1, ::-1].astype(np.float32)
    anchor = len(work.psf) - 1 - work.origin

    def convolve():
        planes = [
            cv2.filter2D(plane, -1, flipped, anchor=(anchor, anchor), borderType=cv2.BORDER_CONSTANT)
            for plane in work.image
        ]
        return np.stack(planes)

    return convolve


def by_dft(work):
    """The convolution by dft, and the padded extent."""
    height, width = work.image.shape[1:]
    size = len(work.psf)
    margin = max(work.origin, size - 1 - work.origin)
    rows, columns = [cv2.getOptimalDFTSize(max(length + margin, size)) for length in (height, width)]
    psf = np.zeros((rows, columns), np.float32)
    psf[:size, :size] = work.psf
    transfer = cv2.dft(np.roll(psf, (-work.origin, -work.origin), (0, 1)))
    padded = np.zeros((rows, columns), np.float32)  # its margins stay zero

    def convolve():
        planes = []
        for plane in work.image:
            padded[:height, :width] = plane
            spectrum = cv2.dft(padded, nonzeroRows=height)
            spectrum = cv2.mulSpectrums(spectrum, transfer, 0)
            back = cv2.dft(spectrum, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT, nonzeroRows=height)
            planes.append(back[:height, :width])
        return np.stack(planes)

    return convolve, (rows, columns)


def main():
    options = parse_options(__doc__)
    work = Work(options)
    cv2.setNumThreads(options.threads)
    report("opencv", "filter2D", f"{options.threads} threads", options, work, by_filter(work))
    convolve, (rows, columns) = by_dft(work)
    report("opencv", "dft", f"padded {columns}x{rows}, {options.threads} threads", options, work, convolve)


if __name__ == "__main__":
    main()
