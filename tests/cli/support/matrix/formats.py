# SPDX-License-Identifier: Apache-2.0
"""The formats of the matrix: their cases, and who shows their files."""

from support.matrix import bmp, dpx, exr_files, fits_files, pillow_files, png, raster, tagged, tiff

SHOWN_BY = {
    "bmp": bmp.show, "dpx": dpx.show, "fits": fits_files.show, "gif": pillow_files.show_gif, "hdr": raster.show_hdr, "ico": pillow_files.show_ico,
    "iff": raster.show_iff, "jpeg": pillow_files.show_jpeg, "openexr": exr_files.show, "png": png.show, "pnm": raster.show_pnm,
    "rla": raster.show_rla, "sgi": raster.show_sgi, "targa": raster.show_targa, "tiff": tiff.show, "webp": pillow_files.show_webp,
}  # fmt: skip


def all_cases():
    groups = (bmp.cases, dpx.cases, fits_files.cases, pillow_files.gif_cases, raster.hdr_cases, pillow_files.ico_cases, raster.iff_cases,
              pillow_files.jpeg_cases, exr_files.cases, png.cases, raster.pnm_cases, raster.rla_cases, raster.sgi_cases, raster.targa_cases,
              tiff.cases, pillow_files.webp_cases, tagged.cases)  # fmt: skip
    return [case for group in groups for case in group()]
