# SPDX-License-Identifier: Apache-2.0
"""Exactly zero where every sample that the PSF reaches is zero, nowhere negative: whatever computes it. NumPy's sums judge."""

import json

import numpy as np
import OpenImageIO as oiio
import pytest
from support.files_of_parts import write_exr_parts
from support.full import mostly_full
from support.images import random_psf, read_image, write_image, write_psf
from scipy.signal import oaconvolve
from support.methods import METHODS
from support.reference import BORDERS, assert_same_floats, convolve, first_and_count
from support.tool import succeed

# A disc with empty corners and a hole, larger to one side, not symmetric: its bounding box is not what it reaches.
Y, X = np.mgrid[0:13, 0:17]
PSF = np.where(np.hypot(X - 8, (Y - 6) * 1.2) <= 7.5, 1.0 + 0.1 * X + 0.05 * Y, 0)
PSF[6, 9] = PSF[5, :3] = 0


def matte(width=150, height=110, channels=3, dtype=np.float32):
    """Black, with a pixel and a block as bright as suns, and other places in the last channel; both near borders too."""
    image = np.zeros((height, width, channels), dtype)
    image[30, 20] = 50000
    image[60:69, 90:104] = np.random.default_rng(1).uniform(0.01, 3, (9, 14, channels))
    image[height - 2, 3, -1] = 7
    image[45, width - 1, -1] = 0.5
    image[1, 60, 0] = 1e-3
    image[20, 50] = -0.0
    return image


def write(path, image, psf=PSF):
    write_image(path / "in/a.exr", image)
    write_psf(path / "psf.txt", psf)


def run(path, *options, psf="psf.txt"):
    succeed("run", "in", "--psf", psf, "--output", "out", "--overwrite", "--report", "r.json", *options, cwd=path)
    return read_image(path / "out/a.exr").astype(np.float64)


PADDING = {"clamp": "edge", "wrap": "wrap", "mirror": "symmetric", "reflect": "reflect", "zero": "constant"}


