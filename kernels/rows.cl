// The row passes: image rows to half spectra, and half spectra to rows of the result.
//
// Needs:  line.cl's defines with PAIRED_LAST 1, image.cl's and spectrum.cl's
//         L            complex lines a work-group, each two rows of one channel (re, im); ROWS = 2 L
//         LINE_CELLS   local memory of a line, in cells;   ITEMS  values a work-item holds
//         LOADED_X     positions of a padded row that hold data; the rest is zero
//         PACKS        packs of the image's intermediate
//         PLANES       channels in one launch
//         SCALE        of the result: 1 over the padded pixels, and over the factors 2 of both splits
//         FIXED_GROUP  1: state the group size to the compiler
// Shapes: work-group = (pack, channel), channel fastest; the lines lie side by side in the lanes.
// Addresses: a pointer is formed once and literal offsets added to it; a sum of variables for each value would cost
//         two registers and two instructions each.

#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"
#include "line.cl"
#include "samples.cl"
#include "image.cl"
#include "spectrum.cl"

#if FIXED_GROUP
#define GROUP_SIZE __attribute__((reqd_work_group_size(TX * L, 1, 1)))
#else
#define GROUP_SIZE
#endif

#define BUTTERFLIES (N / LAST_RADIX)
#define HALF_UP ((LAST_RADIX + 1) / 2)

/// Row y of an image of `height` rows exists; decided by the compiler where every pack is full.
#define ROW_EXISTS(y, height) ((height) % ROWS == 0 || (y) < (height))

/// The cell of column k + steps N/R of the rows that `spectra` points to.
INLINE __global float4 *pair_cell(__global float2 *spectra, uint k, int steps, uint packs)
{
    if (BUTTERFLIES % T == 0)
        return (__global float4 *)(spectra + spectrum_cell(k, 0, packs) + steps * (BUTTERFLIES * (int)(packs * ROWS)));
    return (__global float4 *)(spectra + spectrum_cell(k + steps * BUTTERFLIES, 0, packs));
}

/// Stores the spectra of both rows, from the transform's values. A pair of butterflies p and N/R - p holds
/// Z(k), k = p + m N/R, in value m of the one and Z(N - k) in value R - 1 - m of the other.
INLINE void store_spectra(const cplx *v, uint tx, __global float2 *spectra, uint packs)
{
#pragma unroll
    for (int i = 0; i < PAIR_SHARE(LAST_RADIX) / 2; ++i) {
        const uint p = tx + i * TX;
        if (!BELOW(i * TX, (BUTTERFLIES + 1) / 2)) continue;
        const cplx *a = v + 2 * i * LAST_RADIX, *b = a + LAST_RADIX;
        if (p > 0) {
            EACH_LAST_VALUE
            for (int m = 0; m < LAST_RADIX; ++m) {
                const cplx z = a[m], mirror = b[LAST_RADIX - 1 - m];
                if (m < HALF_UP)
                    *pair_cell(spectra, p, m, packs) = split(z, mirror);
                else
                    *pair_cell(spectra, BUTTERFLIES - p, LAST_RADIX - 1 - m, packs) = split(mirror, z);
            }
        } else {  // butterflies 0 and N/(2R) mirror themselves
            EACH_LAST_VALUE
            for (int m = 0; m <= LAST_RADIX / 2; ++m)
                *pair_cell(spectra, 0, m, packs) = split(a[m], a[(LAST_RADIX - m) % LAST_RADIX]);
            EACH_LAST_VALUE
            for (int m = 0; m < HALF_UP; ++m)
                if (BUTTERFLIES % 2 == 0)
                    *pair_cell(spectra, BUTTERFLIES / 2, m, packs) = split(b[m], b[LAST_RADIX - 1 - m]);
        }
    }
}

/// The spectra of rows y and y + 1 in a cell. Where the second row does not exist its memory may hold anything.
INLINE float4 load_pair(__global const float4 *cell, uint y)
{
    float4 ab = *cell;
    if (OUT_HEIGHT % 2 == 1 && y + 1 >= OUT_HEIGHT) ab.z = ab.w = 0;
    return ab;
}

/// The same backwards: Z = A + i B, parts swapped for the inverse, where the reversed transform's first stage wants it.
INLINE void load_spectra(cplx *v, uint tx, __global float2 *spectra, uint y)
{
#pragma unroll
    for (int i = 0; i < PAIR_SHARE(LAST_RADIX) / 2; ++i) {
        const uint p = tx + i * TX;
        if (!BELOW(i * TX, (BUTTERFLIES + 1) / 2)) continue;
        cplx *a = v + 2 * i * LAST_RADIX, *b = a + LAST_RADIX;
        if (p > 0) {
            EACH_LAST_VALUE
            for (int m = 0; m < LAST_RADIX; ++m) {
                const bool lower = m < HALF_UP;
                const float4 ab = load_pair(lower ? pair_cell(spectra, p, m, PACKS)
                                                  : pair_cell(spectra, BUTTERFLIES - p, LAST_RADIX - 1 - m, PACKS), y);
                a[m] = swapped(lower ? merged(ab) : merged_mirror(ab));
                b[LAST_RADIX - 1 - m] = swapped(lower ? merged_mirror(ab) : merged(ab));
            }
        } else {
            EACH_LAST_VALUE
            for (int m = 0; m <= LAST_RADIX / 2; ++m) {
                const float4 ab = load_pair(pair_cell(spectra, 0, m, PACKS), y);
                a[(LAST_RADIX - m) % LAST_RADIX] = swapped(merged_mirror(ab));
                a[m] = swapped(merged(ab));
            }
            EACH_LAST_VALUE
            for (int m = 0; m < LAST_RADIX; ++m) b[m] = a[m];
            // Backwards, to end with b[0] as the branch above: clang joins the last stores of both, and if their places
            // differed, v would be indexed by a variable and lie in memory.
            EACH_LAST_VALUE
            for (int m = HALF_UP - 1; m >= 0; --m)
                if (BUTTERFLIES % 2 == 0) {
                    const float4 ab = load_pair(pair_cell(spectra, BUTTERFLIES / 2, m, PACKS), y);
                    b[LAST_RADIX - 1 - m] = swapped(merged_mirror(ab));
                    b[m] = swapped(merged(ab));
                }
        }
    }
}

