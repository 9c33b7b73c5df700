// The row passes: image rows to half spectra, and half spectra to rows of the result.
//
// Needs:  line.cl's defines with PAIRED_LAST 1, image.cl's and spectrum.cl's
//         PACKED_CHANNELS  what the parts (re, im) of a complex line are: 0, rows y and y + 1 of a channel; 1, row y of
//                      channels c and c + 1, whose spectra lie as columns 2 k and 2 k + 1 of the intermediate
//         L            complex lines a work-group; ROWS = L ROWS_A_LINE
//         LINE_CELLS   local memory of a line, in cells;   ITEMS  values a work-item holds
//         LOADED_X     positions of a padded row that hold data; the rest is zero
//         PLANES       channels in one launch, or pairs of them
//         SCALE        of the result: 1 over the padded pixels, and over the factors 2 of both splits
//         FIXED_GROUP  1: state the group size to the compiler
//         ROWS_FORWARD or ROWS_INVERSE   which kernels: the two directions may have stages and a register cap of their own
// Shapes: work-group = (pack, plane), plane fastest; the lines lie side by side in the lanes.
// Addresses: a pointer is formed once and literal offsets added to it; a sum of variables for each value would cost
//         two registers and two instructions each.

#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"
#include "line.cl"
#include "samples.cl"
#include "image.cl"
#include "stored.cl"
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

#if PACKED_CHANNELS
#define ROWS_A_LINE 1
#define CHANNELS_A_LINE 2
#define TO_SECOND_CELL ROWS
#else
#define ROWS_A_LINE 2
#define CHANNELS_A_LINE 1
#define TO_SECOND_CELL 1
#endif
/// Both channels of a line take the only channel of the PSF.
#define ONE_PSF (PACKED_CHANNELS * PSF_CHANNELS == 1)
/// The second row or channel of a line exists.
#define SECOND_EXISTS(y, height, channel, channels) \
    (PACKED_CHANNELS ? (channels) % 2 == 0 || (channel) + 1 < (channels) : ROW_EXISTS((y) + 1, height))
/// Elements from a line's first row to its second in planes of height x width.
#define TO_SECOND(width, height) (PACKED_CHANNELS ? (width) * (height) : (width))

/// The first cell of frequency k + steps N/R of the lines that `spectra` points to.
INLINE __global stored *pair_cell(__global stored *spectra, uint k, int steps)
{
    if (CHANNELS_A_LINE * BUTTERFLIES % T == 0)
        return spectra + spectrum_cell(CHANNELS_A_LINE * k, 0) + steps * (CHANNELS_A_LINE * BUTTERFLIES * PACKS * ROWS);
    return spectra + spectrum_cell(CHANNELS_A_LINE * (k + steps * BUTTERFLIES), 0);
}

#ifdef ROWS_FORWARD

INLINE void store_pair(__global stored *cell, scalar4 ab)
{
    if (TO_SECOND_CELL == 1) {
        keep_pair((__global stored_pair *)cell, ab);
    } else {
        keep(cell, (cplx){ab.x, ab.y});
        keep(cell + TO_SECOND_CELL, (cplx){ab.z, ab.w});
    }
}

/// Stores the spectra of both rows, from the transform's values. A pair of butterflies p and N/R - p holds
/// Z(k), k = p + m N/R, in value m of the one and Z(N - k) in value R - 1 - m of the other.
INLINE void store_spectra(const cplx *v, uint tx, __global stored *spectra)
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
                    store_pair(pair_cell(spectra, p, m), split(z, mirror));
                else
                    store_pair(pair_cell(spectra, BUTTERFLIES - p, LAST_RADIX - 1 - m), split(mirror, z));
            }
        } else {  // butterflies 0 and N/(2R) mirror themselves
            EACH_LAST_VALUE
            for (int m = 0; m <= LAST_RADIX / 2; ++m)
                store_pair(pair_cell(spectra, 0, m), split(a[m], a[(LAST_RADIX - m) % LAST_RADIX]));
            EACH_LAST_VALUE
            for (int m = 0; m < HALF_UP; ++m)
                if (BUTTERFLIES % 2 == 0)
                    store_pair(pair_cell(spectra, BUTTERFLIES / 2, m), split(b[m], b[LAST_RADIX - 1 - m]));
        }
    }
}

