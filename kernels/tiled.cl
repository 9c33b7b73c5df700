// SPDX-License-Identifier: Apache-2.0
// The tiled method (overlap-save), in one launch: a work-group transforms a tile of the image, multiplies, transforms
// back, and stores the part that no wrapped sample has reached.
//
// Two tiles of one channel are the real and the imaginary part of one complex transform: the PSF is real, so the product
// with its spectrum keeps them apart.
//
// Needs:  NX, NY        sides of a tile; NX = RX0 RX1, NY = RY0 RY1: two stages along each
//         GROUP_ITEMS   work-items; a multiple of NX and of NY
//         ROW_PITCH     cells of local memory from one row of a tile to the next, odd
//         SPLIT         as cells.cl
//         WX1, WY1, VX0, VY0   where the twiddles of a second stage begin: W forward, V in reversed order
//         results.cl's defines; FIXED_GROUP as rows.cl
// Shapes: tile t of a channel begins at position (t % across * valid_x, t / across * valid_y) of the extended image, and its
//         results there in the result. Position n holds column source_column[n]; negative: nothing.
//         transfer[psf channel][value][work-item]: the order in which the registers hold the spectrum.
//         work-group = (image of the launch, pair of tiles, channel), channel fastest: channels of interleaved samples share
//         cache lines.
// Order:  along y first, neighbouring work-items at neighbours in x, as rows lie in memory; then along x, at neighbours in y.
//         So 32 neighbouring work-items read one and the same twiddle.

#ifndef NX  // alone: tiles of 16 x 16, in 64 work-items
#define NX 16
#define NY 16
#define RX0 4
#define RX1 4
#define RY0 4
#define RY1 4
#define GROUP_ITEMS 64
#define ROW_PITCH 17
#define WX1 1
#define WY1 6
#define VX0 11
#define VY0 16
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"
#include "cells.cl"

#define IN_PLACE 0

// Along x there are NY lines.
#define N NX
#define TX (GROUP_ITEMS / NY)
#define CELL_STEP 1
#define PAIRED 0
#define STAGE _x0
#define RADIX RX0
#include "stage.cl"
#define PAIRED 0
#define STAGE _x1
#define RADIX RX1
#include "stage.cl"
#undef N
#undef TX
#undef CELL_STEP

#define N NY
#define TX (GROUP_ITEMS / NX)
#define CELL_STEP ROW_PITCH
#define PAIRED 0
#define STAGE _y0
#define RADIX RY0
#include "stage.cl"
#define PAIRED 0
#define STAGE _y1
#define RADIX RY1
#include "stage.cl"

#include "sizes.cl"
#include "samples.cl"
// A number for the minimum of the results would be one register too many: floats take a fifth longer then on an H100.
#define LEAST_IS_ZERO 1
#include "results.cl"

#if FIXED_GROUP
#define GROUP_SIZE __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
#else
#define GROUP_SIZE
#endif

/// Complex values that a work-item holds.
#define VALUES (NX * NY / GROUP_ITEMS)
/// Rows between the butterflies of one work-item, and between the inputs of a butterfly.
#define BUTTERFLY_STEP (GROUP_ITEMS / NX)
#define INPUT_STEP (NY / RY0)

/// A work-item's place: column and index in it while lines along y are transformed, row and index while lines along x are.
typedef struct {
    uint column, ty;
    uint row, tx;
} spot;

INLINE spot spot_of(uint item) { return (spot){item % NX, item / NX, item % NY, item / NY}; }

/// Moves values from stage `a`, whose lines begin at `from`, to stage `b`, whose lines begin at `to`.
#define EXCHANGE(a, from, ta, stride, b, to, tb, block)               \
    _Pragma("unroll") for (int part = 0; part < PARTS; ++part)    \
    {                                                             \
        put##a(v, ta, stride, 0, part, from);                     \
        barrier(CLK_LOCAL_MEM_FENCE);                             \
        take##b(v, tb, block, 0, part, to);                       \
        barrier(CLK_LOCAL_MEM_FENCE);                             \
    }

