"""Cases that wait for a change to clconv, each with its reason. To become empty.

A name may be a pattern, and modes may follow a colon.
"""

from fnmatch import fnmatch

DEPTH = "a change of type, depth or photometric has no warning yet"
CLEAR = "colours under alpha 0 are lost"
READ = "the reader misreads it"
WAITING = {
    "bmp-palette-*": DEPTH, "bmp-rgb-u5.bmp": DEPTH, "bmp-gray-u8-runs.bmp": READ, "bmp-rgbx-u8.bmp": READ, "bmp-rgba-*:none,mix": CLEAR,
    "dpx-gray-u10-filled-*": "the writer turns three codes around", "dpx-orientation-[234567].dpx": "the writer writes another orientation",
    "dpx-rgb-f64.dpx": DEPTH,
    "exr-attributes.exr": "attributes of unknown types are lost", "exr-mixed-types.exr": DEPTH, "exr-tiles-*-dwa?.exr": "a level is written",
    "fits-*-f64.fits": DEPTH, "fits-gray-i64.fits": DEPTH, "fits-scaled-*": DEPTH, "fits-*-[ui]32.fits:none,mix": "wide integers are rounded",
    "fits-cards.fits": "DATAMAX is dropped without a word",
    "gif-*-clear.gif": "clear pixels become opaque", "gif-256-*": "256 colours are made fewer", "gif-comment.gif": "comments are lost",
    "hdr-order-*": READ, "hdr-[acegptv]*": "lines of the header are lost",
    "ico-*": READ, "jpeg-own-tables.jpg": "tables of its own become others",
    "png-palette-*": DEPTH, "png-gray-u[124]*": DEPTH, "png-*-clear-code.png:none,mix": CLEAR, "png-*a-u*:none,mix": CLEAR,
    "png-*-significant-bits.png": "sBIT is lost",
    "pnm-bits*": DEPTH, "pnm-*-text.p?m": DEPTH, "pnm-gray-*.pgm": DEPTH, "pnm-rgb-*.ppm": DEPTH,
    "rla-*": "the date is lost", "sgi-five-*": "the fifth channel is lost",
    "tga-extension*": "the kind of alpha is lost", "tga-palette*": DEPTH, "tga-rgb-u5-*": DEPTH, "tga-rgbx.tga": READ, "tga-rgba-*:none,mix": CLEAR,
    "tiff-*rgba-u16.tif": CLEAR, "tiff-*a-straight-*:none,mix": CLEAR, "tiff-planes-rgba-*:none,mix": CLEAR,
    "tiff-bilevel-*": DEPTH, "tiff-*lab-*": DEPTH, "tiff-five-inks-u16.tif": DEPTH, "tiff-inks-with-alpha-*": DEPTH,
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
