// SPDX-License-Identifier: Apache-2.0
// The convolution by its definition, for small PSFs, in one launch: a work-group loads all samples that its patch of the
// result depends on into local memory, once. A work-item sums WIDE x HIGH results at a time, so that each sample that it
// reads serves many products.
//
// Needs:  results.cl's defines
//         PSF_WIDTH, PSF_HEIGHT   taps, or the maximum of them
//         ANY_PSF                 1: a PSF may have fewer taps, psf_width x psf_height of `sizes` (WIDE 8)
//         WIDE, HIGH              results side by side, 4 (GPU) or 8 (CPU), and one below the other
//         ITEMS_X, ITEMS_Y        work-items of a work-group
//         TURNS_X, TURNS_Y        how often each works, further right and further down: 1 on a GPU
//         ROW_PITCH               cells of local memory from one row to the next, a multiple of WIDE
//         UNROLLED                1: every tap is written out; 0: a loop over the PSF's rows, and a sum for each of them,
//                                 so that the error grows with width + height, not with their product
//         FIXED_GROUP             as rows.cl
// Shapes: psf[channel][j][i], rotated by 180 degrees, so that out[y][x] = sum psf[j][i] extended[y + j][x + i].
//         Position n of the extended image holds column source_column[n], row source_row[n] of the image; negative: nothing.
//         work-group = (patch, channel), channel fastest: channels of interleaved samples share cache lines.

#ifndef PSF_WIDTH  // alone: 5 x 5 taps, for a GPU
#define PSF_WIDTH 5
#define PSF_HEIGHT 5
#define ANY_PSF 0
#define WIDE 4
#define HIGH 4
#define ITEMS_X 8
#define ITEMS_Y 8
#define TURNS_X 1
#define TURNS_Y 1
#define ROW_PITCH 36
#define UNROLLED 1
#endif

#include "complex.cl"
#include "sizes.cl"
#include "samples.cl"
#include "results.cl"

#if FIXED_GROUP
#define GROUP_SIZE __attribute__((reqd_work_group_size(ITEMS_X * ITEMS_Y, 1, 1)))
#else
#define GROUP_SIZE
#endif

#define TAPS_X(s) (ANY_PSF ? (s).psf_width : PSF_WIDTH)
#define TAPS_Y(s) (ANY_PSF ? (s).psf_height : PSF_HEIGHT)

/// Size of a work-group's patch of the result, and of the window of the image that this patch depends on, or its maximum.
#define PATCH_WIDTH (ITEMS_X * TURNS_X * WIDE)
#define PATCH_HEIGHT (ITEMS_Y * TURNS_Y * HIGH)
#define WINDOW_WIDTH (PATCH_WIDTH + PSF_WIDTH - 1)
#define WINDOW_HEIGHT (PATCH_HEIGHT + PSF_HEIGHT - 1)

#if UNROLLED
#define EACH _Pragma("unroll")
#else
#define EACH
#endif

#if WIDE == 8

#include "lanes.cl"
typedef scalar8 results;

/// Rows of the extended image, from position (x, y) on, less bias.
INLINE void load_window(sizes s, __local scalar *window, int x, int y, uint item, __global const in_sample *restrict samples,
                      uint channel, level level, __global const int *restrict source_column,
                      __global const int *restrict source_row)
{
    const int width = PATCH_WIDTH + TAPS_X(s) - 1, height = PATCH_HEIGHT + TAPS_Y(s) - 1;
    for (int j = 0; j < height; ++j) {
        const int row = source_row[y + j], later = source_row[y + min(j + ROWS_AHEAD, height - 1)];
        __global const in_sample *from = input_row(s, samples, max(row, 0), channel);
        will_read_row(input_row(s, samples, max(later, 0), channel), x + s.first_x, width);
        for (int i = 0; i < width; i += 8)
            vstore8(row < 0 ? (scalar8)(0) : load_positions(s, from, x + i, level, source_column), 0, window + j * ROW_PITCH + i);
    }
}

/// sum[p] += the products of one row of the PSF with rows p, p + 1, ... `view`: the first sample of the first result.
INLINE void add_row(sizes s, results *sum, __local const scalar *view, __constant const scalar *psf)
{
    EACH for (int i = 0; i < TAPS_X(s); ++i)
    {
        const results tap = psf[i];
#pragma unroll
        for (int p = 0; p < HIGH; ++p) sum[p] = fma(tap, vload8(0, view + p * ROW_PITCH + i), sum[p]);
    }
}

INLINE void store_results(sizes s, result_row row, uint x, results value)
{
    store_eight_results(row, x, s.out_width, value);
}

#else

typedef scalar4 results;

INLINE scalar4 add_product(scalar4 sum, scalar tap, scalar4 a)
{
    return (scalar4)(fma(tap, a.x, sum.x), fma(tap, a.y, sum.y), fma(tap, a.z, sum.z), fma(tap, a.w, sum.w));
}

