# SPDX-License-Identifier: Apache-2.0
"""FITS in, out and as PSF, against astropy and scipy. Arrays are astropy's: row 0 is the lowest."""

import gzip
import json
import re
import warnings

import numpy as np
import pytest
from astropy.io import fits
from astropy.wcs import WCS
from scipy import ndimage
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.tool import fail, succeed

HEIGHT, WIDTH = 19, 23
PSF = random_psf(5, 3)
RANGES = {
    "uint8": (0, 255),
    "int8": (-100, 100),
    "int16": (-30000, 30000),
    "uint16": (0, 65535),
    "int32": (-90000, 90000),
    "uint32": (0, 200000),
}


def codes(dtype, height=HEIGHT, width=WIDTH):
    low, high = RANGES[dtype]
    return np.rint(low + (high - low) * picture(width, height)[..., 0].astype(np.float64)).astype(dtype)


def floats(height=HEIGHT, width=WIDTH, seed=0):
    return 1000 * picture(width, height, seed=seed)[..., 0]


def convolved(image, psf=PSF, mode="nearest"):
    return ndimage.convolve(np.asarray(image, np.float64), psf / psf.sum(), mode=mode)


def convolve(folder, *options, psf="psf.fits", inputs=("in",)):
    """Runs the tool on `in` with the FITS PSF of this file. Returns the result, and the report's items."""
    if not (folder / "psf.fits").exists():
        fits.writeto(folder / "psf.fits", PSF)
    result = succeed("run", *inputs, "--psf", psf, "--output", "out", "--overwrite", "--report", "report.json", *options,
                     cwd=folder)
    return result, json.loads((folder / "report.json").read_text())["items"]


def write(path, array, header=None, **options):
    path.parent.mkdir(exist_ok=True)
    fits.writeto(path, array, header, **options)


def opened(path):
    """The file's HDUs, which astropy takes without a word, checksums included."""
    assert path.stat().st_size % 2880 == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with fits.open(path, checksum=True) as file:
            file.verify("exception")
            return [hdu.copy() for hdu in file]


def close(result, expected, tolerance=2e-6):
    assert result.shape == expected.shape
    return abs(result - expected).max() <= tolerance * abs(expected).max()


def test_what_astropy_reads_of_the_output_is_scipys_convolution_of_what_it_reads_of_the_inputs(tmp_path):
    write(tmp_path / "in/a.fits", floats())
    convolve(tmp_path)
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert hdu.data.dtype == ">f4" and close(hdu.data, convolved(floats()))


def test_integers_come_back_in_their_type_with_their_values(tmp_path):
    images = {dtype: codes(dtype) for dtype in RANGES}
    for dtype, image in images.items():
        write(tmp_path / f"in/{dtype}.fits", image)
    result, items = convolve(tmp_path)
    assert "warning" not in result.err
    for dtype, item in zip(sorted(images), items):
        (hdu,) = opened(tmp_path / f"out/{dtype}.fits")
        image = images[dtype]
        assert hdu.data.dtype.newbyteorder("=") == dtype
        error = abs(hdu.data.astype(float) - convolved(image)).max()
        assert error <= 0.5 + 1e-6 * abs(image.astype(float)).max(), dtype
        expected = {"uint8": "u8", "uint16": "u16"}.get(dtype, dtype)
        assert (item["type"], item["output_type"]) == (expected, expected)


def test_even_sizes_have_their_origin_where_scipy_has_it(tmp_path):
    psf = random_psf(6, 4)
    fits.writeto(tmp_path / "psf.fits", psf)
    write(tmp_path / "in/a.fits", floats())
    convolve(tmp_path)
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert close(hdu.data, convolved(floats(), psf))


def test_pictures_and_fits_meet_as_they_are_viewed(tmp_path):
    (tmp_path / "in").mkdir()
    top_down = picture(WIDTH, HEIGHT).astype(np.float32)
    write_image(tmp_path / "in/picture.tif", top_down)
    write(tmp_path / "in/stars.fits", floats())
    write_psf(tmp_path / "psf.txt", PSF)
    convolve(tmp_path, "--name", "{stem}_text{ext}", psf="psf.txt")
    convolve(tmp_path)
    viewed = floats()[::-1]
    (stars,) = opened(tmp_path / "out/stars_text.fits")
    assert close(stars.data[::-1], convolved(viewed))
    result = read_image(tmp_path / "out/picture.tif")[..., 0]
    assert close(result, convolved(top_down[..., 0], PSF[::-1]))
    convolve(tmp_path, "--format", "tif", inputs=["in/stars.fits"])
    assert close(read_image(tmp_path / "out/stars.tif")[::-1, :, 0], convolved(floats()))


