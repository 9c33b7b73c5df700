// The column pass where a work-item owns LANES whole columns (CPU): forward, times transfer, back, in place.
//
// Needs:  N, STAGES (2 .. 6), R0 .. and blocks.cl's defines; LANES
//         PITCH        groups of LANES columns from one row to the next; off powers of two, or rows share cache sets
//         GROUPS       groups of columns that exist; ROWS  rows of a plane of the intermediate, even
//         LOADED_Y     positions of a padded column that hold data; the rest is zero
//         ROW_TABLE    1: position n holds image row source_row[n] (the border); 0: row n
//         OUT_HEIGHT, PLANES, PSF_CHANNELS
// Shapes: intermediate[plane][ROWS][PITCH], each element LANES columns; transfer[psf channel][GROUPS][N], in the order in
//         which the blocks end (digit-reversed). One work-item a work-group; work-group = (group, plane).

#include "complex.cl"
#include "butterfly.cl"

#define PASS forward
#define FORWARD 1
#define BACK 0
#define PRODUCT 0
#include "blocks.cl"

#define PASS convolve
#define FORWARD 1
#define BACK 1
#define PRODUCT 1
#include "blocks.cl"

/// Level 0 of the forward transform, of the values that stand at positions j + m STEP0 of a column.
INLINE void first_level(__local cplx *x, int j, cplx *v)
{
    float2 t[NAME(TWIDDLES_, R0)];
    NAME(dft, R0)(v, false, t);
#pragma unroll
    for (int m = 0; m < R0; ++m) x[j + m * STEP0] = v[m];
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void convolve_lanes(
    __global cplx *restrict intermediate, __global const cplx *restrict transfer,
    __global const float *restrict forward_twiddle, __global const float *restrict back_twiddle,
    __global const int *restrict source_row, uint first_channel)
{
    __local cplx x[N];
    const uint group = get_group_id(0) % GROUPS, plane = get_group_id(0) / GROUPS;
    __global cplx *column = intermediate + (size_t)plane * (ROWS * PITCH) + group;
    transfer += ((size_t)((first_channel + plane) % PSF_CHANNELS) * GROUPS + group) * N;

    cplx v[R0];
    for (int j = 0; j < STEP0; ++j) {
#pragma unroll
        for (int m = 0; m < R0; ++m) {
            const int n = j + m * STEP0;
            v[m] = (cplx){0, 0};
            if (n < LOADED_Y) v[m] = column[(size_t)(ROW_TABLE ? source_row[n] : n) * PITCH];
        }
        first_level(x, j, v);
    }
    for (int m = 0; m < R0; ++m) convolve1(x + m * STEP0, m, transfer, forward_twiddle, back_twiddle);
    float2 t[NAME(TWIDDLES_, R0)];
    for (int j = 0; j < STEP0; ++j) {
        read_twiddles(t, back_twiddle, BT0 + j * NAME(TWIDDLES_, R0), NAME(TWIDDLES_, R0));
#pragma unroll
        for (int m = 0; m < R0; ++m) v[m] = x[j + m * STEP0];
        NAME(dft, R0)(v, true, t);
#pragma unroll
        for (int m = 0; m < R0; ++m)
            if (j + m * STEP0 < OUT_HEIGHT) column[(size_t)(j + m * STEP0) * PITCH] = swapped(v[m]);
    }
}

/// The PSF's spectrum, in the order in which convolve_lanes multiplies. `height`: rows of the PSF; position n of a
/// column holds row source_row[n], or nothing where that is negative.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void psf_lanes_forward(
    __global const cplx *restrict intermediate, __global cplx *restrict transfer,
    __global const float *restrict forward_twiddle, __global const int *restrict source_row, uint height)
{
    __local cplx x[N];
    const uint group = get_group_id(0) % GROUPS, channel = get_group_id(0) / GROUPS;
    __global const cplx *column = intermediate + (size_t)channel * ((height + 1) / 2 * 2) * PITCH + group;

    cplx v[R0];
    for (int j = 0; j < STEP0; ++j) {
#pragma unroll
        for (int m = 0; m < R0; ++m) {
            const int row = source_row[j + m * STEP0];
            v[m] = (cplx){0, 0};
            if (row >= 0) v[m] = column[(size_t)row * PITCH];
        }
        first_level(x, j, v);
    }
    for (int m = 0; m < R0; ++m) forward1(x + m * STEP0, m, 0, forward_twiddle, forward_twiddle);
    transfer += ((size_t)channel * GROUPS + group) * N;
    for (int n = 0; n < N; ++n) transfer[n] = x[n];
}
