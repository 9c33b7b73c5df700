// SPDX-License-Identifier: Apache-2.0
// The spectra of image rows where a work-item owns a whole line of two rows (CPU): from eight lines side by side to memory,
// and back.
//
// A row's line of 8 N values is eight interleaved ones of N: lane l of vector n is value 8 n + l. The eight are transformed
// side by side, each operation a vector one, by lane_line.cl; one radix-8 step across the lanes joins them:
//     X[k + N q] = sum over l of  W_8^(l q)  W_8N^(l k)  Y_l[k]
// for eight k at a time, transposed so that lanes are k and vectors l. The way back begins with that step and ends with
// the eight lines.
//
// Needs:  LANES 8; stored values and arithmetic (lane_line.cl)
//         COLUMN_LANES   columns of an element of the intermediate: those that the column pass has side by side (default 8)
// Shapes: intermediate[plane][bundles][2 packs], each element COLUMN_LANES real parts and as many imaginary ones; so a column
//         is read from one piece of memory. (From [2 packs][bundles] it came out of another page with each row.) A pair of
//         rows has an element of two rows in each bundle. The next pair's lie behind these, and are asked for meanwhile.
// Gives:  join_lanes, part_lanes      eight transformed lines to the whole one's spectrum, and back
//         rows_of_spectra             where the half spectra of a plane's row, and of the next one, begin
//         store_spectra, load_spectra two rows' half spectra, to and from the intermediate
#pragma once

#ifndef LANES
#define LANES 8
#endif

#include "complex.cl"
#include "ahead.cl"
#include "butterfly.cl"
#include "sizes.cl"
#include "stored.cl"
#include "lanes.cl"

#ifndef COLUMN_LANES
#define COLUMN_LANES 8
#endif
#define COLUMN_EIGHTS (COLUMN_LANES / 8)

/// Eight real or imaginary parts.
#if PRECISION == PRECISION_HALF
typedef ushort8 stored_eight;
INLINE scalar8 fetch_eight(__global const stored_eight *p) { return vload_half8(0, (__global const half *)p); }
INLINE void keep_eight(__global stored_eight *p, scalar8 value) { vstore_half8_rte(value, 0, (__global half *)p); }
#else
typedef scalar8 stored_eight;
INLINE scalar8 fetch_eight(__global const stored_eight *p) { return *p; }
INLINE void keep_eight(__global stored_eight *p, scalar8 value) { *p = value; }
#endif

/// Eights of an element, of real parts and then of imaginary ones.
#define ELEMENT (2 * COLUMN_EIGHTS)

/// Two rows of spectra.
typedef struct {
    __global stored_eight *first;  // the first one's element of the first bundle; the other's is next
    size_t pitch;                  // eights from a bundle to the next
} spectra_rows;

INLINE spectra_rows rows_of_spectra(sizes s, __global stored *intermediate, uint plane, uint row)
{
    const size_t rows = 2 * s.packs;
    return (spectra_rows){(__global stored_eight *)intermediate + (plane * s.bundles * rows + row) * ELEMENT, rows * ELEMENT};
}

/// The real parts of columns 8 v .. 8 v + 7 of the first row (0) or the other; their imaginary ones are COLUMN_EIGHTS further.
INLINE __global stored_eight *place_of(spectra_rows rows, int which, int v)
{
    return rows.first + v / COLUMN_EIGHTS * rows.pitch + which * ELEMENT + v % COLUMN_EIGHTS;
}

INLINE cplx fetch_columns(spectra_rows rows, int which, int v)
{
    __global const stored_eight *p = place_of(rows, which, v);
    will_read(p + 2 * ELEMENT);
    will_read(p + 2 * ELEMENT + COLUMN_EIGHTS);
    return (cplx){fetch_eight(p), fetch_eight(p + COLUMN_EIGHTS)};
}
INLINE void keep_columns(spectra_rows rows, int which, int v, cplx z)
{
    __global stored_eight *p = place_of(rows, which, v);
    will_write(p + 2 * ELEMENT);
    will_write(p + 2 * ELEMENT + COLUMN_EIGHTS);
    keep_eight(p, z.re);
    keep_eight(p + COLUMN_EIGHTS, z.im);
}

/// A row's line of eight times `eighth` values in natural order, with the values 0 .. 7 again at its end, so that there is a
/// mirror of k = 0.
typedef struct {
    __local scalar *re, *im;
    int eighth;
} spectrum;

