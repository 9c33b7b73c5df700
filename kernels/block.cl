// SPDX-License-Identifier: Apache-2.0
// One stage of lines that a work-item owns whole. Included once a stage by blocks.cl, last stage first.
//
// Needs:  LANES; FUNCTION, STAGE   name the function: forward2, back2, convolve2, ...
//         RADIX; STEP          values between the inputs of a butterfly: N over the product of R0 .. RADIX
//         NEXT                 the stage after; absent at the last one
//         FORWARD, BACK        1: butterflies before, and after, the later stages; PRODUCT 1: times transfer between, or,
//                      where `sign` is 0, kept as the transfer, and the rest computes unused values
//         FORWARD_TABLE, BACK_TABLE   where this stage's twiddles begin
// Gives:  x, RADIX * STEP values, in place, depth first, so that small blocks stay in the nearest cache. `block` counts
//         the blocks of this stage.
// Order:  forward natural to digit-reversed, back digit-reversed to natural; nothing is ever permuted.
// Source: forward, the deferred form of decimation in time: all butterflies of a block share one twiddle,
//         exp(-2 pi i f / (R0 .. RADIX)), f the digit-reversed block. Back, decimation in time: twiddle
//         exp(-2 pi i j / (RADIX STEP)). Both put the twiddle before the butterfly, where it is fused. Tables hold
//         butterfly.cl's t: scalars that a vector operation takes from memory for nothing, where computing them would
//         cost as much as vectors do. Both are forward transforms; the inverse is one of swapped parts.

#ifndef LANES
#define LANES 8
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "stored.cl"
#include "line_space.cl"

#ifndef RADIX  // alone: a line of one stage
#define FUNCTION convolve
#define STAGE 1
#define RADIX 4
#define STEP 1
#define FORWARD 1
#define BACK 1
#define PRODUCT 1
#define FORWARD_TABLE 0
#define BACK_TABLE 0
#endif

#define TWIDDLES NAME(TWIDDLES_, RADIX)

INLINE void NAME(FUNCTION, STAGE)(LINE_SPACE cplx *x, uint block, int sign, __global stored *transfer,
                             __global const scalar *forward_twiddle, __global const scalar *back_twiddle)
{
    scalar2 t[TWIDDLES];
    cplx v[RADIX];
#if FORWARD
    read_twiddles(t, forward_twiddle, FORWARD_TABLE + block * TWIDDLES, TWIDDLES);
#endif
#ifdef NEXT
#if FORWARD
    for (int j = 0; j < STEP; ++j) {
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[j + m * STEP];
        NAME(dft, RADIX)(v, true, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[j + m * STEP] = v[m];
    }
#endif
    for (int m = 0; m < RADIX; ++m)
        NAME(FUNCTION, NEXT)(x + m * STEP, block * RADIX + m, sign, transfer, forward_twiddle, back_twiddle);
#if BACK
    for (int j = 0; j < STEP; ++j) {
        read_twiddles(t, back_twiddle, BACK_TABLE + j * TWIDDLES, TWIDDLES);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[j + m * STEP];
        NAME(dft, RADIX)(v, true, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[j + m * STEP] = v[m];
    }
#endif
#else  // the last stage stays in registers
    _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[m];
#if FORWARD
    NAME(dft, RADIX)(v, true, t);
#endif
#if PRODUCT
    if (sign == 0) {
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) keep(transfer + block * RADIX + m, v[m]);
        return;
    }
    _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = swapped(times_transfer(v[m], transfer + block * RADIX + m, sign));
#endif
#if BACK
    NAME(dft, RADIX)(v, false, t);
#endif
    _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[m] = v[m];
#endif
}

#undef TWIDDLES
#undef STAGE
#undef RADIX
#undef STEP
#undef NEXT
#undef FORWARD_TABLE
#undef BACK_TABLE