def astronomers_header():
    header = fits.Header()
    header["OBJECT"] = ("M 31", "what was observed")
    header["CTYPE1"], header["CTYPE2"] = "RA---TAN", "DEC--TAN"
    header["CRPIX1"], header["CRPIX2"] = (11.5, "with a comment"), 7.123456789012345
    header["CRVAL1"], header["CRVAL2"] = 10.6847, 41.269
    header["CDELT1"], header["CDELT2"] = -1e-4, 1e-4
    header["BUNIT"] = "electron"
    header["DATAMIN"], header["DATAMAX"] = -1.0, 1e9
    header["LONGTEXT"] = "a text of more letters than a card has, " * 5
    header["HIERARCH ESO DET DIT"] = 1.5
    header["COMMENT"] = "made for a test"
    header["HISTORY"] = "bias was subtracted"
    return header


def kept(header):
    """What of a header is of the sky, the object and the observer."""
    gone = {"SIMPLE", "XTENSION", "BITPIX", "NAXIS", "NAXIS1", "NAXIS2", "EXTEND", "DATAMIN", "DATAMAX", "CHECKSUM", "DATASUM",
            "PCOUNT", "GCOUNT", "BSCALE", "BZERO"}
    return [card.image for card in header.cards if card.keyword not in gone and "clconv" not in str(card.value)]


def test_the_header_is_kept_card_by_card(tmp_path):
    for name, checksum in [("plain", False), ("sums", True)]:
        write(tmp_path / f"in/{name}.fits", codes("uint16"), astronomers_header(), checksum=checksum)
    convolve(tmp_path, "--border", "wrap")
    for name, checksum in [("plain", False), ("sums", True)]:
        (hdu,) = opened(tmp_path / f"out/{name}.fits")
        assert kept(hdu.header) == kept(fits.getheader(tmp_path / f"in/{name}.fits")) and len(kept(hdu.header)) > 12
        with fits.open(tmp_path / f"out/{name}.fits", do_not_scale_image_data=True) as raw:
            header = raw[0].header
            assert (header["BZERO"], header["BSCALE"]) == (32768, 1)
            assert "DATAMIN" not in header and "DATAMAX" not in header
            assert ("CHECKSUM" in header) == ("DATASUM" in header) == checksum
        assert hdu.header["HISTORY"][0] == "bias was subtracted"
        history = "".join(hdu.header["HISTORY"][1:])
        assert history.startswith("clconv ") and "run --border wrap" in history and history.endswith("PSF psf")


def test_the_history_has_options_as_they_were_given(tmp_path):
    write(tmp_path / "in/a.fits", floats())
    for option in ("--stored", "--linear"):
        run = ("bloom", "in/a.fits", option, "--output", "out.fits", "--overwrite")
        succeed(*run, cwd=tmp_path)
        history = "".join(fits.getheader(tmp_path / "out.fits")["HISTORY"])
        assert f"bloom {option}" in history, history


def test_the_same_run_gives_the_same_bytes_and_strip_leaves_the_pixels_only(tmp_path):
    write(tmp_path / "in/a.fits", floats(), astronomers_header(), checksum=True)
    convolve(tmp_path)
    first = (tmp_path / "out/a.fits").read_bytes()
    convolve(tmp_path, "--jobs", "1")
    assert (tmp_path / "out/a.fits").read_bytes() == first
    convolve(tmp_path, "--metadata", "strip")
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert set(hdu.header) <= {"SIMPLE", "BITPIX", "NAXIS", "NAXIS1", "NAXIS2", "EXTEND"}
    assert close(hdu.data, convolved(floats()))


@pytest.mark.parametrize("mode, dx, dy", [("full", 2, 2), ("valid", -2, -1)])
def test_the_sky_stays_where_it_is_when_the_image_grows_or_shrinks(tmp_path, mode, dx, dy):
    psf = random_psf(5, 4)
    fits.writeto(tmp_path / "psf.fits", psf)
    write(tmp_path / "in/a.fits", floats(), astronomers_header())
    convolve(tmp_path, "--mode", mode, "--border", "zero")
    (hdu,) = opened(tmp_path / "out/a.fits")
    x, y = np.array([3, 15]), np.array([4, 12])
    assert close(hdu.data[y + dy, x + dx], convolved(floats(), psf, "constant")[y, x])
    before, after = WCS(fits.getheader(tmp_path / "in/a.fits")), WCS(hdu.header)
    assert np.allclose(after.wcs_pix2world(x + dx, y + dy, 0), before.wcs_pix2world(x, y, 0), rtol=0, atol=1e-11)


