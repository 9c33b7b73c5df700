// The image on the device: where the row passes load from and store to.
//
// Needs:  samples.cl's defines
//         CHANNELS       of the image
//         PLANAR         1: [channel][y][x]; 0: [y][x][channel], as files have it
//         RENORMALIZE    1: the result is divided by weight[psf channel][y][x] (default 0)
//         BLEND          BLEND_... below: how the result is combined with the image (default: not)
//         MASKED         1: blends by mask[y][x] of the result (default 0)
//         HIGHLIGHTS     1: only what is bright is convolved (default 0)
//         BOOSTS         1: clipped highlights count more; no matter for those of 8 bits (default 0)
//         EARLY_ALPHA    1: alpha is among a pixel's first three channels (default 0)
//         LEAST_IS_ZERO  1: a lower bound of results counts only if it is 0, which saves a register (default 0)
//         COUNT_CLAMPED  1: counts results that lie outside the output's integers by more than one code (default 0)
//         LAYERS         1: highlights of several layers: each channel has a table of those that it is compared with (default 0)
//         LEAVES         1: the image keeps less of its highlights, so they are looked for a second time (default 0)
//         TABLES_ARE_LOCAL   1: kernels copy the tables by code to local memory first (rows.cl; default 0)
// A border is a table of source columns and one of source rows, made by source_index() on the host
// (src/conv/border.cpp): no border formula exists on the device. Position n of a row holds column source_column[n], or
// zero if that is negative. The tables are as long as the lines.
// `bias` is subtracted from every sample. Transformed values then have a mean near zero, and rounding errors are relative
// to the detail, not to the brightness. If spectra are stored as halves, the difference is scaled by bias[CHANNELS].
// `restore` undoes both (src/engine/levels.h). restore[channel] is added to a result: the bias times the PSF's sum, or the
// bias itself after a division by the weight. restore[CHANNELS + channel] is the scale of the computed value.
// restore[2 CHANNELS + channel] is a lower bound of the results, which the host knows; integers do not use it.
// The numbers for blends, for highlights and for tables by code follow in the same two arrays: src/engine/levels.h.

#pragma once

#include "complex.cl"
#include "sizes.cl"
#include "samples.cl"

#ifndef CHANNELS  // alone
#define CHANNELS 3
#define PLANAR 0
#endif

#ifndef RENORMALIZE
#define RENORMALIZE 0
#endif

#define BLEND_NONE 0    // the result
#define BLEND_SUM 1     // (image - leave bright(image)) + gain result: a mix if leave = gain, added light if leave = 0
#define BLEND_SCREEN 2  // the same, but less of the result where the image is bright already
#ifndef BLEND
#define BLEND BLEND_NONE
#endif
#ifndef MASKED
#define MASKED 0
#endif
#ifndef HIGHLIGHTS
#define HIGHLIGHTS 0
#endif
#ifndef BOOSTS
#define BOOSTS 0
#endif
#ifndef EARLY_ALPHA
#define EARLY_ALPHA 0
#endif
#ifndef LAYERS
#define LAYERS 0
#endif
#ifndef LEAVES
#define LEAVES 0
#endif
#ifndef TABLES_ARE_LOCAL
#define TABLES_ARE_LOCAL 0
#endif
#ifndef LEAST_IS_ZERO
#define LEAST_IS_ZERO 0
#endif
#ifndef COUNT_CLAMPED
#define COUNT_CLAMPED 0
#endif

/// Samples from one column to the next.
#define STEP_X (PLANAR ? 1 : CHANNELS)

/// Samples from one row to the next, of the image and of the result.
INLINE int row_step(sizes s) { return s.width * STEP_X; }
INLINE int out_row_step(sizes s) { return s.out_width * STEP_X; }

INLINE __global const in_sample *input_row(sizes s, __global const in_sample *samples, uint y, uint channel)
{
    if (PLANAR) return samples + ((size_t)channel * s.height + y) * s.width;
    return samples + (size_t)y * (s.width * CHANNELS) + channel;
}

/// The channel of the PSF that belongs to one of the image's.
INLINE uint psf_channel_of(sizes s, uint channel) { return s.psf_channels == 1 ? 0 : channel; }

/// From a pixel's sample to that of its next channel.
INLINE int channel_step(sizes s) { return PLANAR ? s.width * s.height : 1; }

