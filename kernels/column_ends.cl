// Level 0 of columns that a work-item owns, fused with the loads and stores of their values. Included once a radix by
// lane_columns.cl.
//
// Needs:  RADIX

/// Position n of the column is row source_row[n] of the plane, or nothing where that is negative.
INLINE void NAME(load_column, RADIX)(__local cplx *x, int step, __global const stored *column, int pitch,
                                     __global const int *restrict source_row)
{
    scalar2 t[NAME(TWIDDLES_, RADIX)];
    for (int j = 0; j < step; ++j) {
        cplx v[RADIX];
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m)
        {
            const int row = source_row[j + m * step];
            v[m] = (cplx){0, 0};
            if (row >= 0) v[m] = fetch(column + (size_t)row * pitch);
        }
        NAME(dft, RADIX)(v, false, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) x[j + m * step] = v[m];
    }
}

/// Positions 0 .. height - 1 to the rows of these numbers. `table`: of level 0 back.
INLINE void NAME(store_column, RADIX)(__local const cplx *x, int step, __global stored *column, int pitch, int height,
                                      scalar scale, __global const scalar *table)
{
    for (int j = 0; j < step; ++j, table += 2 * NAME(TWIDDLES_, RADIX)) {
        scalar2 t[NAME(TWIDDLES_, RADIX)];
        cplx v[RADIX];
        read_twiddles(t, table, 0, NAME(TWIDDLES_, RADIX));
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m) v[m] = x[j + m * step];
        NAME(dft, RADIX)(v, true, t);
        _Pragma("unroll") for (int m = 0; m < RADIX; ++m)
        {
            const int row = j + m * step;
            if (row < height) keep(column + (size_t)row * pitch, resized(swapped(v[m]), scale));
        }
    }
}

#undef RADIX