def test_an_image_in_an_extension_is_convolved_and_everything_else_stays_byte_for_byte(tmp_path):
    primary = fits.PrimaryHDU()
    primary.header["TELESCOP"] = "HST"
    image = fits.ImageHDU(floats().astype(np.float32), astronomers_header(), name="SCI")
    errors = fits.ImageHDU(floats(seed=1).astype(np.float32), name="ERR")
    table = fits.BinTableHDU.from_columns([fits.Column("x", "E", array=np.arange(100.0))], name="CAT")
    (tmp_path / "in").mkdir()
    fits.HDUList([primary, image, errors, table]).writeto(tmp_path / "in/a.fits", checksum=True)
    result, items = convolve(tmp_path)
    assert "1 further image" in items[0]["warnings"][0]
    hdus = opened(tmp_path / "out/a.fits")
    assert [hdu.name for hdu in hdus] == ["PRIMARY", "SCI", "ERR", "CAT"]
    assert close(hdus[1].data, convolved(floats()))
    assert kept(hdus[1].header) == kept(fits.getheader(tmp_path / "in/a.fits", "SCI"))

    def parts(path):
        with fits.open(path) as file:
            begin = file[1].fileinfo()["hdrLoc"]
            end = file[2].fileinfo()["hdrLoc"]
        data = path.read_bytes()
        return data[:begin], data[end:]

    assert parts(tmp_path / "out/a.fits") == parts(tmp_path / "in/a.fits")


def test_compressed_images_are_read_and_stored_plainly(tmp_path):
    images = {"RICE_1": codes("int16"), "GZIP_1": codes("uint16"), "GZIP_2": floats().astype(np.float32)}
    (tmp_path / "in").mkdir()
    for kind, image in images.items():
        hdu = fits.CompImageHDU(image, astronomers_header(), name="SCI", compression_type=kind, quantize_level=0)
        fits.HDUList([fits.PrimaryHDU(), hdu]).writeto(tmp_path / f"in/{kind}.fits")
    (tmp_path / "in/RICE_1.fits").rename(tmp_path / "in/RICE_1.fz")
    (tmp_path / "in/GZIP_1.fits").rename(tmp_path / "in/GZIP_1.fits.fz")
    _, items = convolve(tmp_path, "--format", "fits")
    for kind, item in zip(sorted(images), items):
        assert "uncompressed" in item["warnings"][0]
        empty, result = opened(tmp_path / f"out/{kind}.fits")
        assert empty.data is None and isinstance(result, fits.ImageHDU) and result.name == "SCI"
        assert result.header["OBJECT"] == "M 31" and "ZIMAGE" not in result.header
        assert result.data.dtype.newbyteorder("=") == images[kind].dtype
        assert abs(result.data - convolved(images[kind])).max() <= (0.01 if kind == "GZIP_2" else 0.51), kind


def test_packed_files_without_a_format_say_which_one_helps(tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a.fits", "b.fits.fz"):
        fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(codes("int16"))]).writeto(tmp_path / "in" / name)
    run = ("run", "--method", "none", "--output", "out")
    left_out = succeed(*run, "in", cwd=tmp_path).err
    assert "such as in/b.fits.fz" in left_out and "--format fits" in left_out
    fail(1, *run, "in/b.fits.fz", says=["b.fits.fz", "--format fits"], cwd=tmp_path)


@pytest.mark.parametrize("scale, zero", [(0.25, 100), (2, 1000), (1, 100)])
def test_scaled_integers_are_the_numbers_that_they_stand_for(tmp_path, scale, zero):
    """Also whole numbers, of which cfitsio makes integers of twice the size."""
    image = codes("int16").astype(np.float32) * scale + zero
    hdu = fits.PrimaryHDU(image.copy())
    hdu.scale("int16", bscale=scale, bzero=zero)
    (tmp_path / "in").mkdir()
    hdu.writeto(tmp_path / "in/a.fits")
    _, items = convolve(tmp_path)
    (result,) = opened(tmp_path / "out/a.fits")
    assert result.data.dtype == ">f4" and close(result.data, convolved(image))
    assert items[0]["type"] == "float" and "BSCALE" not in result.header
    assert [detail["kind"] for detail in items[0]["warning_details"]] == ["type"]


