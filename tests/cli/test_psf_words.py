# SPDX-License-Identifier: Apache-2.0
"""PSFs in words: clconv psf and run --psf KIND:... tests/python/test_psf_words.py compares the words with formulas."""

import json
import re

import numpy as np
import pytest
from astropy.convolution import Gaussian2DKernel
from support.images import as_values, picture, read_image, write_image
from support.reference import assert_same, convolve
from support.tool import ROOT, fail, succeed


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("words")


def weights(folder, spec, *options):
    """The weights that `clconv psf` writes as text, in double."""
    succeed("psf", spec, "--output", "psf.txt", "--overwrite", "-q", *options, cwd=folder)
    return np.loadtxt(folder / "psf.txt", ndmin=2)


def rgb(folder, spec, *options):
    succeed("psf", spec, "--output", "psf.exr", "--overwrite", "-q", *options, cwd=folder)
    return read_image(folder / "psf.exr")


def grid(psf):
    height, width = psf.shape[:2]
    y, x = np.mgrid[:height, :width]
    return x - width // 2, y - height // 2


# --- what the words mean --------------------------------------------------------------------------------------------


def test_the_file_has_the_weights_that_the_words_mean(folder):
    """tests/python/test_psf_words.py has every kind."""
    expected = Gaussian2DKernel(2.5, x_size=7, mode="integrate").array
    found = weights(folder, "gaussian:2.5", "--size", "7")
    assert np.abs(found - expected / expected.sum()).max() <= 1e-7 * found.max()


def test_the_log_says_how_much_the_default_extent_holds(folder):
    whole = weights(folder, "lorentzian:0.5", "--size", "801")
    # What lies within 801 x 801: (4 / 2 pi) atan(a^2 / (g sqrt(2 a^2 + g^2))).
    a, g = 400.5, 0.5
    whole *= 2 / np.pi * np.arctan(a * a / (g * np.sqrt(2 * a * a + g * g)))
    err = succeed("psf", "lorentzian:0.5", "--output", "psf.txt", "--overwrite", cwd=folder).err
    size = np.loadtxt(folder / "psf.txt").shape[0]
    margin = (801 - size) // 2
    held = whole[margin : 801 - margin, margin : 801 - margin].sum()
    assert f"{size}x{size}" in err and f"{100 * held:.4f}"[:6] in err


def test_the_option_says_more_than_a_size_in_words(folder):
    assert weights(folder, "gaussian:2,size=9", "--size", "5").shape == (5, 5)


# --- colours and diffraction ----------------------------------------------------------------------------------------


def test_chroma_spreads_red_further_than_blue(folder):
    psf = rgb(folder, "star:60,blades=6,sharpness=30,chroma=1").astype(float)
    x, y = grid(psf)
    np.testing.assert_allclose(psf.sum(axis=(0, 1)), 1, atol=1e-6)
    red, green, blue = (np.sqrt((psf[..., c] * (x * x + y * y)).sum()) for c in range(3))
    assert abs(red / green - 0.61 / 0.55) < 0.02 and abs(blue / green - 0.465 / 0.55) < 0.02


def test_an_aperture_can_be_drawn(folder):
    """A slit of half the width: sinc^2, twice as wide across as along."""
    image = np.zeros((64, 64), np.uint8)
    image[:, 16:48] = 255
    write_image(folder / "slit, one.png", image)
    psf = weights(folder, 'diffraction:fnumber=4,pitch=1,wavelength=1,aperture="slit, one.png",spectrum=mono,size=41')
    fine = 64
    u = (np.arange(41 * fine) + 0.5) / fine - 20.5
    along = (np.sinc(u / 4) ** 2).reshape(41, fine).mean(axis=1)
    across = (np.sinc(u / 8) ** 2).reshape(41, fine).mean(axis=1)
    expected = np.outer(along, across)
    expected /= expected.sum()
    assert np.abs(psf - expected).max() < 1e-3 * expected.max()


