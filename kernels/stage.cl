// SPDX-License-Identifier: Apache-2.0
// One stage of a line. Included once a stage by line.cl, with RADIX a literal: compilers unroll a loop
// reliably only if its bound is a literal where it is written, not a parameter that becomes one.
//
// Needs:  line.cl's defines (tiled.cl: some of them for each axis)
//         RADIX; STAGE, the stage's number, which names its functions: stage0, put0, take0, ...
//         PAIRED  1: a work-item has pairs of butterflies p and N/RADIX - p (row passes, see below); 0: single ones
// Shapes: butterfly j takes the values j + m N/RADIX, 0 <= m < RADIX; src/fft/stage_index.h has the formulas.
//         A work-item's i-th butterfly is butterflySTAGE(tx, i); its values are v[i RADIX] ... v[i RADIX + RADIX - 1].

#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"
#include "cells.cl"

#ifndef RADIX  // alone: the first stage of a line of 16
#define RADIX 4
#define STAGE 0
#define PAIRED 0
#define N 16
#define TX 4
#define CELL_STEP 1
#define IN_PLACE 0
#endif

#if PAIRED
// Pair p: butterflies p and N/RADIX - p, whose values number k and N - k lie in one work-item's registers.
// Butterfly 0 goes with N/(2 RADIX), or with itself if N/RADIX is odd.
// BASE(i): the i-th butterfly, or the pair of it, of work-item 0. That of work-item tx is tx further on.
#define BASE(i) ((i) / 2 * TX)
#define LAST_BUTTERFLY ((N / RADIX + 1) / 2)
INLINE uint NAME(butterfly, STAGE)(uint tx, int i)
{
    const uint p = tx + BASE(i);
    if (i % 2 == 0) return p;
    return p > 0 ? N / RADIX - p : N / RADIX % 2 == 0 ? N / RADIX / 2 : 0;
}
#define OWN_BUTTERFLIES PAIR_SHARE(RADIX)
#else
#define BASE(i) ((i)*TX)
#define LAST_BUTTERFLY (N / RADIX)
INLINE uint NAME(butterfly, STAGE)(uint tx, int i) { return tx + BASE(i); }
#define OWN_BUTTERFLIES SHARE(RADIX)
#endif

#if RADIX > LARGEST_STRAIGHT
#define EACH_VALUE  // a loop: the values are in memory anyway
#else
#define EACH_VALUE _Pragma("unroll")
#endif

/// The butterflies. Butterfly j takes the twiddle k = j / run % stride of `stride` ones, twiddle[k] = exp(-2 pi i f(k) /
/// (stride RADIX)): in sorted order stride is the product of the radices before, run 1 and f(k) = k.
INLINE void NAME(stage, STAGE)(cplx *v, uint tx, int stride, int run, __global const scalar2 *restrict twiddle)
{
#pragma unroll
    for (int i = 0; i < OWN_BUTTERFLIES; ++i)
        if (BELOW(BASE(i), LAST_BUTTERFLY)) {
            const uint j = NAME(butterfly, STAGE)(tx, i);
            const uint k = stride * run == N / RADIX ? j / run : j / run % stride;
#if RADIX > LARGEST_STRAIGHT
            generic_dft(v + i * RADIX, RADIX, k, stride, twiddle);
#else
            scalar2 t[NAME(TWIDDLES_, RADIX)];
            if (stride > 1) NAME(twiddles, RADIX)(t, twiddle[k]);
            NAME(dft, RADIX)(v + i * RADIX, stride > 1, t);
#endif
        }
}

#if IN_PLACE
/// The cell of a butterfly's first value, before and after the butterfly; the others follow PADDED(step) apart. Position
/// p lies at PADDED(p), and PAD_BLOCK divides `step`, or step RADIX divides PAD_BLOCK.
INLINE uint NAME(home, STAGE)(uint tx, int i, int step)
{
    const uint j = NAME(butterfly, STAGE)(tx, i), p = j / step * (step * RADIX) + j % step;
    return PADDED(p);
}

/// Outputs to local memory, to the cells that the inputs came from.
INLINE void NAME(put, STAGE)(const cplx *v, uint tx, int step, int part, __local cell *line)
{
#pragma unroll
    for (int i = 0; i < OWN_BUTTERFLIES; ++i)
        if (BELOW(BASE(i), LAST_BUTTERFLY)) {
            __local cell *to = line + NAME(home, STAGE)(tx, i, step);
            EACH_VALUE
            for (int q = 0; q < RADIX; ++q) to[q * PADDED(step)] = cell_of(v[i * RADIX + q], part);
        }
}

/// Inputs from local memory.
INLINE void NAME(take, STAGE)(cplx *v, uint tx, int step, int part, __local const cell *line)
{
#pragma unroll
    for (int i = 0; i < OWN_BUTTERFLIES; ++i)
        if (BELOW(BASE(i), LAST_BUTTERFLY)) {
            __local const cell *from = line + NAME(home, STAGE)(tx, i, step);
            EACH_VALUE
            for (int m = 0; m < RADIX; ++m) set_part(&v[i * RADIX + m], from[m * PADDED(step)], part);
        }
}
#else
/// Outputs to local memory: output q of butterfly j belongs at j / stride * block + j % stride + q stride,
/// block = stride RADIX; `pad` unused cells after each block keep the banks apart.
INLINE void NAME(put, STAGE)(const cplx *v, uint tx, int stride, int pad, int part, __local cell *line)
{
#pragma unroll
    for (int i = 0; i < OWN_BUTTERFLIES; ++i)
        if (BELOW(BASE(i), LAST_BUTTERFLY)) {
            const uint j = NAME(butterfly, STAGE)(tx, i);
            __local cell *to = line + (j / stride * (stride * RADIX + pad) + j % stride) * CELL_STEP;
            EACH_VALUE
            for (int q = 0; q < RADIX; ++q) to[q * stride * CELL_STEP] = cell_of(v[i * RADIX + q], part);
        }
}

/// Inputs from local memory. `block`, `pad`: as the stage before laid them out; block divides N/RADIX.
INLINE void NAME(take, STAGE)(cplx *v, uint tx, int block, int pad, int part, __local const cell *line)
{
#pragma unroll
    for (int i = 0; i < OWN_BUTTERFLIES; ++i)
        if (BELOW(BASE(i), LAST_BUTTERFLY)) {
            const uint j = NAME(butterfly, STAGE)(tx, i);
            __local const cell *from = line + (j + j / block * pad) * CELL_STEP;
            EACH_VALUE
            for (int m = 0; m < RADIX; ++m)
                set_part(&v[i * RADIX + m], from[m * (N / RADIX / block * (block + pad)) * CELL_STEP], part);
        }
}
#endif

#undef BASE
#undef LAST_BUTTERFLY
#undef OWN_BUTTERFLIES
#undef EACH_VALUE
#undef PAIRED
#undef STAGE
#undef RADIX