/// Two rows of an image to the first stage's values; the second is zero if it does not exist.
INLINE void load_rows(cplx *v, uint tx, __global const in_sample *row, bool has_next, level a_level, level b_level,
                      __global const int *restrict source_column)
{
    const int next = PLANAR ? TO_SECOND(WIDTH, HEIGHT) : PACKED_CHANNELS ? 1 : WIDTH * CHANNELS;
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        __global const in_sample *from = row + (COLUMN_TABLE ? 0 : butterfly0(tx, i) * STEP_X);
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m) {
            scalar a = 0, b = 0;
            if (FIRST_BELOW(i, m, LOADED_X)) {
                const int at = (COLUMN_TABLE ? source_column[butterfly0(tx, i) + m * (N / R0)] : m * (N / R0)) * STEP_X;
                a = (load_sample(from + at) - a_level.bias) * a_level.scale;
                if (has_next) b = (load_sample(from + at + next) - b_level.bias) * b_level.scale;
            }
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
__kernel GROUP_SIZE void rows_forward(__global const in_sample *restrict samples, __global stored *restrict intermediate,
                                      __global const scalar2 *restrict twiddles,
                                      __global const int *restrict source_column, __global const scalar *restrict bias,
                                      uint first_plane)
{
    __local cell scratch[L * LINE_CELLS];
    const uint item = get_local_id(0), lane = item % L, tx = item / L;
    const uint plane = get_group_id(0) % PLANES, pack = get_group_id(0) / PLANES;
    const uint channel = CHANNELS_A_LINE * (first_plane + plane), y = pack * ROWS + ROWS_A_LINE * lane;

    cplx v[ITEMS];
    if (ROW_EXISTS(y, HEIGHT)) {
        const bool has_next = SECOND_EXISTS(y, HEIGHT, channel, CHANNELS);
        load_rows(v, tx, input_row(samples, y, channel), has_next, level_of(bias, channel),
                  level_of(bias, channel + (PACKED_CHANNELS && has_next ? 1 : 0)), source_column);
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) v[i] = (cplx){0, 0};
    }
    transform(v, tx, twiddles, scratch + lane * LINE_CELLS);
    store_spectra(v, tx, intermediate + plane * spectrum_plane() + spectrum_cell(0, y));
}

/// One plane of a PSF, planar [psf channel][height][width], to where the first plane of an image lies. (A kernel of its
/// own: a branch to these loads in the other costs it up to a quarter.)
__kernel GROUP_SIZE void psf_rows_forward(__global const scalar *restrict psf, __global stored *restrict intermediate,
                                          __global const scalar2 *restrict twiddles,
                                          __global const int *restrict source_column, uint plane, uint width, uint height)
{
    __local cell scratch[L * LINE_CELLS];
    const uint item = get_local_id(0), lane = item % L, tx = item / L;
    const uint channel = CHANNELS_A_LINE * plane, y = get_group_id(0) * ROWS + ROWS_A_LINE * lane;
    // A line's second row or channel is the first again where there is no other: what becomes of it is not read.
    __global const scalar *row = psf + ((size_t)channel * height + min(y, height - 1)) * width;
    const bool has_next = PACKED_CHANNELS ? channel + 1 < PSF_CHANNELS : y + 1 < height;

    cplx v[ITEMS];
    load_psf_rows(v, tx, row, has_next ? row + TO_SECOND(width, height) : row, source_column);
    transform(v, tx, twiddles, scratch + lane * LINE_CELLS);
    store_spectra(v, tx, intermediate + spectrum_cell(0, y));
}

#endif

#ifdef ROWS_INVERSE