def test_diffraction_in_colour_parts_it_by_wavelength(folder):
    psf = rgb(folder, "diffraction:radius=2,blades=6,size=129").astype(float)
    assert psf.shape == (129, 129, 3) and psf.min() >= 0
    np.testing.assert_allclose(psf.sum(axis=(0, 1)), 1, atol=1e-5)
    np.testing.assert_allclose(psf, psf[::-1, ::-1], atol=1e-6 * psf.max())  # of a real aperture
    x, y = grid(psf)
    spread = [(psf[..., c] * np.hypot(x, y)).sum() for c in range(3)]
    assert spread[0] > spread[1] > spread[2]
    # Two wavelengths that the user gives: blue is the pattern of half the size.
    (folder / "lines.txt").write_text("0.8 1 0 0\n0.6 0 1 0\n0.4 0 0 1\n")
    lines = rgb(folder, "diffraction:radius=4,wavelength=0.8,spectrum=lines.txt,size=65").astype(float)
    for channel, radius in ((0, 4), (2, 2)):
        expected = weights(folder, f"airy:radius={radius},size=65")
        assert np.abs(lines[..., channel] - expected).max() < 1e-4 * expected.max()


# --- files, previews, the command line ------------------------------------------------------------------------------


def test_a_preview_does_not_replace_the_psf(folder):
    for preview in ("a.png", "./a.png"):
        fail(2, "psf", "disc:3", "--output", "a.png", "--preview", preview, says=["would replace the --output"], cwd=folder)
    assert not (folder / "a.png").exists()


def test_files_hold_what_they_can_and_previews_are_logarithmic(folder):
    expected = weights(folder, "moffat:3,size=31")
    for name in ("a.exr", "a.tif"):
        succeed("psf", "moffat:3,size=31", "--output", name, "--preview", "a.png", "--overwrite", cwd=folder)
        np.testing.assert_allclose(read_image(folder / name)[..., 0], expected, rtol=1e-6)
    preview = read_image(folder / "a.png")[..., 0]
    shown = np.clip(1 + np.log10(expected / expected.max()) / 6, 0, 1)
    assert preview.shape == (31 * 8, 31 * 8) and np.abs(preview[4::8, 4::8] / 255 - shown).max() < 0.003
    succeed("psf", "moffat:3,size=31", "--output", "b.png", cwd=folder)
    codes = as_values(read_image(folder / "b.png")[..., 0])
    assert np.abs(codes - expected / expected.max()).max() < 1e-5
    fail(4, "psf", "moffat:3", "--output", "b.png", says=["b.png", "--overwrite"], cwd=folder)
    fail(2, "psf", "moffat:3", "--output", "b.xyz", says=["b.xyz", "exr"], cwd=folder)
    fail(2, "psf", "star:30,chroma=1", "--output", "b.txt", says=["3 channels", "exr"], cwd=folder)


@pytest.mark.parametrize("name", ["negative.png", "negative.hdr", "negative.exr", "negative.txt"])
def test_negative_weights_that_a_format_does_not_hold_are_counted(folder, name):
    spec = ("gaussian:1+gaussian:3*-1", "--normalize", "none", "--size", "31")
    exact = weights(folder, *spec)
    err = succeed("psf", *spec, "--output", name, cwd=folder).err
    if name in ("negative.exr", "negative.txt"):
        assert "warning" not in err
        return
    below = exact[exact < 0]
    assert f"so {below.size} of {exact.size}, " in err
    assert f"{100 * -below.sum() / np.abs(exact).sum():.2g} % of all magnitudes" in err


def test_files_of_webp_have_no_loss_and_those_of_jpeg_a_warning(folder):
    spec = ("star:6,chroma=1", "--size", "25")
    succeed("psf", *spec, "--output", "star.tga", cwd=folder)
    assert "compression" not in succeed("psf", *spec, "--output", "star.webp", cwd=folder).err
    assert (read_image(folder / "star.webp") == read_image(folder / "star.tga")[..., :3]).all()
    assert "its compression changes weights" in succeed("psf", *spec, "--output", "star.jpg", cwd=folder).err


