// SPDX-License-Identifier: Apache-2.0
// One line transformed by a work-group: stages in registers, exchanges through local memory.
//
// Needs:  N           length of a line
//         STAGES      how many stages, at most 13; R0 R1 ... their radices, whose product is N
//         PAIRED_LAST 1: the last stage's butterflies come in pairs p, N/R - p (row passes); 0: singly (columns)
//         TX          work-items a line
//         SPLIT       1: exchange real, then imaginary parts (half the local memory); 0: both at once
//         SECOND_BUFFER  cells to a line's second buffer, where exchanges alternate; 0: there is one
//         S0 S1 ...   stride of a stage in forward order, B0 B1 ... in reversed order (host: src/fft/local_line.h)
//         W1 W2 ...   where a stage's twiddle table begins in forward order, V0 V1 ... in reversed order
//         PAD1 ...    pad of the exchange before a stage in forward order, BACK_PAD0 ... in reversed order
//         IN_PLACE    0: Stockham's order, input and output natural. 1: a work-item puts its outputs where its inputs
//                     were (PAIRED_LAST 0 only): transform() leaves digit-reversed order, transform_reversed() takes it;
//                     PADDED(position) is a cell, PAD unused ones after each PAD_BLOCK
// Order:  Nothing is ever permuted: autosort forward and back, or decimation in frequency and then in time.
//         (Both orders put the twiddle before the butterfly: forward in place, that is the deferred form of decimation in
//         time, where all butterflies of a block share f(block) = its digits reversed; host: src/fft/twiddles.h.)
// Every index of v is a constant after inlining, so that v lives in registers.

#pragma once

#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"

#ifndef PAIRED_LAST
#define PAIRED_LAST 0
#endif
#ifndef N  // alone: a line of 16 = 4 x 4, in four work-items
#define N 16
#define STAGES 2
#define LAST_STAGE 1
#define R0 4
#define R1 4
#define TX 4
#define VALUES 8  // four, but for pairs
#define LINE_CELLS 16
#define SPLIT 0
#define SECOND_BUFFER 0
#define IN_PLACE 0
#define PAD_BLOCK 1
#define PAD 0
#define PAD1 0
#define BACK_PAD0 0
#define S0 1
#define S1 4
#define B0 4
#define B1 1
#define W0 0
#define W1 1
#define V0 1
#define V1 0
#endif

#define CELL_STEP 1
#include "cells.cl"

#define PADDED(position) ((position) + (position) / PAD_BLOCK * PAD)

#define STAGE 0
#define RADIX R0
#define PAIRED (PAIRED_LAST && STAGES == 1)
#include "stage.cl"
#if STAGES > 1
#define STAGE 1
#define RADIX R1
#define PAIRED (PAIRED_LAST && STAGES == 2)
#include "stage.cl"
#endif
#if STAGES > 2
#define STAGE 2
#define RADIX R2
#define PAIRED (PAIRED_LAST && STAGES == 3)
#include "stage.cl"
#endif
#if STAGES > 3
#define STAGE 3
#define RADIX R3
#define PAIRED (PAIRED_LAST && STAGES == 4)
#include "stage.cl"
#endif
#if STAGES > 4
#define STAGE 4
#define RADIX R4
#define PAIRED (PAIRED_LAST && STAGES == 5)
#include "stage.cl"
#endif
#if STAGES > 5
#define STAGE 5
#define RADIX R5
#define PAIRED (PAIRED_LAST && STAGES == 6)
#include "stage.cl"
#endif
#if STAGES > 6
#define STAGE 6
#define RADIX R6
#define PAIRED (PAIRED_LAST && STAGES == 7)
#include "stage.cl"
#endif
#if STAGES > 7
#define STAGE 7
#define RADIX R7
#define PAIRED (PAIRED_LAST && STAGES == 8)
#include "stage.cl"
#endif
#if STAGES > 8
#define STAGE 8
#define RADIX R8
#define PAIRED (PAIRED_LAST && STAGES == 9)
#include "stage.cl"
#endif
#if STAGES > 9
#define STAGE 9
#define RADIX R9
#define PAIRED (PAIRED_LAST && STAGES == 10)
#include "stage.cl"
#endif
#if STAGES > 10
#define STAGE 10
#define RADIX R10
#define PAIRED (PAIRED_LAST && STAGES == 11)
#include "stage.cl"
#endif
#if STAGES > 11
#define STAGE 11
#define RADIX R11
#define PAIRED (PAIRED_LAST && STAGES == 12)
#include "stage.cl"
#endif
#if STAGES > 12
#define STAGE 12
#define RADIX R12
#define PAIRED (PAIRED_LAST && STAGES == 13)
#include "stage.cl"
#endif

