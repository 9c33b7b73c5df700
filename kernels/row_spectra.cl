// SPDX-License-Identifier: Apache-2.0
// The spectra of image rows, from the registers of a transformed line to memory, and back to registers.
//
// Needs:  of rows.cl's defines those of line.cl with PAIRED_LAST 1, and spectrum.cl's; PACKED_CHANNELS, PRODUCT, CHANNELS, PLANAR
//         ROWS_FORWARD, ROWS_INVERSE   which of both
// Gives:  store_spectra (ROWS_FORWARD), load_spectra (ROWS_INVERSE)
//         ROWS_A_LINE, CHANNELS_A_LINE   what a line has
//         TO_SECOND, to_second_sample    from a line's first row to its second
#pragma once

#ifndef PACKED_CHANNELS  // alone
#define PAIRED_LAST 1
#define PACKED_CHANNELS 0
#define PRODUCT 0
#define CHANNELS 1
#define PLANAR 0
#define ROWS_FORWARD 1
#define ROWS_INVERSE 1
#endif

#include "complex.cl"
#include "line.cl"
#include "sizes.cl"
#include "stored.cl"
#include "spectrum.cl"

#define BUTTERFLIES (N / LAST_RADIX)
#define HALF_UP ((LAST_RADIX + 1) / 2)

#if PACKED_CHANNELS
#define ROWS_A_LINE 1
#define CHANNELS_A_LINE 2
#define TO_SECOND_VALUE PACK_ROWS
#else
#define ROWS_A_LINE 2
#define CHANNELS_A_LINE 1
#define TO_SECOND_VALUE 1
#endif
#if PRODUCT
#define COLUMNS_A_FREQUENCY 1
#else
#define COLUMNS_A_FREQUENCY CHANNELS_A_LINE
#endif
/// From a line's first row to its second in planes of height x width, and in images of that size.
#define TO_SECOND(width, height) (PACKED_CHANNELS ? (width) * (height) : (width))
INLINE int to_second_sample(int width, int height)
{
    return PLANAR ? TO_SECOND(width, height) : PACKED_CHANNELS ? 1 : width * CHANNELS;
}

/// The first cell of frequency k + steps N/R of the lines that `spectra` points to.
INLINE __global stored *pair_at(sizes s, __global stored *spectra, uint k, int steps)
{
    if (COLUMNS_A_FREQUENCY * BUTTERFLIES % BUNDLE_COLUMNS == 0)
        return spectra + spectrum_index(s, COLUMNS_A_FREQUENCY * k, 0) +
               steps * (COLUMNS_A_FREQUENCY * BUTTERFLIES * s.packs * PACK_ROWS);
    return spectra + spectrum_index(s, COLUMNS_A_FREQUENCY * (k + steps * BUTTERFLIES), 0);
}

#ifdef ROWS_FORWARD

INLINE void store_pair(__global stored *cell, scalar4 ab)
{
    if (TO_SECOND_VALUE == 1) {
        keep_pair((__global stored_pair *)cell, ab);
    } else {
        keep(cell, (cplx){ab.x, ab.y});
        keep(cell + TO_SECOND_VALUE, (cplx){ab.z, ab.w});
    }
}

#if PRODUCT
/// Stores the line's spectrum Z, unsplit. (Where N/R is odd, butterfly 0 is there twice and stored twice.)
INLINE void store_spectra(sizes s, const cplx *v, uint tx, __global stored *spectra)
{
#pragma unroll
    for (int i = 0; i < PAIR_SHARE(LAST_RADIX); ++i) {
        if (!BELOW(i / 2 * TX, (BUTTERFLIES + 1) / 2)) continue;
        const uint j = NAME(butterfly, LAST_STAGE)(tx, i);
        EACH_LAST_VALUE
        for (int m = 0; m < LAST_RADIX; ++m) keep(pair_at(s, spectra, j, m), v[i * LAST_RADIX + m]);
    }
}
#else
/// Stores the spectra of both rows, from the transform's values. A pair of butterflies p and N/R - p holds
/// Z(k), k = p + m N/R, in value m of the one and Z(N - k) in value R - 1 - m of the other.
INLINE void store_spectra(sizes s, const cplx *v, uint tx, __global stored *spectra)
{
#pragma unroll
    for (int i = 0; i < PAIR_SHARE(LAST_RADIX) / 2; ++i) {
        const uint p = tx + i * TX;
        if (!BELOW(i * TX, (BUTTERFLIES + 1) / 2)) continue;
        const cplx *a = v + 2 * i * LAST_RADIX, *b = a + LAST_RADIX;
        if (p > 0) {
            EACH_LAST_VALUE
            for (int m = 0; m < LAST_RADIX; ++m) {
                const cplx z = a[m], mirror = b[LAST_RADIX - 1 - m];
                if (m < HALF_UP)
                    store_pair(pair_at(s, spectra, p, m), half_spectra(z, mirror));
                else
                    store_pair(pair_at(s, spectra, BUTTERFLIES - p, LAST_RADIX - 1 - m), half_spectra(mirror, z));
            }
        } else {  // butterflies 0 and N/(2R) mirror themselves
            EACH_LAST_VALUE
            for (int m = 0; m <= LAST_RADIX / 2; ++m)
                store_pair(pair_at(s, spectra, 0, m), half_spectra(a[m], a[(LAST_RADIX - m) % LAST_RADIX]));
            EACH_LAST_VALUE
            for (int m = 0; m < HALF_UP; ++m)
                if (BUTTERFLIES % 2 == 0)
                    store_pair(pair_at(s, spectra, BUTTERFLIES / 2, m), half_spectra(b[m], b[LAST_RADIX - 1 - m]));
        }
    }
}

