# SPDX-License-Identifier: Apache-2.0
"""Arrays in OpenCL's memory, as pyopencl.array has them. They are known by their attributes; pyopencl is never imported."""

from __future__ import annotations

import sys
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from ._core import BufferView, Device
from ._errors import InvalidProblem

_devices: WeakValueDictionary[tuple[int, int], Device] = WeakValueDictionary()


def _has(value: Any, *names: str) -> bool:
    return all(hasattr(value, name) for name in names)


def is_array(value: Any) -> bool:
    """Whether its samples are in a buffer of OpenCL."""
    return not isinstance(value, np.ndarray) and _has(value, "base_data", "queue", "shape", "dtype", "strides", "offset")


def is_queue(value: Any) -> bool:
    return _has(value, "int_ptr", "context", "device")


def device_of(queue: Any) -> Device:
    """The queue's device, opened in the queue's context. It stays open while somebody uses it."""
    key = queue.context.int_ptr, queue.device.int_ptr
    device = _devices.get(key)
    if device is None:
        device = _devices[key] = _core.device_in(*key)
    return device


def check(array: Any, name: str, channel_axis: int) -> None:
    """That a buffer's samples are in the order [y][x][channel], from its first byte and without gaps."""
    if array.queue is None:
        raise InvalidProblem(f"{name}: the array has no queue; give it one, as with_queue() does")
    if len(array.shape) not in (2, 3):
        raise InvalidProblem(f"{name}: shape {array.shape}; images are (height, width), or have a channel axis besides")
    if len(array.shape) == 3 and channel_axis not in (-1, 2):
        raise InvalidProblem(f"channel_axis={channel_axis}: in OpenCL's memory, the channels must be the last axis")
    if array.offset:
        raise InvalidProblem(f"{name}: the array begins {array.offset} bytes behind its buffer's first; give a copy()")
    steps = [array.dtype.itemsize]
    for length in reversed(array.shape[1:]):
        steps.insert(0, steps[0] * length)
    if tuple(array.strides) != tuple(steps):
        raise InvalidProblem(f"{name}: strides are {tuple(array.strides)} bytes, and must be {tuple(steps)}; give a copy in C order")
    if not array.dtype.isnative:
        raise InvalidProblem(f"{name}: {array.dtype} is not in the machine's byte order")
    if not hasattr(array.base_data, "int_ptr"):
        raise InvalidProblem(f"{name}: the array's memory is a {type(array.base_data).__name__} and must be a buffer")


def view_of(array: Any, alpha: int) -> BufferView:
    """What libclconv needs to know of an array that passes check()."""
    return BufferView(array.base_data.int_ptr, array.dtype, array.shape, alpha)


def result_in(out: Any, image: Any, shape: tuple[int, ...], dtype: DTypeLike) -> Any:
    """`out`, or a new array on the image's queue."""
    if out is None:
        result = np.dtype(image.dtype if dtype is None else dtype)
        return type(image)(image.queue, shape, result, allocator=getattr(image, "allocator", None))
    if not is_array(out):
        raise TypeError(f"out is a {type(out).__name__}; the image is in OpenCL's memory, and out must be there too")
    if tuple(out.shape) != shape:
        raise InvalidProblem(f"out has the shape {tuple(out.shape)}, and the result {shape}")
    if dtype is not None and out.dtype != np.dtype(dtype):
        raise InvalidProblem(f"out is of {out.dtype}, and dtype says {np.dtype(dtype)}")
    return out


def events_of(*arrays: Any) -> list[int]:
    """What the arrays' contents wait for."""
    return [event.int_ptr for array in arrays for event in getattr(array, "events", ())]


def add_event(array: Any, queue: Any, event: int) -> None:
    """Makes what reads the array wait for an event, which the array takes over."""
    for base in type(queue).__mro__:
        kind = getattr(sys.modules.get(base.__module__), "Event", None)
        if kind is not None:
            array.add_event(kind.from_int_ptr(event, False))
            return
    raise TypeError(f"the module of {type(queue).__name__} has no Event")
