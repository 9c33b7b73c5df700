// SPDX-License-Identifier: Apache-2.0
// The generic butterfly: radix 64 to 1024 by rounds of radix 2 over one array.
//
// For the radix study: no straight-line code, so any power of two, but the array is indexed by variables and lives
// in memory.
// Source: decimation in time, inputs taken in bit-reversed order, then rounds of span = 1, 2, 4, ... in place.

#pragma once

#include "complex.cl"

/// The bits of m < radix in reversed order, radix a power of two.
INLINE uint bit_reversed(uint m, uint radix)
{
    uint reversed = 0;
    for (uint bit = 1; bit < radix; bit <<= 1) {
        reversed = reversed << 1 | (m & 1);
        m >>= 1;
    }
    return reversed;
}

/// x[q] <- sum over m of x[m] w^m exp(-2 pi i m q / radix), in place, with w = table[k].
/// table[e] = exp(-2 pi i e / (stride radix)) for e < stride radix; k < stride.
INLINE void generic_dft(cplx *x, uint radix, uint k, uint stride, __global const scalar2 *restrict table)
{
    for (uint m = 1; m < radix; ++m) x[m] = rotated(x[m], table[k * m]);
    for (uint m = 0; m < radix; ++m) {
        const uint other = bit_reversed(m, radix);
        if (m < other) {
            const cplx kept = x[m];
            x[m] = x[other];
            x[other] = kept;
        }
    }
    for (uint span = 1; span < radix; span *= 2)
        for (uint first = 0; first < radix; first += 2 * span)
            for (uint q = 0; q < span; ++q) {
                const cplx b = rotated(x[first + span + q], table[q * (radix / (2 * span)) * stride]);
                const cplx a = x[first + q];
                x[first + q] = add(a, b);
                x[first + span + q] = sub(a, b);
            }
}