/// Functions of 8-bit samples are read from tables of 256 numbers instead of being computed. On GPUs this takes a third
/// less time in linear light, and half the time for highlights.
#define BY_CODE (IN_TYPE == TYPE_U8 && (DECODE_SRGB || HIGHLIGHTS))
#define LOCAL_TABLES (BY_CODE && TABLES_ARE_LOCAL)
#if LOCAL_TABLES
typedef __local const scalar *code_tables;
#else
typedef __global const scalar *code_tables;
#endif

/// Whether highlights take pixels of three bytes from pairs of words, which costs NVIDIA's GPUs less time than three loads of
/// bytes. Pairs end up to seven bytes behind a pixel, and buffers a few bytes later (src/opencl/buffers.cpp).
#define PIXELS_IN_WORDS (ON_NVIDIA && HIGHLIGHTS && IN_TYPE == TYPE_U8 && CHANNELS == 3 && !PLANAR && !LAYERS)

/// How a channel's samples become the values of a transform: (sample - bias) scale, where only the bright part of a sample
/// counts if HIGHLIGHTS.
typedef struct {
    scalar bias, scale;
#if BY_CODE
    code_tables tables;  // 256 numbers each: light (DECODE_SRGB); share of bright and highlight part (HIGHLIGHTS)
#endif
#if HIGHLIGHTS
    scalar threshold, knee, most, boost;
#if BY_CODE
    // Tables hold what these numbers would be needed for. Yet without them, NVIDIA's compiler makes a pass back that takes
    // 0.150 instead of 0.127 ms.
    scalar quarter;  // 1 / (4 knee)
#else
    scalar slope, begin;  // of the line from 0 to 1 between threshold - knee and threshold + knee
#endif
    int alpha;  // its channel, or -1
    int channel, to_next_channel;
#if PIXELS_IN_WORDS
    uint colours, own;  // which bytes of a pixel are colours; the order of bytes that leaves only the channel's own
#endif
#if LAYERS
    int to_rivals[2];  // from a sample to those of the layer's other colours, or 0
#endif
#endif
} level;

#define TABLES_BEHIND(highlights) ((highlights) + (HIGHLIGHTS ? 5 + LAYERS * 2 * CHANNELS : 0))
#if LOCAL_TABLES
#define FIRST_TABLES(highlights) 0  // until the kernel has copied them
#else
#define FIRST_TABLES(highlights) TABLES_BEHIND(highlights)
#endif

/// `highlights`: threshold, knee, largest value that counts, boost, alpha's channel or -1; with LAYERS two numbers a channel,
/// the channels to its rivals; then the tables.
INLINE level level_with(sizes s, scalar bias, scalar scale, __global const scalar *highlights, uint channel)
{
#if HIGHLIGHTS
    const scalar knee = fmax(highlights[1], MILLIONTHS(1) / 1000000);
#endif
    return (level){bias, scale
#if BY_CODE
                   , FIRST_TABLES(highlights)
#endif
#if HIGHLIGHTS
                   , highlights[0], knee, highlights[2], highlights[3]
#if BY_CODE
                   , 1 / (4 * knee)
#else
                   , 1 / (2 * knee), (knee - highlights[0]) / (2 * knee)
#endif
                   , (int)highlights[4], (int)channel, channel_step(s)
#if PIXELS_IN_WORDS
                   , EARLY_ALPHA ? 0xFFFFFF & ~(0xFFu << 8 * (int)highlights[4]) : 0xFFFFFF, 0x4440 + channel
#endif
#if LAYERS
                   , {(int)highlights[5 + 2 * channel] * channel_step(s),
                      (int)highlights[6 + 2 * channel] * channel_step(s)}
#endif
#endif
    };
}
INLINE level level_of(sizes s, __global const scalar *bias, uint channel)
{
    return level_with(s, bias[channel], PRECISION == PRECISION_HALF ? bias[CHANNELS] : 1, bias + CHANNELS + 1, channel);
}

/// A sample as light, or as it is stored if nothing is decoded. (A macro, because an unused parameter `level` makes a
/// mix's rows a seventh slower with NVIDIA's compiler.)
#if BY_CODE && DECODE_SRGB
#define LIGHT_OF(sample, level) ((level).tables[sample])
#else
#define LIGHT_OF(sample, level) decoded_scalar(code_of(sample))
#endif

#if HIGHLIGHTS
// There are no branches here. Around every load of a line, they would take most of the kernel's time and of its
// compiling.

#if !BY_CODE
#if ON_NVIDIA && PRECISION != PRECISION_DOUBLE && IN_TYPE != TYPE_FLOAT && IN_TYPE != TYPE_DOUBLE
#define QUOTIENT(a, b) ((a) * native_recip(b))  // as exact as native_exp2() in samples.cl, and rows of halves take 3 % less
#else
#define QUOTIENT(a, b) ((a) / (b))
#endif

