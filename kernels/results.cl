// SPDX-License-Identifier: Apache-2.0
// The results: from computed values to stored samples, and what they are blended with.
//
// Needs:  image.cl's defines
//         RENORMALIZE    1: the result is divided by weight[psf channel][y][x] (default 0)
//         blend.cl's
//         LEAST_IS_ZERO  1: a lower bound of results counts only if it is 0, which saves a register (default 0)
//         COUNT_CLAMPED  1: counts results that lie outside the output's integers by more than one code (default 0)
// `restore` undoes what `bias` did (image.cl). restore[channel] is added to a result: the bias times the
// PSF's sum, or the bias itself after a division by the weight. levels.cl says what else is in that array, and where. Integers
// do not use the lower bound of the results, which the host knows.

#pragma once

#include "image.cl"
#include "levels.cl"
#include "blend.cl"
#include "clamped.cl"

#ifndef RENORMALIZE
#define RENORMALIZE 0
#endif

#ifndef LEAST_IS_ZERO
#define LEAST_IS_ZERO 0
#endif
#ifndef COUNT_CLAMPED
#define COUNT_CLAMPED 0
#endif

/// A row of the result, or the part of a row from some column on.
typedef struct {
    __global out_sample *samples;
    __global const scalar *weight;  // RENORMALIZE: what each pixel is divided by
    scalar scale, restore, least;
#if COUNT_CLAMPED
    volatile __global uint *clamped;  // behind all results
#endif
#if BLEND
    __global const in_sample *image;  // what the result is blended with
    __global const scalar *mask;
    blend_numbers blend;
    level level;  // HIGHLIGHTS: its channel
#endif
} result_row;

/// Samples from the results of one image of a launch to those of the next.
INLINE size_t results_step(sizes s)
{
    return RESULTS_STEP((size_t)s.out_width * s.out_height * CHANNELS, COUNT_CLAMPED, sizeof(out_sample));
}

#if COUNT_CLAMPED
/// The place of the first count, in samples from the first result on.
INLINE size_t clamped_at(sizes s) { return CLAMPED_AT((size_t)s.out_width * s.out_height * CHANNELS); }

/// The work-group's own count.
INLINE uint clamped_count(void) { return (get_group_id(0) + get_group_id(1)) % CLAMPED_COUNTS; }

// Results beyond these are clamped by more than one code. In light that is the curve of sRGB at -1 and at one code above the
// largest, so that nothing needs to be encoded in order to be counted.
#define MAX_CODE (OUT_TYPE == TYPE_U8 ? 255 : 65535)
#if ENCODE_SRGB
#define MIN_KEPT ((scalar)-1 / MAX_CODE / (scalar)12.92)
#define MAX_KEPT (scalar)(OUT_TYPE == TYPE_U8 ? 1.0089443 : 1.0000347)
#else
#define MIN_KEPT ((scalar)-1 / MAX_CODE)
#define MAX_KEPT ((scalar)(MAX_CODE + 1) / MAX_CODE)
#endif

/// Counts `value` if it lies outside the output's integers by more than one code.
INLINE void count_clamped(result_row row, scalar value)
{
    if (value > MAX_KEPT || value < MIN_KEPT) atomic_inc(row.clamped);
}

/// Counts those of eight values.
INLINE void count_clamped_neighbours(result_row row, scalar8 value)
{
    const int8 one = -convert_int8((value > MAX_KEPT) | (value < MIN_KEPT));  // a true lane is -1
    const int4 two = one.lo + one.hi;
    const int count = two.x + two.y + two.z + two.w;
    if (count > 0) atomic_add(row.clamped, (uint)count);
}
#endif

/// `image`, `mask`: only blends use them.
INLINE result_row result_row_of(sizes s, __global out_sample *samples, __global const in_sample *image,
                                __global const scalar *restore, __global const scalar *weight, __global const scalar *mask,
                                uint y, uint channel)
{
    __global out_sample *row = PLANAR ? samples + ((size_t)channel * s.out_height + y) * s.out_width
                                      : samples + (size_t)y * (s.out_width * CHANNELS) + channel;
    return (result_row){row, weight + ((size_t)psf_channel_of(s, channel) * s.out_height + y) * s.out_width,
                        restore[RESTORE_SCALE(CHANNELS) + channel], restore[channel],
                        restore[RESTORE_LEAST(CHANNELS) + channel]
#if COUNT_CLAMPED
                        , (volatile __global uint *)(samples + clamped_at(s)) + clamped_count()
#endif
#if BLEND
                        , input_row(s, image, y + s.at_y, channel) + s.at_x * STEP_X, mask + (size_t)y * s.out_width,
                        blend_numbers_of(restore, RESTORE_BLEND(CHANNELS) + channel),
                        level_with(s, 0, 1, restore + RESTORE_HIGHLIGHTS(CHANNELS), channel)
#endif
    };
}