#define LAST_RADIX NAME(R, LAST_STAGE)
#define LAST_VALUES (SHARE(LAST_RADIX) * LAST_RADIX)  // of single butterflies
#if LAST_RADIX > LARGEST_STRAIGHT
#define EACH_LAST_VALUE
#else
#define EACH_LAST_VALUE _Pragma("unroll")
#endif
#if R0 > LARGEST_STRAIGHT
#define EACH_FIRST_VALUE
#else
#define EACH_FIRST_VALUE _Pragma("unroll")
#endif

// The butterflies of the first stage, where a line is loaded in forward order and stored in reversed order: value
// m of the i-th, number j = butterfly0(tx, i), has position j + m N/R0 of the line.
// FIRST_BELOW: that butterfly exists, and its position lies below `bound` (at most N).
#if PAIRED_LAST && STAGES == 1  // one butterfly, 0, its own partner
#define FIRST_SHARE PAIR_SHARE(R0)
#define FIRST_EXISTS(i) BELOW((i) / 2 * TX, 1)
#define FIRST_BELOW(i, m, bound) (FIRST_EXISTS(i) && (m) < (bound))
#define FIRST_UNDER(i, m, size) FIRST_BELOW(i, m, size)
#else
#define FIRST_SHARE SHARE(R0)
#define FIRST_EXISTS(i) BELOW((i)*TX, N / R0)
#define FIRST_BELOW(i, m, bound) (FIRST_EXISTS(i) && WITHIN((i)*TX + (m) * (N / R0), bound))
// FIRST_UNDER: the same for a bound that may be a run-time size (sizes.cl). It is one comparison then, which becomes a
// predicate.
#define FIRST_UNDER(i, m, size) \
    (SIZES_ARE_CONSTANT ? FIRST_BELOW(i, m, size) : FIRST_EXISTS(i) && (int)tx + ((i)*TX + (m) * (N / R0)) < (size))
#endif

#if IN_PLACE

/// Moves values from the outputs of stage `a` to the inputs of stage `b`. A work-item writes only to cells that it has read
/// itself, so no barrier is needed before. Only the second part must wait until all work-items have read the first.
#define EXCHANGE(a, b, next_tx, next_line)                                 \
    _Pragma("unroll") for (int part = 0; part < PARTS; ++part)             \
    {                                                                      \
        if (part > 0) barrier(CLK_LOCAL_MEM_FENCE);                        \
        put##a(v, tx, B##a, part, line);                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                      \
        take##b(v, next_tx, B##b, part, next_line);                        \
    }
#define STAGE_FORWARD(a, b)     \
    EXCHANGE(a, b, tx, line)    \
    stage##b(v, tx, S##b, B##b, twiddle + W##b);
#define STAGE_BACK_AS(a, b, next_tx, next_line) \
    EXCHANGE(a, b, next_tx, next_line)          \
    stage##b(v, next_tx, B##b, 1, twiddle + V##b);

#else

/// Where the buffer for the outputs of stage `a` begins. The stages of two exchanges in a row have numbers one apart, also
/// where a reversed transform follows a forward one (the last exchange of the one is of stage LAST_STAGE - 1, the first of
/// the other of LAST_STAGE). So they use different buffers, and two exchanges that share a buffer have the barrier of the
/// one between them.
#define BUFFER(a) ((a) % 2 * SECOND_BUFFER)

