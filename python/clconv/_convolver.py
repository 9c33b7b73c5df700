# SPDX-License-Identifier: Apache-2.0
"""Work that is prepared once and used for many images."""

from __future__ import annotations

import atexit
import os
import threading
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core, _opencl, _samples
from ._core import Device, Psf, Report
from ._errors import InvalidProblem, warn
from ._names import Treatment, unit_of
from ._samples import as_samples, split_options

_lock = threading.Lock()
_devices: dict[str | None, Device] = {}


def _open(device: Any) -> Device:
    """The device itself, that of a queue, or one that stays open until the process ends."""
    if isinstance(device, Device):
        return device
    if _opencl.is_queue(device):
        return _opencl.device_of(device)
    with _lock:
        if device not in _devices:
            _devices[device] = Device(device)
        return _devices[device]


atexit.register(_devices.clear)  # before the driver's own libraries end
_parents_devices: list[dict] = []


def _forget_after_fork() -> None:
    """A driver does not work in a forked process, not even to close its device."""
    global _devices, _lock
    _parents_devices.append(_devices)
    _devices, _lock = {}, threading.Lock()


os.register_at_fork(after_in_child=_forget_after_fork)


class Convolver:
    """An operation with its PSF and options, prepared once and used for many images.

    It keeps plans, programs, spectra and memory of the device, so that a second image of the same shape and types needs
    only computing. Other threads of Python run meanwhile. It may be called from any thread.

    Parameters
    ----------
    psf : str, array_like or Psf
        As for `clconv.psf`. An array is (height, width) or (height, width, channels).
    operation : {"convolve", "deconvolve", "bloom"}, optional
    mode : str, optional
        A word of SciPy. "full", "same" and "valid" are those of scipy.signal: outside of the image is 0, unless `border` says
        otherwise. "reflect", "mirror", "nearest", "wrap" and "constant" are those of scipy.ndimage, with a result as large
        as the image.
    cval : float, optional
        What is outside with mode="constant", in the units of the image.
    border : str, optional
        A word of clconv: "clamp" (the default: "nearest" of SciPy), "zero", "constant:V", "wrap", "mirror", "reflect",
        "renormalize". Beware: border="mirror" is mode="reflect", and border="reflect" is mode="mirror".
    nan_treatment : {"interpolate", "fill"}, optional
        As astropy's, for samples that are NaN or infinite: they are missing, or count as `fill_value`. Without, they raise
        InputError. ``nonfinite="propagate"`` lets them pass.
    fill_value : float, optional
        With nan_treatment="fill". Other values than 0 are filled in a copy of the image.
    channel_axis : int, optional
        The axis of channels of arrays with three axes. Arrays with two axes have one channel.
    alpha : int, optional
        The channel that is alpha; colours are multiplied by it already.
    device : Device, str or pyopencl.CommandQueue, optional
        Where to compute. A device that is named here stays open until the process ends. Arrays of pyopencl are computed on
        the device of their queue, whose context must be that of `device` if it is given.
    **options
        All others of ``clconv.options(operation)`` and ``clconv.options("psf")``, with _ for -: ``precision="double"``,
        ``normalize="none"``, ``method="rl"``, ``iterations=30``.

    Attributes
    ----------
    psf : Psf
    device : Device
    report : Report or None
        How the latest result was made.

    Examples
    --------
    >>> import clconv
    >>> import numpy as np
    >>> blur = clconv.Convolver("box:3", border="zero")
    >>> image = np.zeros((5, 6), np.float32)
    >>> image[2, 2] = 9
    >>> blur(image).round(4)[1:4]
    array([[0., 1., 1., 1., 0., 0.],
           [0., 1., 1., 1., 0., 0.],
           [0., 1., 1., 1., 0., 0.]], dtype=float32)
    >>> result = np.empty_like(image)
    >>> blur(2 * image, out=result) is result
    True
    """

    def __init__(
        self,
        psf: str | ArrayLike | Psf,
        *,
        operation: str = "convolve",
        mode: str | None = None,
        cval: float = 0.0,
        border: str | None = None,
        nan_treatment: str | None = None,
        fill_value: float = 0.0,
        channel_axis: int = -1,
        alpha: int | None = None,
        device: Any = None,
        **options: Any,
    ) -> None:
        of_psf, self._options = split_options(options)
        self._options["border"] = border
        self._treatment = Treatment(mode, cval, nan_treatment, fill_value, self._options)
        self._operation = operation
        self._channel_axis = channel_axis
        self._alpha = alpha
        self._made: dict[tuple[Device, float], _core.Convolver] = {}
        self._of_buffers: dict[tuple[Device, float], _core.BufferConvolver] = {}
        self._has_own_device = device is not None
        self.psf: Psf = _samples.psf(psf, **of_psf)
        self.device: Device = _open(device)
        self.report: Report | None = None
        self._prepared(np.dtype(np.float32), self.device)  # so that options are read now

    def _key(self, dtype: np.dtype, device: Device) -> tuple[Device, float]:
        """`cval` has the type's units."""
        return device, 1.0 if self._treatment.outside is None else unit_of(dtype)

    def _options_for(self, dtype: np.dtype) -> dict[str, Any]:
        return {**self._options, **self._treatment.options_for(dtype)}

    def _prepared(self, dtype: np.dtype, device: Device) -> _core.Convolver:
        """What computes images of this type."""
        key = self._key(dtype, device)
        if key not in self._made:
            self._made[key] = _core.Convolver(device, self.psf, self._options_for(dtype), self._operation)
        return self._made[key]

    def _prepared_for_buffers(self, dtype: np.dtype, device: Device) -> _core.BufferConvolver:
        """What convolves images of this type in the device's memory."""
        key = self._key(dtype, device)
        if key not in self._of_buffers:
            self._of_buffers[key] = _core.BufferConvolver(device, self.psf, self._options_for(dtype))
        return self._of_buffers[key]

    def _alpha_of(self, samples: Any) -> int:
        channels = samples.shape[2] if len(samples.shape) == 3 else 1
        if self._alpha is None:
            return -1
        if not -channels <= self._alpha < channels:
            raise InvalidProblem(f"alpha={self._alpha}: the image has {channels} channels")
        return self._alpha % channels

    def __call__(self, image: Any, *, out: Any = None, dtype: DTypeLike = None) -> Any:
        """Compute the result for an image.

        Parameters
        ----------
        image : array_like or pyopencl.array.Array
            (height, width) or (height, width, channels): uint8, int8, uint16, int16, uint32, int32, float16, float32 or
            float64. It may be any view. A CPU reads it in place if it is contiguous, without conversion to another type.
            An array of pyopencl is contiguous, and "convolve" leaves it on the device: see docs/python.md.
        out : ndarray or pyopencl.array.Array, optional
            Where the result goes. It may be any view, and the image itself. For an image of pyopencl it is one too, and of
            another buffer.
        dtype : dtype, optional
            The result's type, by default the image's. uint8 and uint16 stand for 0 to 1, int8 and int16 for -1 to 1. So
            dtype=float32 makes 1.0 of a uint8 image's 255.

        Returns
        -------
        ndarray or pyopencl.array.Array
            `out`, if it is given. An image of pyopencl has a result on its own queue, which may still be computing.
        """
        if _opencl.is_array(image):
            return self._in_buffers(image, out, dtype)
        return self._in_memory(image, out, dtype, self.device)

    def _in_buffers(self, image: Any, out: Any, dtype: DTypeLike) -> Any:
        """For an array in OpenCL's memory."""
        _opencl.check(image, "image", self._channel_axis)
        device = _opencl.device_of(image.queue)
        if self._has_own_device and device is not self.device:
            raise InvalidProblem("device: the image's queue has another device or context; leave device out, or give the queue")
        if self._operation != "convolve":
            result = self._in_memory(image.get(), None, dtype if out is None else out.dtype, device)
            target = _opencl.result_in(out, image, result.shape, dtype)
            target.set(result, image.queue)
            return target
        if self._treatment.replacement is not None:
            raise InvalidProblem(
                "nan_treatment='fill': samples in OpenCL's memory are not looked at, so none is filled; "
                "fill them before, or give get() of the array"
            )
        prepared = self._prepared_for_buffers(image.dtype, device)
        shape = prepared.result_size(*image.shape[:2]) + tuple(image.shape[2:])
        target = _opencl.result_in(out, image, shape, dtype)
        _opencl.check(target, "out", self._channel_axis)
        alpha = self._alpha_of(image)
        views = _opencl.view_of(image, alpha), _opencl.view_of(target, alpha)
        event = prepared.enqueue(image.queue.int_ptr, *views, _opencl.events_of(image, target))
        _opencl.add_event(target, image.queue, event)
        self.report = None
        return target

    def _in_memory(self, image: ArrayLike, out: np.ndarray | None, dtype: DTypeLike, device: Device) -> np.ndarray:
        """For an array in the host's memory."""
        samples = self._treatment.filled(as_samples(image, self._channel_axis))
        prepared = self._prepared(samples.dtype, device)
        shape = prepared.result_size(*samples.shape[:2]) + samples.shape[2:]
        if samples.ndim == 3:
            shape = np.moveaxis(np.broadcast_to(np.empty(()), shape), -1, self._channel_axis).shape
        result = _result_in(out, shape, np.dtype(samples.dtype if dtype is None else dtype), dtype is not None)
        computed = _in_native_order(result)
        target = np.moveaxis(computed, self._channel_axis, -1) if samples.ndim == 3 else computed
        self.report = prepared.run(samples, target, self._alpha_of(samples))
        if computed is not result:
            result[...] = computed
        warn(self.report.warnings)
        return result

    def plan(self, image: Any, dtype: DTypeLike = None) -> str:
        """Say how an image would be computed, as `clconv plan` does.

        Parameters
        ----------
        image : array_like, pyopencl.array.Array or tuple of int
            An image, whose samples are not read, or the shape of one.
        dtype : dtype, optional
            The type of both, if `image` is a shape (by default float32), else that of the result.

        Returns
        -------
        str
        """
        wanted = None if dtype is None else np.dtype(dtype).newbyteorder("=")
        if isinstance(image, tuple) and all(isinstance(length, (int, np.integer)) for length in image):
            image = np.broadcast_to(np.zeros((), np.float32 if wanted is None else wanted), image)
        device = self.device
        if _opencl.is_array(image):
            device = _opencl.device_of(image.queue)
            image = np.broadcast_to(np.zeros((), image.dtype), image.shape)
        samples = as_samples(image, self._channel_axis)
        result = samples.dtype if wanted is None else wanted
        return self._prepared(samples.dtype, device).plan(samples, result, self._alpha_of(samples))

    def __repr__(self) -> str:
        return f"<clconv.Convolver {self._operation} with {self.psf!r} on {self.device!r}>"


def _result_in(out: np.ndarray | None, shape: tuple[int, ...], dtype: np.dtype, asked: bool) -> np.ndarray:
    """`out`, if it fits, or a new array where there is none."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out is a {type(out).__name__} and must be a numpy array")
    if out.shape != shape:
        raise InvalidProblem(f"out has the shape {out.shape}, and the result {shape}")
    if asked and out.dtype != dtype:
        raise InvalidProblem(f"out is of {out.dtype}, and dtype says {dtype}")
    if not out.flags.writeable:
        raise InvalidProblem("out is read-only")
    return out


def _in_native_order(array: np.ndarray) -> np.ndarray:
    """The array itself, or an uninitialised one like it in the machine's byte order, which alone the library writes."""
    return array if array.dtype.isnative else np.empty(array.shape, array.dtype.newbyteorder("="))
