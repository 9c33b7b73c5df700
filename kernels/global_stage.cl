// SPDX-License-Identifier: Apache-2.0
// One radix stage of many lines through global memory: for lines that fit no work-group, and for the radix study.
//
// Needs:  RADIX
// Shapes: from, to: [lines][length] complex. Work-item (j, line) does butterfly j of its line.
// Source: Stockham's autosort; the formulas are in src/fft/stage_index.h.

#ifndef RADIX  // alone
#define RADIX 4
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"

#if RADIX > 32
#define EACH_VALUE  // a loop: the values are in memory anyway
#else
#define EACH_VALUE _Pragma("unroll")
#endif

/// `stride`: product of the radices before. twiddle[k] = exp(-2 pi i k / (stride RADIX)).
__kernel void global_stage(__global const scalar2 *restrict from, __global scalar2 *restrict to,
                           __global const scalar2 *restrict twiddle, uint length, uint stride)
{
    const uint j = get_global_id(0), butterflies = length / RADIX, k = j % stride;
    if (j >= butterflies) return;
    const size_t line = get_global_id(1) * (size_t)length;
    from += line + j;
    to += line + j / stride * (stride * RADIX) + k;

    cplx v[RADIX];
    EACH_VALUE
    for (uint m = 0; m < RADIX; ++m) {
        const scalar2 z = from[m * butterflies];
        v[m] = (cplx){z.x, z.y};
    }
#if RADIX > 32
    generic_dft(v, RADIX, k, stride, twiddle);
#else
    scalar2 t[NAME(TWIDDLES_, RADIX)];
    NAME(twiddles, RADIX)(t, twiddle[k]);
    NAME(dft, RADIX)(v, true, t);
#endif
    EACH_VALUE
    for (uint q = 0; q < RADIX; ++q) to[q * stride] = (scalar2)(v[q].re, v[q].im);
}