/// Transforms a tile forward. Values come in the order of the first stage along y, and end in that of the last stage along
/// x.
INLINE void transform_tile(cplx *v, spot p, __global const scalar2 *restrict twiddle, __local cell *tile)
{
    __local cell *column = tile + p.column, *row = tile + p.row * ROW_PITCH;
    stage_y0(v, p.ty, 1, 1, twiddle);
    EXCHANGE(_y0, column, p.ty, 1, _y1, column, p.ty, RY0)
    stage_y1(v, p.ty, RY0, 1, twiddle + WY1);
    EXCHANGE(_y1, column, p.ty, RY0, _x0, row, p.tx, 1)
    stage_x0(v, p.tx, 1, 1, twiddle);
    EXCHANGE(_x0, row, p.tx, 1, _x1, row, p.tx, RX0)
    stage_x1(v, p.tx, RX0, 1, twiddle + WX1);
}

/// Transforms it back. The stages run in reversed order, so values end where they began.
INLINE void transform_tile_back(cplx *v, spot p, __global const scalar2 *restrict twiddle, __local cell *tile)
{
    __local cell *column = tile + p.column, *row = tile + p.row * ROW_PITCH;
    stage_x1(v, p.tx, 1, 1, twiddle);
    EXCHANGE(_x1, row, p.tx, 1, _x0, row, p.tx, RX1)
    stage_x0(v, p.tx, RX1, 1, twiddle + VX0);
    EXCHANGE(_x0, row, p.tx, RX1, _y1, column, p.ty, 1)
    stage_y1(v, p.ty, 1, 1, twiddle);
    EXCHANGE(_y1, column, p.ty, 1, _y0, column, p.ty, RY1)
    stage_y0(v, p.ty, RY1, 1, twiddle + VY0);
}

/// How many pixels a work-item processes before it stores their results: one in linear light, where more run out of registers.
#define SEEN_AT_ONCE (BLEND == BLEND_NONE || DECODE_SRGB ? 1 : 4)

/// The row of a work-item's value e, counted from the row of its value 0.
#define VALUE_ROW(e) ((e) / RY0 * BUTTERFLY_STEP + (e) % RY0 * INPUT_STEP)

/// A work-item's samples of the tile at position (x, y), less bias; 0 where there is nothing.
INLINE void load_tile(sizes s, scalar *t, spot p, int x, int y, __global const in_sample *restrict samples, uint channel,
                      level level, __global const int *restrict source_column, __global const int *restrict source_row)
{
    const int left = x + s.first_x, top = y + s.first_y;
    if (left >= 0 && left + NX <= s.width && top >= 0 && top + NY <= s.height) {
        __global const in_sample *from = input_row(s, samples, top + p.ty, channel) + (left + (int)p.column) * STEP_X;
#pragma unroll
        for (int e = 0; e < VALUES; ++e) t[e] = taken_sample(from + VALUE_ROW(e) * row_step(s), level) - level.bias;
    } else {
        const int column = source_column[x + p.column];
        __global const int *rows = source_row + y + p.ty;
#pragma unroll
        for (int e = 0; e < VALUES; ++e) {
            const int row = rows[VALUE_ROW(e)];
            t[e] = 0;
            if (row >= 0 && column >= 0)
                t[e] = taken_sample(input_row(s, samples, row, channel) + column * STEP_X, level) - level.bias;
        }
    }
}

/// The valid part of a tile to the result at (x, y).
INLINE void store_tile(sizes s, const scalar *t, spot p, uint x, uint y, __global out_sample *restrict result,
                       __global const in_sample *restrict samples, __global const scalar *restrict restore,
                       __global const scalar *restrict weight, __global const scalar *restrict mask, uint channel)
{
    if (p.column >= (uint)s.valid_x || x + p.column >= (uint)s.out_width) return;
    const result_row row =
        from_column(result_row_of(s, result, samples, restore, weight, mask, y + p.ty, channel), x + p.column);
    const int rows = min(s.valid_y, s.out_height - (int)y) - (int)p.ty;
#pragma unroll
    for (int first = 0; first < VALUES; first += SEEN_AT_ONCE) {
        seen at[SEEN_AT_ONCE];
#pragma unroll
        for (int k = 0; k < SEEN_AT_ONCE && first + k < VALUES; ++k)
            at[k] = seen_at(rows_below(s, row, min(VALUE_ROW(first + k), rows - 1)), 0);
#pragma unroll
        for (int k = 0; k < SEEN_AT_ONCE && first + k < VALUES; ++k)
            if (VALUE_ROW(first + k) < rows)
                store_blended(rows_below(s, row, VALUE_ROW(first + k)), 0, t[first + k], at[k]);
    }
}

