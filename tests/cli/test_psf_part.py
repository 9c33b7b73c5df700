# SPDX-License-Identifier: Apache-2.0
"""PSF files of several images: --psf-part, and what is said without it. Files by tifffile, astropy, Pillow and OpenImageIO."""

import numpy as np
import pytest
import tifffile
from astropy.io import fits
from PIL import Image
from support.images import picture, read_image, write_image
from support.reference import assert_same_floats, convolve
from support.tool import fail, succeed

IMAGE = picture(32, 24, 1)
y, x = np.mgrid[-6:7, -6:7]


def gaussian(sigma):
    weights = np.exp(-(x**2 + y**2) / (2 * sigma**2))
    return (weights / weights.sum()).astype("f4")


SIGMAS = [3.5, 0.8, 2.0, 1.5]
STACK = np.stack([gaussian(sigma) for sigma in SIGMAS])


@pytest.fixture()
def folder(tmp_path):
    write_image(tmp_path / "in/a.tif", IMAGE)
    return tmp_path


def run(folder, psf, *options, image=IMAGE):
    done = succeed("run", "in", "--psf", psf, "--output", "out", "--overwrite", *options, cwd=folder)
    return read_image(folder / "out/a.tif"), done


def assert_convolved_with(folder, psf, sigma, *options):
    out, done = run(folder, psf, *options)
    weights = gaussian(sigma).astype(float)
    assert_same_floats(out, convolve(IMAGE, weights / weights.sum()), f"{psf} {options}")
    return done


def assert_each_convolved_with(folder, sigmas, *options):
    """One run with several PSFs. `sigmas`: file -> its Gaussian's."""
    psfs = [word for psf in sigmas for word in ("--psf", psf)]
    succeed("run", "in", *psfs, "--output", "out", "--overwrite", *options, cwd=folder)
    for psf, sigma in sigmas.items():
        weights = gaussian(sigma).astype(float)
        out = read_image(folder / f"out/a_{psf.partition('.')[0]}.tif")
        assert_same_floats(out, convolve(IMAGE, weights / weights.sum()), f"{psf} {options}")


def assert_part_is(folder, psf, part, sigma):
    """By the weights that `clconv psf` writes."""
    done = succeed("psf", psf, "--psf-part", part, "--output", "part.txt", "--overwrite", cwd=folder)
    weights = gaussian(sigma).astype(float)
    np.testing.assert_allclose(np.loadtxt(folder / "part.txt"), weights / weights.sum(), rtol=1e-6)
    return done


def stack_of_tiff(folder):
    tifffile.imwrite(folder / "stack.tif", STACK, photometric="minisblack")
    return "stack.tif"


def parts_of_exr(folder):
    import OpenImageIO as oiio

    specs = []
    for name in ("wide", "narrow", "left", "right"):
        spec = oiio.ImageSpec(13, 13, 1, "float")
        spec.attribute("oiio:subimagename", name)
        spec.attribute("name", name)
        specs.append(spec)
    output = oiio.ImageOutput.create("psf.exr")
    assert output.open(str(folder / "psf.exr"), tuple(specs)), output.geterror()
    for part, weights in enumerate(STACK):
        if part:
            assert output.open(str(folder / "psf.exr"), specs[part], "AppendSubimage"), output.geterror()
        assert output.write_image(np.ascontiguousarray(weights[..., None]))
    output.close()
    return "psf.exr"


def test_a_stack_needs_a_choice(folder):
    tiff, exr = stack_of_tiff(folder), parts_of_exr(folder)
    for command in (["run", "in", "--output", "out"], ["plan", "in/a.tif"], ["bloom", "in", "--output", "out"]):
        says = ["holds 4 images", "0", "13x13", "--psf-part"]
        fail(2, *command, "--psf", tiff, says=says, cwd=folder)
    for psf in (tiff, exr):
        fail(2, "psf", psf, "--output", "made.exr", says=["holds 4 images", "--psf-part"], cwd=folder)
    for part, sigma in enumerate(SIGMAS):
        assert_each_convolved_with(folder, {tiff: sigma, exr: sigma}, "--psf-part", part)
    for psf, wrong in ((tiff, "4"), (tiff, "-1"), (tiff, "blue"), (exr, "4"), (exr, "blue")):
        fail(2, "run", "in", "--psf", psf, f"--psf-part={wrong}", "--output", "out", says=[wrong, "4 images", "0 to 3"], cwd=folder)


def test_parts_have_names(folder):
    psf = parts_of_exr(folder)
    assert "wide" in fail(2, "run", "in", "--psf", psf, "--output", "out", cwd=folder).err
    assert_convolved_with(folder, psf, 2.0, "--psf-part", "left")
    with tifffile.TiffWriter(folder / "named.tif") as file:
        for weights, name in zip(STACK, ["zero", "one", "two", "three"]):
            file.write(weights, extratags=[(285, "s", 0, name, True)], metadata=None, contiguous=False)
    assert_convolved_with(folder, "named.tif", 1.5, "--psf-part", "three")