def is_reached(image, psf, border="clamp", mode="same", origin=None, correlate=False):
    """Where a sample that is not zero meets a weight that is not, counted by SciPy's transforms in double."""
    height, width, channels = image.shape
    met = np.atleast_3d(psf) != 0
    rows, columns = met.shape[:2]
    ox, oy = origin if origin is not None else (columns // 2, rows // 2)
    if correlate:
        met, ox, oy = met[::-1, ::-1], columns - 1 - ox, rows - 1 - oy
    kind, _, value = border.partition(":")
    lit = value != "" and float(value) != 0
    padded = np.pad(image != 0, ((rows, rows), (columns, columns), (0, 0)), PADDING.get(kind, "constant"), **({"constant_values": True} if lit else {}))
    count = oaconvolve(padded.astype(np.float64), np.broadcast_to(met, (rows, columns, channels)), axes=(0, 1))
    (y, count_y), (x, count_x) = first_and_count(mode, height, rows, oy), first_and_count(mode, width, columns, ox)
    top, left = y + rows + oy, x + columns + ox
    return count[top : top + count_y, left : left + count_x] > 0.5


def assert_zeros(out, reached, some=True):
    """All zeros, and them alone."""
    assert (out >= 0).all(), f"{(out < 0).sum()} samples are negative, down to {out.min()}"
    assert (out[~reached] == 0).all(), f"{(out[~reached] != 0).sum()} of {(~reached).sum()} are not zero"
    assert not some or reached.mean() < 0.9


# Zeros are made where results are stored, in vectors (lanes) or one at a time. Each method has one type, and of transforms,
# tiles and direct sums, each in vectors or not, some have halves and some floats.
OF_HALVES = ["lanes", "global", "tiles", "direct of work-groups"]


@pytest.mark.parametrize(
    "method, dtype",
    mostly_full(
        [*((method, np.float16 if method in OF_HALVES else np.float32) for method in METHODS), ("lanes", np.float32)],
        [("lanes", np.float16), ("work-groups", np.float32), ("tiles of work-groups", np.float32), ("direct", np.float32)],
    ),
)
def test_every_method(tmp_path, method, dtype):
    image = matte(dtype=dtype)
    write(tmp_path, image)
    out = run(tmp_path, *METHODS[method])
    reached = is_reached(image, PSF)
    assert_zeros(out, reached)
    assert (out[convolve(image, PSF / PSF.sum()) > 1] > 0.9).all()  # what is reached was left alone


# Spectra of halves are stored in one way for lanes and in another, the same one, for the rest. Doubles are all alike.
@pytest.mark.parametrize(
    "precision, method",
    mostly_full(
        [("half", "lanes"), ("half", "global"), ("half", "direct"), ("double", "work-groups"), ("double", "direct")],
        [("half", "lanes"), ("double", "direct")],
    ),
)
def test_every_precision(tmp_path, precision, method):
    image = matte()
    write(tmp_path, image)
    assert_zeros(run(tmp_path, "--precision", precision, *METHODS[method]), is_reached(image, PSF))


WHOLE, BANDS = (), ("--memory-limit", "1M")


# By bands: nothing, the other end, what is near, and a division. test_pieces.py has the values of all borders, and the last
# test here has the other borders.
@pytest.mark.parametrize(
    "border, how",
    mostly_full(
        [*((border, WHOLE) for border in [*BORDERS, "constant:0"]), *((border, BANDS) for border in ["zero", "wrap", "mirror", "renormalize"])],
        [("constant:0", WHOLE), ("renormalize", WHOLE), ("zero", BANDS), ("wrap", BANDS)],
    ),
)
def test_every_border(tmp_path, border, how):
    image = matte(300, 1000)
    image[:5] = 0.3  # mirror has it beyond the border, and wrap on the other side
    write(tmp_path, image)
    out = run(tmp_path, "--border", border, *how)
    assert ("pieces of" in json.loads((tmp_path / "r.json").read_text())["items"][0]["plan"]) == bool(how)
    assert_zeros(out, is_reached(image, PSF, border=border))


def test_pieces(tmp_path):
    image = matte(300, 1000)
    write(tmp_path, image)
    out = run(tmp_path, "--border", "mirror", "--device-memory", "700K")
    assert "pieces of" in json.loads((tmp_path / "r.json").read_text())["items"][0]["plan"]
    assert_zeros(out, is_reached(image, PSF, border="mirror"))


@pytest.mark.parametrize(
    "how",
    mostly_full(
        [{"mode": "full"}, {"mode": "valid"}, {"correlate": True}, {"origin": (0, 12)}, {"origin": (16, 3)}],
        [{"mode": "full"}, {"correlate": True}, {"origin": (16, 3)}],
    ),
    ids=str,
)
def test_places(tmp_path, how):
    image = matte()
    write(tmp_path, image)
    options = {"mode": lambda v: ["--mode", v], "correlate": lambda _: ["--correlate"], "origin": lambda v: ["--psf-origin", "%d,%d" % v]}
    out = run(tmp_path, "--border", "wrap", *(part for name, value in how.items() for part in options[name](value)))
    assert_zeros(out, is_reached(image, PSF, border="wrap", **how))


def test_a_psf_that_looks_beyond_the_image_alone(tmp_path):
    """No sample of the image is zero."""
    image = matte() + np.float32(1)
    shift = np.zeros((1, 41))
    shift[0, 40] = 1  # moves everything 20 to the right
    write(tmp_path, image, shift)
    out = run(tmp_path, "--border", "zero", "--method", "fft")
    assert (out[:, :20] == 0).all() and (out[:, 20:] > 0.9).all()


def test_weights_far_apart(tmp_path):
    image = matte()
    image[:, 70:80] = 0
    psf = np.zeros((31, 31))
    psf[0, 0] = psf[30, 30] = psf[15, 15] = psf[3, 27] = 1
    write(tmp_path, image, psf)
    assert_zeros(run(tmp_path, "--method", "fft"), is_reached(image, psf))


def test_a_psf_a_channel(tmp_path):
    image = matte()
    psf = np.stack([np.roll(PSF, shift, axis=1) for shift in (0, 3, -5)], axis=2)
    write(tmp_path, image)
    write_psf(tmp_path / "psf.exr", psf)
    assert_zeros(run(tmp_path, psf="psf.exr"), is_reached(image, psf))


def test_weights_below_zero_may_give_what_is(tmp_path):
    image = matte()
    psf = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])
    write(tmp_path, image, psf)
    out = run(tmp_path, "--method", "fft")
    assert (out[~is_reached(image, psf)] == 0).all()
    assert out.min() == pytest.approx(-50000, rel=1e-5)


def test_samples_below_zero_may_give_what_is_in_their_channel(tmp_path):
    image = matte()
    image[80, 40, 1] = -8
    write(tmp_path, image)
    out = run(tmp_path, "--method", "fft")
    assert (out[~is_reached(image, PSF)] == 0).all()
    assert (out[..., [0, 2]] >= 0).all() and out[..., 1].min() == pytest.approx(-8 * PSF.max() / PSF.sum(), abs=0.01)


def test_nothing_is_darker_than_a_constant_border_that_nothing_in_the_image_is(tmp_path):
    image = matte() - np.float32(0.25)
    write(tmp_path, image)
    out = run(tmp_path, "--border", "constant:-0.25", "--method", "fft")
    assert (out >= -0.25).all()
    assert_same_floats(out, convolve(image, PSF / PSF.sum(), "constant:-0.25"))