/// light_above: how much of `peak`, a pixel's brightest channel, is bright. 0 below threshold - knee, peak - threshold above
/// threshold + knee, and a parabola between.
/// share_of_bright: the same as a share of the pixel's light.
/// highlight_part: the factor of a sample in the convolution. It is the share, times a boost for highlights that were
/// clipped: 1 below 0.8 of white, 1 + boost at white. For one pixel, and for vectors of neighbours.
#define BRIGHTNESS(type)                                                                                            \
    INLINE type light_above_##type(type peak, level level)                                                          \
    {                                                                                                               \
        const type light = fmin(peak, level.most);                                                                  \
        const type soft = clamp(fma(light, (type)(level.slope), (type)(level.begin)), (scalar)0, (scalar)1);        \
        return fmax(light - level.threshold, soft * soft * level.knee);                                             \
    }                                                                                                               \
    INLINE type share_of_bright_##type(type peak, level level)                                                      \
    {                                                                                                               \
        return QUOTIENT(light_above_##type(peak, level), fmax(peak, MILLIONTHS(1) / 1000000));                      \
    }                                                                                                               \
    INLINE type highlight_part_##type(type peak, level level)                                                       \
    {                                                                                                               \
        if (!BOOSTS) return share_of_bright_##type(peak, level);                                                    \
        const type near = clamp(fma(peak, (type)(5), (type)(-4)), (scalar)0, (scalar)1);                            \
        const type over_peak = QUOTIENT((type)(1), fmax(peak, MILLIONTHS(1) / 1000000));                            \
        const type boosted = fma(near * near, (type)(level.boost), (type)(1)) * fmin(over_peak, (scalar)1);         \
        return light_above_##type(peak, level) * over_peak * fmax(boosted, (scalar)1);                              \
    }
BRIGHTNESS(scalar)
BRIGHTNESS(scalar8)
#endif

/// How many channels a sample is compared with, and where: 0 is the sample itself.
#if LAYERS
#define RIVALS 2
#define RIVAL(level, k) ((level).to_rivals[k])
#else
#define RIVALS (CHANNELS < 3 ? CHANNELS : 3)
#define IS_ALPHA(level, k) (EARLY_ALPHA && (k) == (level).alpha)
#define RIVAL(level, k) (IS_ALPHA(level, k) ? 0 : ((k) - (level).channel) * (PLANAR ? (level).to_next_channel : 1))
#endif

/// A pixel's sample of the channel that is convolved (own), and the sample of its brightest channel (peak).
typedef struct {
    raw own, peak;
} pixel;

#if IN_TYPE == TYPE_U8 || IN_TYPE == TYPE_U16
#define BRIGHTER(a, b) max(a, b)
#else
#define BRIGHTER(a, b) fmax(a, b)
#endif

#if PIXELS_IN_WORDS
/// Four of the eight bytes of two words; each digit of `order` names one. The lowest are those of `low`.
INLINE uint ordered_bytes(uint low, uint high, uint order)
{
    uint bytes;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(order));
    return bytes;
}

/// The channel's own sample of a pixel; byte k of `bytes` is channel k.
INLINE raw own_byte(uint bytes, level level) { return ordered_bytes(bytes, 0, level.own); }

/// The sample of a pixel's brightest channel.
INLINE raw brightest_byte(uint bytes, level level)
{
    const uint colours = bytes & level.colours;
    return max((raw)(colours & 255), max((raw)(colours >> 8 & 255), (raw)(colours >> 16 & 255)));
}
#endif

/// Whether a pixel's own sample is selected of all that are loaded. For floats and halves, loading it twice costs less.
#if IN_TYPE == TYPE_U16 && CHANNELS <= 3 && !LAYERS
#define SELECTS_OWN 1
#else
#define SELECTS_OWN 0
#endif

/// The pixel whose own sample is at `p`. Samples are compared as they are stored, because converting them first costs
/// more.
INLINE pixel pixel_at(__global const in_sample *p, level level)
{
#if PIXELS_IN_WORDS
    const size_t first_byte = (size_t)(p - level.channel);
    __global const uint *words = (__global const uint *)(first_byte & ~(size_t)3);
    const uint bytes = ((ulong)words[1] << 32 | words[0]) >> 8 * (first_byte & 3);
    return (pixel){own_byte(bytes, level), brightest_byte(bytes, level)};
#else
    raw own = SELECTS_OWN ? 0 : load_raw(p);
    raw peak = own;
#if LAYERS
    peak = BRIGHTER(peak, BRIGHTER(load_raw(p + RIVAL(level, 0)), load_raw(p + RIVAL(level, 1))));
#else
    __global const in_sample *first = p - level.channel * (PLANAR ? level.to_next_channel : 1);
#pragma unroll
    for (int c = 0; c < RIVALS; ++c) {
        const raw sample = load_raw(first + c * (PLANAR ? level.to_next_channel : 1));
        if (SELECTS_OWN) own = c == level.channel ? sample : own;
        peak = IS_ALPHA(level, c) ? peak : BRIGHTER(peak, sample);
    }
#endif
    return (pixel){own, peak};
#endif
}