/// Rows y and y + 1 of an image, `next` samples apart, to the first stage's values; the second is zero if it does not
/// exist.
INLINE void load_rows(cplx *v, uint tx, __global const in_sample *row, bool has_next, float bias,
                      __global const int *restrict source_column)
{
    const int next = PLANAR ? WIDTH : WIDTH * CHANNELS;
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        __global const in_sample *from = row + (COLUMN_TABLE ? 0 : butterfly0(tx, i) * STEP_X);
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m) {
            float a = 0, b = 0;
            if (FIRST_BELOW(i, m, LOADED_X)) {
                const int at = (COLUMN_TABLE ? source_column[butterfly0(tx, i) + m * (N / R0)] : m * (N / R0)) * STEP_X;
                a = load_sample(from + at) - bias;
                if (has_next) b = load_sample(from + at + next) - bias;
            }
            v[i * R0 + m] = (cplx){a, b};
        }
    }
}

/// Rows of an image, zero-padded or extended by its border, to half spectra. `first_channel`: of this launch.
__kernel GROUP_SIZE void rows_forward(__global const in_sample *restrict samples, __global float2 *restrict intermediate,
                                      __global const float2 *restrict twiddles, __global const int *restrict source_column,
                                      __global const float *restrict bias, uint first_channel)
{
    __local cell scratch[L * LINE_CELLS];
    const uint item = get_local_id(0), lane = item % L, tx = item / L;
    const uint plane = get_group_id(0) % PLANES, pack = get_group_id(0) / PLANES;
    const uint channel = first_channel + plane, y = pack * ROWS + 2 * lane;

    cplx v[ITEMS];
    if (ROW_EXISTS(y, HEIGHT)) {
        load_rows(v, tx, input_row(samples, y, channel), ROW_EXISTS(y + 1, HEIGHT), bias[channel], source_column);
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) v[i] = (cplx){0, 0};
    }
    transform(v, tx, twiddles, scratch + lane * LINE_CELLS);
    store_spectra(v, tx, intermediate + plane * spectrum_plane(PACKS) + spectrum_cell(0, y, PACKS), PACKS);
}

/// The same for a PSF: planar floats, `height` rows of `width`; position n of a row holds column source_column[n],
/// or nothing where that is negative.
__kernel GROUP_SIZE void psf_rows_forward(__global const float *restrict weights, __global float2 *restrict intermediate,
                                          __global const float2 *restrict twiddles,
                                          __global const int *restrict source_column, uint width, uint height)
{
    __local cell scratch[L * LINE_CELLS];
    const uint item = get_local_id(0), lane = item % L, tx = item / L;
    const uint packs = (height + ROWS - 1) / ROWS;
    const uint plane = get_group_id(0) / packs, pack = get_group_id(0) % packs, y = pack * ROWS + 2 * lane;
    __global const float *row = weights + ((size_t)plane * height + y) * width;

    cplx v[ITEMS];
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m) {
            const int x = FIRST_BELOW(i, m, N) ? source_column[butterfly0(tx, i) + m * (N / R0)] : -1;
            v[i * R0 + m] = (cplx){x >= 0 && y < height ? row[x] : 0, x >= 0 && y + 1 < height ? row[width + x] : 0};
        }
    }
    transform(v, tx, twiddles, scratch + lane * LINE_CELLS);
    store_spectra(v, tx, intermediate + plane * spectrum_plane(packs) + spectrum_cell(0, y, packs), packs);
}

/// Half spectra to rows of the result.
__kernel GROUP_SIZE void rows_inverse(__global float2 *restrict intermediate, __global out_sample *restrict samples,
                                      __global const float2 *restrict twiddles, __global const float *restrict restore,
                                      __global const float *restrict weight, uint first_channel)
{
    __local cell scratch[L * LINE_CELLS];
    const uint item = get_local_id(0), lane = item % L, tx = item / L;
    const uint plane = get_group_id(0) % PLANES, pack = get_group_id(0) / PLANES;
    const uint channel = first_channel + plane, y = pack * ROWS + 2 * lane;

    cplx v[ITEMS];
    load_spectra(v, tx, intermediate + plane * spectrum_plane(PACKS) + spectrum_cell(0, y, PACKS), y);
    transform_reversed(v, tx, twiddles, scratch + lane * LINE_CELLS);
    if (!ROW_EXISTS(y, OUT_HEIGHT)) return;

    const int next = PLANAR ? OUT_WIDTH : OUT_WIDTH * CHANNELS;
    __global out_sample *row = output_row(samples, y, channel);
    __global const float *covered = weight_row(weight, y, channel);
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        const uint j = butterfly0(tx, i);
        __global out_sample *to = row + j * STEP_X;
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m) {
            if (!FIRST_BELOW(i, m, OUT_WIDTH)) continue;
            const cplx z = v[i * R0 + m];  // parts still swapped
            const int x = m * (N / R0);
            store_sample(to + x * STEP_X, finished(z.im * SCALE, restore[channel], covered + j + x));
            if (ROW_EXISTS(y + 1, OUT_HEIGHT))
                store_sample(to + x * STEP_X + next,
                             finished(z.re * SCALE, restore[channel], covered + j + x + OUT_WIDTH));
        }
    }
}
