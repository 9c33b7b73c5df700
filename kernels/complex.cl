// SPDX-License-Identifier: Apache-2.0
// Complex values.
//
// Needs:  LANES (default 1): lines side by side in one value. A GPU's work-items share a line
//         (1); a CPU's work-item owns 8 or 16 lines, so that every operation below is a vector one.
//         PRECISION (default float): the types of the arithmetic, and of values between the passes (stored.cl)
// Gives:  scalar   the type of a number of one line; scalar2, scalar4, scalar8: vectors of it
//         real     the same for all lanes side by side; cplx, a pair of reals

#pragma once

// Everything is inlined, so that radices, strides and array indices become constants. (C99's bare
// `inline` would allow a compiler to call a function that was never emitted.)
#define INLINE static inline __attribute__((always_inline))

// Names put together from a prefix and a number that is itself a define: NAME(dft, RADIX) is dft8.
#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)

#ifndef LANES
#define LANES 1
#endif

#define PRECISION_FLOAT 0
#define PRECISION_HALF 1  // computed in float, stored in half
#define PRECISION_DOUBLE 2
#ifndef PRECISION
#define PRECISION PRECISION_FLOAT
#endif

#if PRECISION == PRECISION_DOUBLE
typedef double scalar;
typedef double2 scalar2;
typedef double4 scalar4;
typedef double8 scalar8;
typedef double16 scalar16;
#define convert_scalar8 convert_double8
#else
typedef float scalar;
typedef float2 scalar2;
typedef float4 scalar4;
typedef float8 scalar8;
typedef float16 scalar16;
#define convert_scalar8 convert_float8
#endif

#if LANES == 1
typedef scalar real;
#else
typedef NAME(scalar, LANES) real;
#endif

typedef struct {
    real re, im;
} cplx;

// Twiddles are the same for all lanes: always a scalar pair (x = re, y = im).

INLINE scalar2 square(scalar2 w) { return (scalar2)(fma(w.x, w.x, -w.y * w.y), 2 * w.x * w.y); }
INLINE scalar2 product(scalar2 a, scalar2 b) { return (scalar2)(fma(a.x, b.x, -a.y * b.y), fma(a.x, b.y, a.y * b.x)); }

INLINE cplx add(cplx a, cplx b) { return (cplx){a.re + b.re, a.im + b.im}; }
INLINE cplx sub(cplx a, cplx b) { return (cplx){a.re - b.re, a.im - b.im}; }
INLINE cplx minus_i(cplx a) { return (cplx){a.im, -a.re}; }
INLINE cplx swapped(cplx a) { return (cplx){a.im, a.re}; }
/// Times a real number.
INLINE cplx scaled(cplx a, scalar s) { return (cplx){a.re * s, a.im * s}; }
/// Times w, |w| = 1: a twiddle or a root of unity.
INLINE cplx rotated(cplx a, scalar2 w)
{
    return (cplx){fma(a.re, (real)(w.x), -a.im * w.y), fma(a.re, (real)(w.y), a.im * w.x)};
}
/// a + w b, |w| = 1, in four fused operations.
INLINE cplx add_rotated(cplx a, scalar2 w, cplx b)
{
    return (cplx){fma((real)(-w.y), b.im, fma((real)(w.x), b.re, a.re)),
                  fma((real)(w.y), b.re, fma((real)(w.x), b.im, a.im))};
}

/// The product of two values, lane by lane.
INLINE cplx times(cplx a, cplx b)
{
    return (cplx){fma(a.re, b.re, -a.im * b.im), fma(a.re, b.im, a.im * b.re)};
}

/// Reads `count` twiddles number `first` and on from a table. As two floats each: a vector load of the pair
/// would be split and spread by shuffles, where a float is spread to all lanes by its load.
INLINE void read_twiddles(scalar2 *t, __global const scalar *table, uint first, int count)
{
#pragma unroll
    for (int m = 0; m < 31; ++m)
        if (m < count) t[m].x = table[2 * (first + m)], t[m].y = table[2 * (first + m) + 1];
}

// Complex constants, which the host writes as ROOT(re, im) in double (src/fft/radix.cpp).
#if PRECISION == PRECISION_DOUBLE
#define ROOT(re, im) (scalar2)(re, im)
#else
#define ROOT(re, im) (scalar2)(re##f, im##f)
#endif
