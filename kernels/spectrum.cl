// The intermediate: half spectra of all rows of a plane, between the row and the column passes.
//
// Needs:  sizes.cl
//         T      columns a tile
//         ROWS   rows of one column that lie side by side; even, so that a pair of rows is one 16-byte cell
// Shapes: intermediate[channel][tiles][packs][T][ROWS] complex: tiles cover the row length / 2 + 1 columns, packs are groups
//         of ROWS rows, as many as an image or a PSF has.
//         Row passes move T * ROWS complex at a time, column passes ROWS: both in whole cache lines.

/// Complex values from the plane's beginning to column k, row y.
INLINE size_t spectrum_cell(sizes s, uint k, uint y)
{
    return (((size_t)(k / T) * s.packs + y / ROWS) * T + k % T) * ROWS + y % ROWS;
}

/// Complex values of one plane.
INLINE size_t spectrum_plane(sizes s) { return (size_t)s.tiles * s.packs * T * ROWS; }

/// Two packed real rows z = a + i b, from their transform at k and at N - k: twice (A(k), B(k)).
INLINE scalar4 split(cplx z, cplx mirror)
{
    return (scalar4)(z.re + mirror.re, z.im - mirror.im, z.im + mirror.im, mirror.re - z.re);
}

/// The way back: Z(k) = A(k) + i B(k), and Z(N - k) = conj A(k) + i conj B(k).
INLINE cplx merged(scalar4 ab) { return (cplx){ab.x - ab.w, ab.y + ab.z}; }
INLINE cplx merged_mirror(scalar4 ab) { return (cplx){ab.x + ab.w, ab.z - ab.y}; }