/// The spectra of both rows. Where the second row does not exist its memory may hold anything.
INLINE scalar4 load_pair(__global const stored *cell, uint y)
{
    if (TO_SECOND_CELL > 1) {
        const cplx a = fetch(cell), b = fetch(cell + TO_SECOND_CELL);
        return (scalar4)(a.re, a.im, b.re, b.im);
    }
    scalar4 ab = fetch_pair((__global const stored_pair *)cell);
    if (OUT_HEIGHT % ROWS_A_LINE == 1 && y + 1 >= OUT_HEIGHT) ab.z = ab.w = 0;
    return ab;
}

/// The same backwards: Z = A + i B, parts swapped for the inverse, where the reversed transform's first stage wants it.
INLINE void load_spectra(cplx *v, uint tx, __global stored *spectra, uint y)
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
                const scalar4 ab = load_pair(lower ? pair_cell(spectra, p, m)
                                                  : pair_cell(spectra, BUTTERFLIES - p, LAST_RADIX - 1 - m), y);
                a[m] = swapped(lower ? merged(ab) : merged_mirror(ab));
                b[LAST_RADIX - 1 - m] = swapped(lower ? merged_mirror(ab) : merged(ab));
            }
        } else {
            EACH_LAST_VALUE
            for (int m = 0; m <= LAST_RADIX / 2; ++m) {
                const scalar4 ab = load_pair(pair_cell(spectra, 0, m), y);
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
                    const scalar4 ab = load_pair(pair_cell(spectra, BUTTERFLIES / 2, m), y);
                    b[LAST_RADIX - 1 - m] = swapped(merged_mirror(ab));
                    b[m] = swapped(merged(ab));
                }
        }
    }
}

/// Half spectra to rows of the result.
__kernel GROUP_SIZE void rows_inverse(__global stored *restrict intermediate, __global out_sample *restrict samples,
                                      __global const scalar2 *restrict twiddles, __global const scalar *restrict restore,
                                      __global const scalar *restrict weight, uint first_plane)
{
    __local cell scratch[L * LINE_CELLS];
    const uint item = get_local_id(0), lane = item % L, tx = item / L;
    const uint plane = get_group_id(0) % PLANES, pack = get_group_id(0) / PLANES;
    const uint channel = CHANNELS_A_LINE * (first_plane + plane), y = pack * ROWS + ROWS_A_LINE * lane;

    cplx v[ITEMS];
    load_spectra(v, tx, intermediate + plane * spectrum_plane() + spectrum_cell(0, y), y);
    transform_reversed(v, tx, twiddles, scratch + lane * LINE_CELLS);
    if (!ROW_EXISTS(y, OUT_HEIGHT)) return;

    const int next = PLANAR ? TO_SECOND(OUT_WIDTH, OUT_HEIGHT) : PACKED_CHANNELS ? 1 : OUT_WIDTH * CHANNELS;
    const int next_covered = ONE_PSF ? 0 : TO_SECOND(OUT_WIDTH, OUT_HEIGHT);
    const bool has_next = SECOND_EXISTS(y, OUT_HEIGHT, channel, CHANNELS);
    __global out_sample *row = output_row(samples, y, channel);
    __global const scalar *covered = weight_row(weight, y, channel);
    const scalar scale = scale_of(restore, channel);
    const scalar next_scale = scale_of(restore, channel + (PACKED_CHANNELS && has_next ? 1 : 0));
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i) {
        const uint j = butterfly0(tx, i);
        __global out_sample *to = row + j * STEP_X;
        EACH_FIRST_VALUE
        for (int m = 0; m < R0; ++m) {
            if (!FIRST_BELOW(i, m, OUT_WIDTH)) continue;
            const cplx z = v[i * R0 + m];  // parts still swapped
            const int x = m * (N / R0);
            store_sample(to + x * STEP_X, finished(z.im * scale, restore[channel], covered + j + x));
            if (has_next)
                store_sample(to + x * STEP_X + next,
                             finished(z.re * next_scale, restore[channel + PACKED_CHANNELS], covered + j + x + next_covered));
        }
    }
}

#endif
