// SPDX-License-Identifier: Apache-2.0
// The intermediate: half spectra of all rows of a plane, between the row and the column passes.
//
// Needs:  BUNDLE_COLUMNS  columns of a bundle: neighbours, which lie together in memory
//         PACK_ROWS       rows of a pack, which lie side by side in a column; even: a pair of rows is one access of 16 bytes
// Shapes: intermediate[channel][bundles][packs][BUNDLE_COLUMNS][PACK_ROWS] complex: bundles cover the
//         length / 2 + 1 columns of a row, and packs as many rows as an image or a PSF has.
//         Row passes move BUNDLE_COLUMNS * PACK_ROWS complex at a time, column passes PACK_ROWS: both in whole cache lines.

#pragma once

#include "complex.cl"
#include "sizes.cl"

#ifndef BUNDLE_COLUMNS  // alone
#define BUNDLE_COLUMNS 4
#define PACK_ROWS 2
#endif

/// Complex values from the plane's beginning to column k, row y.
INLINE size_t spectrum_index(sizes s, uint k, uint y)
{
    const size_t pack = (size_t)(k / BUNDLE_COLUMNS) * s.packs + y / PACK_ROWS;
    return (pack * BUNDLE_COLUMNS + k % BUNDLE_COLUMNS) * PACK_ROWS + y % PACK_ROWS;
}

/// Complex values of one plane.
INLINE size_t spectrum_plane(sizes s) { return (size_t)s.bundles * s.packs * BUNDLE_COLUMNS * PACK_ROWS; }

/// Separates the spectra of two real rows a and b, which were transformed as z = a + i b. Returns 2 (A(k), B(k)) from
/// z = Z(k) and mirror = Z(N - k).
INLINE scalar4 half_spectra(cplx z, cplx mirror)
{
    return (scalar4)(z.re + mirror.re, z.im - mirror.im, z.im + mirror.im, mirror.re - z.re);
}

/// The inverse of half_spectra(): Z(k) = A(k) + i B(k), and Z(N - k) = conj A(k) + i conj B(k).
INLINE cplx merged(scalar4 ab) { return (cplx){ab.x - ab.w, ab.y + ab.z}; }
INLINE cplx merged_mirror(scalar4 ab) { return (cplx){ab.x + ab.w, ab.z - ab.y}; }