def test_options_say_the_same_as_words(folder):
    expected = weights(folder, "polygon:6,blades=7,rotation=-15,round=0.3")
    for words in (
        ["polygon", "--radius", "6", "--blades=7", "--rotation", "-15", "--round", "0.3"],
        ["polygon", "6", "--rotation=-15", "--blades", "7", "--round=0.3"],
        ["polygon: 6, round=0.3, rotation=-15, blades=7"],
    ):
        succeed("psf", *words, "--output", "o.txt", "--overwrite", cwd=folder)
        np.testing.assert_array_equal(np.loadtxt(folder / "o.txt"), expected)


@pytest.mark.parametrize(
    "spec, says",
    [
        ("gausian:2", ["gausian", "did you mean gaussian", "moffat", "no such file"]),
        ("gausian", ["did you mean gaussian"]),
        ("gauss:2", ["did you mean gaussian"]),
        ("polygon:5,blade=6", ["blade", "did you mean blades", "3 to 64"]),
        ("polygon:5,blades=2", ["blades=2", "3 to 64"]),
        ("polygon:5,blades=5.5", ["blades=5.5", "whole"]),
        ("gaussian:-1", ["sigma=-1", "0.05 to 1000"]),
        ("gaussian:nan", ["'nan' is not a number"]),
        ("gaussian:2,3", ["'3' lacks its name"]),
        ("gaussian:2,sigma=3", ["sigma is given twice"]),
        ("gaussian", ["sigma", "sx and sy"]),
        ("gaussian:2,sx=1", ["sigma", "sx and sy"]),
        ("disc", ["needs radius"]),
        ("airy:fnumber=8", ["radius", "pitch"]),
        ("airy:fnumber=8,pitch=1000", ["wavelength x fnumber / pitch", "micrometres"]),
        ("gaussian:2*0.9+", ["empty term"]),
        ("gaussian:2*0.9+gauss:3", ["gauss", "not a kind"]),
        ("gaussian:2*x", ["weight 'x'"]),
        ("gaussian:2*0", ["weight 0", "not 0"]),
        ("gaussian:2*1*1", ["several weights"]),
        ("gaussian:2,,angle=3", ["empty argument"]),
        ("gaussian:1000", ["12", "8193", "share"]),
        ("gaussian:2,size=9999", ["size=9999", "1 to 8193"]),
        ("halo:300,size=5", ["5x5", "none of its light"]),
        ("diffraction:radius=0.3,size=4001", ["4001", "too many"]),
        ("diffraction:radius=3,aperture=missing.png", ["missing.png"]),
        ('diffraction:radius=3,aperture="x', ["quotation"]),
        pytest.param("+".join(["gaussian:1"] * 65), ["65 terms"], id="terms"),
        pytest.param("x:" + "9" * 5000, ["too many"], id="long"),
    ],
)
def test_words_that_make_no_sense_are_refused_with_a_way_out(folder, spec, says):
    result = fail(2, "psf", spec, "--output", "no.exr", says=says, cwd=folder)
    assert "internal" not in result.err.lower() and not (folder / "no.exr").exists()


def test_docs_have_what_help_has():
    """Kinds, arguments, units, ranges and defaults, in this order."""
    out = succeed("psf", "--help").out
    listed = out[out.index("Kinds of PSF") : out.index("all kinds:")]
    helped = re.findall(r"^ {2}(\w+): |^ {6}(\w+) \(([^)]*)\): ", listed, re.M)
    docs = (ROOT / "docs/psfs.md").read_text()
    sections = docs[docs.index("## gaussian") : docs.index("## Sums")]
    written = re.findall(r"^## (\w+)$|^\| `(\w+)` \| ([^|]*) \|", sections, re.M)
    assert len(helped) > 50 and helped == written, "docs/psfs.md differs from clconv psf --help"
    for kind in re.findall(r"^## (\w+)$", sections, re.M):
        picture = f"docs/images/psfs/{kind}.png"
        assert (ROOT / picture).exists(), f"{picture} is missing; scripts/make-pictures psfs, with a line for {kind}, makes it"


