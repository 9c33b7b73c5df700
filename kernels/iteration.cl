// SPDX-License-Identifier: Apache-2.0
// What an iteration of Richardson-Lucy does to samples: results of A become ratios, and results of A' improve the estimate
// (docs/deconvolution.md). For one sample, and for neighbours side by side.
//
// Needs:  WEIGHTED       1: each sample of the data has a weight (default 0: it is 1)
//         UNBOUNDED      1: data, estimates and ratios may be negative, and nothing limits a ratio (default 0)
// Gives:  log_of, ratio_of, improved, ahead, least_model, each with a type behind it: _float, _float4, _float8;
//         even_columns_of, load_eight, store_eight
#pragma once

#include "complex.cl"
#include "nvidia.cl"

#ifndef WEIGHTED
#define WEIGHTED 0
#endif
#ifndef UNBOUNDED
#define UNBOUNDED 0
#endif

/// The natural logarithm of normal numbers, to 2e-7: x = 2^e m with m around 1, and log(m) = 2 atanh((m - 1) / (m + 1)) by its
/// series. log() of CPUs' libraries takes four times as long. NVIDIA's own instruction is as precise.
#define LOG_OF(type, integers)                                                                                      \
    INLINE type log_of_##type(type x)                                                                               \
    {                                                                                                               \
        const integers bits = as_##integers(x) - 0x3f3504f3; /* of the square root of 1/2 */                        \
        const type m = as_##type((bits & 0x7fffff) + 0x3f3504f3);                                                   \
        const type s = (m - 1) / (m + 1), t = s * s;                                                                \
        const type by_seven = fma(t, (type)(1 / 9.0f), (type)(1 / 7.0f));                                           \
        const type by_three = fma(t, fma(t, by_seven, (type)(1 / 5.0f)), (type)(1 / 3.0f));                         \
        return fma(convert_##type(bits >> 23), (type)(0.693147181f), 2 * s * fma(t, by_three, (type)(1)));          \
    }

/// One number over another. NVIDIA's short division is precise to 2 ulp for divisors that are neither huge nor subnormal.
INLINE float over_float(float a, float b)
{
#if ON_NVIDIA && !UNBOUNDED
    return native_divide(a, b);
#else
    return a / b;
#endif
}
INLINE float8 over_float8(float8 a, float8 b) { return a / b; }

/// The floor of a plane's model, a millionth of the mean of its data, which keeps ratios finite. Also those of nothing but
/// zeros, because what is no number would reach the plane that shares a line.
#define LEAST_MODEL(type) \
    INLINE type least_model_##type(type mean) { return fmax(mean * 1e-6f, (type)(FLT_MIN)); }

/// The weighted ratio w y / m of a sample y of the data to the model m, which is at least `least`. `part`: what it adds
/// to the I-divergence of the data from the model, w (y log(y / m) - y + m).
#define RATIO_OF(type)                                                                                              \
    INLINE type ratio_of_##type(type y, type model, type weight, type least, type *part)                            \
    {                                                                                                               \
        if (!UNBOUNDED) model = fmax(model, least);                                                                 \
        const type ratio = over_##type(y, model);                                                                   \
        const type divergence = fma(y, log_of_##type(fmax(ratio, (type)(1e-30f))), model - y);                      \
        *part = WEIGHTED ? divergence * weight : divergence;                                                        \
        return WEIGHTED ? ratio * weight : ratio;                                                                   \
    }

/// The estimate times the factor A'(ratio) / A' w, where data say something. `share`: 1 / A' w, or 0.
#define IMPROVED(type)                                                                                              \
    INLINE type improved_##type(type estimate, type factor, type share)                                             \
    {                                                                                                               \
        const type by = UNBOUNDED ? factor * share : fmax(factor, (type)(0)) * share;                               \
        return share != 0 ? estimate * by : estimate;                                                               \
    }

/// The estimate that runs ahead: `now` plus `momentum` times its change since `before`, and at least a tenth of it.
#define AHEAD(type)                                                                                                 \
    INLINE type ahead_##type(type now, type before, type momentum)                                                  \
    {                                                                                                               \
        const type next = fma(momentum, now - before, now);                                                         \
        return UNBOUNDED ? next : fmax(next, 0.1f * now);                                                           \
    }

/// Columns of row y with equal shares, which are in `even`: first column, columns, first row, rows.
INLINE uint even_columns_of(int4 even, uint y) { return y - (uint)even.z < (uint)even.w ? (uint)even.y : 0; }

/// `count` neighbours of one plane, at most eight, and 0 beyond them. `stride`: from one to the next. Without arrays, which
/// compilers may leave in memory.
INLINE float load_if(bool exists, __global const float *p) { return exists ? *p : 0; }
INLINE float8 load_eight(__global const float *p, int stride, int count)
{
    if (stride == 1 && count == 8) return vload8(0, p);
#define LOADED(i) load_if(i < count, p + i * stride)
    return (float8)(LOADED(0), LOADED(1), LOADED(2), LOADED(3), LOADED(4), LOADED(5), LOADED(6), LOADED(7));
#undef LOADED
}
INLINE void store_eight(float8 value, __global float *p, int stride, int count)
{
    if (stride == 1 && count == 8) {
        vstore8(value, 0, p);
        return;
    }
#define STORE(i) \
    if (i < count) p[i * stride] = value.s##i;
    STORE(0) STORE(1) STORE(2) STORE(3) STORE(4) STORE(5) STORE(6) STORE(7)
#undef STORE
}

#if ON_NVIDIA
INLINE float log_of_float(float x) { return native_log(x); }
#else
LOG_OF(float, int)
#endif
LOG_OF(float8, int8)
LEAST_MODEL(float)
LEAST_MODEL(float8)
RATIO_OF(float)
RATIO_OF(float8)
IMPROVED(float)
IMPROVED(float4)
IMPROVED(float8)
AHEAD(float)
AHEAD(float4)
AHEAD(float8)
