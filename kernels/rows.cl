// The row passes: image rows to half spectra, and half spectra to rows of the result.
//
// Needs:  line.cl's defines with PAIRED_LAST 1, image.cl's and spectrum.cl's
//         L            complex lines a work-group, each two rows of one channel (re, im); ROWS = 2 L
//         LINE_CELLS   local memory of a line, in cells;   ITEMS  values a work-item holds
//         PACKS        packs of the image's intermediate
//         PLANES       channels in one launch
//         SCALE        of the result: 1 over the padded pixels, and over the factors 2 of both splits
//         FIXED_GROUP  1: state the group size to the compiler
// Shapes: work-group = (pack, channel), channel fastest; the lines lie side by side in the lanes.

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

/// The half spectra of one pair of rows: the cell of column k.
#define CELL(k) ((__global float4 *)(spectra + spectrum_cell(k, 0, packs)))

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
                    *CELL(p + m * BUTTERFLIES) = split(z, mirror);
                else
                    *CELL(N - p - m * BUTTERFLIES) = split(mirror, z);
            }
        } else {  // butterflies 0 and N/(2R) mirror themselves
            EACH_LAST_VALUE
            for (int m = 0; m <= LAST_RADIX / 2; ++m)
                *CELL(m * BUTTERFLIES) = split(a[m], a[(LAST_RADIX - m) % LAST_RADIX]);
            EACH_LAST_VALUE
            for (int m = 0; m < HALF_UP; ++m)
                if (BUTTERFLIES % 2 == 0)
                    *CELL(BUTTERFLIES / 2 + m * BUTTERFLIES) = split(b[m], b[LAST_RADIX - 1 - m]);
        }
    }
}

/// The spectra of rows y and y + 1 at column k. Where the second row does not exist its memory may hold anything.
INLINE float4 load_pair(__global const float2 *spectra, uint k, uint y, uint packs)
{
    float4 ab = *(__global const float4 *)(spectra + spectrum_cell(k, 0, packs));
    if (OUT_HEIGHT % 2 == 1 && y + 1 >= OUT_HEIGHT) ab.z = ab.w = 0;
    return ab;
}

/// The same backwards: Z = A + i B, parts swapped for the inverse, where the reversed transform's first stage wants it.
INLINE void load_spectra(cplx *v, uint tx, __global const float2 *spectra, uint y, uint packs)
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
                const float4 ab = load_pair(spectra, lower ? p + m * BUTTERFLIES : N - p - m * BUTTERFLIES, y, packs);
                a[m] = swapped(lower ? merged(ab) : merged_mirror(ab));
                b[LAST_RADIX - 1 - m] = swapped(lower ? merged_mirror(ab) : merged(ab));
            }
        } else {
            EACH_LAST_VALUE
            for (int m = 0; m <= LAST_RADIX / 2; ++m) {
                const float4 ab = load_pair(spectra, m * BUTTERFLIES, y, packs);
                a[(LAST_RADIX - m) % LAST_RADIX] = swapped(merged_mirror(ab));
                a[m] = swapped(merged(ab));
            }
            EACH_LAST_VALUE
            for (int m = 0; m < LAST_RADIX; ++m) b[m] = a[m];
            EACH_LAST_VALUE
            for (int m = 0; m < HALF_UP; ++m)
                if (BUTTERFLIES % 2 == 0) {
                    const float4 ab = load_pair(spectra, BUTTERFLIES / 2 + m * BUTTERFLIES, y, packs);
                    b[LAST_RADIX - 1 - m] = swapped(merged_mirror(ab));
                    b[m] = swapped(merged(ab));
                }
        }
    }
}

/// Rows of an image, zero-padded or extended by its border, to half spectra. `first_channel`: of this launch.
__kernel GROUP_SIZE void rows_forward(__global const void *restrict samples, __global float2 *restrict intermediate,
                                      __global const float2 *restrict twiddles, __global const int *restrict source_column,
                                      __global const float *restrict bias, uint first_channel)
{
    __local cell scratch[L * LINE_CELLS];
    const uint item = get_local_id(0), lane = item % L, tx = item / L;
    const uint plane = get_group_id(0) % PLANES, pack = get_group_id(0) / PLANES;
    const uint channel = first_channel + plane, y = pack * ROWS + 2 * lane;

    cplx v[ITEMS];
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i)
        if (FIRST_EXISTS(i)) {
            const uint j = butterfly0(tx, i);
            EACH_FIRST_VALUE
            for (int m = 0; m < R0; ++m)
                v[i * R0 + m] = (cplx){
                    padded_sample(samples, y, j + m * (N / R0), channel, bias[channel], source_column),
                    padded_sample(samples, y + 1, j + m * (N / R0), channel, bias[channel], source_column)};
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
    for (int i = 0; i < FIRST_SHARE; ++i)
        if (FIRST_EXISTS(i)) {
            const uint j = butterfly0(tx, i);
            EACH_FIRST_VALUE
            for (int m = 0; m < R0; ++m) {
                const int x = source_column[j + m * (N / R0)];
                v[i * R0 + m] = (cplx){x >= 0 && y < height ? row[x] : 0, x >= 0 && y + 1 < height ? row[width + x] : 0};
            }
        }
    transform(v, tx, twiddles, scratch + lane * LINE_CELLS);
    store_spectra(v, tx, intermediate + plane * spectrum_plane(packs) + spectrum_cell(0, y, packs), packs);
}

/// Half spectra to rows of the result.
__kernel GROUP_SIZE void rows_inverse(__global const float2 *restrict intermediate, __global void *restrict samples,
                                      __global const float2 *restrict twiddles, __global const float *restrict restore,
                                      __global const float *restrict weight, uint first_channel)
{
    __local cell scratch[L * LINE_CELLS];
    const uint item = get_local_id(0), lane = item % L, tx = item / L;
    const uint plane = get_group_id(0) % PLANES, pack = get_group_id(0) / PLANES;
    const uint channel = first_channel + plane, y = pack * ROWS + 2 * lane;

    cplx v[ITEMS];
    load_spectra(v, tx, intermediate + plane * spectrum_plane(PACKS) + spectrum_cell(0, y, PACKS), y, PACKS);
    transform_reversed(v, tx, twiddles, scratch + lane * LINE_CELLS);
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i)
        if (FIRST_EXISTS(i)) {
            const uint j = butterfly0(tx, i);
            EACH_FIRST_VALUE
            for (int m = 0; m < R0; ++m) {
                const cplx z = swapped(v[i * R0 + m]);
                store_result(samples, y, j + m * (N / R0), channel, z.re * SCALE, restore[channel], weight);
                store_result(samples, y + 1, j + m * (N / R0), channel, z.im * SCALE, restore[channel], weight);
            }
        }
}