def test_integers_as_floats(tmp_path):
    codes = np.round(np.clip(matte(), 0, 1) * 255).astype(np.uint8)
    write_image(tmp_path / "in/a.tif", codes)
    write_psf(tmp_path / "psf.txt", PSF)
    for options in ([], ["--linear"]):
        out = run(tmp_path, "--format", "exr", "--depth", "float", "--method", "tiled", *options)
        assert_zeros(out, is_reached(codes, PSF))


@pytest.mark.parametrize("how", [WHOLE, BANDS], ids=["whole", "bands"])
def test_mixes(tmp_path, how):
    image = matte(300, 1000)
    hole = PSF.copy()
    hole[6, 8] = 0  # the origin: results may see nothing and stand on something
    for name, psf in {"solid": PSF, "hole": hole}.items():
        write(tmp_path, image, psf)
        out = run(tmp_path, "--mix", "0.3", "--method", "tiled", *how)
        unseen = ~is_reached(image, psf)
        assert (out >= 0).all(), name
        assert (out[unseen & (image == 0)] == 0).all(), name
        np.testing.assert_allclose(out[unseen], 0.7 * image[unseen], rtol=1e-6)


def test_a_bias_is_all_there_is(tmp_path):
    image = matte()
    write(tmp_path, image)
    out = run(tmp_path, "--bias", "0.5", "--method", "fft")
    assert (out[~is_reached(image, PSF)] == 0.5).all() and (out >= 0.5).all()


@pytest.mark.parametrize(
    "how",
    mostly_full(
        [["--mix", "add"], ["--mix", "screen"], ["--mix", "lerp"], ["--resolution", "1/2"], ["--memory-limit", "1M"]],
        [["--mix", "lerp"], ["--resolution", "1/2"], ["--memory-limit", "1M"]],
    ),
    ids=str,
)
def test_what_no_light_falls_on_stays_as_it_is(tmp_path, how):
    """A bloom of few lights over dim noise."""
    image = np.random.default_rng(3).uniform(0, 0.3, (1000, 210, 3)).astype(np.float32)
    image[50, 60] = [900, 3, 0]
    image[200:203, 100:110, 1] = 2
    write(tmp_path, image)
    options = ["--psf", "psf.txt", "--report", "r.json", "--overwrite", *how]
    succeed("bloom", "in", "--output", "out", *options, cwd=tmp_path)
    out = read_image(tmp_path / "out/a.exr")
    lit = np.repeat(is_reached((image > 0.4).any(axis=2, keepdims=True), PSF if "1/2" not in how else np.ones((29, 33)), border="mirror"), 3, axis=2)
    assert (out[~lit] == image[~lit]).all() and lit.mean() < 0.2
    assert (out >= 0).all() and (out[50, 55] > image[50, 55]).any()


def test_parts_and_chosen_channels(tmp_path):
    one, two = matte(120, 90, 3), matte(110, 80, 4)
    (tmp_path / "in").mkdir()
    write_exr_parts(tmp_path / "in/a.exr", {"one": (one, (0, 0)), "two": (two, (0, 0))}, (120, 90))
    write_psf(tmp_path / "psf.txt", PSF)
    run(tmp_path, "--channels", "R,B", "--method", "tiled")
    file = oiio.ImageInput.open(str(tmp_path / "out/a.exr"))
    for number, image in enumerate((one, two)):
        assert file.seek_subimage(number, 0)
        out = file.read_image("float")
        reached = is_reached(image, PSF)
        assert (out[..., [0, 2]][~reached[..., [0, 2]]] == 0).all() and (out >= 0).all()
        assert (out[..., 1] == image[..., 1]).all()


def test_a_missing_sample_in_the_dark(tmp_path):
    image = matte()
    image[90, 70, 0] = np.nan
    write(tmp_path, image)
    for rule in ("zero", "interpolate"):
        out = run(tmp_path, "--nonfinite", rule, "--method", "fft")
        assert_zeros(out, is_reached(np.nan_to_num(image), PSF))


def test_random_mattes_and_weights(tmp_path):
    """Sizes, holes and supports of all kinds, in one run each."""
    random = np.random.default_rng(11)
    write_psf(tmp_path / "psf.txt", PSF)
    for number in range(6):
        width, height = (int(n) for n in random.integers(1, 90, 2))
        image = (random.uniform(0, 1, (height, width, 3)) * (random.random((height, width, 3)) < 0.02)).astype(np.float32)
        psf = random_psf(int(random.integers(1, 20)), int(random.integers(1, 20)), seed=number)
        psf *= random.random(psf.shape) < random.uniform(0.1, 1)
        psf[0, 0] = 1
        write(tmp_path, image, psf)
        border = BORDERS[number]
        out = run(tmp_path, "--border", border, "--method", "fft")
        assert_zeros(out, is_reached(image, psf, border=border), some=False)