def blank_image(path, blank_pixels):
    image = codes("int16")
    header = fits.Header([("BLANK", -32768)])
    for y, x in blank_pixels:
        image[y, x] = -32768
    write(path, image, header)
    return image.astype(np.float64)


def test_blank_integers_are_missing_as_nan_is(tmp_path):
    image = blank_image(tmp_path / "in/a.fits", [(3, 4), (10, 2)])
    fits.writeto(tmp_path / "psf.fits", PSF)
    fail(1, "run", "in", "--psf", "psf.fits", "--output", "out", cwd=tmp_path, says=["2 samples"])
    image[image == -32768] = 0
    _, items = convolve(tmp_path, "--nonfinite", "zero")
    assert "BLANK" in items[0]["warnings"][0]
    (result,) = opened(tmp_path / "out/a.fits")
    assert result.data.dtype == ">f4" and "BLANK" not in result.header and close(result.data, convolved(image))


def test_a_blank_value_that_no_pixel_has_changes_nothing(tmp_path):
    image = blank_image(tmp_path / "in/a.fits", [])
    convolve(tmp_path)
    (result,) = opened(tmp_path / "out/a.fits")
    assert result.data.dtype == ">i2" and abs(result.data - convolved(image)).max() <= 0.51


def test_numbers_of_64_bits_become_floats_with_a_warning(tmp_path):
    image = np.rint(1e6 * picture(WIDTH, HEIGHT)[..., 0])
    for dtype in ("int64", "uint64", "float64"):
        write(tmp_path / f"in/{dtype}.fits", image.astype(dtype))
    result, items = convolve(tmp_path)
    assert "does not hold all of their values" in result.err
    for dtype, item in zip(("float64", "int64", "uint64"), items):
        (hdu,) = opened(tmp_path / f"out/{dtype}.fits")
        assert hdu.data.dtype == ">f4" and close(hdu.data, convolved(image)) and item["type"] == "double"


def cube(planes):
    return np.stack([floats(seed=plane) for plane in range(planes)]).astype(np.float32)


def test_planes_of_a_cube_are_parts(tmp_path):
    header = fits.Header([("CTYPE3", "FREQ"), ("CRPIX3", 2.0), ("CRVAL3", 1e9), ("CDELT3", 1e6)])
    write(tmp_path / "in/a.fits", cube(5), header, checksum=True)
    convolve(tmp_path)
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert close(hdu.data, np.stack([convolved(plane) for plane in cube(5)])) and hdu.header["CRPIX3"] == 2.0
    convolve(tmp_path, "--parts", "3")
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert hdu.data.shape == (1, HEIGHT, WIDTH) and close(hdu.data[0], convolved(cube(5)[3]))
    assert WCS(hdu.header).wcs_pix2world([[0, 0, 0]], 0)[0][2] == 1e9 + 2e6
    _, (item,) = convolve(tmp_path, "--parts", "1,2,3")
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert close(hdu.data, np.stack([convolved(plane) for plane in cube(5)[1:4]])) and item["warnings"] == []
    assert WCS(hdu.header).wcs_pix2world([[0, 0, 0], [0, 0, 2]], 0)[:, 2].tolist() == [1e9, 1e9 + 2e6]
    _, (item,) = convolve(tmp_path, "--parts", "0,4")
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert "coordinates of higher axes" in " ".join(item["warnings"]) and "colours" not in " ".join(item["warnings"])
    assert close(hdu.data, np.stack([convolved(cube(5)[0]), convolved(cube(5)[4])])) and "CRPIX3" not in hdu.header
    fail(1, "run", "in", "--psf", "psf.fits", "--output", "o", "--parts", "5", cwd=tmp_path, says=["parts 0 to 4"])


def test_axes_above_the_third_are_kept_too(tmp_path):
    planes = cube(6).reshape(2, 3, HEIGHT, WIDTH)
    write(tmp_path / "in/a.fits", planes)
    convolve(tmp_path)
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert close(hdu.data, ndimage.convolve(planes.astype(np.float64), (PSF / PSF.sum())[None, None], mode="nearest"))


