// SPDX-License-Identifier: Apache-2.0
// The row passes: image rows to half spectra, and half spectra to rows of the result.
//
// Needs:  line.cl's defines with PAIRED_LAST 1, results.cl's and spectrum.cl's
//         PACKED_CHANNELS  what the parts (re, im) of a complex line are: 0, rows y and y + 1 of a channel; 1, row y of
//                      channels c and c + 1, whose spectra lie as columns 2 k and 2 k + 1 of the intermediate
//         PRODUCT      with PACKED_CHANNELS: 0: the spectra of both parts are split and lie as above. Otherwise the line's
//                      own spectrum Z(k), k < N, lies as column k, and nothing is split. 1: a line has one plane of the
//                      PSF, for both channels; 2: two planes of it, and columns.cl splits both spectra
//         GROUP_LINES  lines a work-group; PACK_ROWS = GROUP_LINES ROWS_A_LINE
//         LINE_CELLS   local memory of a line, in cells;   VALUES  values a work-item holds
//         COLUMN_TABLE 1: position n holds column source_column[n] (the border); 0: column n, if it exists
//         NEAREST_COLUMN  1: source_column[n] is first_x + n or the column that is nearest to it (the border clamp), for n <
//                      loaded_x. Where sizes are constant, computing it is faster than loading it
//         WHOLE_PIXELS 1: a work-group of rows_inverse has the lines of all channels, and neighbouring work-items store
//                      samples of neighbouring channels, which lie side by side; 0: of one channel
//         FIXED_GROUP  1: state the group size to the compiler
//         ROWS_FORWARD or ROWS_INVERSE   which kernels: the two directions may have stages and a register cap of their own
// Shapes: work-group = (image of the launch, pack, plane), plane fastest, with WHOLE_PIXELS back (image, pack); neighbouring
//         work-items work on neighbouring rows.
// Addresses: a pointer is formed once and literal offsets added to it; a sum of variables for each value would cost
//         two registers and two instructions each.

#ifndef GROUP_LINES  // alone
#define GROUP_LINES 1
#define PAIRED_LAST 1
#define PACKED_CHANNELS 0
#define PRODUCT 0
#define WHOLE_PIXELS 0
#define COLUMN_TABLE 1
#define NEAREST_COLUMN 0
#define ROWS_FORWARD 1
#define ROWS_INVERSE 1
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"
#include "line.cl"
#include "sizes.cl"
#include "samples.cl"
#include "results.cl"
#include "tables.cl"
#include "stored.cl"
#include "spectrum.cl"
#include "row_spectra.cl"

/// Channels whose lines a work-group of rows_inverse has.
#define CHANNELS_BACK (WHOLE_PIXELS ? CHANNELS : 1)

#if FIXED_GROUP
#define GROUP_OF(lines) __attribute__((reqd_work_group_size(TX * (lines), 1, 1)))
#else
#define GROUP_OF(lines)
#endif

/// Whether work-items of rows_inverse change their lines for the last stage. Neighbours load spectra of one channel and of
/// neighbouring rows, which lie side by side, and would then store short parts of several rows, or every third sample. They
/// store samples of one row instead, and of all channels with WHOLE_PIXELS, so in fewer pieces of memory sectors: the pass
/// takes 0.85 to 1.0 of the time.
#define CHANGES_LINES (GROUP_LINES * CHANNELS_BACK > 1 && STAGES > 1)

/// How many pixels a work-item processes before it stores their results; more of them take registers from the transform.
#define SEEN_AT_ONCE (BLEND == BLEND_NONE ? 1 : DECODE_SRGB && !BY_CODE ? 3 : 4)

/// Loads `count` samples from `first` on into the cache. Each of a line's work-items takes some; `tx` is its number.
INLINE void prefetch_samples(__global const in_sample *first, int count, uint tx)
{
#if PREFETCHES && LOCAL_TABLES && !PLANAR
    const int bytes = count * sizeof(in_sample);
    for (int at = tx * CACHE_LINE; at < bytes; at += TX * CACHE_LINE) prefetch_line((__global const char *)first + at);
#endif
}

#ifdef ROWS_FORWARD

/// Whether few guards of loads remain at run time. With constant sizes, the compiler decides nearly all of them; the rest is
/// still too much for highlights.
#define FEW_GUARDS (SIZES_ARE_CONSTANT && !HIGHLIGHTS)

/// The column at position n, one that holds data, of the extended image. The table is loaded before the sample can be.
#define COLUMN_AT(n) (NEAREST_COLUMN ? clamp((int)(n) + s.first_x, 0, s.width - 1) : source_column[n])

