// SPDX-License-Identifier: Apache-2.0
// A step of Richardson-Lucy between two convolutions, in rows: half spectra to results, these to ratios or to the next
// estimate, and at once to half spectra again, in place. Where lines are shared by a work-group.
//
// Needs:  rows.cl's defines with PRODUCT 0, CHANNELS, and those of iteration.cl. Neither axis has a table of a border.
// Shapes: as rows.cl. Planes of floats [y][x][channel] of the result.
//         A step to ratios: `samples` are the data, `weights` theirs (read only if WEIGHTED), and partial[first + work-group]
//         becomes the work-group's part of the I-divergence. A step to the next estimate (`is_update`): `samples` are the
//         estimate before it ran ahead by `past_momentum`, `weights` its shares, and `before` is the estimate of an iteration
//         earlier, which becomes the next one. So samples and before change places from one iteration to the next, and
//         estimates that run ahead are never stored. Without momentum both are the same memory.
// Reads:  shares that are equal once a row: `even` has their first column, their number, their first row, and theirs.
// Barriers: the whole work-group stays to the end, also where rows do not exist.

#ifndef GROUP_LINES  // alone
#define GROUP_LINES 1
#define PAIRED_LAST 1
#define PACKED_CHANNELS 0
#define PRODUCT 0
#define CHANNELS 1
#endif
#define PLANAR 0
#define ROWS_FORWARD 1
#define ROWS_INVERSE 1

#include "complex.cl"
#include "line.cl"
#include "sizes.cl"
#include "levels.cl"
#include "nvidia.cl"
#include "row_spectra.cl"
#include "iteration.cl"

#define GROUP_ITEMS (TX * GROUP_LINES)
#if FIXED_GROUP
#define GROUP_SIZE __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
#else
#define GROUP_SIZE
#endif
#define SCRATCH_CELLS (GROUP_LINES * LINE_CELLS > GROUP_ITEMS ? GROUP_LINES * LINE_CELLS : GROUP_ITEMS)

/// How many samples of a row a work-item loads before it stores the first: compilers cannot move a load before a store.
#define LOADED_AT_ONCE 4

/// A row of the planes, from its first sample of a channel on, and what a step does to it.
typedef struct {
    __global float *samples, *before;
    __global const float *weights, *numbers;
    scalar scale;
    float background, least, past_momentum, momentum;
    int even_from;  // its first column whose weight is that of the `even_columns` from there on, which is `even`
    uint even_columns;
    float even;
    bool is_update, exists;
} step_row;

/// What a step reads at one place.
typedef struct {
    float sample, weight, before;
} held;

/// At column x of a row. Nothing is loaded, nor used, where a work-item has no sample of its own: others store there.
INLINE held held_at(step_row row, int x, bool is_own)
{
    const int i = x * CHANNELS;
    const bool is_even = row.is_update && (uint)(x - row.even_from) < row.even_columns;
    held own = {0, is_even ? row.even : 1, 0};
    if (is_own) own.sample = row.samples[i];
    if (is_own && row.is_update) own.before = row.before[i];
    if (is_own && (WEIGHTED || row.is_update) && !is_even) own.weight = row.weights[i];
    return own;
}

/// The next value of the line at sample i of a row, which exists. Adds to `divergence`.
INLINE scalar stepped(step_row row, int i, scalar value, held own, float *divergence)
{
    const float result = value * row.scale;
    if (!row.is_update) {
        float part;
        const float ratio = ratio_of_float(own.sample, result + row.background, own.weight, row.least, &part);
        *divergence += part;
        return ratio;
    }
    const float estimate = ahead_float(own.sample, own.before, row.past_momentum);
    const float now = improved_float(estimate, result, own.weight);
    row.before[i] = now;
    return ahead_float(now, own.sample, row.momentum);
}