def test_frames_and_sizes_of_icons_need_a_choice(folder):
    frames = [Image.fromarray((weights / weights.max() * 255).astype("u1")) for weights in STACK]
    frames[0].save(folder / "psf.gif", save_all=True, append_images=frames[1:])
    frames[1].resize((32, 32)).convert("RGBA").save(folder / "psf.ico", sizes=[(16, 16), (32, 32)])
    for psf, count in (("psf.gif", 4), ("psf.ico", 2)):
        fail(2, "psf", psf, "--output", "x.exr", says=[f"holds {count} images"], cwd=folder)
        succeed("psf", psf, "--psf-part", count - 1, "--psf-gray", "--output", f"{count}.exr", cwd=folder)
    chosen = read_image(folder / "4.exr")[..., 0]
    exact = np.asarray(frames[3], float)
    np.testing.assert_allclose(chosen, exact / exact.sum(), atol=2e-3)


def test_levels_and_thumbnails_are_no_parts(folder):
    with tifffile.TiffWriter(folder / "psf.tif") as file:
        file.write(gaussian(2.0), subifds=1, metadata=None)
        file.write(gaussian(1.0)[::2, ::2], subfiletype=1, metadata=None)
    assert "holds" not in assert_convolved_with(folder, "psf.tif", 2.0).err
    with tifffile.TiffWriter(folder / "psf.tif") as file:
        file.write(gaussian(1.0)[::2, ::2], subfiletype=1, metadata=None)
        file.write(gaussian(2.0), metadata=None, contiguous=False)
    assert_convolved_with(folder, "psf.tif", 2.0)
    assert_convolved_with(folder, "psf.tif", 2.0, "--psf-part", 0)


def test_one_image_is_part_0(folder):
    tifffile.imwrite(folder / "psf.tif", gaussian(2.0))
    assert_convolved_with(folder, "psf.tif", 2.0, "--psf-part", 0)
    fail(2, "run", "in", "--psf", "psf.tif", "--psf-part", 1, "--output", "out", says=["1 image", "13x13"], cwd=folder)
    (folder / "psf.txt").write_text("1 2 1\n")
    succeed("run", "in", "--psf", "psf.txt", "--psf-part", "0", "--output", "text", cwd=folder)
    fail(2, "run", "in", "--psf", "psf.txt", "--psf-part", "1", "--output", "o", says=["is text", "one PSF"], cwd=folder)


def write_hdus(folder, *rest, name="psf.fits"):
    fits.HDUList([fits.PrimaryHDU(gaussian(3.5)), *rest]).writeto(folder / name, overwrite=True)
    return name


def table():
    return fits.BinTableHDU.from_columns([fits.Column("a", "J", array=[1, 2])], name="TABLE")


def test_a_fits_file_of_several_images_has_a_default_one_and_a_warning(folder):
    packed = fits.CompImageHDU(gaussian(2.0), name="SCI")
    packed.header["EXTVER"] = 2
    psf = write_hdus(folder, table(), fits.ImageHDU(gaussian(0.8), name="DET_SAMP"), packed)
    log = assert_convolved_with(folder, psf, 3.5).err
    for word in ("warning", "holds 3 images", "HDU 0 (13x13)", "HDU 2 DET_SAMP (13x13)", "HDU 3 SCI", "--psf-part N or NAME"):
        assert word in log, log
    for part, sigma in [("0", 3.5), ("2", 0.8), ("DET_SAMP", 0.8), ("det_samp", 0.8)]:
        assert "holds 3" not in assert_part_is(folder, psf, part, sigma).err
    out, _ = run(folder, psf, "--psf-part", "SCI,2")  # fpack's own rounding
    assert abs(out - convolve(IMAGE, gaussian(2.0) / gaussian(2.0).sum())).max() < 1e-2
    for wrong in ("1", "TABLE", "4", "SCI,1", "0:1"):
        says = [f"--psf-part {wrong}", "holds 3 images", "HDU 2 DET_SAMP"]
        fail(2, "run", "in", "--psf", psf, "--psf-part", wrong, "--output", "o", says=says, cwd=folder)


def test_a_cube_needs_a_choice_of_a_plane(folder):
    fits.writeto(folder / "psf.fits", STACK)
    says = ["HDU 0 (13x13x4) is a cube of 4 planes", "--psf-part N", "0 to 3", "--psf-part all"]
    fail(2, "run", "in", "--psf", "psf.fits", "--output", "out", says=says, cwd=folder)
    for plane, sigma in enumerate(SIGMAS):
        for part in (plane, f"0:{plane}"):
            assert_part_is(folder, "psf.fits", part, sigma)
    assert_convolved_with(folder, "psf.fits", SIGMAS[1], "--psf-part", 1)
    done = succeed("psf", "psf.fits", "--psf-part", "all", "--output", "all.exr", cwd=folder)
    assert "4 channels" in done.err
    psf = write_hdus(folder, fits.ImageHDU(STACK, name="FOCUS"), name="both.fits")
    assert_part_is(folder, psf, "focus:2", 2.0)
    assert_part_is(folder, psf, "1:2", 2.0)
    fail(2, "run", "in", "--psf", psf, "--psf-part", "FOCUS", "--output", "o", says=["cube of 4 planes", "1:N", "1:all"], cwd=folder)