/// A work-item's taps of the one tile of a PSF. Always loaded, then chosen, as a PSF's rows are (rows.cl).
INLINE void load_psf_tile(cplx *v, spot p, __global const scalar *restrict psf, uint width,
                          __global const int *restrict source_column, __global const int *restrict source_row)
{
    const int column = source_column[p.column];
#pragma unroll
    for (int e = 0; e < VALUES; ++e) {
        const int row = source_row[p.ty + VALUE_ROW(e)];
        const scalar tap = psf[max(row, 0) * width + max(column, 0)];
        v[e] = (cplx){row < 0 || column < 0 ? 0 : tap, 0};
    }
}

/// Tiles of the image to tiles of the result. Where `psf_width` is not 0 it is the one tile of a PSF instead, planar
/// [psf channel][psf_height][psf_width], whose spectrum goes to `psf_transfer`; the rest of the kernel then computes
/// unused values. (One kernel for both: the transform is compiled once.)
__kernel GROUP_SIZE void convolve_tiles(__global const in_sample *restrict samples, __global const scalar *restrict psf,
                                        __global out_sample *restrict result, __global const scalar2 *restrict transfer,
                                        __global scalar2 *restrict psf_transfer,
                                        __global const scalar2 *restrict twiddle,
                                        __global const int *restrict source_column,
                                        __global const int *restrict source_row, __global const scalar *restrict bias,
                                        __global const scalar *restrict restore, __global const scalar *restrict weight,
                                        __global const scalar *restrict mask, uint psf_width, uint psf_height, const sizes given)
{
    __local cell tile[NY * ROW_PITCH];
    const sizes s = KNOWN(given);
    const bool is_psf = psf_width > 0;
    const uint item = get_local_id(0), channel = get_group_id(0) % CHANNELS;
    const uint a = get_group_id(0) / CHANNELS * 2, b = min(a + 1, (uint)s.pieces - 1);  // the last tile may stand alone
    const uint ax = a % s.across * s.valid_x, ay = a / s.across * s.valid_y;
    const uint bx = b % s.across * s.valid_x, by = b / s.across * s.valid_y;
    const spot p = spot_of(item);
    samples += IMAGE_NUMBER(NX) * image_samples(s);
    result += IMAGE_NUMBER(NX) * results_step(s);
    bias += IMAGE_NUMBER(NX) * LEVELS(CHANNELS);
    restore += IMAGE_NUMBER(NX) * LEVELS(CHANNELS);

    cplx v[VALUES];
    scalar first[VALUES], second[VALUES];
    if (is_psf) {
        load_psf_tile(v, p, psf + channel * psf_width * psf_height, psf_width, source_column, source_row);
    } else {
        load_tile(s, first, p, ax, ay, samples, channel, level_of(s, bias, channel), source_column, source_row);
        load_tile(s, second, p, bx, by, samples, channel, level_of(s, bias, channel), source_column, source_row);
#pragma unroll
        for (int e = 0; e < VALUES; ++e) v[e] = (cplx){first[e], second[e]};
    }
    transform_tile(v, p, twiddle, tile);
    const uint first_value = psf_channel_of(s, channel) * (NX * NY) + item;
    if (is_psf) {
#pragma unroll
        for (int e = 0; e < VALUES; ++e) psf_transfer[first_value + e * GROUP_ITEMS] = (scalar2)(v[e].re, v[e].im);
    }
    transfer += first_value;
#pragma unroll
    for (int e = 0; e < VALUES; ++e) {
        const scalar2 w = transfer[e * GROUP_ITEMS];
        v[e] = swapped(times(v[e], (cplx){w.x, w.y}));
    }
    transform_tile_back(v, p, twiddle, tile);
    if (is_psf) return;
#pragma unroll
    for (int e = 0; e < VALUES; ++e) first[e] = v[e].im, second[e] = v[e].re;  // parts still swapped
    store_tile(s, first, p, ax, ay, result, samples, restore, weight, mask, channel);
    if (b > a) store_tile(s, second, p, bx, by, result, samples, restore, weight, mask, channel);
}
