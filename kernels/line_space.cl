// SPDX-License-Identifier: Apache-2.0
// Where the lines lie that work-items own.
//
// Needs:  LONG_LINES   1: in global memory, because local memory does not hold one; 0: in local memory
// Gives:  LINE_SPACE   their address space

#pragma once

#ifndef LONG_LINES
#define LONG_LINES 0
#endif

#if LONG_LINES
#define LINE_SPACE __global
#else
#define LINE_SPACE __local
#endif
