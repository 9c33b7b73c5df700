# SPDX-License-Identifier: Apache-2.0
"""One image with one PSF. What the latest calls prepared is kept."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from typing import Any

from numpy.typing import ArrayLike, DTypeLike

from ._convolver import Convolver, Psf, _open
from ._opencl import is_array
from ._samples import as_array

_KEPT = 8

_kept: OrderedDict[Any, Convolver] = OrderedDict()
_lock = threading.Lock()
_parents: list[OrderedDict] = []


def _forget_after_fork() -> None:
    global _kept, _lock
    _parents.append(_kept)
    _kept, _lock = OrderedDict(), threading.Lock()


os.register_at_fork(after_in_child=_forget_after_fork)


def clear() -> None:
    """Forget what calls of `convolve`, `deconvolve` and `bloom` have prepared, and free its memory."""
    with _lock:
        _kept.clear()


def _key_of_psf(psf: str | ArrayLike | Psf) -> Any:
    if isinstance(psf, (str, Psf)):
        return psf
    array = as_array(psf)
    return array.shape, array.dtype.str, hashlib.sha256(array.tobytes()).digest()


def _prepared(operation: str, psf: str | ArrayLike | Psf, device: Any, options: dict[str, Any], image: Any) -> Convolver:
    """A Convolver, the kept one if there is one. Eight are kept."""
    if device is None and is_array(image):
        device = image.queue
    device = _open(device)
    values = ((name, repr(value)) for name, value in sorted(options.items()) if value is not None)
    key = (operation, _key_of_psf(psf), device, *values)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    made = Convolver(psf, operation=operation, device=device, **options)
    with _lock:
        _kept[key] = made
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return made


def convolve(
    image: Any,
    psf: str | ArrayLike | Psf,
    *,
    out: Any = None,
    dtype: DTypeLike = None,
    device: Any = None,
    **options: Any,
) -> Any:
    """Convolve an image with a point-spread function.

    What is prepared for the latest eight PSFs and options is kept, so that the next call with them only computes.

    Parameters
    ----------
    image : array_like
        (height, width) or (height, width, channels): uint8, int8, uint16, int16, uint32, int32, float16, float32 or
        float64, and any view.
    psf : str, array_like or Psf
        As for `clconv.psf`. Its weights are divided by their sum; SciPy's are not, so give normalize="none" for its results.
    out : ndarray, optional
        Where the result goes; it may be the image.
    dtype : dtype, optional
        The result's type, by default the image's. See `Convolver.__call__`.
    device : Device or str, optional
        Where to compute. A device that is named here stays open until the process ends.
    **options
        Those of `Convolver`: mode, cval, border, nan_treatment, fill_value, channel_axis, alpha and the command line's.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import clconv
    >>> import numpy as np
    >>> image = np.arange(12, dtype=np.float32).reshape(3, 4)
    >>> clconv.convolve(image, [[1.0, 1.0]], normalize="none", mode="constant", cval=100)
    array([[  1.,   3.,   5., 103.],
           [  9.,  11.,  13., 107.],
           [ 17.,  19.,  21., 111.]], dtype=float32)

    A NaN is a gap, which its neighbours fill:

    >>> image[1, 1] = np.nan
    >>> clconv.convolve(image, "box:3", nan_treatment="interpolate")[1, 1].round(3)
    5.0
    """
    return _prepared("convolve", psf, device, options, image)(image, out=out, dtype=dtype)


def deconvolve(
    image: Any,
    psf: str | ArrayLike | Psf,
    *,
    out: Any = None,
    dtype: DTypeLike = None,
    device: Any = None,
    **options: Any,
) -> Any:
    """Undo a known blur.

    Parameters
    ----------
    image, psf, out, dtype, device
        As for `convolve`.
    **options
        Those of `Convolver`, and of ``clconv.options("deconvolve")``: ``method`` "wiener", "tikhonov", "rl" and others,
        ``iterations``, ``nsr``. docs/deconvolution.md explains them. There is no extent ("full", "same", "valid").

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import clconv
    >>> import numpy as np
    >>> stars = np.zeros((64, 64), np.float32)
    >>> stars[20, 30] = stars[40, 24] = 1
    >>> blurred = clconv.convolve(stars, "gaussian:1.5")
    >>> sharper = clconv.deconvolve(blurred, "gaussian:1.5", method="rl", iterations=20)
    >>> bool(sharper.max() > 3 * blurred.max())
    True
    """
    return _prepared("deconvolve", psf, device, options, image)(image, out=out, dtype=dtype)


def bloom(
    image: Any,
    psf: str | ArrayLike | Psf,
    *,
    out: Any = None,
    dtype: DTypeLike = None,
    device: Any = None,
    **options: Any,
) -> Any:
    """Let the bright parts of an image glow.

    Parameters
    ----------
    image, psf, out, dtype, device
        As for `convolve`.
    **options
        Those of `Convolver`, and of ``clconv.options("bloom")``: ``threshold``, ``intensity`` and others.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import clconv
    >>> import numpy as np
    >>> scene = np.full((64, 64, 3), 0.1, np.float32)
    >>> scene[32, 32] = 50
    >>> glowing = clconv.bloom(scene, "glow:20")
    >>> bool(glowing[30, 32, 0] > 0.1)
    True
    """
    return _prepared("bloom", psf, device, options, image)(image, out=out, dtype=dtype)


def plan(
    image: ArrayLike | tuple[int, ...],
    psf: str | ArrayLike | Psf,
    *,
    operation: str = "convolve",
    dtype: DTypeLike = None,
    device: Any = None,
    **options: Any,
) -> str:
    """Say how an image would be computed, as `clconv plan` does.

    Parameters
    ----------
    image : array_like or tuple of int
        An image, whose samples are not read, or the shape of one.
    psf, device
        As for `convolve`.
    operation : {"convolve", "deconvolve", "bloom"}, optional
    dtype : dtype, optional
        The type of both, if `image` is a shape (by default float32), else that of the result.
    **options
        Those of `Convolver`.

    Returns
    -------
    str

    Examples
    --------
    >>> import clconv
    >>> "1024" in clconv.plan((1024, 1024), "gaussian:8")
    True
    """
    return _prepared(operation, psf, device, options, image).plan(image, dtype)
