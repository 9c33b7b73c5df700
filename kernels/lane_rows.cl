// The row passes where a work-item owns a whole line of two rows (CPU): image rows to half spectra, and back.
//
// A line of N is eight interleaved ones of M = N / 8: lane l of vector n is value 8 n + l. The eight are transformed
// side by side, each operation a vector one, by blocks.cl; one radix-8 step across the lanes joins them:
//     X[k + M q] = sum over l of  W_8^(l q)  W_N^(l k)  Y_l[k]
// for eight k at a time, turned so that lanes are k and vectors l. The way back begins with that step and ends with
// the eight lines.
//
// Needs:  LANES 8; M in N's place of blocks.cl's defines: N = M, STAGES, R0 ..; M is a multiple of 8
//         image.cl's defines; LOADED_X, and FIRST_SOURCE, the image's column at position 0
//         PITCH, ROWS (even), GROUPS, PLANES as lane_columns.cl; SCALE as rows.cl
// Shapes: intermediate[plane][ROWS][PITCH], each element eight columns; one work-item a work-group; work-group =
//         (pair of rows, plane), plane fastest.

#include "complex.cl"
#include "butterfly.cl"
#include "stored.cl"
#include "samples.cl"
#include "image.cl"
#include "lanes.cl"

#define M N
#define LINE (8 * N)

#define PASS forward
#define FORWARD 1
#define BACK 0
#define PRODUCT 0
#include "blocks.cl"

#define PASS back
#define FORWARD 0
#define BACK 1
#define PRODUCT 0
#include "blocks.cl"

/// A whole line in natural order, with the values 0 .. 7 again at its end, so that N - k can be read for k = 0.
typedef struct {
    scalar re[LINE + 8];
    scalar im[LINE + 8];
} spectrum;

/// The eight lines' transforms (digit-reversed: value k at place[k]) to the spectrum of the whole line.
/// joint[k / 8][l - 1] = W_N^(l k) for eight k: real parts, imaginary parts.
INLINE void join_lanes(__local const cplx *x, __local spectrum *z, __global const uint *restrict place,
                       __global const scalar8 *restrict joint)
{
    for (int k = 0; k < M; k += 8, joint += 14) {
        scalar8 re[8], im[8];
        cplx v[8];
        scalar2 t[TWIDDLES_8];
#pragma unroll
        for (int i = 0; i < 8; ++i) re[i] = x[place[k + i]].re, im[i] = x[place[k + i]].im;
        transpose(re);
        transpose(im);
        v[0] = (cplx){re[0], im[0]};
#pragma unroll
        for (int l = 1; l < 8; ++l) v[l] = times((cplx){re[l], im[l]}, (cplx){joint[2 * l - 2], joint[2 * l - 1]});
        dft8(v, false, t);
#pragma unroll
        for (int q = 0; q < 8; ++q) {
            vstore8(v[q].re, 0, z->re + k + q * M);
            vstore8(v[q].im, 0, z->im + k + q * M);
        }
    }
}

/// The way back: spectrum to the eight lines' spectra, digit-reversed.
INLINE void part_lanes(__local const spectrum *z, __local cplx *x, __global const uint *restrict place,
                       __global const scalar8 *restrict joint)
{
    for (int k = 0; k < M; k += 8, joint += 14) {
        scalar8 re[8], im[8];
        cplx v[8];
        scalar2 t[TWIDDLES_8];
#pragma unroll
        for (int q = 0; q < 8; ++q) v[q] = (cplx){vload8(0, z->re + k + q * M), vload8(0, z->im + k + q * M)};
        dft8(v, false, t);
        re[0] = v[0].re, im[0] = v[0].im;
#pragma unroll
        for (int l = 1; l < 8; ++l) {
            const cplx w = times(v[l], (cplx){joint[2 * l - 2], joint[2 * l - 1]});
            re[l] = w.re, im[l] = w.im;
        }
        transpose(re);
        transpose(im);
#pragma unroll
        for (int i = 0; i < 8; ++i) x[place[k + i]] = (cplx){re[i], im[i]};
    }
}

/// Twice the half spectra of the two rows, from their line's spectrum: A = Z(k) + conj Z(N - k), B = -i (Z(k) - conj ..).
INLINE void store_spectra(__local spectrum *z, __global stored *a, __global stored *b)
{
    vstore8(vload8(0, z->re), 0, z->re + LINE);
    vstore8(vload8(0, z->im), 0, z->im + LINE);
    for (int group = 0; group < GROUPS; ++group) {
        const int k = 8 * group, mirror = LINE - k - 7;
        const scalar8 re = vload8(0, z->re + k), im = vload8(0, z->im + k);
        const scalar8 mre = reversed(vload8(0, z->re + mirror)), mim = reversed(vload8(0, z->im + mirror));
        keep(a + group, (cplx){re + mre, im - mim});
        keep(b + group, (cplx){im + mim, mre - re});
    }
}

/// The way back, parts swapped for the inverse. Only columns 0 .. N/2 are read.
INLINE void load_spectra(__local spectrum *z, __global const stored *a, __global const stored *b, bool has_next)
{
    // Backwards, so that the last group's columns above N/2, which mean nothing, are overwritten by their mirrors.
    for (int group = GROUPS - 1; group >= 0; --group) {
        const int k = 8 * group, mirror = LINE - k - 7;
        const cplx first = fetch(a + group), second = has_next ? fetch(b + group) : (cplx){0, 0};
        vstore8(first.im + second.re, 0, z->re + k);
        vstore8(first.re - second.im, 0, z->im + k);
        vstore8(reversed(second.re - first.im), 0, z->re + mirror);
        vstore8(reversed(first.re + second.im), 0, z->im + mirror);
    }
}

