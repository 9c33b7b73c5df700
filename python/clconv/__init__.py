# SPDX-License-Identifier: Apache-2.0
"""Convolve numpy arrays with point-spread functions of any size on OpenCL devices.

>>> import clconv
>>> import numpy as np
>>> image = np.zeros((480, 640), np.float32)
>>> clconv.convolve(image, "gaussian:2.5").shape
(480, 640)

Images are arrays (height, width) or (height, width, channels). The weights of a PSF are divided by their sum unless
``normalize="none"``. Outside of the image, the nearest sample counts unless ``border=`` (clconv's words) or ``mode=`` (SciPy's)
says otherwise. docs/python.md has all of it.
"""

from ._convolver import Convolver
from ._core import Device, DeviceInfo, OptionInfo, Psf, Report, devices, options
from ._core import version as _version
from ._errors import BuildError, DeviceError, Error, InputError, InternalError, InvalidProblem, Warning
from ._functions import bloom, clear, convolve, deconvolve, plan
from ._samples import psf

__version__ = _version()

__all__ = [
    "BuildError",
    "Convolver",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "Error",
    "InputError",
    "InternalError",
    "InvalidProblem",
    "OptionInfo",
    "Psf",
    "Report",
    "Warning",
    "bloom",
    "clear",
    "convolve",
    "deconvolve",
    "devices",
    "options",
    "plan",
    "psf",
]