/// Both rows of a line.
typedef struct {
    step_row a, b;
} row_pair;
INLINE step_row step_row_at(step_row all, size_t at, int4 even, uint y, uint channel, bool exists)
{
    all.samples += at;
    all.before += at;
    all.weights += at;
    all.even_columns = exists ? even_columns_of(even, y) : 0;
    if (all.even_columns > 0) all.even = all.weights[all.even_from * CHANNELS];
    if (!all.is_update) all.least = least_model_float(all.numbers[channel]);
    all.exists = exists;
    return all;
}
/// `all`: of sample 0 of the planes.
INLINE row_pair rows_at(sizes s, step_row all, int4 even, uint y, uint channel)
{
    const bool exists = y < (uint)s.out_height;
    const bool has_next = exists && (PACKED_CHANNELS ? channel + 1 < CHANNELS : y + 1 < (uint)s.out_height);
    const size_t at = (size_t)min(y, (uint)s.out_height - 1) * (s.out_width * CHANNELS) + channel;
    const size_t next = at + (has_next ? to_second_sample(s.out_width, s.out_height) : 0);
    return (row_pair){step_row_at(all, at, even, y, channel, exists),
                      step_row_at(all, next, even, PACKED_CHANNELS ? y : y + 1,
                                  PACKED_CHANNELS && has_next ? channel + 1 : channel, has_next)};
}

/// Loads a row of the data into the cache, while the line is transformed: what is read behind the transform would wait for
/// memory several times, because registers hold few samples. (H100, rows of 2160: 8 % of a step to ratios. A step to the
/// estimate reads two planes; the same took it 8 % longer.) `last`: the row's last sample.
INLINE void prefetch_row(step_row row, int last, uint tx)
{
#if PREFETCHES
    if (!row.exists || row.is_update) return;
    for (int i = tx * (CACHE_LINE / 4); i - last < CACHE_LINE / 4; i += TX * (CACHE_LINE / 4)) {
        const int at = min(i, last);
        prefetch_line((__global const char *)(row.samples + at));
        if (WEIGHTED) prefetch_line((__global const char *)(row.weights + at));
    }
#endif
}

/// The line's values, parts swapped, to its next ones. Returns their part of the divergence.
INLINE float step_rows(sizes s, cplx *v, uint tx, step_row a, step_row b)
{
    float divergence = 0;
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
#if STAGES == 1  // one butterfly, 0, which is there twice
        if (i % 2 == 1) {
            EACH_FIRST_VALUE
            for (int m = 0; m < R0; ++m) v[i * R0 + m] = v[(i - 1) * R0 + m];
            continue;
        }
#endif
        EACH_FIRST_VALUE
        for (int first_m = 0; first_m < R0; first_m += LOADED_AT_ONCE) {
            held at_a[LOADED_AT_ONCE], at_b[LOADED_AT_ONCE];
#pragma unroll
            for (int k = 0; k < LOADED_AT_ONCE; ++k) {
                const int m = min(first_m + k, R0 - 1);
                const bool is_inside = FIRST_UNDER(i, m, s.out_width);
                at_a[k] = held_at(a, butterfly0(tx, i) + m * (N / R0), is_inside && a.exists);
                at_b[k] = held_at(b, butterfly0(tx, i) + m * (N / R0), is_inside && b.exists);
            }
#pragma unroll
            for (int k = 0; k < LOADED_AT_ONCE; ++k) {
                const int m = first_m + k;
                if (m >= R0) continue;
                const int x = (butterfly0(tx, i) + m * (N / R0)) * CHANNELS;
                const bool is_inside = FIRST_UNDER(i, m, s.out_width);
                const cplx z = v[i * R0 + m];
                cplx next = {0, 0};
                if (is_inside && a.exists) next.re = stepped(a, x, z.im, at_a[k], &divergence);
                if (is_inside && b.exists) next.im = stepped(b, x, z.re, at_b[k], &divergence);
                v[i * R0 + m] = next;
            }
        }
    }
    return divergence;
}

