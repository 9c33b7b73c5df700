// SPDX-License-Identifier: Apache-2.0
// Whole complex lines, forward or back: the transform by itself, for tests, the self-test and the benchmark.
//
// Needs:  line.cl's defines with PAIRED_LAST 0; BACK_TWIDDLES, where the reversed order's tables begin
// Shapes: lines[line][N] complex, in place; one work-group a line.
// Inverse: parts swapped before and after, stages in reversed order; not scaled.

#ifndef BACK_TWIDDLES  // alone
#define BACK_TWIDDLES 5
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"
#include "line.cl"

__kernel void transform_forward(__global scalar2 *restrict lines, __global const scalar2 *restrict twiddles)
{
    __local cell scratch[LINE_CELLS];
    const uint tx = get_local_id(0);
    lines += get_group_id(0) * (size_t)N;

    cplx v[VALUES];
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i)
        if (FIRST_EXISTS(i)) {
            EACH_FIRST_VALUE
            for (int m = 0; m < R0; ++m) {
                const scalar2 z = lines[butterfly0(tx, i) + m * (N / R0)];
                v[i * R0 + m] = (cplx){z.x, z.y};
            }
        }
    transform(v, tx, twiddles, scratch);
    barrier(CLK_GLOBAL_MEM_FENCE);  // in place, and others have read what is written here
    // The last stage's stride is N / LAST_RADIX: output q of butterfly j is value j + q N / LAST_RADIX of the line.
    EACH_LAST_VALUE
    for (int i = 0; i < LAST_VALUES; ++i)
        if (BELOW(i / LAST_RADIX * TX, N / LAST_RADIX))
            lines[tx + i / LAST_RADIX * TX + i % LAST_RADIX * (N / LAST_RADIX)] = (scalar2)(v[i].re, v[i].im);
}

__kernel void transform_back(__global scalar2 *restrict lines, __global const scalar2 *restrict twiddles)
{
    __local cell scratch[LINE_CELLS];
    const uint tx = get_local_id(0);
    lines += get_group_id(0) * (size_t)N;

    cplx v[VALUES];
    EACH_LAST_VALUE
    for (int i = 0; i < LAST_VALUES; ++i)
        if (BELOW(i / LAST_RADIX * TX, N / LAST_RADIX)) {
            const scalar2 z = lines[tx + i / LAST_RADIX * TX + i % LAST_RADIX * (N / LAST_RADIX)];
            v[i] = (cplx){z.y, z.x};
        }
    transform_reversed(v, tx, twiddles + BACK_TWIDDLES, scratch);
    barrier(CLK_GLOBAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < FIRST_SHARE; ++i)
        if (FIRST_EXISTS(i)) {
            EACH_FIRST_VALUE
            for (int m = 0; m < R0; ++m)
                lines[butterfly0(tx, i) + m * (N / R0)] = (scalar2)(v[i * R0 + m].im, v[i * R0 + m].re);
        }
}
