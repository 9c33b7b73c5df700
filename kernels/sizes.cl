// SPDX-License-Identifier: Apache-2.0
// The sizes of one problem, as its plan has them. A program need not know them when it is compiled.
//
// Host and device share this text: src/passes/sizes.h includes it as C++, and tests/device/sizes_test.cpp compares how
// the two lay it out. Every kernel takes one by value as its last argument, `given`, and begins with
// `const sizes s = KNOWN(given)`.
//
// Needs (as OpenCL C):  CONSTANT_SIZES   the values in braces, if the program is made for them alone; compilers of GPUs then
//                                decide guards and addresses. The results are the same to the last bit.
#pragma once

typedef struct {  // NOLINT(modernize-use-using): C, too
    int width, height;          // of the image
    int out_width, out_height;  // of the result
    int length_x, length_y;     // three launches: of the padded rows and columns
    int loaded_x, loaded_y;     // positions of a row, a column of the extended image that hold data; the rest is zero
    int first_x, first_y;       // the image's coordinates at position (0, 0)
    int psf_channels;           // 1, or the image's
    int psf_width, psf_height;  // direct: taps
    int planes;                 // three launches: channels in one launch, or pairs of them
    int psf_planes;             // three launches: of the PSF
    int columns;                // three launches: columns of the half spectra
    int packs, bundles;         // three launches: kernels/spectrum.cl; with lanes, pairs of rows and vectors of columns
    float column_scale;         // three launches: of the values that the column pass stores: 1, except for half's range
    int across, pieces;         // tiled: tiles from left to right, and of a channel; direct: patches from left to right
    int valid_x, valid_y;       // tiled: results of a tile; columns in parts: valid_y results of a part
    int at_x, at_y;             // blends: the image's coordinates of the first result
} sizes;

/// Lines up to this length may be those of several images in one launch. Launches of longer ones take longer than the host
/// needs for them, and some general programs would lack the registers (docs/decisions/058-several-images-in-a-launch.md).
#define MAX_SHARED_LENGTH 2048

#ifndef __cplusplus
#ifdef CONSTANT_SIZES
#define SIZES_ARE_CONSTANT 1
#define KNOWN(given) ((sizes)CONSTANT_SIZES)
#else
#define SIZES_ARE_CONSTANT 0
#define KNOWN(given) (given)
#endif

/// Which image of its launch a work-group has. The images have the same sizes, and lie one behind another, as do their spectra,
/// results and levels. `length`: of the kernel's lines.
#define IMAGE_NUMBER(length) ((length) <= MAX_SHARED_LENGTH ? (size_t)get_group_id(1) : 0)
#endif