#endif

#endif

#ifdef ROWS_INVERSE

/// The spectra of both rows. Where the second row does not exist its memory may hold anything.
INLINE scalar4 load_pair(sizes s, __global const stored *cell, uint y)
{
    if (TO_SECOND_VALUE > 1) {
        const cplx a = fetch(cell), b = fetch(cell + TO_SECOND_VALUE);
        return (scalar4)(a.re, a.im, b.re, b.im);
    }
    scalar4 ab = fetch_pair((__global const stored_pair *)cell);
    if (s.out_height % ROWS_A_LINE != 0 && y + 1 >= (uint)s.out_height) ab.z = ab.w = 0;
    return ab;
}

#if PRODUCT
/// Loads Z, with real and imaginary parts swapped for the inverse transform.
INLINE void load_spectra(sizes s, cplx *v, uint tx, __global stored *spectra, uint y)
{
#pragma unroll
    for (int i = 0; i < PAIR_SHARE(LAST_RADIX); ++i) {
        if (!BELOW(i / 2 * TX, (BUTTERFLIES + 1) / 2)) continue;
        const uint j = NAME(butterfly, LAST_STAGE)(tx, i);
        EACH_LAST_VALUE
        for (int m = 0; m < LAST_RADIX; ++m) v[i * LAST_RADIX + m] = swapped(fetch(pair_at(s, spectra, j, m)));
    }
}
#else
/// The inverse of store_spectra(). Loads Z = A + i B, with real and imaginary parts swapped for the inverse transform,
/// to where the first stage of the reversed transform expects it.
///
/// All is loaded before it is used, also by the work-item with butterflies 0 and N/(2R), which mirror themselves: with loads
/// of its own, all others would wait for memory twice. These two have one pair more: N/2 if R is even, else the middle of
/// butterfly N/(2R). In its place, all others load a pair of theirs once more: what another owns may be stored by now.
INLINE void load_spectra(sizes s, cplx *v, uint tx, __global stored *spectra, uint y)
{
#pragma unroll
    for (int i = 0; i < PAIR_SHARE(LAST_RADIX) / 2; ++i) {
        const uint p = tx + i * TX, partner = p > 0 ? BUTTERFLIES - p : BUTTERFLIES % 2 == 0 ? BUTTERFLIES / 2 : 0;
        if (!BELOW(i * TX, (BUTTERFLIES + 1) / 2)) continue;
        cplx *a = v + 2 * i * LAST_RADIX, *b = a + LAST_RADIX;
        scalar4 ab[LAST_RADIX];
        EACH_LAST_VALUE
        for (int m = 0; m < LAST_RADIX; ++m)
            ab[m] = load_pair(s, m < HALF_UP ? pair_at(s, spectra, p, m) : pair_at(s, spectra, partner, LAST_RADIX - 1 - m), y);
        const scalar4 middle = load_pair(s, pair_at(s, spectra, p > 0 ? p : LAST_RADIX % 2 == 0 ? 0 : partner,
                                                    p > 0 ? 0 : LAST_RADIX / 2), y);
        if (p > 0) {
            EACH_LAST_VALUE
            for (int m = 0; m < LAST_RADIX; ++m) {
                const bool lower = m < HALF_UP;
                a[m] = swapped(lower ? merged(ab[m]) : merged_mirror(ab[m]));
                b[LAST_RADIX - 1 - m] = swapped(lower ? merged_mirror(ab[m]) : merged(ab[m]));
            }
        } else {
            if (LAST_RADIX % 2 == 0) a[LAST_RADIX / 2] = swapped(merged(middle));
            EACH_LAST_VALUE
            for (int m = 0; m < HALF_UP; ++m) {
                a[(LAST_RADIX - m) % LAST_RADIX] = swapped(merged_mirror(ab[m]));
                a[m] = swapped(merged(ab[m]));
            }
            EACH_LAST_VALUE
            for (int m = 0; m < LAST_RADIX; ++m) b[m] = a[m];
            // Backwards, to end with b[0] as the branch above: clang joins the last stores of both, and if their places
            // differed, v would be indexed by a variable and lie in memory.
            EACH_LAST_VALUE
            for (int m = HALF_UP - 1; m >= 0; --m)
                if (BUTTERFLIES % 2 == 0) {
                    const scalar4 z = LAST_RADIX % 2 == 1 && m == LAST_RADIX / 2 ? middle : ab[LAST_RADIX - 1 - m];
                    b[LAST_RADIX - 1 - m] = swapped(merged_mirror(z));
                    b[m] = swapped(merged(z));
                }
        }
    }
}

#endif

#endif
