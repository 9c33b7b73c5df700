// SPDX-License-Identifier: Apache-2.0
// Complex values as they lie in global memory between the passes: spectra and transfers.
//
// Gives:  stored        the place of a complex value (of LANES lines)
//         fetch, keep   read and write it
//         stored_pair, fetch_pair, keep_pair   (LANES 1) the same for two of them side by side
//         TIMES_TRANSFER(z, place)         (LANES 1) z times the value of a transfer, or its conjugate
//         times_transfer(z, place, sign)   (more LANES) the same: its conjugate where `sign` is -1, not 1
// Needs:  CONJUGATE       (LANES 1) 1: columns are correlated with the PSF, for the adjoint of a convolution (default 0)
// Halves: the host ensures their range (src/plan/half_range.h). Two of them are packed in a uint by hand: NVIDIA's
//         compiler makes vstorea_half2 two stores of two bytes each.

#pragma once

#include "complex.cl"

#ifndef CONJUGATE
#define CONJUGATE 0
#endif

#if PRECISION == PRECISION_HALF && LANES == 1
typedef uint stored;  // re in the lower half
typedef uint2 stored_pair;

INLINE scalar from_half(uint bits)
{
    const ushort half_bits = bits;
    return vload_half(0, (const half *)&half_bits);
}
INLINE uint to_half(scalar value)
{
    ushort half_bits;
    vstore_half_rte(value, 0, (half *)&half_bits);
    return half_bits;
}
INLINE scalar2 unpacked(stored z) { return (scalar2)(from_half(z & 0xffff), from_half(z >> 16)); }
INLINE stored packed(scalar2 z) { return to_half(z.x) | to_half(z.y) << 16; }

INLINE cplx fetch(__global const stored *p)
{
    const scalar2 z = unpacked(*p);
    return (cplx){z.x, z.y};
}
INLINE void keep(__global stored *p, cplx z) { *p = packed((scalar2)(z.re, z.im)); }
INLINE scalar4 fetch_pair(__global const stored_pair *p)
{
    const stored_pair ab = *p;
    return (scalar4)(unpacked(ab.x), unpacked(ab.y));
}
INLINE void keep_pair(__global stored_pair *p, scalar4 ab) { *p = (stored_pair)(packed(ab.xy), packed(ab.zw)); }

#elif PRECISION == PRECISION_HALF
typedef struct {
    ushort re[LANES], im[LANES];
} stored;

INLINE cplx fetch(__global const stored *p)
{
    return (cplx){NAME(vload_half, LANES)(0, (__global const half *)p->re),
                  NAME(vload_half, LANES)(0, (__global const half *)p->im)};
}
INLINE void keep(__global stored *p, cplx z)
{
    NAME(NAME(vstore_half, LANES), _rte)(z.re, 0, (__global half *)p->re);
    NAME(NAME(vstore_half, LANES), _rte)(z.im, 0, (__global half *)p->im);
}

#elif LANES == 1
typedef scalar2 stored;
typedef scalar4 stored_pair;

INLINE cplx fetch(__global const stored *p)
{
    const scalar2 z = *p;
    return (cplx){z.x, z.y};
}
INLINE void keep(__global stored *p, cplx z) { *p = (scalar2)(z.re, z.im); }
INLINE scalar4 fetch_pair(__global const stored_pair *p) { return *p; }
INLINE void keep_pair(__global stored_pair *p, scalar4 ab) { *p = ab; }

#else
typedef cplx stored;

INLINE cplx fetch(__global const stored *p) { return *p; }
INLINE void keep(__global stored *p, cplx z) { *p = z; }
#endif

// One transfer serves a convolution and its adjoint. CPUs have one program for both: it takes seconds to build, and one more
// product of a value does not show.
#if LANES > 1
INLINE cplx times_transfer(cplx z, __global const stored *place, int sign)
{
    cplx h = fetch(place);
    h.im *= sign;
    return times(z, h);
}
#elif CONJUGATE
INLINE cplx times_conjugate(cplx a, cplx b)
{
    return (cplx){fma(a.re, b.re, a.im * b.im), fma(a.im, b.re, -a.re * b.im)};
}
#define TIMES_TRANSFER(z, place) times_conjugate(z, fetch(place))
#else
#define TIMES_TRANSFER(z, place) times(z, fetch(place))
#endif
