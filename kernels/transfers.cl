// SPDX-License-Identifier: Apache-2.0
// Transfers made of others, value by value: a conjugate, a quotient, a power spectrum, a regularised inverse.
//
// Needs:  PRECISION (float or double)
//         HAS_CONJUGATE, HAS_QUOTIENT, HAS_POWER_SPECTRUM, HAS_REGULARISED_INVERSE   0: without that kernel (default 1). A
//                      compiler would take a third of a second for each
// Shapes: a transfer as the column pass keeps it. Its order does not matter here. `lanes` real parts lie side by side, and
//         the same number of imaginary parts behind them (1 on GPUs, 8 or 16 on CPUs: stored.cl). Work-item = a value.
// Scale:  a stored value is `stored` times the value of the spectrum, in operands and results alike.

#include "complex.cl"

#ifndef HAS_CONJUGATE  // alone
#define HAS_CONJUGATE 1
#define HAS_QUOTIENT 1
#define HAS_POWER_SPECTRUM 1
#define HAS_REGULARISED_INVERSE 1
#endif

INLINE size_t real_index(size_t i, uint lanes) { return i / lanes * (2 * lanes) + i % lanes; }
INLINE cplx value_at(__global const scalar *transfer, size_t i, uint lanes)
{
    transfer += real_index(i, lanes);
    return (cplx){transfer[0], transfer[lanes]};
}
INLINE void put_value(__global scalar *transfer, size_t i, uint lanes, cplx z)
{
    transfer += real_index(i, lanes);
    transfer[0] = z.re;
    transfer[lanes] = z.im;
}
INLINE scalar power_of(cplx z) { return fma(z.re, z.re, z.im * z.im); }

#if HAS_CONJUGATE
/// conj(a): the correlation instead of the convolution.
__kernel void conjugate(__global const scalar *restrict a, __global scalar *restrict result, uint lanes, ulong count)
{
    const size_t i = get_global_id(0);
    if (i >= count) return;
    const cplx z = value_at(a, i, lanes);
    put_value(result, i, lanes, (cplx){z.re, -z.im});
}
#endif

#if HAS_QUOTIENT
/// a / b, and 0 where b is 0.
__kernel void quotient(__global const scalar *restrict a, __global const scalar *restrict b,
                       __global scalar *restrict result, scalar stored, uint lanes, ulong count)
{
    const size_t i = get_global_id(0);
    if (i >= count) return;
    const cplx x = value_at(a, i, lanes), y = value_at(b, i, lanes);
    const scalar power = power_of(y), factor = power > 0 ? stored / power : 0;
    put_value(result, i, lanes, scaled(times(x, (cplx){y.re, -y.im}), factor));
}
#endif

#if HAS_POWER_SPECTRUM
/// |a|^2 + k.
__kernel void power_spectrum(__global const scalar *restrict a, __global scalar *restrict result, scalar k, scalar stored,
                             uint lanes, ulong count)
{
    const size_t i = get_global_id(0);
    if (i >= count) return;
    put_value(result, i, lanes, (cplx){power_of(value_at(a, i, lanes)) / stored + k * stored, 0});
}
#endif

#if HAS_REGULARISED_INVERSE
#if PRECISION == PRECISION_DOUBLE
#define ROUNDING (4 * DBL_EPSILON)
#else
#define ROUNDING (4 * FLT_EPSILON)
#endif
/// conj(a) / (|a|^2 + k + l |b|^2), and 0 where the divisor is 0 but for rounding: below ROUNDING^2 of |a|^2 at frequency 0,
/// which is the first value in every order.
__kernel void regularised_inverse(__global const scalar *restrict a, __global const scalar *restrict b,
                                  __global scalar *restrict result, scalar k, scalar l, scalar stored, uint lanes,
                                  ulong count)
{
    const size_t i = get_global_id(0);
    if (i >= count) return;
    const cplx z = value_at(a, i, lanes);
    const scalar square = stored * stored;
    const scalar divisor = fma(k, square, fma(l, power_of(value_at(b, i, lanes)), power_of(z)));
    const bool is_zero = divisor <= ROUNDING * ROUNDING * power_of(value_at(a, 0, lanes));
    put_value(result, i, lanes, scaled((cplx){z.re, -z.im}, is_zero ? 0 : square / divisor));
}
#endif
