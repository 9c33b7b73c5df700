// SPDX-License-Identifier: Apache-2.0
// Eight samples side by side: load, transpose and store them.
//
// Needs:  results.cl's defines; LANES

#pragma once

#include "complex.cl"
#include "sizes.cl"
#include "samples.cl"
#include "results.cl"
#include "ahead.cl"

/// Asks for columns x .. x + count - 1 of a row of an image, with all channels that lie in between.
INLINE void will_read_row(__global const in_sample *row, int x, int count)
{
    for (int i = 0; i < count * STEP_X; i += CPU_LINE / sizeof(in_sample)) will_read(row + x * STEP_X + i);
}

/// The same of a row of the result, to be stored.
INLINE void will_write_row(result_row row, int x, int count)
{
    for (int i = 0; i < count * STEP_X; i += CPU_LINE / sizeof(out_sample)) will_write(row.samples + x * STEP_X + i);
}

/// Eights of lanes.
#define EIGHTS (LANES / 8)

/// Exchanges between four vectors, within each four of their lanes: v[i] lane 4 h + j <- v[j] lane 4 h + i. In two rounds of
/// what processors have instructions for.
INLINE void transpose_fours(scalar8 *v)
{
    scalar8 a[4];
#pragma unroll
    for (int i = 0; i < 4; i += 2) {
        const scalar8 x = v[i], y = v[i + 1];
        a[i] = (scalar8)(x.s0, y.s0, x.s1, y.s1, x.s4, y.s4, x.s5, y.s5);
        a[i + 1] = (scalar8)(x.s2, y.s2, x.s3, y.s3, x.s6, y.s6, x.s7, y.s7);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const scalar8 x = a[i], y = a[i + 2];
        v[2 * i] = (scalar8)(x.s01, y.s01, x.s45, y.s45);
        v[2 * i + 1] = (scalar8)(x.s23, y.s23, x.s67, y.s67);
    }
}

/// v[i] lane l <- v[l] lane i.
INLINE void transpose(scalar8 *v)
{
    scalar8 a[8];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        a[i] = (scalar8)(v[i].lo, v[i + 4].lo);
        a[i + 4] = (scalar8)(v[i].hi, v[i + 4].hi);
    }
    transpose_fours(a);
    transpose_fours(a + 4);
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = a[i];
}

INLINE scalar8 reversed(scalar8 a) { return a.s76543210; }

/// Eight neighbours of one channel, from `p` on, as they are stored.
INLINE scalar8 load_codes(__global const in_sample *p)
{
#if IN_TYPE == TYPE_FLOAT || IN_TYPE == TYPE_DOUBLE
    if (STEP_X == 1) return convert_scalar8(vload8(0, p));
#elif IN_TYPE == TYPE_U8
    if (STEP_X == 1) return convert_scalar8(vload8(0, p)) * ((scalar)1 / CODE_OF_WHITE);
#elif IN_TYPE == TYPE_U16
    if (STEP_X == 1) return convert_scalar8(vload8(0, p)) * ((scalar)1 / 65535);
#endif
    return (scalar8)(load_code(p), load_code(p + STEP_X), load_code(p + 2 * STEP_X), load_code(p + 3 * STEP_X),
                    load_code(p + 4 * STEP_X), load_code(p + 5 * STEP_X), load_code(p + 6 * STEP_X),
                    load_code(p + 7 * STEP_X));
}
INLINE scalar8 load_neighbours(__global const in_sample *p) { return decoded_scalar8(load_codes(p)); }

#if HIGHLIGHTS
/// share_of_bright and highlight_part of eight pixels, from the codes of their brightest channels.
#if BY_CODE
INLINE scalar8 looked_up(__global const scalar *table, scalar8 code)
{
    const int8 at = convert_int8_rte(code * CODE_OF_WHITE);
    return (scalar8)(table[at.s0], table[at.s1], table[at.s2], table[at.s3], table[at.s4], table[at.s5], table[at.s6],
                     table[at.s7]);
}
INLINE scalar8 bright_shares(scalar8 peak, level level) { return looked_up(level.tables + SHARES, peak); }
INLINE scalar8 taken_parts(scalar8 peak, level level) { return looked_up(level.tables + SHARES + TABLE_NUMBERS, peak); }
#else
INLINE scalar8 bright_shares(scalar8 peak, level level) { return share_of_bright_scalar8(decoded_scalar8(peak), level); }
INLINE scalar8 taken_parts(scalar8 peak, level level)
{
    return highlight_part_scalar8(decoded_scalar8(peak), level);
}
#endif

