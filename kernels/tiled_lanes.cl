// SPDX-License-Identifier: Apache-2.0
// The tiled method (overlap-save) where a work-item owns a whole tile (CPU): what tiled.cl does, LANES lanes at a time.
//
// Loads, stages and stores are loops of their own. Copies of their text would save a traversal of a line in the nearest
// cache, but a CPU's compiler takes longer for the copies than that saves.
//
// Along y the lanes are neighbouring columns, transformed in place; along x they are rows, transposed to a
// line of their own, transformed, multiplied, transformed back and transposed again, so that the tile is traversed once.
//
// Needs:  LANES, N and blocks.cl's defines, two stages or more: the sides of a tile, a multiple of LANES
//         VECTOR_PITCH  values from one vector of LANES columns to the next
//         results.cl's defines
// Shapes: tiles and tables of source columns and rows as tiled.cl; valid_x is a multiple of 8. In local memory
//         [N / LANES][VECTOR_PITCH], each element LANES columns; transfer[psf channel][N / LANES][N], each element LANES rows,
//         both orders as blocks.cl ends in them. One work-item a work-group; work-group = (pair of tiles, channel), channel
//         fastest.

#define WHOLE_LINES 1
#define CONVOLVE_BLOCKS 1
#include "lane_line.cl"
#include "sizes.cl"
#include "samples.cl"
#include "results.cl"
#include "lanes.cl"

#ifndef VECTOR_PITCH  // alone
#define VECTOR_PITCH N
#endif
#define VECTORS (N / LANES)

/// Eight by eight numbers, transposed. Elements lie LANES / 2 fours of numbers apart. A half of a vector that comes straight
/// from memory costs no exchange, so that two rounds are left of transpose()'s three.
INLINE void transpose_eight(__local const scalar4 *from, __local scalar4 *to)
{
#pragma unroll
    for (int q = 0; q < 2; ++q) {
        scalar8 v[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) v[i] = (scalar8)(from[i * (LANES / 2) + q], from[(i + 4) * (LANES / 2) + q]);
        transpose_fours(v);
#pragma unroll
        for (int i = 0; i < 4; ++i) *(__local scalar8 *)(to + (4 * q + i) * (LANES / 2)) = v[i];
    }
}

/// LANES elements, transposed: element i lane l <- element l lane i. (In eights: compilers make four times as many
/// instructions of exchanges between sixteen lanes.)
INLINE void transpose_elements(__local cplx *from, __local cplx *to)
{
    for (int part = 0; part < 2; ++part)
        for (int i = 0; i < EIGHTS; ++i)
            for (int k = 0; k < EIGHTS; ++k)
                transpose_eight((__local const scalar4 *)(part_of(from + 8 * i, part) + k),
                                (__local scalar4 *)(part_of(to + 8 * k, part) + i));
}

/// LANES rows of the tile, each element LANES columns, to a line of which each element is LANES rows.
INLINE void transpose_rows(__local cplx *rows, __local cplx *line)
{
    for (int g = 0; g < VECTORS; ++g) transpose_elements(rows + g * VECTOR_PITCH, line + LANES * g);
}

/// The inverse of transpose_rows().
INLINE void transpose_line(__local cplx *line, __local cplx *rows)
{
    for (int g = 0; g < VECTORS; ++g) transpose_elements(line + LANES * g, rows + g * VECTOR_PITCH);
}

/// LANES columns of a PSF's tile, from column x on; position n of a row holds column source_column[n], or nothing where
/// that is negative.
INLINE void load_psf_columns(__local cplx *columns, int x, __global const scalar *restrict psf, uint width,
                             __global const int *restrict source_column, __global const int *restrict source_row)
{
    for (int y = 0; y < N; ++y) {
        scalar values[LANES];
        for (int i = 0; i < LANES; ++i) {
            const int column = source_column[x + i], row = source_row[y];
            values[i] = column >= 0 && row >= 0 ? psf[row * width + column] : 0;
        }
        columns[y] = (cplx){NAME(vload, LANES)(0, values), (real)(0)};
    }
}

