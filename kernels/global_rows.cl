// SPDX-License-Identifier: Apache-2.0
// The ends of a row pass whose stages run through global memory: what rows.cl does in registers, a launch each.
//
// Needs:  results.cl's and spectrum.cl's defines
// Shapes: lines[pair of rows][length_x] complex; work-item (position or column, pair). One plane (channel) at a time, whose
//         spectra begin `first_value` complex values into the intermediate.

#include "complex.cl"
#include "sizes.cl"
#include "samples.cl"
#include "results.cl"
#include "stored.cl"
#include "spectrum.cl"

/// The sample at position n of a padded row, less bias and scaled; 0 where there is none.
INLINE scalar padded_sample(sizes s, __global const in_sample *samples, uint y, uint n, uint channel, level level,
                           __global const int *restrict source_column)
{
    const int column = source_column[n];
    if (y >= (uint)s.height || column < 0) return 0;
    return (taken_sample(input_row(s, samples, y, channel) + column * STEP_X, level) - level.bias) * level.scale;
}

/// Two rows of the image to one line.
__kernel void load_rows(__global const in_sample *restrict samples, __global scalar2 *restrict lines,
                        __global const int *restrict source_column, __global const scalar *restrict bias, uint channel,
                        const sizes given)
{
    const sizes s = KNOWN(given);
    const uint n = get_global_id(0), y = 2 * get_global_id(1);
    if (n >= (uint)s.length_x) return;
    lines[get_global_id(1) * (size_t)s.length_x + n] =
        (scalar2)(padded_sample(s, samples, y, n, channel, level_of(s, bias, channel), source_column),
                 padded_sample(s, samples, y + 1, n, channel, level_of(s, bias, channel), source_column));
}

/// The same for one channel of a PSF of planar floats. Where source_column[n] < 0, the value is zero.
__kernel void load_psf_rows(__global const scalar *restrict weights, __global scalar2 *restrict lines,
                            __global const int *restrict source_column, uint width, uint height, uint channel,
                            const sizes given)
{
    const sizes s = KNOWN(given);
    const uint n = get_global_id(0), y = 2 * get_global_id(1);
    if (n >= (uint)s.length_x) return;
    const int x = source_column[n];
    __global const scalar *row = weights + ((size_t)channel * height + y) * width;
    lines[get_global_id(1) * (size_t)s.length_x + n] =
        (scalar2)(x >= 0 && y < height ? row[x] : 0, x >= 0 && y + 1 < height ? row[width + x] : 0);
}

/// Transformed lines to the half spectra of their two rows.
__kernel void split_rows(__global const scalar2 *restrict lines, __global stored *restrict spectra, ulong first_value,
                         const sizes given)
{
    const sizes s = KNOWN(given);
    const uint k = get_global_id(0), y = 2 * get_global_id(1);
    if (k >= (uint)s.columns || y >= (uint)(s.packs * PACK_ROWS)) return;
    lines += get_global_id(1) * (size_t)s.length_x;
    const scalar2 z = lines[k], mirror = lines[(s.length_x - k) % s.length_x];
    keep_pair((__global stored_pair *)(spectra + first_value + spectrum_index(s, k, y)),
              half_spectra((cplx){z.x, z.y}, (cplx){mirror.x, mirror.y}));
}

/// Half spectra of two rows to one line, parts swapped for the inverse.
__kernel void merge_rows(__global const stored *restrict spectra, __global scalar2 *restrict lines, ulong first_value,
                         const sizes given)
{
    const sizes s = KNOWN(given);
    const uint k = get_global_id(0), y = 2 * get_global_id(1);
    if (k >= (uint)s.columns) return;
    scalar4 ab = fetch_pair((__global const stored_pair *)(spectra + first_value + spectrum_index(s, k, y)));
    if (y + 1 >= (uint)s.out_height) ab.z = ab.w = 0;  // a row that does not exist: its memory may hold anything
    const cplx mirror = merged_mirror(ab), z = merged(ab);
    lines += get_global_id(1) * (size_t)s.length_x;
    lines[(s.length_x - k) % s.length_x] = (scalar2)(mirror.im, mirror.re);
    lines[k] = (scalar2)(z.im, z.re);
}

/// Lines of the result, parts still swapped, to two rows of it.
__kernel void store_rows(__global const scalar2 *restrict lines, __global out_sample *restrict samples,
                         __global const in_sample *restrict image, __global const scalar *restrict restore,
                         __global const scalar *restrict weight, __global const scalar *restrict mask, uint channel,
                         const sizes given)
{
    const sizes s = KNOWN(given);
    const uint x = get_global_id(0), y = 2 * get_global_id(1);
    if (x >= (uint)s.out_width) return;
    const scalar2 z = lines[get_global_id(1) * (size_t)s.length_x + x];
    for (uint row = y; row < min(y + 2, (uint)s.out_height); ++row)
        store_result(result_row_of(s, samples, image, restore, weight, mask, row, channel), x, row == y ? z.y : z.x);
}
