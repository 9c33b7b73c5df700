// SPDX-License-Identifier: Apache-2.0
// rows_step.cl where a work-item owns a whole line of two rows (CPU).
//
// Needs:  LANES 8; GENERAL, and blocks.cl's defines where it is 0; results.cl's defines; those of iteration.cl
// Shapes: as lane_rows.cl, planes and arguments as rows_step.cl.

#define WHOLE_LINES 1
#define CONVOLVE_BLOCKS 0
#include "lane_line.cl"
#include "sizes.cl"
#include "lanes.cl"
#include "lane_row_spectra.cl"
#include "iteration.cl"

/// What a step does to samples.
typedef struct {
    __global float *samples, *before;
    __global const float *weights;
    scalar scale;
    float background, least, past_momentum, momentum;
    int4 even;
    bool is_update, runs_ahead;
} step_row;

/// The weights of `count` samples from column x of a row on, which begins with sample `row`.
INLINE float8 weights_at(step_row how, size_t row, uint even_columns, int x, int count)
{
    const bool is_even = (uint)(x - how.even.x) < even_columns && (uint)(x - how.even.x) + 8 <= even_columns;
    if (is_even) return (float8)(how.weights[row + how.even.x * CHANNELS]);
    return load_eight(how.weights + row + x * CHANNELS, CHANNELS, count);
}

/// The next values of a line at `count` samples from column x on, and 0 beyond them. `row`: the row's first sample. Adds
/// to `divergence`.
INLINE float8 stepped(step_row how, size_t row, uint even_columns, int x, int count, float8 result, float8 *divergence)
{
    const size_t at = row + x * CHANNELS;
    const float8 own = load_eight(how.samples + at, CHANNELS, count);
    const float8 weight = WEIGHTED || how.is_update ? weights_at(how, row, even_columns, x, count) : (float8)(1);
    const int8 counts = (int8)(0, 1, 2, 3, 4, 5, 6, 7) < count;
    if (!how.is_update) {
        float8 part;
        const float8 ratio = ratio_of_float8(own, result + how.background, weight, how.least, &part);
        *divergence += counts ? part : (float8)(0);
        return counts ? ratio : (float8)(0);
    }
    if (!how.runs_ahead) {
        const float8 now = improved_float8(own, result, weight);
        store_eight(now, how.samples + at, CHANNELS, count);
        return counts ? now : (float8)(0);
    }
    const float8 estimate = ahead_float8(own, load_eight(how.before + at, CHANNELS, count), how.past_momentum);
    const float8 now = improved_float8(estimate, result, weight);
    store_eight(now, how.before + at, CHANNELS, count);
    return counts ? ahead_float8(now, own, how.momentum) : (float8)(0);
}

/// The values of two rows, or of one, to their next ones. They come with swapped parts. Returns the divergence.
INLINE float step_rows(sizes s, __local cplx *x, int eighth, step_row how, uint y, uint channel)
{
    float8 divergence = 0;
    for (int n = 0; n < eighth; ++n) {
        const int count = min(8, s.out_width - 8 * n);
        const cplx z = x[n];
        cplx next = {0, 0};
        for (uint i = 0; i < 2; ++i) {
            if (count <= 0 || y + i >= (uint)s.out_height) continue;
            const size_t row = (size_t)(y + i) * s.out_width * CHANNELS + channel;
            const float8 result = convert_float8((i == 0 ? z.im : z.re) * how.scale);
            const uint even_columns = even_columns_of(how.even, y + i);
            const scalar8 values = convert_scalar8(stepped(how, row, even_columns, 8 * n, count, result, &divergence));
            if (i == 0) next.re = values;
            else next.im = values;
        }
        x[n] = next;
    }
    const float4 four = divergence.lo + divergence.hi;
    return (four.x + four.y) + (four.z + four.w);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void lane_rows_step(
    __global stored *restrict intermediate, __global const scalar *restrict twiddles,
    __global const scalar *restrict back_twiddles, __global const uint *restrict place, __global const scalar8 *restrict joint,
    __global float *restrict samples, __global const float *restrict weights, __global float *restrict before,
    __global float *restrict partial, __global const float *restrict numbers, __global const scalar *restrict restore,
    float background, float past_momentum, float momentum, uint is_update, uint runs_ahead, int4 even, uint first,
    __local cplx *restrict x, __local scalar *restrict joined, const lane_stages line, const sizes given)
{
    const sizes s = KNOWN(given);
    const spectrum z = spectrum_at(joined, LENGTH_OF(&line));
    const uint channel = get_group_id(0) % s.planes, y = 2 * (get_group_id(0) / s.planes);
    const spectra_rows spectra = rows_of_spectra(s, intermediate, channel, y);
    const step_row how = {samples, before, weights, restore[RESTORE_SCALE(CHANNELS) + channel], background,
                          least_model_float(numbers[channel]), past_momentum, momentum, even, is_update != 0, runs_ahead != 0};

    load_spectra(z, s.columns, spectra, y + 1 < (uint)s.out_height);
    part_lanes(z, x, place, joint);
    float divergence = 0;
#pragma unroll 1
    for (int turn = 0; turn < 2; ++turn) {  // one copy of the transform's text for both directions: see lane_rows.cl
        const bool is_back = turn == 0;
        transform_line(x, &line, is_back, is_back ? back_twiddles : twiddles);
        if (is_back) divergence = step_rows(s, x, z.eighth, how, y, channel);
    }
    join_lanes(x, z, place, joint);
    store_spectra(z, s.columns, spectra);
    if (!is_update) partial[first + get_group_id(0)] = divergence;
}