/// How many pixels a work-item loads for highlights before it uses them.
#define PIXELS_AT_ONCE (LOCAL_TABLES ? 8 : 3)

/// Two rows of an image to the first stage's values.
INLINE void load_rows(sizes s, cplx *v, uint tx, __global const in_sample *row, __global const in_sample *next,
                      level a_level, level b_level, __global const int *restrict source_column)
{
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        const uint j = butterfly0(tx, i);
#if FEW_GUARDS && !COLUMN_TABLE
        __global const in_sample *row_j = row + j * STEP_X, *next_j = next + j * STEP_X;
#else
        __global const in_sample *row_j = row, *next_j = next;
#endif
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m) {
            // Otherwise the compiler loads all pixels of a line before it uses the first, and runs out of registers.
            if (HIGHLIGHTS && m % PIXELS_AT_ONCE == 0) mem_fence(CLK_LOCAL_MEM_FENCE);
            scalar a = 0, b = 0;
#if FEW_GUARDS
            if (FIRST_BELOW(i, m, s.loaded_x)) {
                const int at = (COLUMN_TABLE ? COLUMN_AT(j + m * (N / R0)) : m * (N / R0)) * STEP_X;
                a = (taken_sample(row_j + at, a_level) - a_level.bias) * a_level.scale;
                b = (taken_sample(next_j + at, b_level) - b_level.bias) * b_level.scale;
            }
#else  // always loaded, then chosen: a branch around each load would be most of the kernel
            const int n = FIRST_EXISTS(i) ? j + m * (N / R0) : 0;
            const int column = COLUMN_TABLE ? source_column[n] : n < s.loaded_x ? n : -1;
            const int at = max(column, 0) * STEP_X;
            a = (taken_sample(row_j + at, a_level) - a_level.bias) * a_level.scale;
            b = (taken_sample(next_j + at, b_level) - b_level.bias) * b_level.scale;
            a = column < 0 ? 0 : a;
            b = column < 0 ? 0 : b;
#endif
            v[i * R0 + m] = (cplx){a, b};
        }
    }
}

/// Two rows of a PSF to the first stage's values; position n holds column source_column[n], or nothing where that is
/// negative. Always loaded, then chosen: a branch around each load would be most of the kernel.
INLINE void load_psf_rows(cplx *v, uint tx, __global const scalar *row, __global const scalar *next,
                          __global const int *restrict source_column)
{
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m) {
            const int column = FIRST_BELOW(i, m, N) ? source_column[butterfly0(tx, i) + m * (N / R0)] : -1;
            const scalar a = row[max(column, 0)], b = next[max(column, 0)];
            v[i * R0 + m] = (cplx){column < 0 ? 0 : a, column < 0 ? 0 : b};
        }
    }
}

/// Rows of an image, zero-padded or extended by its border, to half spectra. `first_plane`: of this launch.
__kernel GROUP_OF(GROUP_LINES) void rows_forward(__global const in_sample *restrict samples,
                                                 __global stored *restrict intermediate,
                                                 __global const scalar2 *restrict twiddles,
                                                 __global const int *restrict source_column,
                                                 __global const scalar *restrict bias, uint first_plane, const sizes given)
{
    __local cell scratch[GROUP_LINES * LINE_CELLS];
    LOCAL_TABLES_OF(tables, DECODE_SRGB + HIGHLIGHTS)
    const sizes s = KNOWN(given);
    const uint item = get_local_id(0), own_line = item % GROUP_LINES, tx = item / GROUP_LINES;
    const uint plane = get_group_id(0) % s.planes, pack = get_group_id(0) / s.planes;
    const uint channel = CHANNELS_A_LINE * (first_plane + plane), y = pack * PACK_ROWS + ROWS_A_LINE * own_line;
    samples += IMAGE_NUMBER(N) * image_samples(s);
    bias += IMAGE_NUMBER(N) * LEVELS(CHANNELS);
    intermediate += (IMAGE_NUMBER(N) * s.planes + plane) * spectrum_plane(s);

    cplx v[VALUES];
    // A row beyond the last one is the last one again, and so is a line's second row or channel where there is no other.
    // Their results are not read.
    const bool full = s.height % PACK_ROWS == 0;
    const uint row_y = full ? y : min(y, (uint)s.height - 1);
    const bool has_next = PACKED_CHANNELS ? CHANNELS % 2 == 0 || channel + 1 < CHANNELS : full || row_y + 1 < (uint)s.height;
    __global const in_sample *row = input_row(s, samples, row_y, channel);
    if (HIGHLIGHTS)
        prefetch_samples(input_row(s, samples, row_y, 0), (has_next ? ROWS_A_LINE : 1) * row_step(s), tx);
    copy_tables(tables, bias + BIAS_HIGHLIGHTS(CHANNELS), DECODE_SRGB + HIGHLIGHTS, DECODE_SRGB + 2 * HIGHLIGHTS - 1);
    if (LOCAL_TABLES) barrier(CLK_LOCAL_MEM_FENCE);
    load_rows(s, v, tx, row, row + (has_next ? to_second_sample(s.width, s.height) : 0),
              with_tables(level_of(s, bias, channel), tables),
              with_tables(level_of(s, bias, channel + (PACKED_CHANNELS && has_next ? 1 : 0)), tables), source_column);
    transform(v, tx, twiddles, scratch + own_line * LINE_CELLS);
    store_spectra(s, v, tx, intermediate + spectrum_index(s, 0, y));
}

