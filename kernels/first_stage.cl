// SPDX-License-Identifier: Apache-2.0
// Stage 0 of lines that a work-item owns whole: the first stage of a forward transform, which needs no twiddles, and the
// last stage of an inverse one. It works in place, or is fused with the loads and stores of columns. Included once for
// each radix.
//
// Needs:  LANES; RADIX
// Shapes: butterfly j < step takes the values j + m step, 0 <= m < RADIX. Inverse: a set of twiddles for each butterfly.
//         Neighbouring rows of a column are neighbours in memory.

#ifndef LANES
#define LANES 8
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "stored.cl"
#include "line_space.cl"

#ifndef RADIX  // alone
#define RADIX 4
#endif

INLINE void NAME(first_stage, RADIX)(LINE_SPACE cplx *x, int step)
{
    scalar2 t[NAME(TWIDDLES_, RADIX)];
    cplx v[RADIX];
    for (int j = 0; j < step; ++j) {
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[j + m * step];
        NAME(dft, RADIX)(v, false, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[j + m * step] = v[m];
    }
}

/// `first`: where stage 0's twiddles begin in the table of all stages.
INLINE void NAME(first_stage_back, RADIX)(LINE_SPACE cplx *x, int step, __global const scalar *table, uint first)
{
    scalar2 t[NAME(TWIDDLES_, RADIX)];
    cplx v[RADIX];
    for (int j = 0; j < step; ++j) {
        read_twiddles(t, table, first + j * NAME(TWIDDLES_, RADIX), NAME(TWIDDLES_, RADIX));
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[j + m * step];
        NAME(dft, RADIX)(v, true, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[j + m * step] = v[m];
    }
}

/// first_stage() of a column in global memory. Position n of the column is row source_row[n], or zero if that is negative.
INLINE void NAME(load_column, RADIX)(LINE_SPACE cplx *x, int step, __global const stored *column,
                                     __global const int *restrict source_row)
{
    scalar2 t[NAME(TWIDDLES_, RADIX)];
    for (int j = 0; j < step; ++j) {
        cplx v[RADIX];
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m)
        {
            const int row = source_row[j + m * step];
            v[m] = (cplx){0, 0};
            if (row >= 0) v[m] = fetch(column + row);
        }
        NAME(dft, RADIX)(v, false, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[j + m * step] = v[m];
    }
}

/// first_stage_back() to global memory: positions 0 .. height - 1 go to the rows of these numbers, with real and imaginary
/// parts swapped, times scale. `table`: the twiddles of stage 0.
INLINE void NAME(store_column, RADIX)(LINE_SPACE const cplx *x, int step, __global stored *column, int height, scalar scale,
                                      __global const scalar *table)
{
    for (int j = 0; j < step; ++j, table += 2 * NAME(TWIDDLES_, RADIX)) {
        scalar2 t[NAME(TWIDDLES_, RADIX)];
        cplx v[RADIX];
        read_twiddles(t, table, 0, NAME(TWIDDLES_, RADIX));
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[j + m * step];
        NAME(dft, RADIX)(v, true, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m)
        {
            const int row = j + m * step;
            if (row < height) keep(column + row, scaled(swapped(v[m]), scale));
        }
    }
}

#undef RADIX