# --- in runs --------------------------------------------------------------------------------------------------------


def test_runs_take_words_wherever_a_file_goes(tmp_path):
    image = picture(37, 29, 3)
    write_image(tmp_path / "image.exr", image)
    words = ["gaussian:1.5", "gaussian:sx=2,sy=1,angle=30", "disc:2.50*0.5+box:3*0.5", "gaussian:0.7"]
    run = ("run", "image.exr", "--psf", *words, "--output", "out")
    succeed(*run, "--resume", cwd=tmp_path)
    names = ["gaussian-1.5", "gaussian-sx2-sy1-angle30", "disc-2.5x0.5_box-3x0.5", "gaussian-0.7"]
    for spec, name in zip(words, names):
        assert_same(read_image(tmp_path / f"out/image_{name}.exr"), convolve(image, weights(tmp_path, spec)))

    # Words that say the same are the same PSF; a file of that name is another.
    def digests():
        lines = (tmp_path / "out/.clconv-manifest.ndjson").read_text().splitlines()
        return [json.loads(line)["psf_digest"] for line in lines]

    assert len(digests()) == len(set(digests())) == 4
    assert "3 of 3" in succeed(*run[:4], *words[2:], *run[-2:], "--resume", cwd=tmp_path).err
    spelled = ["gaussian:sigma=1.50", "gaussian: angle=30, sy=1.0, sx=2", *words[2:]]
    numbered = ("--name", "{stem}_{index}{ext}", "--output", "out", "--resume")
    succeed("run", "image.exr", "--psf", *spelled, *numbered, cwd=tmp_path)
    assert len(digests()) == 8 and sorted(digests()[4:]) == sorted(digests()[:4])
    (tmp_path / "gaussian:1.5").write_text("0 0 0\n0 0 1\n0 0 0\n")
    succeed(*run[:4], "--output", "file", cwd=tmp_path)
    shifted = convolve(image, np.array([[0, 0, 0], [0, 0, 1.0], [0, 0, 0]]))
    assert_same(read_image(tmp_path / "file/image.exr"), shifted)


def test_plans_and_bad_words_cost_no_device(tmp_path):
    write_image(tmp_path / "image.exr", picture(37, 29, 3))
    assert "31x31" in succeed("plan", "image.exr", "--psf", "gaussian:2.4", cwd=tmp_path).out
    fail(2, "run", "image.exr", "--psf", "gausian:2", "--output", "out", says=["gausian", "did you mean"], cwd=tmp_path)
    fail(2, "run", "image.exr", "--psf", "psf.exr", "--output", "out", says=["psf.exr"], cwd=tmp_path)
    fail(
        2, "run", "image.exr", "--psf", "diffraction:radius=2,aperture=image.exr", "--output", ".", says=["image.exr"],
        cwd=tmp_path,
    )


# --- measured PSFs --------------------------------------------------------------------------------------------------


def measured(height=41, width=47):
    """A lamp beside the middle, on a grey background."""
    y, x = np.mgrid[:height, :width]
    spot = np.exp(-((x - 25) ** 2 + (y - 18) ** 2) / (2 * 2.0**2))
    return 0.04 + 0.9 * spot