/// Eight neighbours at once: the codes of their brightest channels, as pixel_at(); and taken_sample().
INLINE scalar8 peak_codes(__global const in_sample *p, level level)
{
    scalar8 peak = load_codes(p);
    for (int k = 0; k < RIVALS; ++k)
        if (RIVAL(level, k) != 0) peak = fmax(peak, load_codes(p + RIVAL(level, k)));
    return peak;
}
INLINE scalar8 taken_neighbours(__global const in_sample *p, level level)
{
    const scalar8 value = load_neighbours(p);
    if (level.channel == level.alpha) return value;
    return value * taken_parts(peak_codes(p, level), level);
}
#else
INLINE scalar8 taken_neighbours(__global const in_sample *p, level level) { return load_neighbours(p); }
#endif

/// The result of comparing eight ints, with elements as wide as scalars.
#if PRECISION == PRECISION_DOUBLE
#define OF_SCALARS(comparison) convert_long8(comparison)
#else
#define OF_SCALARS(comparison) (comparison)
#endif

/// Eight samples of a channel, at any columns of a row, as they are stored.
INLINE scalar8 load_codes_at(__global const in_sample *row, int8 x)
{
    return (scalar8)(load_code(row + x.s0), load_code(row + x.s1), load_code(row + x.s2), load_code(row + x.s3),
                    load_code(row + x.s4), load_code(row + x.s5), load_code(row + x.s6), load_code(row + x.s7));
}

/// taken_neighbours() of eight pixels anywhere in a row. `x`: their columns times STEP_X.
INLINE scalar8 taken_at(__global const in_sample *row, int8 x, level level)
{
    const scalar8 code = load_codes_at(row, x);
#if HIGHLIGHTS
    if (level.channel == level.alpha) return decoded_scalar8(code);
    scalar8 peak = code;
    for (int k = 0; k < RIVALS; ++k)
        if (RIVAL(level, k) != 0) peak = fmax(peak, load_codes_at(row + RIVAL(level, k), x));
    return decoded_scalar8(code) * taken_parts(peak, level);
#else
    return decoded_scalar8(code);
#endif
}

/// Positions n .. n + 7 of a row of the extended image, less bias and scaled; 0 where nothing is.
INLINE scalar8 load_positions(sizes s, __global const in_sample *row, int n, level level,
                              __global const int *restrict source_column)
{
    const int x = n + s.first_x;
    if (x >= 0 && x + 8 <= s.width && n + 8 <= s.loaded_x)
        return (taken_neighbours(row + x * STEP_X, level) - level.bias) * level.scale;
    if (n >= s.loaded_x) return (scalar8)(0);
    const int8 column = vload8(0, source_column + n);
    const scalar8 taken = (taken_at(row, max(column, (int8)(0)) * STEP_X, level) - level.bias) * level.scale;
    return OF_SCALARS(column >= 0) ? taken : (scalar8)(0);
}

#if LANES > 1
/// Where LANES neighbours go of a row in elements of so many columns: the next ones lie `pitch` elements further.
#define NEXT_LANES(pitch) (2 * EIGHTS * (pitch))

/// `vectors` times LANES positions of a row of the extended image, from n on, as load_positions(), to elements that lie `pitch`
/// apart. Without `exists` there is no such row. Vectors within the image have a loop of their own: it is so short that a core
/// asks for many of them before the first has come.
INLINE void load_row(sizes s, __local scalar8 *to, int pitch, int vectors, __global const in_sample *row, bool exists, int n,
                     level level, __global const int *restrict source_column)
{
    const int left = n + s.first_x, inside = exists ? min(s.width - left, s.loaded_x - n) / LANES : 0;
    const int first = left < 0 ? (LANES - 1 - left) / LANES : 0, end = min(inside, vectors);
    for (int g = 0; g < vectors; ++g) {
        if (g == first && first < end) {
            for (; g < end; ++g)
                _Pragma("unroll") for (int h = 0; h < EIGHTS; ++h) to[NEXT_LANES(pitch) * g + h] =
                    (taken_neighbours(row + (left + LANES * g + 8 * h) * STEP_X, level) - level.bias) * level.scale;
            if (g == vectors) break;
        }
        for (int h = 0; h < EIGHTS; ++h)
            to[NEXT_LANES(pitch) * g + h] =
                exists ? load_positions(s, row, n + LANES * g + 8 * h, level, source_column) : (scalar8)(0);
    }
}
#endif