/// share_of_bright and highlight_part of a pixel whose brightest sample is `peak`.
#if BY_CODE
#define SHARES (DECODE_SRGB ? 256 : 0)
INLINE scalar share_at(raw peak, level level) { return level.tables[SHARES + peak]; }
#define TAKEN_PARTS (LOCAL_TABLES ? SHARES : SHARES + 256)  // a local copy has either parts or shares
INLINE scalar part_at(raw peak, level level) { return level.tables[TAKEN_PARTS + peak]; }
#else
INLINE scalar share_at(raw peak, level level) { return share_of_bright_scalar(LIGHT_OF(peak, level), level); }
INLINE scalar part_at(raw peak, level level) { return highlight_part_scalar(LIGHT_OF(peak, level), level); }
#endif

/// The value of the sample at `p` in the convolution: its bright part if HIGHLIGHTS, except that alpha counts whole.
INLINE scalar taken_sample(__global const in_sample *p, level level)
{
    const pixel at = pixel_at(p, level);
    scalar part = part_at(at.peak, level);
#if EARLY_ALPHA || CHANNELS > 3
    if (level.channel == level.alpha) part = 1;
#endif
    return LIGHT_OF(at.own, level) * part;
}
#else
INLINE scalar taken_sample(__global const in_sample *p, level level) { return LIGHT_OF(load_raw(p), level); }
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
    scalar gain, leave, offset;
    level level;  // HIGHLIGHTS: its channel
#endif
} result_row;

#if COUNT_CLAMPED
/// Work-groups share so many counts of clamped results, as kClampedCounts of src/engine/clamped.h. A work-group has one of them,
/// so that NVIDIA's compiler can add for a whole warp: docs/decisions/039-counts-of-clamped-results.md
#define CLAMPED_COUNTS 256
/// The place of the first count, in samples from the first result on. The same as in src/engine/clamped.h.
INLINE size_t clamped_at(sizes s) { return ((size_t)s.out_width * s.out_height * CHANNELS + 3) / 4 * 4; }

/// The work-group's own count.
INLINE uint clamped_count(void) { return (get_group_id(0) + get_group_id(1)) % CLAMPED_COUNTS; }

/// Counts `value` if it lies outside the output's integers by more than one code.
INLINE void count_clamped(result_row row, scalar value)
{
    const int most = OUT_TYPE == TYPE_U8 ? 255 : 65535;
    const scalar code = encoded_scalar(value) * most;
    if (code > most + 1 || code < -1) atomic_inc(row.clamped);
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
                        restore[CHANNELS + channel], restore[channel], restore[2 * CHANNELS + channel]
#if COUNT_CLAMPED
                        , (volatile __global uint *)(samples + clamped_at(s)) + clamped_count()
#endif
#if BLEND
                        , input_row(s, image, y + s.at_y, channel) + s.at_x * STEP_X, mask + (size_t)y * s.out_width,
                        restore[3 * CHANNELS + channel], restore[4 * CHANNELS + channel], restore[5 * CHANNELS + channel],
                        level_with(s, 0, 1, restore + 6 * CHANNELS, channel)
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

/// Combines a result with the image's sample at the same place. This is the only place where that happens. `share`: the
/// share of the image's sample that is bright. For one value, and for vectors of neighbours.
#if BLEND
#define BLENDED(type)                                                                                               \
    INLINE type blended_##type(type value, result_row row, type image, type share, type mask)                       \
    {                                                                                                               \
        const type stays = fma(-mask * row.leave * share, image, image);                                            \
        const type room = BLEND == BLEND_SCREEN ? 1 - clamp(image, (scalar)0, (scalar)1) : (type)(1);               \
        return fma(mask * row.gain * room, value, stays) + row.offset;                                              \
    }
BLENDED(scalar)
BLENDED(scalar8)
#endif
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
    value = blended_scalar(value, row, pixel.sample, pixel.share, pixel.mask);
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
