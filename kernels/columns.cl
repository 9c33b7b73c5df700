// SPDX-License-Identifier: Apache-2.0
// The column pass: transform the columns, times transfer, transform back. In place, if columns are not in parts.
//
// Needs:  line.cl's defines with PAIRED_LAST 0, spectrum.cl's, and
//         GROUP_LINES  columns a work-group (divides BUNDLE_COLUMNS)
//         LINE_CELLS   local memory of a line, in cells;  VALUES  values a work-item holds
//         ROW_TABLE    1: position n holds image row source_row[n] (the border), or nothing where that is negative; 0: row n,
//                      if it exists
//         IN_PARTS     1: a column is several lines. Position n of part i is position i valid_y + n of the whole, and its results
//                      0 .. valid_y - 1 go there in `parted`. Without ROW_TABLE, position 0 of the whole is row first_y.
//                      0: one line, in place
//         BACK_TWIDDLES  where the reversed order's tables begin
//         SEPARATE     1: columns, product and columns back are a launch each, for a study of what fusing them gains
//         FIXED_GROUP  1: state the group size to the compiler; 0: leave it open (NVIDIA's compiler then
//                      heeds -cl-nv-maxrregcount=, which it otherwise ignores)
// Shapes: `parted` as the intermediate.
//         transfer[psf plane][column group][i][work-item], i < LAST_VALUES: the order in which the registers hold
//         the spectrum, so nothing is permuted or exchanged around the product.
//         work-group = (image of the launch or part, column group, plane), plane fastest, so that planes share the transfer in
//         the cache.
// Items:  work-items follow the order of addresses: PACK_ROWS rows, then GROUP_LINES columns, then on.

#ifndef GROUP_LINES  // alone
#define GROUP_LINES 1
#define ROW_TABLE 1
#define IN_PARTS 0
#define BACK_TWIDDLES 5
#define SEPARATE 0
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"
#include "line.cl"
#include "stored.cl"
#include "sizes.cl"
#include "spectrum.cl"

#define GROUP_ITEMS (TX * GROUP_LINES)
#define ROWS_A_STEP (TX % PACK_ROWS == 0 ? PACK_ROWS : 1)

#if FIXED_GROUP
#define GROUP_SIZE __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
#else
#define GROUP_SIZE
#endif

/// Row j + m N/R0 of a column. A pointer to row j plus a literal: an unsigned sum of the two would keep
/// one 64-bit address a value alive from the loads to the stores (48 registers).
INLINE __global stored *row_at(__global stored *column, uint j, int m)
{
    if (N / R0 % PACK_ROWS == 0)
        return column + (j / PACK_ROWS * (BUNDLE_COLUMNS * PACK_ROWS) + j % PACK_ROWS) + m * (N / R0) * BUNDLE_COLUMNS;
    const uint row = j + m * (N / R0);
    return column + (row / PACK_ROWS * (BUNDLE_COLUMNS * PACK_ROWS) + row % PACK_ROWS);
}

/// A column of the image's spectra, extended by the border. `first`: a part without a table of its rows: the row at its first
/// position, to which `column` points, and which need not exist.
INLINE void load_column(sizes s, cplx *v, uint tx, __global stored *column, int first, __global const int *restrict source_row)
{
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m) {
            v[i * R0 + m] = (cplx){0, 0};
#if IN_PARTS && !ROW_TABLE
            const int row = first + (int)tx + i * TX + m * (N / R0);
            if ((uint)row < (uint)s.height && FIRST_EXISTS(i)) v[i * R0 + m] = fetch(row_at(column, tx + i * TX, m));
#elif ROW_TABLE && (IN_PARTS || !SIZES_ARE_CONSTANT)  // always loaded, then chosen: see rows.cl
            const int row = FIRST_EXISTS(i) ? source_row[tx + i * TX + m * (N / R0)] : -1;
            const cplx z = fetch(row_at(column, max(row, 0), 0));
            v[i * R0 + m] = (cplx){row < 0 ? 0 : z.re, row < 0 ? 0 : z.im};
#else
            if (FIRST_BELOW(i, m, s.loaded_y))
                v[i * R0 + m] = fetch(ROW_TABLE ? row_at(column, source_row[tx + i * TX + m * (N / R0)], 0)
                                                : row_at(column, tx + i * TX, m));
#endif
        }
    }
}

