// The column pass where a work-item owns LANES whole columns (CPU): forward, times transfer, back, in place.
//
// Needs:  N, STAGES (2 .. 6), R0 .. and blocks.cl's defines; LANES
//         PITCH        groups of LANES columns from one row to the next; off powers of two, or rows share cache sets
//         GROUPS       groups of columns that exist; ROWS  rows of a plane of the intermediate, even
//         LOADED_Y     positions of a padded column that hold data; the rest is zero
//         ROW_TABLE    1: position n holds image row source_row[n] (the border); 0: row n
//         OUT_HEIGHT, PLANES, PSF_CHANNELS; COLUMN_SCALE as columns.cl
// Shapes: intermediate[plane][ROWS][PITCH], each element LANES columns; transfer[psf channel][GROUPS][N], in the order in
//         which the blocks end (digit-reversed). One work-item a work-group; work-group = (group, plane).

#include "complex.cl"
#include "butterfly.cl"
#include "stored.cl"

#define PASS convolve
#define FORWARD 1
#define BACK 1
#define PRODUCT 1
#include "blocks.cl"

/// Columns of the image to their convolution, in place. Where `of_psf` is not 0 they are columns of one channel of a PSF,
/// which lie where the first plane of an image does, and go to `transfer` instead: position n holds row source_row[n], or
/// nothing where that is negative. (One kernel for both: see lane_rows_forward.)
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void convolve_lanes(
    __global stored *restrict intermediate, __global stored *restrict transfer,
    __global const scalar *restrict forward_twiddle, __global const scalar *restrict back_twiddle,
    __global const int *restrict source_row, uint first_channel, uint of_psf)
{
    __local cplx x[N];
    const bool is_psf = of_psf > 0;
    const uint group = get_group_id(0) % GROUPS, plane = get_group_id(0) / GROUPS;
    __global stored *column = intermediate + plane * ROWS * (size_t)PITCH + group;
    transfer += ((size_t)((first_channel + plane) % PSF_CHANNELS) * GROUPS + group) * N;

    cplx v[R0];
    scalar2 t[NAME(TWIDDLES_, R0)];
    for (int j = 0; j < STEP0; ++j) {
#pragma unroll
        for (int m = 0; m < R0; ++m) {
            const int n = j + m * STEP0;
            const int row = is_psf || (ROW_TABLE && n < LOADED_Y) ? source_row[n] : n < LOADED_Y ? n : -1;
            v[m] = (cplx){0, 0};
            if (row >= 0) v[m] = fetch(column + (size_t)row * PITCH);
        }
        NAME(dft, R0)(v, false, t);
#pragma unroll
        for (int m = 0; m < R0; ++m) x[j + m * STEP0] = v[m];
    }
    for (int m = 0; m < R0; ++m) convolve1(x + m * STEP0, m, is_psf, transfer, forward_twiddle, back_twiddle);
    if (is_psf) return;
    for (int j = 0; j < STEP0; ++j) {
        read_twiddles(t, back_twiddle, BT0 + j * NAME(TWIDDLES_, R0), NAME(TWIDDLES_, R0));
#pragma unroll
        for (int m = 0; m < R0; ++m) v[m] = x[j + m * STEP0];
        NAME(dft, R0)(v, true, t);
#pragma unroll
        for (int m = 0; m < R0; ++m)
            if (j + m * STEP0 < OUT_HEIGHT) keep(column + (size_t)(j + m * STEP0) * PITCH, resized(swapped(v[m]), COLUMN_SCALE));
    }
}
