// The ends and the middle of a column pass whose stages run through global memory: columns.cl, a launch each.
//
// Needs:  N and spectrum.cl's defines; SPECTRUM_COLUMNS, PACKS, LOADED_Y, ROW_TABLE, OUT_HEIGHT
// Shapes: lines[column][N] complex; transfer[psf channel][column][N]; work-item (position, column).
//         One plane at a time, whose spectra begin `first_cell` complex values into the intermediate.

#include "complex.cl"
#include "spectrum.cl"

/// Columns of the half spectra, extended by the border, to lines.
__kernel void load_columns(__global const float2 *restrict spectra, __global float2 *restrict lines,
                           __global const int *restrict source_row, ulong first_cell)
{
    const uint n = get_global_id(0), k = get_global_id(1);
    if (n >= N) return;
    const uint row = n < LOADED_Y && ROW_TABLE ? source_row[n] : n;
    lines[k * (size_t)N + n] = n < LOADED_Y ? spectra[first_cell + spectrum_cell(k, row, PACKS)] : (float2)(0, 0);
}

/// The same for a PSF; source_row[n] < 0: nothing there.
__kernel void load_psf_columns(__global const float2 *restrict spectra, __global float2 *restrict lines,
                               __global const int *restrict source_row, ulong first_cell, uint packs)
{
    const uint n = get_global_id(0), k = get_global_id(1);
    if (n >= N) return;
    const int row = source_row[n];
    lines[k * (size_t)N + n] = row >= 0 ? spectra[first_cell + spectrum_cell(k, row, packs)] : (float2)(0, 0);
}

/// Times transfer, parts swapped for the inverse. This plane's transfer begins at `first_transfer`.
__kernel void multiply_columns(__global float2 *restrict lines, __global const float2 *restrict transfer,
                               ulong first_transfer)
{
    const uint n = get_global_id(0);
    if (n >= N) return;
    const size_t i = get_global_id(1) * (size_t)N + n;
    const cplx z = scaled((cplx){lines[i].x, lines[i].y}, transfer[first_transfer + i]);
    lines[i] = (float2)(z.im, z.re);
}

/// Lines of the result, parts still swapped, back to the half spectra: only the rows that are wanted.
__kernel void store_columns(__global const float2 *restrict lines, __global float2 *restrict spectra, ulong first_cell)
{
    const uint n = get_global_id(0), k = get_global_id(1);
    if (n >= OUT_HEIGHT) return;
    const float2 z = lines[k * (size_t)N + n];
    spectra[first_cell + spectrum_cell(k, n, PACKS)] = (float2)(z.y, z.x);
}

/// A PSF's transformed lines, kept as its transfer from `first_transfer` on.
__kernel void keep_transfer(__global const float2 *restrict lines, __global float2 *restrict transfer,
                            ulong first_transfer)
{
    const uint n = get_global_id(0);
    if (n >= N) return;
    const size_t i = get_global_id(1) * (size_t)N + n;
    transfer[first_transfer + i] = lines[i];
}
