// SPDX-License-Identifier: Apache-2.0
// The functions of lane_line.cl for any line: stages and radices are values, not defines.
//
// One program serves all lengths. It is a few percent slower than a program of one length, because of a switch before
// each run of butterflies. Lines are traversed depth first as in block.cl, without recursion: piece by piece, each
// as long as a block of the last stage but one; a stage's block begins, or ends, where its span divides the position.
// Each function calls butterflies with twiddles in one place only, because each place compiles them for six radices.
//
// Needs:  LANES; WHOLE_LINES, CONVOLVE_BLOCKS as lane_line.cl

#pragma once

#ifndef LANES
#define LANES 8
#endif
#ifndef CONVOLVE_BLOCKS  // alone
#define WHOLE_LINES 1
#define CONVOLVE_BLOCKS 1
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "stored.cl"
#include "line_space.cl"
#include "lane_stages.cl"

#define RADIX 3
#include "general_block.cl"
#define RADIX 4
#include "general_block.cl"
#define RADIX 5
#include "general_block.cl"
#define RADIX 6
#include "general_block.cl"
#define RADIX 7
#include "general_block.cl"
#define RADIX 8
#include "general_block.cl"

/// Calls function##r for the radix r. `arguments` in parentheses: OpenCL C has no macros of any number of arguments.
#define WITH_RADIX(r, function, arguments)       \
    switch (r) {                                 \
    case 3: function##3 arguments; break;       \
    case 4: function##4 arguments; break;       \
    case 5: function##5 arguments; break;       \
    case 6: function##6 arguments; break;       \
    case 7: function##7 arguments; break;       \
    case 8: function##8 arguments; break;       \
    }

/// Values of a piece: a block of the last stage but one; the whole line if that is stage 0.
INLINE int piece_of(const lane_stages *l)
{
    return l->count > 2 ? l->radix[l->count - 2] * l->step[l->count - 2] : l->length;
}

#if WHOLE_LINES
INLINE void transform_line(LINE_SPACE cplx *x, const lane_stages *l, bool is_back, __global const scalar *table)
{
    const int last = l->count - 1, piece = piece_of(l);
    for (int at = 0; at < l->length; at += piece)
        for (int turn = 0; turn <= last; ++turn) {
            const int k = is_back ? last - turn : turn, r = l->radix[k], span = r * l->step[k], end = at + piece;
            // One block, or all blocks of the last stage in this piece.
            const bool many = k == last && last > 0;
            if (!many && (is_back ? end : at) % span != 0) continue;
            LINE_SPACE cplx *first = x + (is_back && !many ? end - span : at);
            const int count = many ? piece / r : l->step[k], next = many ? r : 1;
            if (turn == 0 && !(is_back && last == 0)) {
                WITH_RADIX(r, plain, (first, count, next, l->step[k]))
            } else {
                WITH_RADIX(r, twiddled,
                           (first, count, next, l->step[k],
                            table + 2 * (is_back ? l->back[k] : l->forward[k] + at / span * l->set[k]),
                            is_back || many ? l->set[k] : 0))
            }
        }
}
#endif

#if CONVOLVE_BLOCKS
INLINE void convolve_blocks(LINE_SPACE cplx *x, const lane_stages *l, int sign, __global stored *transfer,
                            __global const scalar *forward_twiddle, __global const scalar *back_twiddle)
{
    const int last = l->count - 1, piece = piece_of(l);
    for (int at = 0; at < l->length; at += piece) {
        // Stages 1 .. last - 1 there, the product at stage `last`, stages last - 1 .. 1 back.
        for (int turn = 1; turn < (sign == 0 ? last + 1 : 2 * last); ++turn) {
            const bool there = turn < last;
            const int k = there ? turn : 2 * last - turn, r = l->radix[k], span = r * l->step[k];
            if (turn == last) {
                WITH_RADIX(r, product,
                           (x + at, piece / r, forward_twiddle + 2 * (l->forward[k] + at / r * l->set[k]), sign,
                            transfer + at))
                continue;
            }
            const int end = there ? at + span : at + piece;
            if ((there ? at : end) % span != 0) continue;
            WITH_RADIX(r, twiddled,
                       (x + end - span, l->step[k], 1, l->step[k],
                        there ? forward_twiddle + 2 * (l->forward[k] + at / span * l->set[k])
                              : back_twiddle + 2 * l->back[k],
                        there ? 0 : l->set[k]))
        }
    }
}
#endif
