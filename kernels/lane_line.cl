// SPDX-License-Identifier: Apache-2.0
// Lines that a work-item owns whole, LANES side by side (CPUs), in local memory or, if they are too long, in global
// memory (line_space.cl).
//
// Needs:  LANES     8, or 16: columns and tiles of CPUs whose vectors have 16 floats
//         GENERAL   0: lines of one sequence of radices, which are blocks.cl's defines; 1: any line, described by `l`
//         WHOLE_LINES, CONVOLVE_BLOCKS   1: which functions are wanted
// Gives:  LENGTH_OF(l)     values of a line
//         transform_line(x, l, is_back, table)   a whole transform in place: forward natural to digit-reversed order, back
//                          digit-reversed to natural
//         convolve_blocks(x, l, sign, transfer, forward_twiddle, back_twiddle)   all stages but 0 there, times transfer
//                          (`sign` 1) or its conjugate (-1), all but 0 back; of a PSF (0) there, and kept as the transfer
//         WITH_STAGE_0(l, function, arguments)   calls function##R, of first_stage.cl, for the radix R of stage 0; `arguments`
//                          in parentheses
//         part_of(z, part) where the real or the imaginary parts of the first eight lanes lie; of lanes 8 to 15 they are next
// Also includes the other files that kernels of lanes need: arithmetic, stored values, and the arguments of stages.
// Both variants give the same to the last bit.

#pragma once

#ifndef LANES
#define LANES 8
#endif
#ifndef GENERAL  // alone: lines of 16 (blocks.cl)
#define GENERAL 0
#endif
#ifndef WHOLE_LINES
#define WHOLE_LINES 1
#define CONVOLVE_BLOCKS 1
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "stored.cl"
#include "line_space.cl"
#include "lane_stages.cl"

/// The real (0) or the imaginary parts (1) of the first eight lanes.
INLINE __local scalar8 *part_of(__local cplx *z, int part) { return (__local scalar8 *)(part ? &z->im : &z->re); }

#if GENERAL

#define LENGTH_OF(l) ((l)->length)
#define STEP_0(l) ((l)->step[0])
#define BACK_TABLE_0(l) ((l)->back[0])
#include "general_blocks.cl"
#define WITH_STAGE_0(l, function, arguments) WITH_RADIX((l)->radix[0], function, arguments)

#else

#define LENGTH_OF(l) N
#define STEP_0(l) STEP0
#define BACK_TABLE_0(l) BT0
#define WITH_STAGE_0(l, function, arguments) NAME(function, R0) arguments;

#if WHOLE_LINES
#define FUNCTION forward
#define FORWARD 1
#define BACK 0
#define PRODUCT 0
#include "blocks.cl"
#define FUNCTION back
#define FORWARD 0
#define BACK 1
#define PRODUCT 0
#include "blocks.cl"
#endif
#if CONVOLVE_BLOCKS
#define FUNCTION convolve
#define FORWARD 1
#define BACK 1
#define PRODUCT 1
#include "blocks.cl"
#endif

#define RADIX R0
#include "first_stage.cl"

#if WHOLE_LINES
INLINE void transform_line(LINE_SPACE cplx *x, const lane_stages *l, bool is_back, __global const scalar *table)
{
    if (is_back) {
#if STAGES > 1
        for (int m = 0; m < R0; ++m) back1(x + m * STEP0, m, 0, 0, table, table);
#endif
        NAME(first_stage_back, R0)(x, STEP0, table, BT0);
    } else {
        NAME(first_stage, R0)(x, STEP0);
#if STAGES > 1
        for (int m = 0; m < R0; ++m) forward1(x + m * STEP0, m, 0, 0, table, table);
#endif
    }
}
#endif

#if CONVOLVE_BLOCKS
INLINE void convolve_blocks(LINE_SPACE cplx *x, const lane_stages *l, int sign, __global stored *transfer,
                            __global const scalar *forward_twiddle, __global const scalar *back_twiddle)
{
    for (int m = 0; m < R0; ++m) convolve1(x + m * STEP0, m, sign, transfer, forward_twiddle, back_twiddle);
}
#endif

#endif
