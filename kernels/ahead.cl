// SPDX-License-Identifier: Apache-2.0
// Memory that a CPU will need soon is asked for while it computes.
//
// Gives:  will_read, will_write   ask for the cache line at a place, which may lie outside of its buffer
//         ROWS_AHEAD              how many rows of an image before they are loaded or stored (docs/decisions/069-rows-ahead.md)
//         CPU_LINE                bytes of a cache line; other sizes only cost time
// OpenCL's prefetch() does nothing on PoCL. Compilers other than PoCL's have not been measured, and some do not know Clang's
// function (Oclgrind); for them nothing happens.

#pragma once

#include "complex.cl"

#define CPU_LINE 64
#define ROWS_AHEAD 4

/// PoCL defines this name.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define ASK_FOR(place, is_written) __builtin_prefetch((const void *)(place), is_written)
#else
#define ASK_FOR(place, is_written)
#endif

// As numbers: the function takes pointers to private memory, which others do not become.
INLINE void will_read(__global const void *place) { ASK_FOR((size_t)place, 0); }
INLINE void will_write(__global const void *place) { ASK_FOR((size_t)place, 1); }
