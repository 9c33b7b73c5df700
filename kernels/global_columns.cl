// The ends and the middle of a column pass whose stages run through global memory: columns.cl, a launch each.
//
// Needs:  N and spectrum.cl's defines; SPECTRUM_COLUMNS, LOADED_Y, ROW_TABLE, OUT_HEIGHT; COLUMN_SCALE as columns.cl
// Shapes: lines[column][N] complex; transfer[psf channel][column][N]; work-item (position, column).
//         One plane at a time, whose spectra begin `first_cell` complex values into the intermediate.

#include "complex.cl"
#include "stored.cl"
#include "spectrum.cl"

/// Columns of the half spectra, extended by the border, to lines.
__kernel void load_columns(__global const stored *restrict spectra, __global scalar2 *restrict lines,
                           __global const int *restrict source_row, ulong first_cell)
{
    const uint n = get_global_id(0), k = get_global_id(1);
    if (n >= N) return;
    const uint row = n < LOADED_Y && ROW_TABLE ? source_row[n] : n;
    const cplx z = n < LOADED_Y ? fetch(spectra + first_cell + spectrum_cell(k, row)) : (cplx){0, 0};
    lines[k * (size_t)N + n] = (scalar2)(z.re, z.im);
}

/// The same for a PSF; source_row[n] < 0: nothing there.
__kernel void load_psf_columns(__global const stored *restrict spectra, __global scalar2 *restrict lines,
                               __global const int *restrict source_row, ulong first_cell)
{
    const uint n = get_global_id(0), k = get_global_id(1);
    if (n >= N) return;
    const int row = source_row[n];
    const cplx z = row >= 0 ? fetch(spectra + first_cell + spectrum_cell(k, row)) : (cplx){0, 0};
    lines[k * (size_t)N + n] = (scalar2)(z.re, z.im);
}

/// Times transfer, parts swapped for the inverse. This plane's transfer begins at `first_transfer`.
__kernel void multiply_columns(__global scalar2 *restrict lines, __global const stored *restrict transfer,
                               ulong first_transfer)
{
    const uint n = get_global_id(0);
    if (n >= N) return;
    const size_t i = get_global_id(1) * (size_t)N + n;
    const cplx z = times((cplx){lines[i].x, lines[i].y}, fetch(transfer + first_transfer + i));
    lines[i] = (scalar2)(z.im, z.re);
}

/// Lines of the result, parts still swapped, back to the half spectra: only the rows that are wanted.
__kernel void store_columns(__global const scalar2 *restrict lines, __global stored *restrict spectra, ulong first_cell)
{
    const uint n = get_global_id(0), k = get_global_id(1);
    if (n >= OUT_HEIGHT) return;
    const scalar2 z = lines[k * (size_t)N + n];
    keep(spectra + first_cell + spectrum_cell(k, n), resized((cplx){z.y, z.x}, COLUMN_SCALE));
}

/// A PSF's transformed lines, kept as its transfer from `first_transfer` on.
__kernel void keep_transfer(__global const scalar2 *restrict lines, __global stored *restrict transfer,
                            ulong first_transfer)
{
    const uint n = get_global_id(0);
    if (n >= N) return;
    const size_t i = get_global_id(1) * (size_t)N + n;
    keep(transfer + first_transfer + i, (cplx){lines[i].x, lines[i].y});
}
