# SPDX-License-Identifier: Apache-2.0
"""What the matrix is about: a file that some program made (Case), and what a viewer shows of a file (Shown)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

WIDTH, HEIGHT = 36, 20  # tiles of 16 are whole and cut


@dataclass
class Part:
    """A picture of a file as it is shown, with what the file says about it."""

    samples: np.ndarray  # [row, column, channel], white above black: photometric and palette are applied
    top: int | None  # the code of white; None: samples are values
    facts: dict = field(default_factory=dict)  # kind -> value: type, photometric, alpha, orientation, window ...


@dataclass
class Shown:
    parts: list[Part]
    facts: dict = field(default_factory=dict)  # of the whole file: lossy, loop, tags


@dataclass(frozen=True)
class Case:
    name: str  # the file's
    format: str
    make: Callable[[Path], None]
    codes: np.ndarray | None = None  # what the first picture must show; None: the format loses some
    expected: str = ""  # why clconv refuses the file, a word of its message; empty: it does not
    has_tags: bool = False  # that exiftool lists

    def __str__(self):
        return self.name


def noise(channels, bits, seed=0, height=HEIGHT, width=WIDTH):
    """Codes of all sizes, with the least and the greatest among them."""
    rng = np.random.default_rng([channels, bits, seed])
    codes = rng.integers(0, 2**bits, (height, width, channels), dtype=np.uint64)
    codes[0, 0], codes[0, 1], codes[1, 0] = 0, 2**bits - 1, 1
    dtype = next(kind for kind in (np.uint8, np.uint16, np.uint32, np.uint64) if np.iinfo(kind).bits >= bits)
    return codes.astype(dtype)


def with_alpha(codes, bits, associated=False):
    """The last channel becomes alpha that is 0, 1, all but opaque and opaque in many places. Colours stay where alpha is 0,
    unless they are associated."""
    top = 2**bits - 1
    alpha = codes[..., -1]
    alpha[2::6], alpha[3::6], alpha[4::6], alpha[5::6] = 0, 1, top - 1, top
    if associated:
        product = codes[..., :-1].astype(np.float64) * alpha[..., None] / top
        codes[..., :-1] = np.rint(product).astype(codes.dtype)
    return codes


def smooth(channels, bits=8):
    """A ramp for codecs that lose."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    planes = [x / WIDTH, y / HEIGHT, (x + y) / (WIDTH + HEIGHT), 1 - 0.7 * x / WIDTH]
    return np.rint((2**bits - 1) * (0.1 + 0.8 * np.dstack(planes[:channels]))).astype(np.uint8 if bits <= 8 else np.uint16)


def columns(channels=3):
    """Red and green columns in turn: halved chroma shows at once."""
    codes = np.zeros((HEIGHT, WIDTH, channels), np.uint8)
    codes[:, 0::2, :3], codes[:, 1::2, :3] = (220, 30, 30), (30, 220, 30)
    if channels == 4:
        codes[..., 3] = np.where(np.arange(WIDTH) < 18, 255, 128)
    return codes


def floats(channels, dtype, seed=0):
    """Light of all sizes: tiny, greater than 1, and negative."""
    rng = np.random.default_rng([channels, seed])
    values = rng.standard_normal((HEIGHT, WIDTH, channels)) * 10.0 ** rng.integers(-3, 4, (HEIGHT, WIDTH, channels))
    values[0, 0], values[0, 1] = 0, 1
    return values.astype(dtype)
