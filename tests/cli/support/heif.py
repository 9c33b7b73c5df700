# SPDX-License-Identifier: Apache-2.0
"""HEIF files by libheif, which OpenImageIO needs: pictures of AV1 (AVIF), with or without a loss."""

import ctypes

import numpy as np

AV1, RGB, INTERLEAVED, MATRIX_RGB = 4, 1, 10, 0
CHROMA = {3: 10, 4: 11}  # interleaved, by the number of channels


class Failure(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("subcode", ctypes.c_int), ("message", ctypes.c_char_p)]


class Colours(ctypes.Structure):
    """heif_color_profile_nclx; what follows is not read."""

    _fields_ = [("version", ctypes.c_uint8), ("primaries", ctypes.c_int), ("transfer", ctypes.c_int), ("matrix", ctypes.c_int),
                ("full_range", ctypes.c_uint8), ("points", ctypes.c_float * 8)]  # fmt: skip


def write_avif(path, pixels, lossless, points=None, profile=b"", exif=b"", xmp=b""):
    """`pixels`: [row, column, red green blue (alpha)] of 8 bits. `points`: the numbers of primaries and transfer function in ITU-T
    H.273. `profile`: of ICC. `exif`: beginning with the byte order."""
    heif = ctypes.CDLL("libheif.so.1")
    for name in ("heif_context_alloc", "heif_nclx_color_profile_alloc", "heif_encoding_options_alloc", "heif_image_get_plane"):
        getattr(heif, name).restype = ctypes.c_void_p

    def call(name, *arguments):
        function = getattr(heif, name)
        function.restype = Failure
        failure = function(*arguments)
        assert failure.code == 0, f"{name}: {failure.message}"

    context = ctypes.c_void_p(heif.heif_context_alloc())
    encoder, image, stride, item = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int(), ctypes.c_void_p()
    call("heif_context_get_encoder_for_format", context, AV1, ctypes.byref(encoder))
    height, width, channels = pixels.shape
    call("heif_image_create", width, height, RGB, CHROMA[channels], ctypes.byref(image))
    call("heif_image_add_plane", image, INTERLEAVED, width, height, 8)
    place = heif.heif_image_get_plane(image, INTERLEAVED, ctypes.byref(stride))
    rows = np.ctypeslib.as_array(ctypes.cast(place, ctypes.POINTER(ctypes.c_uint8)), (height, stride.value))
    rows[:, : width * channels] = pixels.reshape(height, -1)
    colours = ctypes.c_void_p(heif.heif_nclx_color_profile_alloc())
    if lossless:
        call("heif_encoder_set_lossless", encoder, 1)
        call("heif_encoder_set_parameter_string", encoder, b"chroma", b"444")
        ctypes.cast(colours, ctypes.POINTER(Colours)).contents.matrix = MATRIX_RGB
    else:
        call("heif_encoder_set_lossy_quality", encoder, 60)
    if points:
        said = ctypes.cast(colours, ctypes.POINTER(Colours)).contents
        said.primaries, said.transfer = points
    if points or lossless:
        call("heif_image_set_nclx_color_profile", image, colours)
    if profile:
        call("heif_image_set_raw_color_profile", image, b"prof", profile, ctypes.c_size_t(len(profile)))
    # Without options, newer versions of libheif leave out the numbers.
    options = ctypes.c_void_p(heif.heif_encoding_options_alloc())
    call("heif_context_encode_image", context, image, encoder, options, ctypes.byref(item))
    if exif:
        call("heif_context_add_exif_metadata", context, item, exif, len(exif))
    if xmp:
        call("heif_context_add_XMP_metadata", context, item, xmp, len(xmp))
    call("heif_context_write_to_file", context, str(path).encode())
