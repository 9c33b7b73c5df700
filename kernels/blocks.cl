// SPDX-License-Identifier: Apache-2.0
// The stages 1, 2, ... of lines that a work-item owns whole: functions FUNCTION1, FUNCTION2, ... as block.cl.
//
// Needs:  FUNCTION, FORWARD, BACK, PRODUCT   as block.cl; undefined again at the end
//         STAGES          at most 6; R0 R1 ... their radices
//         STEP0 STEP1 ... N over the product of the radices up to this one
//         FT1 FT2 ...     where a stage's forward twiddles begin;  BT0 BT1 ...  its back twiddles
// Stage 0 is in first_stage.cl.

#ifndef LANES
#define LANES 8
#endif

#include "complex.cl"
#include "butterfly.cl"
#include "stored.cl"

#ifndef FUNCTION  // alone
#define FUNCTION convolve
#define FORWARD 1
#define BACK 1
#define PRODUCT 1
#endif
#ifndef N  // alone: lines of 16 = 4 x 4
#define N 16
#define STAGES 2
#define R0 4
#define R1 4
#define STEP0 4
#define STEP1 1
#define FT1 0
#define BT0 0
#define BT1 8
#endif

#if STAGES > 5
#define STAGE 5
#define RADIX R5
#define STEP STEP5
#define FORWARD_TABLE FT5
#define BACK_TABLE BT5
#include "block.cl"
#endif
#if STAGES > 4
#define STAGE 4
#define RADIX R4
#define STEP STEP4
#define FORWARD_TABLE FT4
#define BACK_TABLE BT4
#if STAGES > 5
#define NEXT 5
#endif
#include "block.cl"
#endif
#if STAGES > 3
#define STAGE 3
#define RADIX R3
#define STEP STEP3
#define FORWARD_TABLE FT3
#define BACK_TABLE BT3
#if STAGES > 4
#define NEXT 4
#endif
#include "block.cl"
#endif
#if STAGES > 2
#define STAGE 2
#define RADIX R2
#define STEP STEP2
#define FORWARD_TABLE FT2
#define BACK_TABLE BT2
#if STAGES > 3
#define NEXT 3
#endif
#include "block.cl"
#endif
#if STAGES > 1
#define STAGE 1
#define RADIX R1
#define STEP STEP1
#define FORWARD_TABLE FT1
#define BACK_TABLE BT1
#if STAGES > 2
#define NEXT 2
#endif
#include "block.cl"
#endif

#undef FUNCTION
#undef FORWARD
#undef BACK
#undef PRODUCT
