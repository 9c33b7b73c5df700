// SPDX-License-Identifier: Apache-2.0
// What an iteration of Richardson-Lucy does to samples: results of A become ratios, and results of A' improve the estimate
// (docs/deconvolution.md). For one sample, and for neighbours side by side.
//
// Needs:  WEIGHTED       1: each sample of the data has a weight (default 0: it is 1)
//         UNBOUNDED      1: data, estimates and ratios may be negative, and nothing limits a ratio (default 0)
// Gives:  log_of, ratio_of, improved, ahead, each with a type behind it: _float, _float4, _float8; least_model,
//         even_columns_of
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

/// The floor of the model, a millionth of the data's mean numbers[0], which keeps ratios finite.
INLINE float least_model(__global const float *numbers) { return numbers[0] * 1e-6f; }

/// The weighted ratio w y / m of a sample y of the data to the model m, which is at least `least`. `part`: what it adds
/// to the I-divergence of the data from the model, w (y log(y / m) - y + m).
#define RATIO_OF(type)                                                                                              \
    INLINE type ratio_of_##type(type y, type model, type weight, float least, type *part)                           \
    {                                                                                                               \
        if (!UNBOUNDED) model = fmax(model, (type)(least));                                                         \
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
    INLINE type ahead_##type(type now, type before, float momentum)                                                 \
    {                                                                                                               \
        const type next = fma((type)(momentum), now - before, now);                                                 \
        return UNBOUNDED ? next : fmax(next, 0.1f * now);                                                           \
    }

/// Columns of row y with equal shares, which are in `even`: first column, columns, first row, rows.
INLINE uint even_columns_of(int4 even, uint y) { return y - (uint)even.z < (uint)even.w ? (uint)even.y : 0; }

#if ON_NVIDIA
INLINE float log_of_float(float x) { return native_log(x); }
#else
LOG_OF(float, int)
#endif
LOG_OF(float8, int8)
RATIO_OF(float)
RATIO_OF(float8)
IMPROVED(float)
IMPROVED(float4)
IMPROVED(float8)
AHEAD(float)
AHEAD(float4)
AHEAD(float8)
