"""Cases that wait for a change to clconv, each with its reason. To become empty.

A name may be a pattern, and modes may follow a colon.
"""

from fnmatch import fnmatch

DEPTH = "a change of type, depth or photometric has no warning yet"
CLEAR = "colours under alpha 0 are lost"
READ = "the reader misreads it"
WAITING = {
    "bmp-rgb-u5.bmp": DEPTH, "bmp-rgba-*:none,mix": CLEAR,
    "dpx-rgb-f64.dpx": DEPTH,
    "exr-mixed-types.exr": DEPTH,
    "fits-*-f64.fits": DEPTH, "fits-*-[ui]32.fits:none,mix": "wide integers are rounded",
    "hdr-order-*": READ, "hdr-[acegptv]*": "lines of the header are lost",
    "ico-rgb-u8.ico": DEPTH, "ico-*:none,mix": CLEAR, "png-palette-*:none,mix": CLEAR,
    "png-gray-u[124]*": DEPTH, "png-*-clear-code.png:none,mix": CLEAR, "png-*a-u*:none,mix": CLEAR,
    "pnm-bits*": DEPTH, "pnm-*-text.p?m": DEPTH, "pnm-gray-*.pgm": DEPTH, "pnm-rgb-*.ppm": DEPTH,
    "sgi-five-*": "the fifth channel is lost",
    "tga-extension-associated.tga": "the kind of alpha is lost", "tga-rgb-u5-*": DEPTH, "tga-rgba-*:none,mix": CLEAR, "tga-extension.tga:none,mix": CLEAR,
    "tiff-*rgba-u16.tif": CLEAR, "tiff-*a-straight-*:none,mix": CLEAR, "tiff-planes-rgba-*:none,mix": CLEAR,
    "tiff-bilevel-*": DEPTH, "tiff-*lab-*": DEPTH, "tiff-inks-with-alpha-u8.tif": DEPTH,
    "tiff-gray-and-two-*": DEPTH, "tiff-*-u[124].tif": DEPTH, "tiff-*-u24.tif": DEPTH, "tiff-*-f64.tif": DEPTH, "tiff-*-[ui]32.tif:none,mix": DEPTH,
    "tiff-graya-unspecified-*": DEPTH, "tiff-jpeg-*": "JPEG in TIFF", "tiff-page-number.tif": "the page's number is lost",
    "tiff-white-is-zero-*": DEPTH, "tiff-pages-white-*": DEPTH, "tiff-palette-*": DEPTH, "tiff-ycbcr-*": DEPTH,
    "webp-film-lossless*": "lossless becomes lossy", "webp-lossless-*": "lossless becomes lossy", "webp-quality-80-alpha.webp": "alpha",
}  # fmt: skip


def waits_for(case, mode):
    for pattern, reason in WAITING.items():
        name, _, modes = pattern.partition(":")
        if fnmatch(case.name, name) and (not modes or mode in modes.split(",")):
            return reason
    return None