/// From the outputs of stage `a` to the inputs of stage `b`. The second barrier frees the buffer, if it is the only one.
#define EXCHANGE(a, b, stride, pad, next_tx, next_line)                            \
    _Pragma("unroll") for (int part = 0; part < PARTS; ++part)                     \
    {                                                                              \
        put##a(v, tx, stride, pad, part, line + BUFFER(a));                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                              \
        take##b(v, next_tx, (stride)*R##a, pad, part, (next_line) + BUFFER(a));    \
        if (SECOND_BUFFER == 0) barrier(CLK_LOCAL_MEM_FENCE);                      \
    }
#define STAGE_FORWARD(a, b)                    \
    EXCHANGE(a, b, S##a, PAD##b, tx, line)     \
    stage##b(v, tx, S##b, 1, twiddle + W##b);
#define STAGE_BACK_AS(a, b, next_tx, next_line)              \
    EXCHANGE(a, b, B##a, BACK_PAD##b, next_tx, next_line)    \
    stage##b(v, next_tx, B##b, 1, twiddle + V##b);

#endif

#define STAGE_BACK(a, b) STAGE_BACK_AS(a, b, tx, line)

/// Forward transform with the radices in order.
INLINE void transform(cplx *v, uint tx, __global const scalar2 *restrict twiddle, __local cell *line)
{
    stage0(v, tx, 1, N / R0, twiddle);
#if STAGES > 1
    STAGE_FORWARD(0, 1)
#endif
#if STAGES > 2
    STAGE_FORWARD(1, 2)
#endif
#if STAGES > 3
    STAGE_FORWARD(2, 3)
#endif
#if STAGES > 4
    STAGE_FORWARD(3, 4)
#endif
#if STAGES > 5
    STAGE_FORWARD(4, 5)
#endif
#if STAGES > 6
    STAGE_FORWARD(5, 6)
#endif
#if STAGES > 7
    STAGE_FORWARD(6, 7)
#endif
#if STAGES > 8
    STAGE_FORWARD(7, 8)
#endif
#if STAGES > 9
    STAGE_FORWARD(8, 9)
#endif
#if STAGES > 10
    STAGE_FORWARD(9, 10)
#endif
#if STAGES > 11
    STAGE_FORWARD(10, 11)
#endif
#if STAGES > 12
    STAGE_FORWARD(11, 12)
#endif
}

/// Forward transform with the radices reversed: takes its inputs where transform() left its outputs,
/// and leaves its outputs where transform() took its inputs. `twiddle`: tables of its own.
/// A work-item takes the last stage of work-item `last_tx` of the line in `last_line`, with STAGES > 1.
INLINE void transform_reversed_as(cplx *v, uint tx, __global const scalar2 *restrict twiddle, __local cell *line,
                                  uint last_tx, __local cell *last_line)
{
    NAME(stage, LAST_STAGE)(v, tx, 1, N / LAST_RADIX, twiddle);
#if STAGES > 12
    STAGE_BACK(12, 11)
#endif
#if STAGES > 11
    STAGE_BACK(11, 10)
#endif
#if STAGES > 10
    STAGE_BACK(10, 9)
#endif
#if STAGES > 9
    STAGE_BACK(9, 8)
#endif
#if STAGES > 8
    STAGE_BACK(8, 7)
#endif
#if STAGES > 7
    STAGE_BACK(7, 6)
#endif
#if STAGES > 6
    STAGE_BACK(6, 5)
#endif
#if STAGES > 5
    STAGE_BACK(5, 4)
#endif
#if STAGES > 4
    STAGE_BACK(4, 3)
#endif
#if STAGES > 3
    STAGE_BACK(3, 2)
#endif
#if STAGES > 2
    STAGE_BACK(2, 1)
#endif
#if STAGES > 1
    STAGE_BACK_AS(1, 0, last_tx, last_line)
#endif
}

/// The same, where each work-item keeps its own line.
INLINE void transform_reversed(cplx *v, uint tx, __global const scalar2 *restrict twiddle, __local cell *line)
{
    transform_reversed_as(v, tx, twiddle, line, tx, line);
}
