# SPDX-License-Identifier: Apache-2.0
"""SciPy's and astropy's names for what clconv calls border, mode and nonfinite."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import InvalidProblem

# scipy.signal: how much of the result is wanted.
EXTENTS = ("full", "same", "valid")

# scipy.ndimage's names of borders, and clconv's. "reflect" and "mirror" are each other's.
BORDERS = {
    "reflect": "mirror",
    "grid-mirror": "mirror",
    "mirror": "reflect",
    "nearest": "clamp",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": "constant",
    "grid-constant": "constant",
}

# astropy's nan_treatment.
NONFINITE = {"interpolate": "interpolate", "fill": "zero"}


def unit_of(dtype: np.dtype) -> float:
    """What clconv reads as 1: the largest code of integers of 8 and 16 bits."""
    return float(np.iinfo(dtype).max) if dtype.kind in "iu" and dtype.itemsize <= 2 else 1.0


def one_of(name: str, value: str, values: Any) -> None:
    if value not in values:
        raise InvalidProblem(f"{name}={value!r}: it is one of {', '.join(map(repr, values))}")


class Treatment:
    """Options of clconv that stand for SciPy's and astropy's arguments."""

    def __init__(self, mode: str | None, cval: float, nan_treatment: str | None, fill_value: float, given: dict[str, Any]):
        self.options: dict[str, Any] = {}
        self.outside: float | None = None  # in the units of the image
        self.replacement: float | None = None
        if mode is not None:
            self._read_mode(mode, cval, given)
        elif cval != 0:
            raise InvalidProblem("cval needs mode='constant'")
        if nan_treatment is not None:
            self._read_nan_treatment(nan_treatment, fill_value, given)
        elif fill_value != 0:
            raise InvalidProblem("fill_value needs nan_treatment='fill'")

    def _read_mode(self, mode: str, cval: float, given: dict[str, Any]) -> None:
        one_of("mode", mode, (*EXTENTS, *BORDERS))
        border = given.get("border")
        if cval != 0 and BORDERS.get(mode) != "constant":
            raise InvalidProblem("cval needs mode='constant'")
        if mode in EXTENTS:
            self.options["mode"] = mode
            if border is None:
                self.options["border"] = "zero"  # as scipy.signal
            return
        if border is not None:
            raise InvalidProblem(f"mode={mode!r} is a border already; give it or border={border!r}")
        if BORDERS[mode] == "constant" and cval == 0:
            self.options["border"] = "zero"
        elif BORDERS[mode] == "constant":
            self.outside = float(cval)
        else:
            self.options["border"] = BORDERS[mode]

    def _read_nan_treatment(self, nan_treatment: str, fill_value: float, given: dict[str, Any]) -> None:
        one_of("nan_treatment", nan_treatment, NONFINITE)
        if given.get("nonfinite") is not None:
            raise InvalidProblem("nan_treatment and nonfinite say the same; give one")
        if fill_value == 0:
            self.options["nonfinite"] = NONFINITE[nan_treatment]
        elif nan_treatment == "fill":
            self.replacement = float(fill_value)
        else:
            raise InvalidProblem("fill_value needs nan_treatment='fill'")

    def options_for(self, dtype: np.dtype) -> dict[str, Any]:
        """The options of images of this type."""
        if self.outside is None:
            return self.options
        return {**self.options, "border": f"constant:{self.outside / unit_of(dtype)!r}"}

    def filled(self, image: np.ndarray) -> np.ndarray:
        """The image, or a copy in which samples that are not finite have fill_value."""
        if self.replacement is None or image.dtype.kind != "f":
            return image
        finite = np.isfinite(image)
        return image if finite.all() else np.where(finite, image, image.dtype.type(self.replacement))