/// Rows y and y + 1 of the image to eight lines side by side; row y again where there is no other (what becomes of it is
/// not stored).
INLINE void load_image_rows(__local cplx *x, __global const in_sample *samples, uint y, uint channel, level level,
                            __global const int *restrict source_column)
{
    for (uint i = 0; i < 2; ++i) {
        __global const in_sample *row = input_row(samples, min(y + i, (uint)(HEIGHT - 1)), channel);
        for (int n = 0; n < M; ++n) {
            const real value = load_positions(row, 8 * n, level, source_column);
            if (i == 0) x[n].re = value;
            else x[n].im = value;
        }
    }
}

/// Two rows of a PSF, planar; position n holds column source_column[n], or nothing where that is negative.
INLINE void load_psf_rows(__local cplx *x, __global const scalar *row, uint width, bool has_next,
                          __global const int *restrict source_column)
{
    for (int n = 0; n < M; ++n) {
        scalar re[8], im[8];
        for (int i = 0; i < 8; ++i) {
            const int column = source_column[8 * n + i];
            re[i] = column >= 0 ? row[column] : 0;
            im[i] = column >= 0 && has_next ? row[width + column] : 0;
        }
        x[n] = (cplx){vload8(0, re), vload8(0, im)};
    }
}

/// Two rows to their half spectra. Where `psf_height` is not 0 they are rows of one channel of a PSF, planar [psf channel]
/// [psf_height][psf_width], and lie where the first plane of an image does. (One kernel for both, and one loop for loads,
/// another for butterflies: a CPU's compiler takes several times as long over each copy of the text as all images of a
/// small batch take.)
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void lane_rows_forward(
    __global const in_sample *restrict samples, __global const scalar *restrict psf,
    __global stored *restrict intermediate, __global const scalar *restrict twiddles, __global const uint *restrict place,
    __global const scalar8 *restrict joint, __global const int *restrict source_column,
    __global const scalar *restrict bias, uint first_channel, uint psf_width, uint psf_height)
{
    __local cplx x[M];
    __local spectrum z;
    const bool is_psf = psf_height > 0;
    const uint plane = is_psf ? 0 : get_group_id(0) % PLANES, pair = is_psf ? get_group_id(0) : get_group_id(0) / PLANES;
    const uint y = 2 * pair, channel = first_channel + plane;
    if (is_psf)
        load_psf_rows(x, psf + ((size_t)channel * psf_height + y) * psf_width, psf_width, y + 1 < psf_height, source_column);
    else
        load_image_rows(x, samples, y, channel, level_of(bias, channel), source_column);

    cplx v[R0];
    scalar2 t[NAME(TWIDDLES_, R0)];
    for (int j = 0; j < STEP0; ++j) {
#pragma unroll
        for (int m = 0; m < R0; ++m) v[m] = x[j + m * STEP0];
        NAME(dft, R0)(v, false, t);
#pragma unroll
        for (int m = 0; m < R0; ++m) x[j + m * STEP0] = v[m];
    }
#if STAGES > 1
    for (int m = 0; m < R0; ++m) forward1(x + m * STEP0, m, false, 0, twiddles, twiddles);
#endif
    join_lanes(x, &z, place, joint);
    __global stored *spectra = intermediate + ((size_t)plane * ROWS + y) * PITCH;
    store_spectra(&z, spectra, spectra + PITCH);
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void lane_rows_inverse(
    __global const stored *restrict intermediate, __global out_sample *restrict samples,
    __global const scalar *restrict twiddles, __global const uint *restrict place, __global const scalar8 *restrict joint,
    __global const scalar *restrict restore, __global const scalar *restrict weight, uint first_channel)
{
    __local cplx x[M];
    __local spectrum z;
    const uint plane = get_group_id(0) % PLANES, y = get_group_id(0) / PLANES * 2, channel = first_channel + plane;
    const int rows = y + 1 < OUT_HEIGHT ? 2 : 1;
    const scalar scale = scale_of(restore, channel);
    __global const stored *spectra = intermediate + ((size_t)plane * ROWS + y) * PITCH;

    load_spectra(&z, spectra, spectra + PITCH, rows > 1);
    part_lanes(&z, x, place, joint);
#if STAGES > 1
    for (int m = 0; m < R0; ++m) back1(x + m * STEP0, m, false, 0, twiddles, twiddles);
#endif
    cplx v[R0];
    scalar2 t[NAME(TWIDDLES_, R0)];
    for (int j = 0; j < STEP0; ++j) {
        read_twiddles(t, twiddles, BT0 + j * NAME(TWIDDLES_, R0), NAME(TWIDDLES_, R0));
#pragma unroll
        for (int m = 0; m < R0; ++m) v[m] = x[j + m * STEP0];
        NAME(dft, R0)(v, true, t);
#pragma unroll
        for (int m = 0; m < R0; ++m) x[j + m * STEP0] = v[m];
    }
    for (int i = 0; i < rows; ++i) {  // parts still swapped
        __global out_sample *row = output_row(samples, y + i, channel);
        __global const scalar *covered = weight_row(weight, y + i, channel);
        for (int n = 0; 8 * n < OUT_WIDTH; ++n)
            store_columns(row, 8 * n, (i ? x[n].re : x[n].im) * scale, restore[channel], covered);
    }
}
