// Lines that a work-item owns whole, eight side by side (CPUs), in local memory.
//
// Needs:  complex.cl with LANES 8, butterfly.cl, stored.cl (CONVOLVE_BLOCKS), levels.cl
//         GENERAL   0: lines of one sequence of radices, which are blocks.cl's defines; 1: any line, as `l` has it
//         WHOLE_LINES, CONVOLVE_BLOCKS   1: which functions are wanted
// Gives:  LENGTH_OF(l)     values of a line
//         transform_line(x, l, is_back, table)   a whole transform in place: forward natural to digit-reversed order, back
//                          digit-reversed to natural
//         convolve_blocks(x, l, is_psf, transfer, forward_twiddle, back_twiddle)   all levels but 0 there, times transfer,
//                          all but 0 back; of a PSF there, and kept as the transfer
//         first_level(x), last_level(x, table)   (GENERAL 0) level 0 there and back
//         WITH_LEVEL_0(l, function, arguments)   calls function##R for the radix R of level 0; `arguments` in parentheses
// Both variants give the same to the last bit.

#if GENERAL

#define LENGTH_OF(l) ((l)->length)
#include "general_blocks.cl"
#define WITH_LEVEL_0(l, function, arguments) WITH_RADIX((l)->radix[0], function, arguments)

#else

#define LENGTH_OF(l) N
#define WITH_LEVEL_0(l, function, arguments) NAME(function, R0) arguments;

#if WHOLE_LINES
#define PASS forward
#define FORWARD 1
#define BACK 0
#define PRODUCT 0
#include "blocks.cl"
#define PASS back
#define FORWARD 0
#define BACK 1
#define PRODUCT 0
#include "blocks.cl"
#endif
#if CONVOLVE_BLOCKS
#define PASS convolve
#define FORWARD 1
#define BACK 1
#define PRODUCT 1
#include "blocks.cl"
#endif

INLINE void first_level(__local cplx *x)
{
    scalar2 t[NAME(TWIDDLES_, R0)];
    cplx v[R0];
    for (int j = 0; j < STEP0; ++j) {
#pragma unroll
        for (int m = 0; m < R0; ++m) v[m] = x[j + m * STEP0];
        NAME(dft, R0)(v, false, t);
#pragma unroll
        for (int m = 0; m < R0; ++m) x[j + m * STEP0] = v[m];
    }
}

INLINE void last_level(__local cplx *x, __global const scalar *table)
{
    scalar2 t[NAME(TWIDDLES_, R0)];
    cplx v[R0];
    for (int j = 0; j < STEP0; ++j) {
        read_twiddles(t, table, BT0 + j * NAME(TWIDDLES_, R0), NAME(TWIDDLES_, R0));
#pragma unroll
        for (int m = 0; m < R0; ++m) v[m] = x[j + m * STEP0];
        NAME(dft, R0)(v, true, t);
#pragma unroll
        for (int m = 0; m < R0; ++m) x[j + m * STEP0] = v[m];
    }
}

#if WHOLE_LINES
INLINE void transform_line(__local cplx *x, const levels *l, bool is_back, __global const scalar *table)
{
    if (is_back) {
#if STAGES > 1
        for (int m = 0; m < R0; ++m) back1(x + m * STEP0, m, false, 0, table, table);
#endif
        last_level(x, table);
    } else {
        first_level(x);
#if STAGES > 1
        for (int m = 0; m < R0; ++m) forward1(x + m * STEP0, m, false, 0, table, table);
#endif
    }
}
#endif

#if CONVOLVE_BLOCKS
INLINE void convolve_blocks(__local cplx *x, const levels *l, bool is_psf, __global stored *transfer,
                            __global const scalar *forward_twiddle, __global const scalar *back_twiddle)
{
    for (int m = 0; m < R0; ++m) convolve1(x + m * STEP0, m, is_psf, transfer, forward_twiddle, back_twiddle);
}
#endif

#endif
