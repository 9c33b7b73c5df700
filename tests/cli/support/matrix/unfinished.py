"""Cases that wait for a change to clconv, each with its reason. To become empty.

A name may be a pattern, and modes may follow a colon.
"""

from fnmatch import fnmatch

DEPTH = "a change of type, depth or photometric has no warning yet"
WAITING = {
    "bmp-rgb-u5.bmp": DEPTH, "exr-mixed-types.exr:one": DEPTH, "fits-*-f64.fits:one": DEPTH,
    "ico-rgb-u8.ico": DEPTH, "png-gray-u[124]*": DEPTH,
    "pnm-bits*": DEPTH, "pnm-*-[13].p?m": DEPTH, "pnm-*-[13]-text.p?m": DEPTH, "sgi-five-*": "the fifth channel is lost",
    "tga-extension-associated.tga": "the kind of alpha is lost", "tga-extension-no-alpha.tga:none,mix": "the kind of alpha is lost", "tga-rgb-u5-*": DEPTH,
    "tiff-bilevel-*": DEPTH, "tiff-inks-with-alpha-u8.tif": DEPTH,
    "tiff-gray-and-two-*": DEPTH, "tiff-*-u[124].tif": DEPTH, "tiff-*-u24.tif": DEPTH, "tiff-*-f64.tif:one": DEPTH,
    "tiff-graya-unspecified-*": DEPTH, "tiff-jpeg-tiles.tif": "JPEG in TIFF", "tiff-page-number.tif": "the page's number is lost",
    "tiff-white-is-zero-with-alpha-u8.tif:one": "zero under alpha", "tiff-palette-*": DEPTH, "tiff-ycbcr-*": DEPTH,
    "webp-film-lossless*": "lossless becomes lossy", "webp-lossless-alpha*": "alpha", "webp-quality-80-alpha.webp": "alpha",
}  # fmt: skip


def waits_for(case, mode):
    for pattern, reason in WAITING.items():
        name, _, modes = pattern.partition(":")
        if fnmatch(case.name, name) and (not modes or mode in modes.split(",")):
            return reason
    return None