/// One plane of a PSF, planar [psf channel][height][width], to where the first plane of an image lies. (A kernel of its
/// own: a branch to these loads in the other costs it up to a quarter.)
__kernel GROUP_OF(GROUP_LINES) void psf_rows_forward(__global const scalar *restrict psf,
                                                     __global stored *restrict intermediate,
                                                     __global const scalar2 *restrict twiddles,
                                                     __global const int *restrict source_column, uint plane, uint width,
                                                     uint height, const sizes given)
{
    __local cell scratch[GROUP_LINES * LINE_CELLS];
    const uint item = get_local_id(0), own_line = item % GROUP_LINES, tx = item / GROUP_LINES;
    const sizes s = KNOWN(given);
    const uint channel = CHANNELS_A_LINE * plane, y = get_group_id(0) * PACK_ROWS + ROWS_A_LINE * own_line;
    // A line's second row or channel is the first again where there is no other. Its result is not read, or belongs to all
    // channels of the image.
    __global const scalar *row = psf + ((size_t)channel * height + min(y, height - 1)) * width;
    const bool has_next = PACKED_CHANNELS ? channel + 1 < (uint)s.psf_channels : y + 1 < height;

    cplx v[VALUES];
    load_psf_rows(v, tx, row, has_next ? row + TO_SECOND(width, height) : row, source_column);
#if PRODUCT == 1
#pragma unroll
    for (int i = 0; i < VALUES; ++i) v[i].im = 0;
#endif
    transform(v, tx, twiddles, scratch + own_line * LINE_CELLS);
    store_spectra(s, v, tx, intermediate + spectrum_index(s, 0, y));
}

#endif

#ifdef ROWS_INVERSE