/// For work-item 0: the sum of a number of each work-item.
INLINE float sum_of_group(float own, __local float *all)
{
    const uint item = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);  // others may still read what lay here
    all[item] = own;
    for (uint count = GROUP_ITEMS; count > 1; count = (count + 1) / 2) {
        const uint half_of = (count + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_of < count) all[item] += all[item + half_of];
    }
    return all[0];
}

/// Either step of one line. `all`: of sample 0 of the planes. Returns the line's part of the divergence.
INLINE float step_line(sizes s, __global stored *restrict intermediate, __global const scalar2 *restrict twiddles,
                       __global const scalar2 *restrict back_twiddles, step_row all, int4 even,
                       __global const scalar *restrict restore, __local cell *scratch)
{
    const uint item = get_local_id(0), own_line = item % GROUP_LINES, tx = item / GROUP_LINES;
    const uint plane = get_group_id(0) % s.planes, pack = get_group_id(0) / s.planes;
    uint channel = CHANNELS_A_LINE * plane, y = pack * PACK_ROWS + ROWS_A_LINE * own_line;
    __local cell *line = scratch + own_line * LINE_CELLS;
    if (!all.is_update) {
        const row_pair rows = rows_at(s, all, even, y, channel);
        prefetch_row(rows.a, (s.out_width - 1) * CHANNELS, tx);
        if (!PACKED_CHANNELS) prefetch_row(rows.b, (s.out_width - 1) * CHANNELS, tx);
    }

    cplx v[VALUES];
    load_spectra(s, v, tx, intermediate + plane * spectrum_plane(s) + spectrum_index(s, 0, y), y);
    transform_reversed(v, tx, back_twiddles, line);
    RECOMPUTE(y);  // or NVIDIA's compiler would keep what follows from them in registers throughout the transform
    RECOMPUTE(channel);
    all.scale = restore[RESTORE_SCALE(CHANNELS) + channel];
    const row_pair rows = rows_at(s, all, even, y, channel);
    const float divergence = step_rows(s, v, tx, rows.a, rows.b);
    RECOMPUTE(y);
    transform(v, tx, twiddles, line);
    store_spectra(s, v, tx, intermediate + plane * spectrum_plane(s) + spectrum_index(s, 0, y));
    return divergence;
}

/// To the ratios of data to results.
__kernel GROUP_SIZE void rows_to_ratios(__global stored *restrict intermediate, __global const scalar2 *restrict twiddles,
                                        __global const scalar2 *restrict back_twiddles, __global float *restrict samples,
                                        __global const float *restrict weights, __global float *restrict partial,
                                        __global const float *restrict numbers, __global const scalar *restrict restore,
                                        float background, uint first, const sizes given)
{
    __local cell scratch[SCRATCH_CELLS];
    const step_row all = {.samples = samples, .before = samples, .weights = weights, .numbers = numbers,
                          .background = background};
    const float divergence = step_line(KNOWN(given), intermediate, twiddles, back_twiddles, all, (int4)(0), restore, scratch);
    const float sum = sum_of_group(divergence, (__local float *)scratch);
    if (get_local_id(0) == 0) partial[first + get_group_id(0)] = sum;
}

/// To the next estimate.
__kernel GROUP_SIZE void rows_to_estimate(__global stored *restrict intermediate, __global const scalar2 *restrict twiddles,
                                          __global const scalar2 *restrict back_twiddles, __global float *samples,
                                          __global const float *restrict weights, __global float *before,
                                          __global const scalar *restrict restore, float past_momentum, float momentum,
                                          int4 even, const sizes given)
{
    __local cell scratch[SCRATCH_CELLS];
    const step_row all = {.samples = samples, .before = before, .weights = weights, .past_momentum = past_momentum,
                          .momentum = momentum, .even_from = even.x, .is_update = true};
    step_line(KNOWN(given), intermediate, twiddles, back_twiddles, all, even, restore, scratch);
}