def test_images_of_colours_become_cubes_and_psf_cubes_are_psfs_of_colours(tmp_path):
    (tmp_path / "in").mkdir()
    image = picture(WIDTH, HEIGHT, 3).astype(np.float32)
    write_image(tmp_path / "in/a.tif", image)
    psf = np.stack([random_psf(5, 3, seed=s) for s in range(3)])
    fits.writeto(tmp_path / "psf.fits", psf)
    convolve(tmp_path, "--format", "fits")
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert hdu.data.shape == (3, HEIGHT, WIDTH)
    for channel in range(3):
        expected = convolved(image[::-1, :, channel], psf[channel])
        assert close(hdu.data[channel], expected)


def test_a_large_image_goes_by_bands(tmp_path):
    image = floats(900, 700)
    write(tmp_path / "in/a.fits", image, astronomers_header(), checksum=True)
    _, items = convolve(tmp_path, "--memory-limit", "20M", "--mode", "full", "--border", "zero")
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert "pieces" in str(items[0]["plan"]), items[0]["plan"]
    height, width = hdu.data.shape
    inner = hdu.data[1:1 + 900, 2:2 + 700]
    assert (height, width) == (902, 704) and close(inner, convolved(image, mode="constant"))
    assert hdu.header["CRPIX2"] == pytest.approx(8.123456789012345, abs=1e-13)


def test_names_are_names(tmp_path):
    (tmp_path / "in").mkdir()
    names = ["a[1].fits", "~root.fits", "b+1.fits", "c|d.fits", "@e.fits", "mem:f.fits", "g.fit", "h.FTS", "plain"]
    for name in names:
        fits.PrimaryHDU(floats()).writeto(tmp_path / "fine.fits", overwrite=True)
        (tmp_path / "fine.fits").rename(tmp_path / "in" / name)
    inputs = ["in/" + name.replace("[", "[[]") for name in names[:-1]]
    convolve(tmp_path, inputs=["in"])
    for name in names[:-1]:
        (tmp_path / "out" / name).rename(tmp_path / "out.fits")
        (hdu,) = opened(tmp_path / "out.fits")
        assert close(hdu.data, convolved(floats())), name
    convolve(tmp_path, "--format", "fits", inputs=["in/plain"])
    assert (tmp_path / "out/plain.fits").exists()
    succeed("run", "~root.fits", "--psf", "../psf.fits", "--output", "../home", cwd=tmp_path / "in")


def test_damaged_and_lying_files_fail_alone(tmp_path):
    write(tmp_path / "in/good.fits", floats())
    good = (tmp_path / "in/good.fits").read_bytes()

    def make(name, change):
        (tmp_path / "in" / name).write_bytes(change(good))

    make("cut.fits", lambda data: data[:3500])
    make("headless.fits", lambda data: data[:1000])
    make("huge.fits", lambda data: data.replace(b"NAXIS1  =                   23", b"NAXIS1  =              2000000"))
    make("deep.fits", lambda data: data.replace(b"NAXIS   =                    2", b"NAXIS   =                  999"))
    make("letters.fits", lambda data: re.sub(rb"BITPIX  = +-32", b"BITPIX  =                  abc", data))
    make("packed.fits", lambda data: gzip.compress(data))
    fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU.from_columns([fits.Column("x", "E", array=[1.0])])]).writeto(
        tmp_path / "in/table.fits")
    fits.writeto(tmp_path / "psf.fits", PSF)
    says = ["cut.fits: is damaged or ends too early", "headless.fits", "huge.fits: is damaged", "deep.fits", "letters.fits",
            "packed.fits", "gunzip", "table.fits: holds no image"]
    fail(1, "run", "in", "--psf", "psf.fits", "--output", "out", cwd=tmp_path, says=says)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["good.fits"]


def test_what_is_left_of_a_damaged_file_is_kept_on_request(tmp_path):
    write(tmp_path / "in/a.fits", floats(200, 100).astype(np.float32))
    path = tmp_path / "in/a.fits"
    path.write_bytes(path.read_bytes()[:2880 + 100 * 4 * 150])
    _, items = convolve(tmp_path, "--damaged", "keep", "--nonfinite", "zero")
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert close(hdu.data[:60], convolved(floats(200, 100))[:60]) and abs(hdu.data[-20:]).max() < 0.01
    assert items[0]["warnings"]


def test_fits_is_linear_light_already(tmp_path):
    write(tmp_path / "in/a.fits", codes("uint8"))
    convolve(tmp_path, "--linear")
    (hdu,) = opened(tmp_path / "out/a.fits")
    assert abs(hdu.data - convolved(codes("uint8"))).max() <= 0.51
