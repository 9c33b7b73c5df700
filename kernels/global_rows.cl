// The ends of a row pass whose stages run through global memory: what rows.cl does in registers, a launch each.
//
// Needs:  N and image.cl's and spectrum.cl's defines; LOADED_X, SCALE as rows.cl
// Shapes: lines[pair of rows][N] complex; work-item (position or column, pair). One plane (channel) at a time, whose
//         spectra begin `first_cell` complex values into the intermediate.

#include "complex.cl"
#include "samples.cl"
#include "image.cl"
#include "stored.cl"
#include "spectrum.cl"

#define COLUMNS (N / 2 + 1)

/// The sample at position n of a padded row, less bias and scaled; 0 where there is none.
INLINE scalar padded_sample(__global const in_sample *samples, uint y, uint n, uint channel, level level,
                           __global const int *restrict source_column)
{
    if (y >= HEIGHT || n >= LOADED_X) return 0;
    const scalar sample = load_sample(input_row(samples, y, channel) + (COLUMN_TABLE ? source_column[n] : n) * STEP_X);
    return (sample - level.bias) * level.scale;
}

/// Two rows of the image to one line.
__kernel void load_rows(__global const in_sample *restrict samples, __global scalar2 *restrict lines,
                        __global const int *restrict source_column, __global const scalar *restrict bias, uint channel)
{
    const uint n = get_global_id(0), y = 2 * get_global_id(1);
    if (n >= N) return;
    lines[get_global_id(1) * (size_t)N + n] =
        (scalar2)(padded_sample(samples, y, n, channel, level_of(bias, channel), source_column),
                 padded_sample(samples, y + 1, n, channel, level_of(bias, channel), source_column));
}

/// The same for one channel of a PSF, planar floats; source_column[n] < 0: nothing there.
__kernel void load_psf_rows(__global const scalar *restrict weights, __global scalar2 *restrict lines,
                            __global const int *restrict source_column, uint width, uint height, uint channel)
{
    const uint n = get_global_id(0), y = 2 * get_global_id(1);
    if (n >= N) return;
    const int x = source_column[n];
    __global const scalar *row = weights + ((size_t)channel * height + y) * width;
    lines[get_global_id(1) * (size_t)N + n] =
        (scalar2)(x >= 0 && y < height ? row[x] : 0, x >= 0 && y + 1 < height ? row[width + x] : 0);
}

/// Transformed lines to the half spectra of their two rows.
__kernel void split_rows(__global const scalar2 *restrict lines, __global stored *restrict spectra, ulong first_cell)
{
    const uint k = get_global_id(0), y = 2 * get_global_id(1);
    if (k >= COLUMNS || y >= PACKS * ROWS) return;
    lines += get_global_id(1) * (size_t)N;
    const scalar2 z = lines[k], mirror = lines[(N - k) % N];
    keep_pair((__global stored_pair *)(spectra + first_cell + spectrum_cell(k, y)),
              split((cplx){z.x, z.y}, (cplx){mirror.x, mirror.y}));
}

/// Half spectra of two rows to one line, parts swapped for the inverse.
__kernel void merge_rows(__global const stored *restrict spectra, __global scalar2 *restrict lines, ulong first_cell)
{
    const uint k = get_global_id(0), y = 2 * get_global_id(1);
    if (k >= COLUMNS) return;
    scalar4 ab = fetch_pair((__global const stored_pair *)(spectra + first_cell + spectrum_cell(k, y)));
    if (y + 1 >= OUT_HEIGHT) ab.z = ab.w = 0;  // a row that does not exist: its memory may hold anything
    const cplx mirror = merged_mirror(ab), z = merged(ab);
    lines += get_global_id(1) * (size_t)N;
    lines[(N - k) % N] = (scalar2)(mirror.im, mirror.re);
    lines[k] = (scalar2)(z.im, z.re);
}

/// Lines of the result, parts still swapped, to two rows of it.
__kernel void store_rows(__global const scalar2 *restrict lines, __global out_sample *restrict samples,
                         __global const scalar *restrict restore, __global const scalar *restrict weight, uint channel)
{
    const uint x = get_global_id(0), y = 2 * get_global_id(1);
    if (x >= OUT_WIDTH) return;
    const scalar2 z = lines[get_global_id(1) * (size_t)N + x];
    for (uint row = y; row < min(y + 2, (uint)OUT_HEIGHT); ++row)
        store_sample(output_row(samples, row, channel) + x * STEP_X,
                     finished((row == y ? z.y : z.x) * scale_of(restore, channel), restore[channel], weight_row(weight, row, channel) + x));
}