INLINE result_row from_column(result_row row, int x)
{
    row.samples += x * STEP_X;
    row.weight += x;
#if BLEND
    row.image += x * STEP_X;
    row.mask += x;
#endif
    return row;
}

/// The row that is `rows` rows below.
INLINE result_row rows_below(sizes s, result_row row, int rows)
{
    row.samples += rows * out_row_step(s);
    row.weight += rows * s.out_width;
#if BLEND
    row.image += rows * row_step(s);
    row.mask += rows * s.out_width;
#endif
    return row;
}

/// The larger of a result and its lower bound, so that rounding cannot make it negative, for example. fmax() would turn NaN
/// into a number.
#if OUT_TYPE == TYPE_U8 || OUT_TYPE == TYPE_U16
#define NOT_LESS(type, value, row) (value)
#elif LEAST_IS_ZERO
#define NOT_LESS(type, value, row) ((row).least == 0 ? ((value) < (type)(0) ? (type)(0) : (value)) : (value))
#else
#define NOT_LESS(type, value, row) ((value) < (type)((row).least) ? (type)((row).least) : (value))
#endif

/// Makes a result of a computed value. This is the only place where that happens. `covered`: this pixel's weight, used only
/// if RENORMALIZE. For one value, and for vectors of neighbours.
#define FINISHED(type)                                                                                              \
    INLINE type finished_##type(type value, result_row row, type covered)                                           \
    {                                                                                                               \
        const type scaled = RENORMALIZE ? value * row.scale / covered + row.restore                                 \
                                        : fma(value, (type)(row.scale), (type)(row.restore));                       \
        const type result = NOT_LESS(type, scaled, row);                                                            \
        if (!RENORMALIZE) return result;                                                                            \
        return covered != 0 ? result : (type)(0);                                                                   \
    }
FINISHED(scalar)
FINISHED(scalar4)
FINISHED(scalar8)

/// What a blend needs to know of a pixel of the image: its sample, the share of it that is bright, and the mask.
typedef struct {
    scalar sample, share, mask;
} seen;

/// Reads the pixel at column x. A work-item that stores several results calls this for all of them first: compilers cannot
/// move a load before a store, because both may use the same memory.
INLINE seen seen_at(result_row row, int x)
{
#if BLEND
    __global const in_sample *p = row.image + x * STEP_X;
    scalar share = 1;
#if LEAVES
    share = share_at(pixel_at(p, row.level).peak, row.level);
#endif
    return (seen){LIGHT_OF(load_raw(p), row.level), share, MASKED ? row.mask[x] : 1};
#else
    return (seen){0, 1, 1};
#endif
}

#if BLEND && PIXELS_IN_WORDS && !MASKED
/// seen_at() for pixels of three bytes, as a pair of words from `words` on. `turn`: byte_order() of the pixel's address.
/// A row's pixels that lie a multiple of four bytes apart share one address and one order, so that literal offsets are all
/// that is added. With loads of single bytes, the pass took a fifth longer. The pair may end up to seven bytes behind the pixel.
#define SEEN_BY_WORDS 1
INLINE __global const uint *words_of(result_row row)
{
    return (__global const uint *)((size_t)(row.image - row.level.channel) & ~(size_t)3);
}
INLINE uint byte_order(result_row row) { return 0x3210 + 0x1111 * (uint)((size_t)(row.image - row.level.channel) & 3); }
INLINE seen seen_in_words(result_row row, __global const uint *words, uint turn)
{
    const uint bytes = ordered_bytes(words[0], words[1], turn);
    const raw own = own_byte(bytes, row.level);
    scalar share = 1;
#if LEAVES
    share = share_at(brightest_byte(bytes, row.level), row.level);
#endif
    return (seen){LIGHT_OF(own, row.level), share, 1};
}
#else
#define SEEN_BY_WORDS 0
#endif

/// Stores one result at column x. `pixel`: what seen_at() returned for x.
INLINE void store_blended(result_row row, int x, scalar value, seen pixel)
{
    value = finished_scalar(value, row, RENORMALIZE ? row.weight[x] : 0);
#if BLEND
    value = blended_scalar(value, row.blend, pixel.sample, pixel.share, pixel.mask);
#endif
#if COUNT_CLAMPED
    count_clamped(row, value);
#endif
    store_sample(row.samples + x * STEP_X, value);
}
INLINE void store_result(result_row row, int x, scalar value) { store_blended(row, x, value, seen_at(row, x)); }

#if OUT_TYPE == TYPE_FLOAT && !ENCODE_SRGB && !BLEND
/// Stores four neighbours in a planar row. Their address is a multiple of 16 bytes.
INLINE void store_four_results(result_row row, int x, scalar4 value)
{
    *(__global float4 *)(row.samples + x) =
        convert_float4(finished_scalar4(value, row, RENORMALIZE ? vload4(0, row.weight + x) : 0));
}
#endif