/// Tiles of the image to tiles of the result. Where `psf_width` is not 0 it is the one tile of a PSF instead, planar
/// [psf channel][psf_height][psf_width], whose spectrum goes to `transfer`. (One kernel for both: a CPU's compiler takes
/// 0.3 s for another.)
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void convolve_lane_tiles(
    __global const in_sample *restrict samples, __global const scalar *restrict psf, __global out_sample *restrict result,
    __global stored *restrict transfer, __global const scalar *restrict forward_twiddle,
    __global const scalar *restrict back_twiddle, __global const int *restrict source_column,
    __global const int *restrict source_row, __global const scalar *restrict bias, __global const scalar *restrict restore,
    __global const scalar *restrict weight, __global const scalar *restrict mask,
    uint psf_width, uint psf_height, const sizes given)
{
    const sizes s = KNOWN(given);
    const bool is_psf = psf_width > 0;
    __local cplx tile[VECTORS * VECTOR_PITCH];
    __local cplx line[N];
    const uint channel = get_group_id(0) % CHANNELS;
    const uint a = get_group_id(0) / CHANNELS * 2, b = min(a + 1, (uint)s.pieces - 1);  // the last tile may stand alone
    const int ax = a % s.across * s.valid_x, ay = a / s.across * s.valid_y;
    const int bx = b % s.across * s.valid_x, by = b / s.across * s.valid_y;
    transfer += (size_t)psf_channel_of(s, channel) * (N / LANES * N);

    // Row by row, as the image lies in memory: down a column, every sample would be in another page.
    for (int y = 0; y < (is_psf ? 0 : N); ++y)
        for (int part = 0; part < 2; ++part) {
            __global const int *rows = source_row + (part ? by : ay);
            const int row = rows[y], later = rows[min(y + ROWS_AHEAD, N - 1)], x = part ? bx : ax;
            will_read_row(input_row(s, samples, max(later, 0), channel), x + s.first_x, N);
            load_row(s, part_of(tile + y, part), VECTOR_PITCH, VECTORS, input_row(s, samples, max(row, 0), channel),
                     row >= 0, x, level_of(s, bias, channel), source_column);
        }
    for (int g = 0; g < VECTORS; ++g) {
        __local cplx *columns = tile + g * VECTOR_PITCH;
        if (is_psf)
            load_psf_columns(columns, LANES * g, psf + channel * psf_width * psf_height, psf_width, source_column, source_row);
        transform_line(columns, 0, false, forward_twiddle);
    }
    for (int y = 0; y < N; y += LANES, transfer += N) {
        transpose_rows(tile + y, line);
        NAME(first_stage, R0)(line, STEP0);
        convolve_blocks(line, 0, is_psf ? 0 : 1, transfer, forward_twiddle, back_twiddle);
        if (is_psf) continue;
        NAME(first_stage_back, R0)(line, STEP0, back_twiddle, BT0);
        transpose_line(line, tile + y);
    }
    if (is_psf) return;
    for (int g = 0; g < (s.valid_x + LANES - 1) / LANES; ++g) transform_line(tile + g * VECTOR_PITCH, 0, true, back_twiddle);
    for (int y = 0; y < s.valid_y; ++y)
        for (int part = 0; part < (b > a ? 2 : 1); ++part) {  // parts still swapped
            const int x = part ? bx : ax, to = (part ? by : ay) + y;
            if (to >= s.out_height) continue;
            const result_row row = result_row_of(s, result, samples, restore, weight, mask, to, channel);
            will_write_row(row, x + ROWS_AHEAD * s.out_width, s.valid_x);
            store_row(row, x, min(s.valid_x, s.out_width - x), part_of(tile + y, 1 - part), VECTOR_PITCH);
        }
}
