# SPDX-License-Identifier: Apache-2.0
"""Images and PSFs that Python gives."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._core import Psf
from ._errors import InvalidProblem, warn


def as_array(values: ArrayLike) -> np.ndarray:
    """The values of an image or PSF. A masked array is refused: its gaps would count as values."""
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError("a masked array: put NaN in its gaps, as by filled(np.nan), and give nan_treatment='interpolate'")
    return np.asarray(values)


def as_samples(values: ArrayLike, channel_axis: int = -1) -> np.ndarray:
    """(height, width[, channels]) in the machine's byte order: a view of the array where there can be one."""
    array = as_array(values)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.ndim not in (2, 3):
        raise InvalidProblem(f"an array of shape {array.shape}: images are (height, width), or have a channel axis besides")
    if array.ndim == 2:
        return array
    if not -3 <= channel_axis < 3:
        raise InvalidProblem(f"channel_axis={channel_axis}: the array has 3 axes")
    return np.moveaxis(array, channel_axis, -1)


@functools.cache
def _psf_options() -> frozenset[str]:
    return frozenset(option.name.replace("-", "_") for option in _core.options("psf"))


def split_options(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of the PSF, and the others."""
    of_psf = {name: value for name, value in options.items() if name.replace("-", "_") in _psf_options()}
    return of_psf, {name: value for name, value in options.items() if name not in of_psf}


def _weights(values: ArrayLike, channel_axis: int) -> np.ndarray:
    """The weights of a PSF. Integers of 64 bits, which numpy makes of Python's, and truth values become doubles."""
    array = as_samples(values, channel_axis)
    is_number = array.dtype.kind == "b" or (array.dtype.kind in "iu" and array.dtype.itemsize == 8)
    return array.astype(np.float64) if is_number else array


def psf(samples: str | ArrayLike | Psf, *, channel_axis: int = -1, **options: Any) -> Psf:
    """Make a point-spread function of words or of samples.

    Parameters
    ----------
    samples : str, array_like or Psf
        Words such as ``"gaussian:2.5"``, ``"disc:15.5"`` or ``"gaussian:2*0.9+glow:400*0.1"``, or an array
        (height, width) or (height, width, channels) of the types of images, int64, uint64 or bool. A Psf is returned as it
        is.
    channel_axis : int, optional
        The axis of channels of an array with three axes.
    **options
        ``clconv.options("psf")`` lists them. ``normalize``: "sum" (the default: weights are divided by their sum), "none"
        (as SciPy), "sum-all", "peak". ``psf_origin``: "center" (the default), "peak", "centroid", or (x, y).

    Returns
    -------
    Psf
        With ``shape``, ``origin_x``, ``origin_y``, ``samples`` and ``warnings``.

    Warns
    -----
    clconv.Warning
        If the centre of mass is more than a pixel from the origin, so that images move.

    Examples
    --------
    >>> import clconv
    >>> clconv.psf("gaussian:1,size=5")
    <clconv.Psf 5 x 5, origin x 2, y 2>
    >>> clconv.psf([[1.0, 2.0, 1.0]]).samples
    array([[0.25, 0.5 , 0.25]])
    """
    if isinstance(samples, Psf):
        if options:
            raise InvalidProblem(f"a Psf is ready: {', '.join(options)} must be given where it is made, to clconv.psf()")
        return samples
    made = Psf(samples if isinstance(samples, str) else _weights(samples, channel_axis), options)
    warn(made.warnings)
    return made
