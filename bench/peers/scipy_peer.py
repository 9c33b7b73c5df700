#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""SciPy at clconv's work.

fft          scipy.fft with as many workers as threads, float32, all planes in one call, the PSF's spectrum kept
fftconvolve  scipy.signal.fftconvolve, as most scripts have it: one call a plane, nothing kept
"""

import numpy as np
import scipy.fft
import scipy.signal

from peer import Work, parse_options, report


def kept_spectrum(work, threads):
    """The convolution by scipy.fft, and the padded extent."""
    height, width = work.image.shape[1:]
    size = len(work.psf)
    margin = max(work.origin, size - 1 - work.origin)
    shape = [scipy.fft.next_fast_len(max(length + margin, size), real=True) for length in (height, width)]
    padded = np.zeros(shape)
    padded[:size, :size] = work.psf
    padded = np.roll(padded, (-work.origin, -work.origin), (0, 1))
    transfer = scipy.fft.rfft2(padded).astype(np.complex64)

    def convolve():
        spectra = scipy.fft.rfft2(work.image, s=shape, workers=threads)
        spectra *= transfer
        planes = scipy.fft.irfft2(spectra, s=shape, workers=threads, overwrite_x=True)
        return np.ascontiguousarray(planes[:, :height, :width])

    return convolve, shape


def main():
    options = parse_options(__doc__)
    work = Work(options)
    convolve, shape = kept_spectrum(work, options.threads)
    detail = f"padded {shape[1]}x{shape[0]}, {options.threads} workers"
    report("scipy", "fft", detail, options, work, convolve)

    psf = work.psf.astype(np.float32)
    height, width = work.image.shape[1:]
    # 'same' has the centre of an even PSF one sample away; of 'full' the right part is taken for any.
    kept = slice(work.origin, work.origin + height), slice(work.origin, work.origin + width)

    def plain():
        if len(psf) % 2:
            return np.stack([scipy.signal.fftconvolve(plane, psf, "same") for plane in work.image])
        return np.stack([scipy.signal.fftconvolve(plane, psf)[kept] for plane in work.image])

    report("scipy", "fftconvolve", "one thread", options, work, plain)


if __name__ == "__main__":
    main()