#if BLEND
/// blended() for eight neighbours.
INLINE scalar8 blended_neighbours(scalar8 value, result_row row, int x)
{
    __global const in_sample *p = row.image + x * STEP_X;
    scalar8 share = 1;
#if LEAVES
    share = bright_shares(peak_codes(p, row.level), row.level);
#endif
    return blended_scalar8(value, row.blend, load_neighbours(p), share, MASKED ? vload8(0, row.mask + x) : (scalar8)(1));
}
#else
INLINE scalar8 blended_neighbours(scalar8 value, result_row row, int x) { return value; }
#endif

#if OUT_TYPE != TYPE_HALF
/// The results at columns x .. x + 7.
INLINE void store_eight_neighbours(result_row row, int x, scalar8 value)
{
    const scalar8 finished = finished_scalar8(value, row, RENORMALIZE ? vload8(0, row.weight + x) : 0);
    const scalar8 result = blended_neighbours(finished, row, x);
#if COUNT_CLAMPED
    count_clamped_neighbours(row, result);
#endif
    __global out_sample *to = row.samples + x * STEP_X;
#ifdef SRGB_CODES
    const uchar8 samples = codes_of(result);
#elif OUT_TYPE == TYPE_U8
    const uchar8 samples = convert_uchar8_sat_rte(encoded_scalar8(result) * 255);
#elif OUT_TYPE == TYPE_U16
    const ushort8 samples = convert_ushort8_sat_rte(encoded_scalar8(result) * 65535);
#elif OUT_TYPE == TYPE_DOUBLE
    const double8 samples = encoded_scalar8(result);
#else
    const float8 samples = convert_float8(encoded_scalar8(result));
#endif
    if (STEP_X == 1) {
        vstore8(samples, 0, to);
    } else {
        to[0] = samples.s0, to[STEP_X] = samples.s1, to[2 * STEP_X] = samples.s2, to[3 * STEP_X] = samples.s3;
        to[4 * STEP_X] = samples.s4, to[5 * STEP_X] = samples.s5, to[6 * STEP_X] = samples.s6, to[7 * STEP_X] = samples.s7;
    }
}
#endif

/// The results at columns x .. x + count - 1, one after the other; count is at most 8.
INLINE void store_each_result(result_row row, int x, int count, scalar8 value)
{
    scalar values[8];
    vstore8(value, 0, values);
#pragma unroll 1
    for (int i = 0; i < count; ++i) store_result(row, x + i, values[i]);
}

/// The results at columns x .. x + 7, as far as there are `width`.
INLINE void store_eight_results(result_row row, int x, int width, scalar8 value)
{
#if OUT_TYPE != TYPE_HALF
    if (x + 8 <= width) return store_eight_neighbours(row, x, value);
#endif
    store_each_result(row, x, min(8, width - x), value);
}

#if LANES > 1
/// The results at columns x .. x + count - 1, from elements of LANES columns that lie `pitch` apart.
INLINE void store_row(result_row row, int x, int count, __local const scalar8 *from, int pitch)
{
    int n = 0;
#if OUT_TYPE != TYPE_HALF
    for (; n + LANES <= count; n += LANES, from += NEXT_LANES(pitch))
        _Pragma("unroll") for (int h = 0; h < EIGHTS; ++h) store_eight_neighbours(row, x + n + 8 * h, from[h]);
#endif
    for (; n < count; n += LANES, from += NEXT_LANES(pitch))
        for (int h = 0; h < EIGHTS && n + 8 * h < count; ++h) store_eight_results(row, x + n + 8 * h, x + count, from[h]);
}
#endif