/// A column of a PSF's spectra: position n holds row source_row[n], or nothing where that is negative. Always loaded,
/// then chosen, as the PSF's rows are.
INLINE void load_psf_column(cplx *v, uint tx, __global stored *column, __global const int *restrict source_row)
{
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m) {
            const int row = FIRST_EXISTS(i) ? source_row[tx + i * TX + m * (N / R0)] : -1;
            const cplx z = fetch(row_at(column, max(row, 0), 0));
            v[i * R0 + m] = (cplx){row < 0 ? 0 : z.re, row < 0 ? 0 : z.im};
        }
    }
}

INLINE void store_column(sizes s, const cplx *v, uint tx, __global stored *column, int rows)
{
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m)
            if (FIRST_UNDER(i, m, rows))
                keep(row_at(column, tx + i * TX, m), scaled(v[i * R0 + m], s.column_scale));
    }
}

#define LAST_EXISTS(i) BELOW((i) / LAST_RADIX * TX, N / LAST_RADIX)

INLINE void multiply(cplx *v, uint tx, __global const stored *restrict transfer)
{
    EACH_LAST_VALUE
    for (int i = 0; i < LAST_VALUES; ++i)
        if (LAST_EXISTS(i)) v[i] = TIMES_TRANSFER(v[i], transfer + i * GROUP_ITEMS);
}

INLINE void swap_parts(cplx *v)
{
#pragma unroll
    for (int i = 0; i < VALUES; ++i) v[i] = swapped(v[i]);
}

/// A work-item's column within the group, and its number among those of this column.
INLINE uint line_of(uint item) { return item / ROWS_A_STEP % GROUP_LINES; }
INLINE uint tx_of(uint item) { return item / (ROWS_A_STEP * GROUP_LINES) * ROWS_A_STEP + item % ROWS_A_STEP; }

INLINE __global stored *column_of(sizes s, __global stored *intermediate, size_t plane, uint column)
{
    return intermediate + plane * spectrum_plane(s) + spectrum_index(s, column, 0);
}

INLINE size_t transfer_index(sizes s, uint psf_plane, uint group, uint item)
{
    return ((size_t)psf_plane * (s.bundles * (BUNDLE_COLUMNS / GROUP_LINES)) + group) * (LAST_VALUES * GROUP_ITEMS) + item;
}

#if SEPARATE
// Between the launches the spectra lie as the transfer does: spectrum[plane][column group][i][work-item].

INLINE void load_spectrum(cplx *v, uint tx, __global const scalar2 *restrict spectrum)
{
    EACH_LAST_VALUE
    for (int i = 0; i < LAST_VALUES; ++i)
        if (LAST_EXISTS(i)) v[i] = (cplx){spectrum[i * GROUP_ITEMS].x, spectrum[i * GROUP_ITEMS].y};
}

INLINE void store_spectrum(const cplx *v, uint tx, __global scalar2 *restrict spectrum)
{
    EACH_LAST_VALUE
    for (int i = 0; i < LAST_VALUES; ++i)
        if (LAST_EXISTS(i)) spectrum[i * GROUP_ITEMS] = (scalar2)(v[i].re, v[i].im);
}

__kernel GROUP_SIZE void forward_columns(__global stored *restrict intermediate, __global scalar2 *restrict spectrum,
                                         __global const scalar2 *restrict twiddles,
                                         __global const int *restrict source_row, const sizes given)
{
    const sizes s = KNOWN(given);
    __local cell scratch[GROUP_LINES * LINE_CELLS];
    const uint item = get_local_id(0), own_line = line_of(item), tx = tx_of(item);
    const uint plane = get_group_id(0) % s.planes, group = get_group_id(0) / s.planes;

    cplx v[VALUES];
    load_column(s, v, tx, column_of(s, intermediate, plane, group * GROUP_LINES + own_line), 0, source_row);
    transform(v, tx, twiddles, scratch + own_line * LINE_CELLS);
    store_spectrum(v, tx, spectrum + transfer_index(s, plane, group, item));
}

