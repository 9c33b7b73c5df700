// Complex values, and constants of the unit circle.
//
// Needs:  LANES (default 1): lines side by side in one value. A GPU's work-items share a line
//         (1); a CPU's work-item owns 8 lines, so that every operation below is a vector one.

// Everything is inlined, so that radices, strides and array indices become constants. (C99's bare
// `inline` would allow a compiler to call a function that was never emitted.)
#define INLINE static inline __attribute__((always_inline))

// Names put together from a prefix and a number that is itself a define: NAME(dft, RADIX) is dft8.
#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)

#ifndef LANES
#define LANES 1
#endif
#if LANES == 1
typedef float real;
#elif LANES == 8
typedef float8 real;
#elif LANES == 16
typedef float16 real;
#endif

typedef struct {
    real re, im;
} cplx;

// Twiddles are the same for all lanes: always a scalar pair (x = re, y = im).

INLINE float2 square(float2 w) { return (float2)(fma(w.x, w.x, -w.y * w.y), 2 * w.x * w.y); }
INLINE float2 product(float2 a, float2 b) { return (float2)(fma(a.x, b.x, -a.y * b.y), fma(a.x, b.y, a.y * b.x)); }

INLINE cplx add(cplx a, cplx b) { return (cplx){a.re + b.re, a.im + b.im}; }
INLINE cplx sub(cplx a, cplx b) { return (cplx){a.re - b.re, a.im - b.im}; }
INLINE cplx minus_i(cplx a) { return (cplx){a.im, -a.re}; }
INLINE cplx swapped(cplx a) { return (cplx){a.im, a.re}; }
INLINE cplx scaled(cplx a, float2 w)
{
    return (cplx){fma(a.re, (real)(w.x), -a.im * w.y), fma(a.re, (real)(w.y), a.im * w.x)};
}
/// a + w b in four fused operations.
INLINE cplx add_scaled(cplx a, float2 w, cplx b)
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
INLINE void read_twiddles(float2 *t, __global const float *table, uint first, int count)
{
#pragma unroll
    for (int m = 0; m < 31; ++m)
        if (m < count) t[m].x = table[2 * (first + m)], t[m].y = table[2 * (first + m) + 1];
}

#ifdef cl_khr_fp64
typedef double folded;
#else
typedef float folded;
#endif

/// exp(-2 pi i p / n) for constants 0 <= p < n. The Taylor series below is folded to two literals
/// by every compiler tried, so no table of roots is needed and every radix is allowed.
INLINE float2 root(int p, int n)
{
    const int quarter = 4 * p / n, rest = 4 * p - quarter * n;  // the angle is quarter + rest / n right angles
    const bool mirrored = 2 * rest > n;                         // fold it to at most half a right angle
    const folded a = (folded)1.5707963267948966 * (mirrored ? n - rest : rest) / n, b = a * a;
    const folded c = 1 - b / 2 * (1 - b / 12 * (1 - b / 30 * (1 - b / 56 * (1 - b / 90 * (1 - b / 132)))));
    const folded s = a * (1 - b / 6 * (1 - b / 20 * (1 - b / 42 * (1 - b / 72 * (1 - b / 110 * (1 - b / 156))))));
    const float x = mirrored ? s : c, y = mirrored ? c : s;
    return quarter == 0   ? (float2)(x, -y)
           : quarter == 1 ? (float2)(-y, -x)
           : quarter == 2 ? (float2)(-x, y)
                          : (float2)(y, x);
}
