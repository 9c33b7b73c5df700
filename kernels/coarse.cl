// SPDX-License-Identifier: Apache-2.0
// A glow at a half or a quarter of the resolution: the image is shrunk before it is convolved, and the result is spread
// over the image again.
//
// Both ways a sample is a tent as wide as two small ones: with FACTOR f, small sample i has the weight
//     t[k] = (2 min(k, 2 f - 1 - k) + 1) / (2 f f),  k = x - f i + f / 2 = 0 .. 2 f - 1
// of sample x (1 3 3 1 or 1 3 5 7 7 5 3 1), so that light keeps its sum and its place; and sample x is the linear
// interpolation of small samples, whose centres lie at f i + (f - 1) / 2: the same numbers times f. The PSF makes up for
// the blur of both (src/psf/shrink.h).
//
// Needs:  results.cl's defines, PLANAR 0; FACTOR 2 or 4
//         LANES        8: CPUs, eight samples side by side; 1: a work-item a sample
//         STRIP        LANES 8: rows of small samples that a work-item makes
// Shapes: small[channel][height][width], of the extended image: position n of a row of samples, as source_column has it, lies at
//         coordinate first_x + n, and small sample i is made of positions f i .. f i + 2 f - 1; width is a multiple of 4.
//         spread[channel][height][width]: its first sample is small sample -1 of the image; behind it 8 more may be read.

#ifndef FACTOR  // alone: half the resolution, a work-item a sample
#define FACTOR 2
#endif

#include "complex.cl"
#include "sizes.cl"
#include "samples.cl"
#include "results.cl"

#define TAPS (2 * FACTOR)

/// t[k].
INLINE scalar tent(int k) { return (scalar)(2 * min(k, TAPS - 1 - k) + 1) / (2 * FACTOR * FACTOR); }

/// The weight of the second nearest small sample in the interpolation at sample x.
INLINE scalar part_of_other(int x) { return fabs((scalar)(2 * (x % FACTOR) + 1 - FACTOR)) / (2 * FACTOR); }

/// The two small samples of `spread` that row or column x lies between: the nearest one, and the other one.
INLINE int nearest_of(int x) { return x / FACTOR + 1; }
INLINE int other_of(int x) { return nearest_of(x) + (2 * (x % FACTOR) + 1 < FACTOR ? -1 : 1); }

#if LANES == 8

#include "lanes.cl"

/// FACTOR 2: four small samples of ten neighbours, FACTOR 4: two of twelve. `next`: the samples after `from`.
INLINE scalar4 tents_of(scalar8 from, scalar8 next)
{
#if FACTOR == 2
    const scalar4 third = (scalar4)(from.s246, next.s0), fourth = (scalar4)(from.s357, next.s1);
    return (from.even + fourth) * tent(0) + (from.odd + third) * tent(1);
#else
    const scalar8 second = (scalar8)(from.hi, next.lo);
    scalar4 sum = (scalar4)(from.s0 + from.s7, second.s0 + second.s7, 0, 0) * tent(0);
    sum += (scalar4)(from.s1 + from.s6, second.s1 + second.s6, 0, 0) * tent(1);
    sum += (scalar4)(from.s2 + from.s5, second.s2 + second.s5, 0, 0) * tent(2);
    return sum + (scalar4)(from.s3 + from.s4, second.s3 + second.s4, 0, 0) * tent(3);
#endif
}

/// Work-group: a strip of STRIP small rows of a channel, channels fastest.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void shrink(
    __global const in_sample *restrict samples, __global float *restrict small, __global const int *restrict source_column,
    __global const int *restrict source_row, __global const scalar *restrict bias, int width, int height, const sizes given)
{
    const sizes s = KNOWN(given);
    const uint channel = get_group_id(0) % CHANNELS;
    const int first = get_group_id(0) / CHANNELS * STRIP, end = min(first + STRIP, height);
    const level level = level_of(s, bias, channel);
    for (int n = FACTOR * first; n < FACTOR * (end + 1); ++n) {
        const int y = n / FACTOR, k = n % FACTOR, row = source_row[n];
        __global const in_sample *from = input_row(s, samples, max(row, 0), channel);
        __global float *below = small + ((size_t)channel * height + min(y, end - 1)) * width;
        __global float *above = small + ((size_t)channel * height + max(y - 1, first)) * width;
        // Rows of another strip get nothing. The first contribution is stored over what was there.
        const float to_below = y < end && row >= 0 ? tent(k) : 0, to_above = y > first && row >= 0 ? tent(k + FACTOR) : 0;
        const bool begins = k == 0 && y < end;
        scalar8 now = load_positions(s, from, 0, level, source_column);
        for (int x = 0; x < width; x += 8 / FACTOR) {
            const scalar8 next = load_positions(s, from, FACTOR * x + 8, level, source_column);
            const scalar4 sum = tents_of(now, next);
#if FACTOR == 2
            const float4 part = convert_float4(sum), nothing = 0;
            if (to_above != 0) vstore4(fma(part, (float4)(to_above), vload4(0, above + x)), 0, above + x);
            if (begins) vstore4(to_below != 0 ? part * to_below : nothing, 0, below + x);
            else if (to_below != 0) vstore4(fma(part, (float4)(to_below), vload4(0, below + x)), 0, below + x);
#else
            const float2 part = convert_float2(sum.lo), nothing = 0;
            if (to_above != 0) vstore2(fma(part, (float2)(to_above), vload2(0, above + x)), 0, above + x);
            if (begins) vstore2(to_below != 0 ? part * to_below : nothing, 0, below + x);
            else if (to_below != 0) vstore2(fma(part, (float2)(to_below), vload2(0, below + x)), 0, below + x);
#endif
            now = next;
        }
    }
}