INLINE void load_window(sizes s, __local scalar *window, int x, int y, uint item, __global const in_sample *restrict samples,
                      uint channel, level level, __global const int *restrict source_column,
                      __global const int *restrict source_row)
{
    const int left = x + s.first_x, top = y + s.first_y, lx = item % ITEMS_X, ly = item / ITEMS_X;
    const bool inside = left >= 0 && left + WINDOW_WIDTH <= s.width && top >= 0 && top + WINDOW_HEIGHT <= s.height;
    __global const in_sample *corner = input_row(s, samples, top + ly, channel) + (left + lx) * STEP_X;
#pragma unroll
    for (int j = 0; j < WINDOW_HEIGHT; j += ITEMS_Y) {
        if (j + ITEMS_Y > WINDOW_HEIGHT && j + ly >= WINDOW_HEIGHT) continue;
        __local scalar *to = window + (j + ly) * ROW_PITCH + lx;
        if (inside) {
#pragma unroll
            for (int i = 0; i < WINDOW_WIDTH; i += ITEMS_X)
                if (i + ITEMS_X <= WINDOW_WIDTH || i + lx < WINDOW_WIDTH)
                    to[i] = taken_sample(corner + j * row_step(s) + i * STEP_X, level) - level.bias;
        } else {
            const int row = source_row[y + j + ly];
            __global const in_sample *from = input_row(s, samples, max(row, 0), channel);
            for (int i = 0; i + lx < WINDOW_WIDTH; i += ITEMS_X) {
                const int column = source_column[x + i + lx];
                to[i] = row >= 0 && column >= 0 ? taken_sample(from + column * STEP_X, level) - level.bias : 0;
            }
        }
    }
}

/// The same with vectors of four: two neighbouring vectors hold the samples for four taps.
INLINE void add_row(sizes s, results *sum, __local const scalar *view, __constant const scalar *psf)
{
    scalar4 here[HIGH], next[HIGH];
#pragma unroll
    for (int p = 0; p < HIGH; ++p) here[p] = *(__local const scalar4 *)(view + p * ROW_PITCH);
    EACH for (int i = 0; i < PSF_WIDTH; i += 4)
    {
#pragma unroll
        for (int p = 0; p < HIGH; ++p) {
            if (i + 1 < PSF_WIDTH) next[p] = *(__local const scalar4 *)(view + p * ROW_PITCH + i + 4);
            sum[p] = add_product(sum[p], psf[i], here[p]);
            if (i + 1 < PSF_WIDTH) sum[p] = add_product(sum[p], psf[i + 1], (scalar4)(here[p].yzw, next[p].x));
            if (i + 2 < PSF_WIDTH) sum[p] = add_product(sum[p], psf[i + 2], (scalar4)(here[p].zw, next[p].xy));
            if (i + 3 < PSF_WIDTH) sum[p] = add_product(sum[p], psf[i + 3], (scalar4)(here[p].w, next[p].xyz));
            here[p] = next[p];
        }
    }
}

INLINE void store_results(sizes s, result_row row, uint x, results value)
{
    const int left = s.out_width - (int)x;
#if OUT_TYPE == TYPE_FLOAT && !ENCODE_SRGB && PLANAR && !RENORMALIZE && !BLEND
    if (s.out_width % 4 == 0) {  // whole vectors
        if (left > 0) store_four_results(row, x, value);
        return;
    }
#endif
    if (left > 0) store_result(row, x, value.x);
    if (left > 1) store_result(row, x + 1, value.y);
    if (left > 2) store_result(row, x + 2, value.z);
    if (left > 3) store_result(row, x + 3, value.w);
}

#endif

__kernel GROUP_SIZE void convolve_direct(__global const in_sample *restrict samples, __global out_sample *restrict result,
                                         __constant const scalar *restrict psf, __global const int *restrict source_column,
                                         __global const int *restrict source_row, __global const scalar *restrict bias,
                                         __global const scalar *restrict restore, __global const scalar *restrict weight,
                                         __global const scalar *restrict mask, const sizes given)
{
    __local scalar window[WINDOW_HEIGHT * ROW_PITCH] __attribute__((aligned(32)));
    const sizes s = KNOWN(given);
    const uint item = get_local_id(0), channel = get_group_id(0) % CHANNELS, patch = get_group_id(0) / CHANNELS;
    const uint left = patch % s.across * PATCH_WIDTH, top = patch / s.across * PATCH_HEIGHT;
    psf += psf_channel_of(s, channel) * (TAPS_X(s) * TAPS_Y(s));

    load_window(s, window, left, top, item, samples, channel, level_of(s, bias, channel), source_column, source_row);
    if (ITEMS_X * ITEMS_Y > 1) barrier(CLK_LOCAL_MEM_FENCE);  // one alone is five times as slow behind PoCL's barriers
    for (int v = 0; v < TURNS_Y; ++v)
        for (int u = 0; u < TURNS_X; ++u) {
            const uint x = (u * ITEMS_X + item % ITEMS_X) * WIDE, y = (v * ITEMS_Y + item / ITEMS_X) * HIGH;
            __local const scalar *view = window + y * ROW_PITCH + x;
            results sum[HIGH];
#pragma unroll
            for (int p = 0; p < HIGH; ++p) sum[p] = (results)(0);
#if UNROLLED
#pragma unroll
            for (int j = 0; j < PSF_HEIGHT; ++j) add_row(s, sum, view + j * ROW_PITCH, psf + j * PSF_WIDTH);
#else
            for (int j = 0; j < TAPS_Y(s); ++j) {
                results part[HIGH];
#pragma unroll
                for (int p = 0; p < HIGH; ++p) part[p] = (results)(0);
                add_row(s, part, view + j * ROW_PITCH, psf + j * TAPS_X(s));
#pragma unroll
                for (int p = 0; p < HIGH; ++p) sum[p] += part[p];
            }
#endif
#pragma unroll
            for (int p = 0; p < HIGH; ++p)
                if (top + y + p < (uint)s.out_height)
                    store_results(s, result_row_of(s, result, samples, restore, weight, mask, top + y + p, channel),
                                  left + x, sum[p]);
        }
}
