# SPDX-License-Identifier: Apache-2.0
"""What differs between an input and its output, as other programs show both."""

import re

import numpy as np

from support.matrix.case import Part, Shown

# A codec that loses, once more: the most of a sample, and the mean of all.
LOSSY_AGAIN, LOSSY_MEAN = 0.1, 0.02


def values(part):
    """[0, 1] for codes, else the numbers."""
    samples = np.asarray(part.samples)
    if samples.dtype == object:
        samples = samples.astype(np.float64)
    return samples.astype(np.float64) / part.top if part.top else samples.astype(np.float64)


# Half a step of a type, in its numbers.
ROUNDING = {"half": 2**-11, "integer": 0}


def narrowest(part):
    kind = str(part.facts.get("type"))
    return "half" if "float16" in kind or kind == "f16" else "integer" if kind[0] in "ui" else "float"


def first_place(differs):
    y, x, channel = np.argwhere(differs)[0]
    return f"{int(differs.sum())} of {differs.size} samples, first at row {y}, column {x}, channel {channel}"


def same_channels(before, after):
    """Both with the same channels, if one only repeats or leaves out some."""
    a, b = before.shape[2], after.shape[2]
    if a == b:
        return before, after
    if a == 1 and b >= 3:
        return np.repeat(before, 3, 2), after[..., :3]
    if a == 2 and b == 4:
        return before[..., [0, 0, 0, 1]], after
    return before[..., : min(a, b)], after[..., : min(a, b)]


def sample_difference(before: Part, after: Part, convolved, lossy):
    a, b = values(before), values(after)
    if a.shape[:2] != b.shape[:2]:
        return "size", f"{a.shape[1]}x{a.shape[0]}", f"{b.shape[1]}x{b.shape[0]}"
    a, b = same_channels(a, b)
    alpha = before.facts.get("alpha")
    if lossy:
        size = 1 if before.top else np.abs(a) + 0.01 * np.abs(a).max()
        differs = (np.abs(a - b) > LOSSY_AGAIN * size) | (np.abs(a - b).mean() > LOSSY_MEAN * np.mean(size))
    elif before.top and after.top:
        differs = np.abs(a - b) > 1e-9
    elif convolved or before.top or after.top:
        near = ROUNDING.get(narrowest(before), 1e-7) * np.abs(a) + 1e-6 * np.nanmax(np.abs(a))
        differs = ~((np.abs(a - b) <= near) | (a == b) | (np.isnan(a) & np.isnan(b)))
    else:
        differs = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if convolved and alpha and a.shape[2] in (2, 4):  # colours are shown multiplied by alpha
        differs &= (np.abs(a - b) * a[..., -1:] > 1e-6 * np.abs(a).max()) | (np.arange(a.shape[2]) == a.shape[2] - 1)
    if not differs.any():
        return None
    y, x, c = np.argwhere(differs)[0]
    return "samples", f"{a[y, x, c]:.9g}", f"{b[y, x, c]:.9g} ({first_place(differs)})"


def differences(before: Shown, after: Shown, convolved):
    """[(kind, before, after)]; nothing where a viewer cannot tell one from the other."""
    found = []
    if len(before.parts) != len(after.parts):
        found.append(("parts", len(before.parts), len(after.parts)))
    for name in before.facts | after.facts:
        if before.facts.get(name) != after.facts.get(name):
            found.append((name, before.facts.get(name), after.facts.get(name)))
    for number, (one, other) in enumerate(zip(before.parts, after.parts)):
        where = f" of part {number}" if len(before.parts) > 1 else ""
        for name in one.facts | other.facts:
            if one.facts.get(name) != other.facts.get(name) and (name, other.facts.get(name)) != ("lossy", False):
                found.append((name + where, one.facts.get(name), other.facts.get(name)))
        lossy = bool(one.facts.get("lossy")) and bool(other.facts.get("lossy"))
        if difference := sample_difference(one, other, convolved, lossy):
            found.append((difference[0] + where, *difference[1:]))
    return found


# What a warning may be about (its kind) so that it names a difference.
STORED = {"type", "bits", "range"}
NAMED_BY = {
    "type": STORED | {"photometric"}, "range": STORED, "bits": STORED | {"photometric"}, "photometric": {"photometric"}, "alpha": {"alpha", "channels", "clamped"},
    "associated": {"alpha"}, "channels": {"channels", "alpha", "photometric"}, "lossy": {"compression"}, "quality": {"compression"},
    "subsampling": {"compression"}, "progressive": {"compression"}, "levels": {"parts"}, "parts": {"parts"}, "duration": {"parts"},
    "loop": {"parts"}, "profile": {"colour"}, "gamma": {"colour"}, "primaries": {"colour"}, "transfer": {"colour"},
    "size": {"order"}, "orientation": {"order", "tags"},
    "samples": STORED | {"photometric", "channels", "alpha", "compression", "colour", "clamped", "accuracy"},
}  # fmt: skip


def kind_of(difference):
    return re.sub(r" of part \d+$", "", difference[0])


def unsaid(found, item):
    """The differences that no warning names."""
    said = {warning["kind"] for warning in item["warning_details"]}
    return [difference for difference in found if not said & NAMED_BY.get(kind_of(difference), {"tags", "colour"})]
