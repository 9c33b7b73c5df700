// SPDX-License-Identifier: Apache-2.0
// The ends and the middle of a column pass whose stages run through global memory: columns.cl, a launch each.
//
// Needs:  spectrum.cl's defines
// Shapes: lines[column][length_y] complex; transfer[psf channel][column][length_y]; work-item (position, column).
//         One plane at a time, whose spectra begin `first_value` complex values into the intermediate.

#include "complex.cl"
#include "sizes.cl"
#include "stored.cl"
#include "spectrum.cl"

/// Columns of half spectra to lines: position n holds row source_row[n], or nothing where that is negative.
__kernel void load_columns(__global const stored *restrict spectra, __global scalar2 *restrict lines,
                           __global const int *restrict source_row, ulong first_value, const sizes given)
{
    const sizes s = KNOWN(given);
    const uint n = get_global_id(0), k = get_global_id(1);
    if (n >= (uint)s.length_y) return;
    const int row = source_row[n];
    const cplx z = row >= 0 ? fetch(spectra + first_value + spectrum_index(s, k, row)) : (cplx){0, 0};
    lines[k * (size_t)s.length_y + n] = (scalar2)(z.re, z.im);
}

/// Times transfer, parts swapped for the inverse. This plane's transfer begins at `first_transfer`.
__kernel void multiply_columns(__global scalar2 *restrict lines, __global const stored *restrict transfer,
                               ulong first_transfer, const sizes given)
{
    const sizes s = KNOWN(given);
    const uint n = get_global_id(0);
    if (n >= (uint)s.length_y) return;
    const size_t i = get_global_id(1) * (size_t)s.length_y + n;
    const cplx z = TIMES_TRANSFER(((cplx){lines[i].x, lines[i].y}), transfer + first_transfer + i);
    lines[i] = (scalar2)(z.im, z.re);
}

/// Lines of the result, parts still swapped, back to the half spectra: only the rows that are wanted.
__kernel void store_columns(__global const scalar2 *restrict lines, __global stored *restrict spectra, ulong first_value,
                            const sizes given)
{
    const sizes s = KNOWN(given);
    const uint n = get_global_id(0), k = get_global_id(1);
    if (n >= (uint)s.out_height) return;
    const scalar2 z = lines[k * (size_t)s.length_y + n];
    keep(spectra + first_value + spectrum_index(s, k, n), scaled((cplx){z.y, z.x}, s.column_scale));
}

/// A PSF's transformed lines, kept as its transfer from `first_transfer` on.
__kernel void keep_transfer(__global const scalar2 *restrict lines, __global stored *restrict transfer,
                            ulong first_transfer, const sizes given)
{
    const sizes s = KNOWN(given);
    const uint n = get_global_id(0);
    if (n >= (uint)s.length_y) return;
    const size_t i = get_global_id(1) * (size_t)s.length_y + n;
    keep(transfer + first_transfer + i, (cplx){lines[i].x, lines[i].y});
}
