# SPDX-License-Identifier: Apache-2.0
"""What clconv should compute: the definition, as a sum in double, one PSF weight at a time. No FFT, no padding tricks."""

import numpy as np

BORDERS = ["zero", "constant:0.75", "clamp", "wrap", "mirror", "reflect", "renormalize"]
DIVIDED = ["renormalize"]  # of these: by the weight of the samples that the PSF meets


def source(border, position, count):
    """The index of the sample that stands at `position` of a line of `count`; None where the border is empty."""
    assert border in [name.partition(":")[0] for name in BORDERS], f"no reference for the border {border}"
    if 0 <= position < count:
        return position
    if border == "clamp":
        return 0 if position < 0 else count - 1
    if border == "wrap":
        return position % count
    if border == "mirror":  # c b a | a b c d | d c b
        position %= 2 * count
        return position if position < count else 2 * count - 1 - position
    if border == "reflect":  # d c b | a b c d | c b a
        if count == 1:
            return 0
        position %= 2 * (count - 1)
        return position if position < count else 2 * (count - 1) - position
    return None


def center(size):
    """The default origin along one axis, odd and even sizes alike."""
    return size // 2


def first_and_count(mode, count, psf_count, origin):
    """The first output position of an axis and how many there are."""
    if mode == "same":
        return 0, count
    if mode == "full":
        return -origin, count + psf_count - 1
    assert mode == "valid"
    return psf_count - 1 - origin, count - psf_count + 1


def convolve(image, psf, border="clamp", mode="same", origin=None, correlate=False):
    """The convolution, as the PSF's weights are (nothing is normalised).

    image: [row, column, channel]. psf: [row, column], or one [row, column] a channel along a third axis.
    origin: (x, y) of the PSF; its centre if None. border: as the option, "constant:V" with one value or one a channel.
    """
    image = np.asarray(image, np.float64)
    height, width, channels = image.shape
    psf = np.asarray(psf, np.float64)
    psf = np.repeat(psf[..., None], channels, axis=2) if psf.ndim == 2 else psf
    rows, columns = psf.shape[:2]
    ox, oy = origin if origin is not None else (center(columns), center(rows))
    if correlate:  # the same sum over the PSF rotated by 180 degrees
        psf, ox, oy = psf[::-1, ::-1], columns - 1 - ox, rows - 1 - oy

    name, _, value = border.partition(":")
    outside = np.array([float(v) for v in value.split(",")]) if name == "constant" else np.zeros(1)
    first_y, count_y = first_and_count(mode, height, rows, oy)
    first_x, count_x = first_and_count(mode, width, columns, ox)

    # The image with all of its border that a weight meets.
    positions_y = range(first_y - (rows - 1 - oy), first_y + count_y + oy)
    positions_x = range(first_x - (columns - 1 - ox), first_x + count_x + ox)
    source_y = [source(name, y, height) for y in positions_y]
    source_x = [source(name, x, width) for x in positions_x]
    inside = np.outer([y is not None for y in source_y], [x is not None for x in source_x])[..., None]
    bordered = np.where(inside, image[np.ix_([y or 0 for y in source_y], [x or 0 for x in source_x])], outside)

    def weighted_sum(plane, weights):
        """Some rows of a plane at a time, which stay in the processor's cache: a third of the time."""
        total = np.zeros((count_y, count_x))
        step = max(1, 30000 // count_x)
        for first in range(0, count_y, step):
            part = total[first : first + step]
            term = np.empty_like(part)
            for j in range(rows):
                for i in range(columns):
                    row, column = first + rows - 1 - j, columns - 1 - i
                    window = plane[row : row + len(part), column : column + count_x]
                    part += np.multiply(window, weights[j, i], out=term)
        return total

    total = np.empty((count_y, count_x, channels))
    for c in range(channels):
        total[..., c] = weighted_sum(np.ascontiguousarray(bordered[..., c]), psf[..., c])
        if name in DIVIDED:
            total[..., c] /= weighted_sum(inside[..., 0].astype(np.float64), psf[..., c])
    return total


def assert_same_floats(actual, expected, label="", tolerance=1e-6):
    """Relative L2 error <= tolerance, also with each channel's mean removed, where more than a mean is there."""
    actual = np.asarray(actual, np.float64)
    assert actual.shape == expected.shape, f"{label}: {actual.shape} instead of {expected.shape}"
    assert np.isfinite(actual).all(), f"{label}: not finite"
    norm = np.linalg.norm(expected)
    error = np.linalg.norm(actual - expected)
    assert error <= tolerance * norm, f"{label}: relative error {error / norm:.3g}"

    def centred(a):
        return a - a.mean(axis=(0, 1), keepdims=True)

    norm_centred = np.linalg.norm(centred(expected))
    if norm_centred > 0.1 * norm:
        error = np.linalg.norm(centred(actual) - centred(expected))
        assert error <= tolerance * norm_centred, f"{label}: relative error {error / norm_centred:.3g}, mean removed"


def assert_same_codes(actual, expected, label=""):
    """Integers: `expected` (1 is the largest code) clamped and rounded to nearest.

    One code off only where the reference itself is half way between two, within what floats can tell apart.
    """
    top = np.iinfo(actual.dtype).max
    exact = np.clip(expected, 0, 1) * top
    rounded = np.floor(exact + 0.5)
    assert actual.shape == expected.shape, f"{label}: {actual.shape} instead of {expected.shape}"
    difference = np.abs(actual.astype(np.float64) - rounded)
    undecided = np.abs(exact - np.floor(exact) - 0.5) <= max(1e-4, 5e-7 * top)
    wrong = difference > np.where(undecided, 1, 0)
    assert not wrong.any(), (
        f"{label}: {wrong.sum()} of {wrong.size} codes differ, first at {np.argwhere(wrong)[0]}: "
        f"{actual[wrong][0]} instead of {exact[wrong][0]:.4f}"
    )


def assert_same_halves(actual, expected, label=""):
    """Half floats: `expected` rounded to nearest, within what floats can tell apart."""
    assert actual.shape == expected.shape, f"{label}: {actual.shape} instead of {expected.shape}"
    allowed = 0.5 * np.spacing(expected.astype(np.float16)).astype(np.float64) + 1e-6 * abs(expected).max()
    wrong = abs(actual.astype(np.float64) - expected) > abs(allowed)
    assert not wrong.any(), f"{label}: {wrong.sum()} of {wrong.size} halves are not the nearest"


def assert_same(actual, expected, label=""):
    """Whatever type the file has."""
    if actual.dtype.kind == "u":
        assert_same_codes(actual, expected, label)
    elif actual.dtype == np.float16:
        assert_same_halves(actual, expected, label)
    else:
        assert_same_floats(actual, expected, label)