__kernel GROUP_SIZE void multiply_columns(__global scalar2 *restrict spectrum, __global const stored *restrict transfer,
                                          uint first_plane, const sizes given)
{
    const sizes s = KNOWN(given);
    const uint item = get_local_id(0), tx = tx_of(item);
    const uint plane = get_group_id(0) % s.planes, group = get_group_id(0) / s.planes;
    const uint psf_plane = (first_plane + plane) % s.psf_planes;
    spectrum += transfer_index(s, plane, group, item);

    cplx v[LAST_VALUES];
    load_spectrum(v, tx, spectrum);
    multiply(v, tx, transfer + transfer_index(s, psf_plane, group, item));
    store_spectrum(v, tx, spectrum);
}

/// Where frequency l of a column lies in spectrum and transfer, from this plane's beginning on: the column's group is the
/// unit of transfer_index(), the last stage leaves l = j + m N/R as value m of butterfly j, and tx_of() is undone.
INLINE size_t frequency_index(sizes s, uint column, uint l)
{
    const uint j = l % (N / LAST_RADIX), m = l / (N / LAST_RADIX), tx = j % TX;
    const uint item = (tx / ROWS_A_STEP * GROUP_LINES + column % GROUP_LINES) * ROWS_A_STEP + tx % ROWS_A_STEP;
    return transfer_index(s, 0, column / GROUP_LINES, item) + (size_t)(j / TX * LAST_RADIX + m) * GROUP_ITEMS;
}

/// The integrated product of joint spectra Z = X + i Y of two channels, K = Kx + i Ky of theirs of the PSF (rows.cl,
/// PRODUCT 2): X Kx + i Y Ky. The work-item of (k, l) owns (-k, -l) too, where 0 <= k <= columns / 2, and in a column
/// that mirrors itself l <= -l. So each pair has one owner, which reads and writes both. (After StellarWarp's integrated product,
/// with the index modulo the length.)
__kernel GROUP_SIZE void multiply_pairs(__global scalar2 *restrict spectrum, __global const stored *restrict transfer,
                                        uint first_plane, const sizes given)
{
    const sizes s = KNOWN(given);
    const uint item = get_local_id(0), tx = tx_of(item);
    const uint plane = get_group_id(0) % s.planes, group = get_group_id(0) / s.planes;
    const uint column = group * GROUP_LINES + line_of(item), mirror_column = column == 0 ? 0 : s.columns - column;
    if (2 * column > (uint)s.columns) return;
    spectrum += transfer_index(s, plane, 0, 0);
    transfer += transfer_index(s, (first_plane + plane) % s.psf_planes, 0, 0);

    for (int i = 0; i < LAST_VALUES; ++i) {
        if (!LAST_EXISTS(i)) continue;
        const uint l = tx + i / LAST_RADIX * TX + i % LAST_RADIX * (N / LAST_RADIX), mirror_l = l == 0 ? 0 : N - l;
        if (column == mirror_column && l > mirror_l) continue;
        const size_t here = transfer_index(s, 0, group, item) + (size_t)i * GROUP_ITEMS;
        const size_t there = frequency_index(s, mirror_column, mirror_l);
        const scalar2 z = spectrum[here], mirror = spectrum[there];
        const scalar4 xy = half_spectra((cplx){z.x, z.y}, (cplx){mirror.x, mirror.y});
        const scalar4 k = half_spectra(fetch(transfer + here), fetch(transfer + there));
        const cplx x = times((cplx){xy.x, xy.y}, (cplx){k.x, k.y}), y = times((cplx){xy.z, xy.w}, (cplx){k.z, k.w});
        const scalar4 products = (scalar4)(x.re, x.im, y.re, y.im) / 4;  // xy and k are twice the spectra
        const cplx joint = merged(products), joint_mirror = merged_mirror(products);
        spectrum[there] = (scalar2)(joint_mirror.re, joint_mirror.im);
        spectrum[here] = (scalar2)(joint.re, joint.im);
    }
}

