// SPDX-License-Identifier: Apache-2.0
// Butterflies of one radix on lines that a work-item owns whole, for any line. Included once a radix by general_blocks.cl.
//
// Needs:  LANES; RADIX; CONVOLVE_BLOCKS as lane_line.cl
// The arithmetic of block.cl in the same order: the results are the same to the last bit.

#ifndef LANES
#define LANES 8
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "stored.cl"
#include "line_space.cl"

#ifndef RADIX  // alone
#define RADIX 4
#define CONVOLVE_BLOCKS 1
#endif

/// `count` butterflies without twiddles, one `next` values after the other, whose inputs are `step` apart.
INLINE void NAME(plain, RADIX)(LINE_SPACE cplx *x, int count, int next, int step)
{
    scalar2 t[NAME(TWIDDLES_, RADIX)];
    for (int j = 0; j < count; ++j, x += next) {
        cplx v[RADIX];
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[m * step];
        NAME(dft, RADIX)(v, false, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[m * step] = v[m];
    }
}

/// The same with twiddles. Their sets are `next_set` apart; 0: one set for all butterflies.
INLINE void NAME(twiddled, RADIX)(LINE_SPACE cplx *x, int count, int next, int step, __global const scalar *table,
                                  int next_set)
{
    for (int j = 0; j < count; ++j, x += next, table += 2 * next_set) {
        scalar2 t[NAME(TWIDDLES_, RADIX)];
        cplx v[RADIX];
        read_twiddles(t, table, 0, NAME(TWIDDLES_, RADIX));
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[m * step];
        NAME(dft, RADIX)(v, true, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[m * step] = v[m];
    }
}

#if CONVOLVE_BLOCKS
/// `count` blocks of the last stage: there, times transfer, back; of a PSF there, and kept as the transfer. `sign`: lane_line.cl.
INLINE void NAME(product, RADIX)(LINE_SPACE cplx *x, int count, __global const scalar *table, int sign,
                                 __global stored *transfer)
{
    for (int b = 0; b < count; ++b, x += RADIX, table += 2 * NAME(TWIDDLES_, RADIX), transfer += RADIX) {
        scalar2 t[NAME(TWIDDLES_, RADIX)];
        cplx v[RADIX];
        read_twiddles(t, table, 0, NAME(TWIDDLES_, RADIX));
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[m];
        NAME(dft, RADIX)(v, true, t);
        if (sign == 0) {
            _Pragma("unroll") for (int m = 0; m < RADIX; ++m) keep(transfer + m, v[m]);
            continue;
        }
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = swapped(times_transfer(v[m], transfer + m, sign));
        NAME(dft, RADIX)(v, false, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[m] = v[m];
    }
}
#endif

#include "first_stage.cl"  // which forgets RADIX
