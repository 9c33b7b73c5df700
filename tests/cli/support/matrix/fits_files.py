# SPDX-License-Identifier: Apache-2.0
"""FITS (standard 4.0), by astropy in both directions."""

import numpy as np
from astropy.io import fits

from support.matrix.case import Case, Part, Shown, floats, noise

TYPES = {8: "u8", 16: "i16", 32: "i32", 64: "i64", -32: "f32", -64: "f64"}
STORAGE = {"SIMPLE", "BITPIX", "NAXIS", "NAXIS1", "NAXIS2", "NAXIS3", "NAXIS4", "EXTEND", "BZERO", "BSCALE", "HISTORY", "XTENSION",
           "PCOUNT", "GCOUNT", "COMMENT", "CHECKSUM", "DATASUM", ""}  # fmt: skip


def show(path):
    parts = []
    with fits.open(path, do_not_scale_image_data=True) as file:
        for hdu in file:
            if not isinstance(hdu, (fits.PrimaryHDU, fits.ImageHDU, fits.CompImageHDU)) or hdu.data is None:
                parts.append(Part(np.zeros((1, 1, 1)), None, {"table": type(hdu).__name__}))
                continue
            zero, scale, bits = hdu.header.get("BZERO", 0), hdu.header.get("BSCALE", 1), hdu.header["BITPIX"]
            stored, blank = hdu.data, hdu.header.get("BLANK")
            values = stored.astype(np.float64) * scale + zero if scale != 1 else stored.astype(object) + int(zero) if zero else stored
            if zero and scale == 1:
                values = values.astype(np.int64 if bits < 64 else np.uint64)
            missing = stored == blank if blank is not None else None
            kind = {(16, 32768): "u16", (8, -128): "i8", (32, 2**31): "u32", (64, 2**63): "u64"}.get((bits, zero), TYPES[bits])
            cards = [(c.keyword, str(c.value)) for c in hdu.header.cards if c.keyword not in STORAGE]
            facts = {"type": kind if scale == 1 else f"{kind} scaled", "shape": stored.shape, "lossy": False, "cards": cards, "blank": blank}
            flat = values.reshape(-1, values.shape[-1])[..., None]
            if missing is not None and missing.any():
                facts["missing"] = int(missing.sum())
            parts.append(Part(flat, None, facts))
    return Shown(parts, {})


def case(name, data, refused="", header=None, blank=None, **settings):
    def make(path):
        hdu = fits.PrimaryHDU(data, **settings)
        for key, value in (header or {}).items():
            hdu.header[key] = value
        hdu.writeto(path)

    return Case(f"fits-{name}.fits", "fits", make, None, refused)


def cases():
    codes = {"u8": noise(1, 8), "u16": noise(1, 16), "i16": noise(1, 16).view("i2"), "u32": noise(1, 32), "i32": noise(1, 32).view("i4"),
             "i8": noise(1, 8).view("i1"), "f32": floats(1, "f4"), "f64": floats(1, "f8")}  # fmt: skip
    for kind, samples in codes.items():
        yield case(f"gray-{kind}", samples[..., 0])
        yield case(f"cube-{kind}", np.moveaxis(np.dstack([samples, samples[::-1], samples[:, ::-1]]), 2, 0))
    yield case("gray-i64", noise(1, 32)[..., 0].astype(np.int64) << 20)
    yield case("four-axes", floats(4, "f4").transpose(2, 0, 1)[:, None])
    yield case("one-row", floats(1, "f4")[:1, :, 0])
    yield case("cards", floats(1, "f4")[..., 0], header={"OBJECT": "lamp", "CRPIX1": 7.5, "EXPTIME": 30.0, "HIERARCH ESO DET ID": "x"})

    def scaled(path):
        hdu = fits.PrimaryHDU(noise(1, 16).view("i2")[..., 0])
        hdu.header["BSCALE"], hdu.header["BZERO"] = 0.5, 100.0
        hdu.writeto(path)

    yield Case("fits-scaled-i16.fits", "fits", scaled)

    def blank(path):
        hdu = fits.PrimaryHDU(noise(1, 12).astype("i2")[..., 0])
        hdu.data[3, 4] = -1
        hdu.header["BLANK"] = -1
        hdu.writeto(path)

    yield Case("fits-blank-i16.fits", "fits", blank, None, "finite")

    def extensions(path):
        table = fits.BinTableHDU.from_columns([fits.Column("a", "J", array=[1, 2, 3])])
        fits.HDUList([fits.PrimaryHDU(floats(1, "f4")[..., 0]), fits.ImageHDU(noise(1, 16)[..., 0], name="SECOND"), table]).writeto(path)

    yield Case("fits-extensions.fits", "fits", extensions)

    def behind(path):
        fits.HDUList([fits.PrimaryHDU(), fits.ImageHDU(floats(1, "f4")[..., 0], name="SCI")]).writeto(path)

    yield Case("fits-image-in-extension.fits", "fits", behind)