__kernel GROUP_SIZE void inverse_columns(__global stored *restrict intermediate, __global const scalar2 *restrict spectrum,
                                         __global const scalar2 *restrict twiddles, const sizes given)
{
    const sizes s = KNOWN(given);
    __local cell scratch[GROUP_LINES * LINE_CELLS];
    const uint item = get_local_id(0), own_line = line_of(item), tx = tx_of(item);
    const uint plane = get_group_id(0) % s.planes, group = get_group_id(0) / s.planes;

    cplx v[VALUES];
    load_spectrum(v, tx, spectrum + transfer_index(s, plane, group, item));
    swap_parts(v);
    transform_reversed(v, tx, twiddles + BACK_TWIDDLES, scratch + own_line * LINE_CELLS);
    swap_parts(v);
    store_column(s, v, tx, column_of(s, intermediate, plane, group * GROUP_LINES + own_line), s.out_height);
}
#else
__kernel GROUP_SIZE void convolve_columns(__global stored *restrict intermediate, __global stored *restrict parted,
                                          __global const stored *restrict transfer, __global const scalar2 *restrict twiddles,
                                          __global const int *restrict source_row, uint first_plane, const sizes given)
{
    const sizes s = KNOWN(given);
    __local cell scratch[GROUP_LINES * LINE_CELLS];
    const uint item = get_local_id(0), own_line = line_of(item), tx = tx_of(item);
    const uint plane = get_group_id(0) % s.planes, group = get_group_id(0) / s.planes;
    const uint psf_plane = (first_plane + plane) % s.psf_planes;
#if IN_PARTS  // which begin at multiples of PACK_ROWS
    // The last part comes first: rows have just stored its spectra, which may still lie in the cache. So may those of the
    // first part when rows back begin with them.
    const int first_result = (get_num_groups(1) - 1 - get_group_id(1)) * s.valid_y, first = first_result + s.first_y;
    __global stored *column = column_of(s, intermediate, plane, group * GROUP_LINES + own_line);
    if (ROW_TABLE) source_row += first_result;  // null without a table
    else column += first * BUNDLE_COLUMNS;
#else
    const int first = 0;
    __global stored *column = column_of(s, intermediate, IMAGE_NUMBER(N) * s.planes + plane, group * GROUP_LINES + own_line);
#endif
    __local cell *line = scratch + own_line * LINE_CELLS;

    cplx v[VALUES];
    load_column(s, v, tx, column, first, source_row);
    transform(v, tx, twiddles, line);
    multiply(v, tx, transfer + transfer_index(s, psf_plane, group, item));
    swap_parts(v);
    transform_reversed(v, tx, twiddles + BACK_TWIDDLES, line);
    swap_parts(v);
#if IN_PARTS
    column = column_of(s, parted, plane, group * GROUP_LINES + own_line) + first_result * BUNDLE_COLUMNS;
    store_column(s, v, tx, column, min(s.valid_y, s.out_height - first_result));
#else
    if (ROW_TABLE) barrier(CLK_GLOBAL_MEM_FENCE);  // in place, and others have loaded rows that are stored here
    store_column(s, v, tx, column, s.out_height);
#endif
}
#endif

/// One plane of a PSF, which lies where the first plane of an image does, to its spectrum, in the order in which
/// convolve_columns multiplies. (A kernel of its own: a branch to these loads in the other costs it up to a quarter.)
__kernel GROUP_SIZE void psf_columns_forward(__global stored *restrict intermediate, __global stored *restrict transfer,
                                             __global const scalar2 *restrict twiddles,
                                             __global const int *restrict source_row, uint psf_plane, const sizes given)
{
    const sizes s = KNOWN(given);
    __local cell scratch[GROUP_LINES * LINE_CELLS];
    const uint item = get_local_id(0), own_line = line_of(item), tx = tx_of(item), group = get_group_id(0);

    cplx v[VALUES];
    load_psf_column(v, tx, column_of(s, intermediate, 0, group * GROUP_LINES + own_line), source_row);
    transform(v, tx, twiddles, scratch + own_line * LINE_CELLS);
    transfer += transfer_index(s, psf_plane, group, item);
    EACH_LAST_VALUE
    for (int i = 0; i < LAST_VALUES; ++i)
        if (LAST_EXISTS(i)) keep(transfer + i * GROUP_ITEMS, v[i]);
}