def test_a_cube_of_three_planes_is_three_colours_with_a_warning(folder):
    image = picture(32, 24, 3)
    write_image(folder / "in/a.tif", image)
    fits.writeto(folder / "psf.fits", STACK[:3])
    weights = np.moveaxis(STACK[:3], 0, -1).astype(float)
    expected = convolve(image, weights / weights.sum(axis=(0, 1)))
    for options, warns in (([], True), (["--psf-part", "all"], False), (["--psf-part", "0:all"], False)):
        out, done = run(folder, "psf.fits", *options)
        assert_same_floats(out, expected, str(options))
        assert ("cube of 3 planes" in done.err) == warns, done


def test_an_aperture_is_chosen_too(folder):
    tifffile.imwrite(folder / "iris.tif", np.stack([np.zeros((64, 64), "f4"), np.pad(np.ones((40, 20), "f4"), ((12, 12), (22, 22)))]), photometric="minisblack")
    words = "diffraction:radius=3,aperture=iris.tif"
    fail(2, "psf", words, "--output", "made.exr", says=["iris.tif", "holds 2 images"], cwd=folder)
    succeed("psf", words, "--psf-part", 1, "--output", "made.exr", cwd=folder)


def test_content_decides_whether_a_psf_is_text(folder):
    sigmas = {}
    for number, ending in enumerate([".psf", ".dat", ".txt", ""]):
        fits.writeto(folder / "made.fits", gaussian(2.0))
        (folder / "made.fits").rename(folder / f"fits{number}{ending}")
        tifffile.imwrite(folder / "made.tif", gaussian(1.5))
        (folder / "made.tif").rename(folder / f"tiff{number}{ending}")
        np.savetxt(folder / f"text{number}{ending}", gaussian(0.8), fmt="%.9g", header="measured at night")
        sigmas |= {f"fits{number}{ending}": 2.0, f"tiff{number}{ending}": 1.5, f"text{number}{ending}": 0.8}
    assert_each_convolved_with(folder, sigmas)


def test_text_is_text_by_any_name_and_half_a_fits_file_is_no_text(folder):
    names = ("star.fits", "moon.tif", "sun.exr")
    for name in names:
        np.savetxt(folder / name, gaussian(0.8), fmt="%.9g", delimiter=",")
    assert_each_convolved_with(folder, dict.fromkeys(names, 0.8))
    fits.writeto(folder / "psf.fits", gaussian(2.0))
    (folder / "cut.psf").write_bytes((folder / "psf.fits").read_bytes()[:2900])
    fail(2, "psf", "cut.psf", "--output", "x.exr", says=["cut.psf", "damaged or ends too early"], cwd=folder)
    (folder / "words.psf").write_text("width 3\n1 2 1\n")
    fail(2, "psf", "./words.psf", "--output", "x.exr", says=["words.psf:1", "'width'"], cwd=folder)


def test_weights_that_are_no_numbers_are_counted_and_placed(folder):
    holed = gaussian(2.0)
    holed[:3] = np.nan
    holed[5, 7] = np.inf
    fits.writeto(folder / "psf.fits", holed)
    says = ["40 of its 169 weights are not finite", "x 7, y 7 (FITS pixel 8,6)", "replace them in the file"]
    for options in ([], ["--psf-background", "auto"], ["--psf-clamp", "1"], ["--psf-crop", "0.9"], ["--normalize", "none"]):
        # Rows of FITS count from the lowest, which is the last one here.
        done = fail(2, "psf", "psf.fits", "--output", "x.exr", *options, says=says, cwd=folder)
        assert "constant" not in done.err
    tifffile.imwrite(folder / "psf.tif", holed)
    fail(2, "run", "in", "--psf", "psf.tif", "--output", "o", says=["40 of its 169", "nan, at x 0, y 0"], cwd=folder)
    tifffile.imwrite(folder / "one.tif", np.where(np.isinf(holed), -np.inf, gaussian(2.0)))
    fail(2, "run", "in", "--psf", "one.tif", "--output", "o", says=["1 of its 169 weights is not", "-inf, at x 7, y 5"], cwd=folder)
    (folder / "psf.txt").write_text("1 2 1\n2 nan 2\n")
    fail(2, "run", "in", "--psf", "psf.txt", "--output", "o", says=["psf.txt:2", "'nan' is not a finite number"], cwd=folder)


def test_a_psf_without_light_says_so(folder):
    tifffile.imwrite(folder / "psf.tif", np.zeros((13, 13), "f4"))
    for how in ("sum", "sum-all", "peak"):
        fail(2, "run", "in", "--psf", "psf.tif", "--normalize", how, "--output", "o", says=["no weight but 0", "13x13", "--psf-part"], cwd=folder)
    colours = np.stack([gaussian(1.0), np.zeros((13, 13), "f4"), gaussian(1.0)], axis=-1)
    tifffile.imwrite(folder / "rgb.tif", colours, photometric="rgb")
    fail(2, "run", "in", "--psf", "rgb.tif", "--output", "o", says=["channel 1 has no weight but 0"], cwd=folder)
