# SPDX-License-Identifier: Apache-2.0
"""What clconv raises and warns of. clconv._core looks the exceptions up by their names."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable

_FOLDER = os.path.dirname(__file__) + os.sep


class Error(Exception):
    """The base of all exceptions of clconv."""


class InvalidProblem(Error, ValueError):
    """The request makes no sense: an unknown option, a PSF without a sum, arrays that do not fit together."""


class InputError(Error, ValueError):
    """The samples are at fault: some are not finite, or sums of finite ones overflow."""


class DeviceError(Error, RuntimeError):
    """There is no usable device, or it is out of memory or lost."""


class BuildError(DeviceError):
    """The driver does not build a program, or builds one that computes wrongly."""


class InternalError(Error, RuntimeError):
    """A fault of clconv."""


class Warning(UserWarning):  # noqa: A001  (clconv.Warning, beside clconv.Error)
    """What a user of a PSF or of a result should know."""


def warn(texts: Iterable[str]) -> None:
    """Warn of each text, in the name of the line outside of this package that called it."""
    level = 1
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame = frame.f_back
        level += 1
    for text in texts:
        warnings.warn(text, Warning, stacklevel=level)