/// Half spectra to rows of the result.
__kernel GROUP_OF(GROUP_LINES *CHANNELS_BACK) void rows_inverse(
    __global stored *restrict intermediate, __global out_sample *restrict samples, __global const in_sample *restrict image,
    __global const scalar2 *restrict twiddles, __global const scalar *restrict restore,
    __global const scalar *restrict weight, __global const scalar *restrict mask, uint first_plane, const sizes given)
{
    __local cell scratch[GROUP_LINES * CHANNELS_BACK * LINE_CELLS];
#if BLEND
    LOCAL_TABLES_OF(tables, BLEND_TABLES)
#endif
    const sizes s = KNOWN(given);
    const uint item = get_local_id(0);
    const uint own_row = item % GROUP_LINES, own_channel = item / (TX * GROUP_LINES);  // of the work-group's
    const uint last_row = CHANGES_LINES ? item / (TX * CHANNELS_BACK) : own_row;
    const uint last_channel = CHANGES_LINES ? item % CHANNELS_BACK : own_channel;
    uint tx = item / GROUP_LINES % TX;
    const uint last_tx = CHANGES_LINES ? item / CHANNELS_BACK % TX : tx;
    const uint planes = WHOLE_PIXELS ? 1 : s.planes, pack = get_group_id(0) / planes;
    const uint plane = WHOLE_PIXELS ? own_channel : get_group_id(0) % planes;
    uint channel = CHANNELS_A_LINE * (first_plane + plane), y = pack * PACK_ROWS + ROWS_A_LINE * own_row;
    samples += IMAGE_NUMBER(N) * results_step(s);
    image += IMAGE_NUMBER(N) * image_samples(s);
    restore += IMAGE_NUMBER(N) * LEVELS(CHANNELS);
    intermediate += (IMAGE_NUMBER(N) * s.planes + plane) * spectrum_plane(s);

#if BLEND
    copy_tables(tables, restore + RESTORE_HIGHLIGHTS(CHANNELS), BLEND_TABLES, BLEND_TABLES - 1);
#endif
    cplx v[VALUES];
    load_spectra(s, v, tx, intermediate + spectrum_index(s, 0, y), y);
#if BLEND
    const int rows = s.out_height % PACK_ROWS == 0 || y + 1 < (uint)s.out_height ? ROWS_A_LINE : 1;
    prefetch_samples(input_row(s, image, min(y, (uint)s.out_height - 1) + s.at_y, 0) + s.at_x * STEP_X,
                 (rows - 1) * row_step(s) + s.out_width * STEP_X, tx);
#endif
#if BLEND && LOCAL_TABLES && STAGES == 1  // else the barriers of exchanges make the tables visible
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    transform_reversed_as(v, tx, twiddles, scratch + (own_row * CHANNELS_BACK + own_channel) * LINE_CELLS, last_tx,
                          scratch + (last_row * CHANNELS_BACK + last_channel) * LINE_CELLS);
#if CHANGES_LINES
    tx = last_tx;
    y = pack * PACK_ROWS + ROWS_A_LINE * last_row;
    if (WHOLE_PIXELS) channel = last_channel;
#endif
#if BLEND
    // NVIDIA's compiler would keep the offsets of rows in registers throughout the transform. With the 120 registers a
    // work-item that this takes, one work-group fewer fits a multiprocessor than with 96.
    RECOMPUTE(y);
    RECOMPUTE(channel);
#endif
    if (s.out_height % PACK_ROWS != 0 && y >= (uint)s.out_height) return;

    const bool has_next = PACKED_CHANNELS ? CHANNELS % 2 == 0 || channel + 1 < CHANNELS
                                          : s.out_height % PACK_ROWS == 0 || y + 1 < (uint)s.out_height;
    // Both are constant: with variables that are changed once more, NVIDIA's compiler runs out of registers.
    const result_row first = row_with_tables(result_row_of(s, samples, image, restore, weight, mask, y, channel), tables);
    const result_row second =
        has_next ? row_with_tables(result_row_of(s, samples, image, restore, weight, mask, y + (PACKED_CHANNELS ? 0 : 1),
                                                 channel + PACKED_CHANNELS),
                                   tables)
                 : first;
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
#if SEEN_BY_WORDS
        if (butterfly0(tx, i) >= (uint)s.out_width) continue;  // nothing to store, and its words may lie outside the image
#endif
        const result_row a = from_column(first, butterfly0(tx, i)), b = from_column(second, butterfly0(tx, i));
#if SEEN_BY_WORDS
        __global const uint *words_a = words_of(a), *words_b = words_of(b);
        const uint turn_a = byte_order(a), turn_b = byte_order(b);
#endif
        EACH_FIRST_VALUE
        for (int first_m = 0; first_m < R0; first_m += SEEN_AT_ONCE) {
            seen at_a[SEEN_AT_ONCE], at_b[SEEN_AT_ONCE];
#pragma unroll
            for (int k = 0; k < SEEN_AT_ONCE; ++k) {  // always loaded, as in load_rows()
                const int m = min(first_m + k, R0 - 1);
                const int x = FIRST_UNDER(i, m, s.out_width) ? butterfly0(tx, i) + m * (N / R0) : 0;
#if SEEN_BY_WORDS
                if (N / R0 * 3 % 4 == 0) {
                    const int at = FIRST_UNDER(i, m, s.out_width) ? m * (N / R0) * 3 / 4 : 0;
                    at_a[k] = seen_in_words(first, words_a + at, turn_a);
                    at_b[k] = seen_in_words(second, words_b + at, turn_b);
                    continue;
                }
#endif
                at_a[k] = seen_at(first, x);
                at_b[k] = seen_at(second, x);
            }
#pragma unroll
            for (int k = 0; k < SEEN_AT_ONCE; ++k) {
                const int m = first_m + k;
                if (m >= R0 || !FIRST_UNDER(i, m, s.out_width)) continue;
                const cplx z = v[i * R0 + m];  // parts still swapped
                store_blended(a, m * (N / R0), z.im, at_a[k]);
                if (has_next) store_blended(b, m * (N / R0), z.re, at_b[k]);
            }
        }
    }
}

#endif
