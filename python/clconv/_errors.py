# SPDX-License-Identifier: Apache-2.0
"""What clconv raises. clconv._core looks these classes up by their names."""


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