def test_measured_psfs_are_decoded_cleared_and_trimmed(folder):
    codes = np.round(measured() * 255).astype(np.uint8)
    write_image(folder / "lamp.png", codes)
    code = codes / 255
    light = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(weights(folder, "lamp.png", "--psf-linear"), light / light.sum(), atol=1e-8)

    dark = np.median(np.concatenate([code[:2].ravel(), code[-2:].ravel(), code[2:-2, :2].ravel(), code[2:-2, -2:].ravel()]))
    cleared = np.maximum(code - dark, 0)
    np.testing.assert_allclose(weights(folder, "lamp.png", "--psf-background", "auto"), cleared / cleared.sum(), atol=1e-8)
    half = np.maximum(code - 0.5, 0)
    np.testing.assert_allclose(weights(folder, "lamp.png", "--psf-background", "0.5"), half / half.sum(), atol=1e-8)

    options = ("--psf-background", "auto", "--psf-origin", "peak")
    trimmed = weights(folder, "lamp.png", *options, "--psf-crop", "0.99")
    height, width = trimmed.shape
    assert height == width and height % 2 == 1 and trimmed.argmax() == trimmed.size // 2
    h = height // 2
    held = cleared[18 - h : 19 + h, 25 - h : 26 + h].sum() / cleared.sum()
    smaller = cleared[19 - h : 18 + h, 26 - h : 25 + h].sum() / cleared.sum()
    assert held >= 0.99 > smaller
    fail(2, "psf", "lamp.png", "--psf-background", "some", "--output", "c.exr", says=["some", "auto"], cwd=folder)
    fail(2, "psf", "lamp.png", "--psf-crop", "2", "--output", "c.exr", says=["--psf-crop"], cwd=folder)


def test_psf_files_are_decoded_cleared_limited_and_raised_in_this_order(folder):
    """For `psf` and for `run`. PSFs in words stay as they are."""
    codes = np.round(measured() * 255).astype(np.uint8)
    write_image(folder / "glare.png", codes)
    code = codes / 255
    light = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    expected = np.minimum(np.maximum(light - 0.01, 0), 0.3) ** 2.5
    options = ("--psf-linear", "--psf-background", "0.01", "--psf-clamp", "0.3", "--psf-power", "2.5")
    np.testing.assert_allclose(weights(folder, "glare.png", *options), expected / expected.sum(), atol=1e-8)
    for output, psf in (("options", ("glare.png", *options)), ("file", ("psf.txt",))):
        succeed("run", "glare.png", "--psf", *psf, "--output", output, cwd=folder)
    np.testing.assert_array_equal(read_image(folder / "options/glare.png"), read_image(folder / "file/glare.png"))
    np.testing.assert_array_equal(weights(folder, "gaussian:1", *options), weights(folder, "gaussian:1"))
    (folder / "signs.txt").write_text("1 2 -1\n")
    fail(2, "psf", "signs.txt", "--psf-power", "2", "--output", "c.txt", says=["signs.txt", "-1", "--psf-background 0"], cwd=folder)
    for option, value, wanted in (("--psf-power", "0", "0.05 to 20"), ("--psf-clamp", "nan", "1e-30 to 1e+30")):
        says = [f"{option}: '{value}' is not a number from {wanted}"]
        fail(2, "psf", "signs.txt", option, value, "--output", "c.txt", says=says, cwd=folder)


def test_trimming_moves_nothing(tmp_path):
    """The origin stays on its sample, wherever the trimmed edges lie."""
    image = picture(37, 29)
    write_image(tmp_path / "image.exr", image)
    psf = np.zeros((21, 17))
    psf[3:6, 10:15] = np.random.default_rng(3).uniform(0.5, 1, (3, 5))
    np.savetxt(tmp_path / "psf.txt", psf)
    for origin in ("center", "12,4"):
        run = ("run", "image.exr", "--psf", "psf.txt", "--psf-origin", origin, "--overwrite")
        succeed(*run, "--output", "whole", cwd=tmp_path)
        err = succeed(*run, "--output", "trimmed", "--psf-crop", "1", cwd=tmp_path).err
        assert "trimmed from 17x21" in err
        np.testing.assert_allclose(
            read_image(tmp_path / "trimmed/image.exr"), read_image(tmp_path / "whole/image.exr"), atol=2e-6
        )
