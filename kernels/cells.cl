// SPDX-License-Identifier: Apache-2.0
// Shared by the stages of a line: how many butterflies a work-item computes, and the cells of local memory that carry
// values from one stage to the next.
//
// Needs:  N, TX      length of a line, work-items a line (where the macros are used)
//         SPLIT      1: real, then imaginary parts pass (half the local memory); 0: both at once
//         CELL_STEP  cells from one value of a line to the next

#pragma once

#include "complex.cl"

#ifndef SPLIT  // alone
#define SPLIT 0
#endif

#define LARGEST_STRAIGHT 32

/// How many butterflies of radix r (or twice the pairs) a work-item computes. The last ones may not exist.
#define SHARE(r) ((N / (r) + TX - 1) / TX)
#define PAIR_SHARE(r) (2 * (((N / (r) + 1) / 2 + TX - 1) / TX))

/// first + tx < bound, decided by the compiler where it holds for every work-item.
#define BELOW(first, bound) ((first) + TX <= (bound) || (first) + (int)tx < (bound))
/// The same, decided by the compiler also where it holds for none.
#define WITHIN(first, bound) ((first) < (bound) && BELOW(first, bound))

#if SPLIT
typedef scalar cell;
#define PARTS 2
INLINE cell cell_of(cplx a, int part) { return part == 0 ? a.re : a.im; }
INLINE void set_part(cplx *a, cell c, int part) { *(part == 0 ? &a->re : &a->im) = c; }
#else
typedef scalar2 cell;
#define PARTS 1
INLINE cell cell_of(cplx a, int part) { return (scalar2)(a.re, a.im); }
INLINE void set_part(cplx *a, cell c, int part) { *a = (cplx){c.x, c.y}; }
#endif
