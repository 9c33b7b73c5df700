// SPDX-License-Identifier: Apache-2.0
// How a result is combined with the image's sample at the same place: the formula, and the numbers that it needs.
//
// Host and device share the first part: src/passes/blending.h includes it as C++. The host's formula is blended() in
// src/passes/blending.cpp; spot checks and tests compare the two.
//
// Needs:  complex.cl
//         CHANNELS       of the image
//         BLEND          BLEND_... below (default: results are stored as they are)
//         MASKED         1: blends by mask[y][x] of the result (default 0)
//         LEAVES         1: the image keeps less of its highlights, so it is searched for them again (default 0)
// To add a number, add its place here, its field to blend_numbers, and both to src/passes/blending.*.
#pragma once

// Numbers of a blend: [BLEND_NUMBERS][channels]
#define BLEND_GAIN 0    // of the result
#define BLEND_LEAVE 1   // the share of the image's bright part that is subtracted
#define BLEND_OFFSET 2  // added at the end
#define BLEND_NUMBERS 3

#ifndef __cplusplus

#include "complex.cl"

#define BLEND_NONE 0    // the result
#define BLEND_SUM 1     // (image - leave bright(image)) + gain result: a mix if leave = gain, added light if leave = 0
#define BLEND_SCREEN 2  // the same, but less of the result where the image is bright already
#ifndef BLEND
#define BLEND BLEND_NONE
#endif
#ifndef MASKED
#define MASKED 0
#endif
#ifndef LEAVES
#define LEAVES 0
#endif

#if BLEND
/// The numbers of one channel.
typedef struct {
    scalar gain, leave, offset;
} blend_numbers;

/// `first`: the place of the channel's first number.
INLINE blend_numbers blend_numbers_of(__global const scalar *numbers, uint first)
{
    return (blend_numbers){numbers[BLEND_GAIN * CHANNELS + first], numbers[BLEND_LEAVE * CHANNELS + first],
                           numbers[BLEND_OFFSET * CHANNELS + first]};
}

/// Combines a result with the image's sample. This is the only place where that happens. `share`: the share of the image's
/// sample that is bright. For one value, and for vectors of neighbours.
#define BLENDED(type)                                                                                               \
    INLINE type blended_##type(type value, blend_numbers blend, type image, type share, type mask)                  \
    {                                                                                                               \
        const type stays = fma(-mask * blend.leave * share, image, image);                                          \
        const type room = BLEND == BLEND_SCREEN ? 1 - clamp(image, (scalar)0, (scalar)1) : (type)(1);               \
        return fma(mask * blend.gain * room, value, stays) + blend.offset;                                          \
    }
BLENDED(scalar)
BLENDED(scalar8)
#endif

#endif