/// Eight samples from x, a multiple of 8, on, between the small samples of one row: `from` begins with the one left of them.
INLINE scalar8 between(scalar8 from)
{
#if FACTOR == 2
    const scalar8 nearest = from.s11223344, other = from.s02132435;
    const scalar8 part = (scalar8)((scalar)1 / 4);
#else
    const scalar8 nearest = from.s11112222, other = from.s00221133;
    const scalar8 part = (scalar8)(3, 1, 1, 3, 3, 1, 1, 3) / 8;
#endif
    return fma(part, other - nearest, nearest);
}

/// Work-group: a row of the result in a channel, channels fastest.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void spread(
    __global const in_sample *restrict samples, __global const float *restrict small, __global out_sample *restrict result,
    __global const scalar *restrict restore, __global const scalar *restrict weight, __global const scalar *restrict mask,
    int width, int height, const sizes given)
{
    const sizes s = KNOWN(given);
    const uint channel = get_group_id(0) % CHANNELS;
    const int y = get_group_id(0) / CHANNELS;
    __global const float *nearest = small + ((size_t)channel * height + nearest_of(y)) * width;
    __global const float *other = small + ((size_t)channel * height + other_of(y)) * width;
    const scalar part = part_of_other(y);
    const result_row row = result_row_of(s, result, samples, restore, weight, mask, y, channel);
    for (int x = 0; x < s.out_width; x += 8) {
        const scalar8 a = convert_scalar8(vload8(0, nearest + x / FACTOR)), b = convert_scalar8(vload8(0, other + x / FACTOR));
        store_eight_results(row, x, s.out_width, between(fma((scalar8)(part), b - a, a)));
    }
}

#else

/// Work-item (x, y of all channels).
__kernel void shrink(__global const in_sample *restrict samples, __global float *restrict small,
                     __global const int *restrict source_column, __global const int *restrict source_row,
                     __global const scalar *restrict bias, int width, int height, const sizes given)
{
    const sizes s = KNOWN(given);
    const int x = get_global_id(0), y = get_global_id(1) % height;
    const uint channel = get_global_id(1) / height;
    if (x >= width) return;
    const level level = level_of(s, bias, channel);
    scalar sum = 0;
    for (int j = 0; j < TAPS; ++j) {
        const int row = source_row[FACTOR * y + j];
        __global const in_sample *from = input_row(s, samples, max(row, 0), channel);
        scalar part = 0;
#pragma unroll
        for (int i = 0; i < TAPS; ++i) {
            const int column = source_column[FACTOR * x + i];
            const scalar taken = taken_sample(from + max(column, 0) * STEP_X, level) - level.bias;
            part = fma(tent(i), column >= 0 && row >= 0 ? taken : 0, part);
        }
        sum = fma(tent(j), part, sum);
    }
    small[((size_t)channel * height + y) * width + x] = sum;
}

/// Work-item (x, y of all channels).
__kernel void spread(__global const in_sample *restrict samples, __global const float *restrict small,
                     __global out_sample *restrict result, __global const scalar *restrict restore,
                     __global const scalar *restrict weight, __global const scalar *restrict mask, int width, int height,
                     const sizes given)
{
    const sizes s = KNOWN(given);
    const int x = get_global_id(0), y = get_global_id(1) % s.out_height;
    const uint channel = get_global_id(1) / s.out_height;
    if (x >= s.out_width) return;
    __global const float *nearest = small + ((size_t)channel * height + nearest_of(y)) * width;
    __global const float *other = small + ((size_t)channel * height + other_of(y)) * width;
    const int near = nearest_of(x), far = other_of(x);
    const scalar part = part_of_other(x), part_below = part_of_other(y);
    const scalar above = fma(part, (scalar)nearest[far] - nearest[near], (scalar)nearest[near]);
    const scalar below = fma(part, (scalar)other[far] - other[near], (scalar)other[near]);
    store_result(result_row_of(s, result, samples, restore, weight, mask, y, channel), x,
                 fma(part_below, below - above, above));
}

#endif
