// SPDX-License-Identifier: Apache-2.0
// Instructions of NVIDIA's own, and the same functions for all other compilers.
//
// Gives:  ON_NVIDIA       whether this compiler is NVIDIA's
//         ordered_bytes   four of the eight bytes of two words
//         RECOMPUTE       has values that depend on a variable computed again instead of kept in registers
//         prefetch_line   loads memory into the cache before it is needed, in lines of CACHE_LINE bytes
// Other files ask ON_NVIDIA only to choose between formulas of plain OpenCL C.
#pragma once

#include "complex.cl"

/// NVIDIA's compiler defines this name.
#ifdef __NV_CL_C_VERSION
#define ON_NVIDIA 1
#else
#define ON_NVIDIA 0
#endif

/// Four of the eight bytes of two words, 0 .. 3 of `low` and 4 .. 7 of `high`. Each hexadecimal digit of `order` names one;
/// the lowest digit names the lowest byte of the result.
INLINE uint ordered_bytes(uint low, uint high, uint order)
{
#if ON_NVIDIA
    uint bytes;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(order));
    return bytes;
#else
    const ulong both = (ulong)high << 32 | low;
    uint bytes = 0;
    for (int k = 0; k < 4; ++k) bytes |= ((uint)(both >> 8 * (order >> 4 * k & 7)) & 255) << 8 * k;
    return bytes;
#endif
}

/// Has values that depend on `value`, 32 bits, computed again after this line. NVIDIA's compiler would keep them in registers
/// instead. Other compilers decide that themselves.
#if ON_NVIDIA
#define RECOMPUTE(value) asm volatile("mov.b32 %0, %0;" : "+r"(value))
#else
#define RECOMPUTE(value)
#endif

/// Whether prefetch_line() does something. No other device has been measured.
#define PREFETCHES ON_NVIDIA

/// Loads the line of the cache with the byte at `place` into the multiprocessor's cache.
#define CACHE_LINE 128
INLINE void prefetch_line(__global const char *place)
{
#if PREFETCHES
    asm volatile("prefetch.global.L1 [%0];" : : "l"(place));
#endif
}