INLINE spectrum spectrum_at(__local scalar *joined, int eighth)
{
    return (spectrum){joined, joined + 8 * eighth + 8, eighth};
}

/// The eight lines' transforms (digit-reversed: value k at place[k]) to the spectrum of the whole line.
/// joint[k / 8][l - 1] = W_8N^(l k) for eight k: real parts, imaginary parts.
INLINE void join_lanes(__local const cplx *x, spectrum z, __global const uint *restrict place,
                       __global const scalar8 *restrict joint)
{
    for (int k = 0; k < z.eighth; k += 8, joint += 14) {
        scalar8 re[8], im[8];
        cplx v[8];
        scalar2 t[TWIDDLES_8];
#pragma unroll
        for (int i = 0; i < 8; ++i) re[i] = x[place[k + i]].re, im[i] = x[place[k + i]].im;
        transpose(re);
        transpose(im);
        v[0] = (cplx){re[0], im[0]};
#pragma unroll
        for (int l = 1; l < 8; ++l) v[l] = times((cplx){re[l], im[l]}, (cplx){joint[2 * l - 2], joint[2 * l - 1]});
        dft8(v, false, t);
#pragma unroll
        for (int q = 0; q < 8; ++q) {
            vstore8(v[q].re, 0, z.re + k + q * z.eighth);
            vstore8(v[q].im, 0, z.im + k + q * z.eighth);
        }
    }
}

/// The way back: spectrum to the eight lines' spectra, digit-reversed.
INLINE void part_lanes(spectrum z, __local cplx *x, __global const uint *restrict place,
                       __global const scalar8 *restrict joint)
{
    for (int k = 0; k < z.eighth; k += 8, joint += 14) {
        scalar8 re[8], im[8];
        cplx v[8];
        scalar2 t[TWIDDLES_8];
#pragma unroll
        for (int q = 0; q < 8; ++q) v[q] = (cplx){vload8(0, z.re + k + q * z.eighth), vload8(0, z.im + k + q * z.eighth)};
        dft8(v, false, t);
        re[0] = v[0].re, im[0] = v[0].im;
#pragma unroll
        for (int l = 1; l < 8; ++l) {
            const cplx w = times(v[l], (cplx){joint[2 * l - 2], joint[2 * l - 1]});
            re[l] = w.re, im[l] = w.im;
        }
        transpose(re);
        transpose(im);
#pragma unroll
        for (int i = 0; i < 8; ++i) x[place[k + i]] = (cplx){re[i], im[i]};
    }
}

/// Twice the half spectra of the two rows, from their line's spectrum: A = Z(k) + conj Z(N - k), B = -i (Z(k) - conj ..).
/// Elements are filled, with columns above the middle one, which mean nothing.
INLINE void store_spectra(spectrum z, int columns, spectra_rows rows)
{
    const int vectors = (columns + COLUMN_LANES - 1) / COLUMN_LANES * COLUMN_EIGHTS;
    const int length = 8 * z.eighth;
    vstore8(vload8(0, z.re), 0, z.re + length);
    vstore8(vload8(0, z.im), 0, z.im + length);
    for (int vector = 0; vector < vectors; ++vector) {
        const int k = 8 * vector, mirror = length - k - 7;
        const scalar8 re = vload8(0, z.re + k), im = vload8(0, z.im + k);
        const scalar8 mre = reversed(vload8(0, z.re + mirror)), mim = reversed(vload8(0, z.im + mirror));
        keep_columns(rows, 0, vector, (cplx){re + mre, im - mim});
        keep_columns(rows, 1, vector, (cplx){im + mim, mre - re});
    }
}

/// The way back, parts swapped for the inverse. Only columns up to the middle one are read.
INLINE void load_spectra(spectrum z, int columns, spectra_rows rows, bool has_next)
{
    // Backwards, so that the last vector's columns above the middle, which mean nothing, are overwritten by their mirrors.
    for (int vector = (columns + 7) / 8 - 1; vector >= 0; --vector) {
        const int k = 8 * vector, mirror = 8 * z.eighth - k - 7;
        const cplx first = fetch_columns(rows, 0, vector), second = has_next ? fetch_columns(rows, 1, vector) : (cplx){0, 0};
        vstore8(first.im + second.re, 0, z.re + k);
        vstore8(first.re - second.im, 0, z.im + k);
        vstore8(reversed(second.re - first.im), 0, z.re + mirror);
        vstore8(reversed(first.re + second.im), 0, z.im + mirror);
    }
}
