// SPDX-License-Identifier: Apache-2.0
// The image on the device: what passes load of it.
//
// Needs:  samples.cl's defines
//         CHANNELS       of the image
//         PLANAR         1: [channel][y][x]; 0: [y][x][channel], as files have it
//         HIGHLIGHTS     1: only what is bright is convolved (default 0)
//         BOOSTS         1: clipped highlights count more; without effect on those of 8 bits (default 0)
//         EARLY_ALPHA    1: alpha is among a pixel's first three channels (default 0)
//         LAYERS         1: highlights of several layers: each channel has a table of those that it is compared with (default 0)
//         TABLES_ARE_LOCAL   1: kernels copy the tables by code to local memory first (rows.cl; default 0)
// A border is a table of source columns and one of source rows, made by source_index() on the host
// (src/conv/border.cpp): no border formula exists on the device. Position n of a row holds column source_column[n], or
// zero if that is negative. The tables are as long as the lines.
// `bias` is subtracted from every sample. Transformed values then have a mean near zero, and rounding errors are relative
// to the detail, not to the brightness. If spectra are stored as halves, the difference is scaled by bias[BIAS_SCALE(CHANNELS)].
// levels.cl says what else is in that array, and where.

#pragma once

#include "complex.cl"
#include "nvidia.cl"
#include "sizes.cl"
#include "samples.cl"
#include "levels.cl"

#ifndef CHANNELS  // alone
#define CHANNELS 3
#define PLANAR 0
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
#ifndef TABLES_ARE_LOCAL
#define TABLES_ARE_LOCAL 0
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

/// Samples of an image: from one image of a launch to the next.
INLINE size_t image_samples(sizes s) { return (size_t)s.width * s.height * CHANNELS; }

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
    int to_rivals[LAYER_RIVALS];  // from a sample to those of the layer's other colours, or 0
#endif
#endif
} level;

#define TABLES_BEHIND(highlights) \
    ((highlights) + (HIGHLIGHTS ? HIGHLIGHT_NUMBERS + LAYERS * LAYER_RIVALS * CHANNELS : 0))
#if LOCAL_TABLES
#define FIRST_TABLES(highlights) 0  // until the kernel has copied them
#else
#define FIRST_TABLES(highlights) TABLES_BEHIND(highlights)
#endif

/// `highlights`: the numbers of highlights and the tables (levels.cl).
INLINE level level_with(sizes s, scalar bias, scalar scale, __global const scalar *highlights, uint channel)
{
#if HIGHLIGHTS
    const scalar knee = fmax(highlights[HIGHLIGHT_KNEE], MILLIONTHS(1) / 1000000);
#endif
    return (level){bias, scale
#if BY_CODE
                   , FIRST_TABLES(highlights)
#endif
#if HIGHLIGHTS
                   , highlights[HIGHLIGHT_THRESHOLD], knee, highlights[HIGHLIGHT_MOST], highlights[HIGHLIGHT_BOOST]
#if BY_CODE
                   , 1 / (4 * knee)
#else
                   , 1 / (2 * knee), (knee - highlights[HIGHLIGHT_THRESHOLD]) / (2 * knee)
#endif
                   , (int)highlights[HIGHLIGHT_ALPHA], (int)channel, channel_step(s)
#if PIXELS_IN_WORDS
                   , EARLY_ALPHA ? 0xFFFFFF & ~(0xFFu << 8 * (int)highlights[HIGHLIGHT_ALPHA]) : 0xFFFFFF, 0x4440 + channel
#endif
#if LAYERS
                   , {(int)highlights[HIGHLIGHT_NUMBERS + LAYER_RIVALS * channel] * channel_step(s),
                      (int)highlights[HIGHLIGHT_NUMBERS + LAYER_RIVALS * channel + 1] * channel_step(s)}
#endif
#endif
    };
}
INLINE level level_of(sizes s, __global const scalar *bias, uint channel)
{
    return level_with(s, bias[channel], PRECISION == PRECISION_HALF ? bias[BIAS_SCALE(CHANNELS)] : 1,
                      bias + BIAS_HIGHLIGHTS(CHANNELS), channel);
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
#define RIVALS LAYER_RIVALS
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
#define SHARES (DECODE_SRGB ? TABLE_NUMBERS : 0)
INLINE scalar share_at(raw peak, level level) { return level.tables[SHARES + peak]; }
#define TAKEN_PARTS (LOCAL_TABLES ? SHARES : SHARES + TABLE_NUMBERS)  // a local copy has either parts or shares
INLINE scalar part_at(raw peak, level level) { return level.tables[TAKEN_PARTS + peak]; }
#else
INLINE scalar share_at(raw peak, level level) { return share_of_bright_scalar(LIGHT_OF(peak, level), level); }
INLINE scalar part_at(raw peak, level level) { return highlight_part_scalar(LIGHT_OF(peak, level), level); }
#endif

/// The value of the sample at `p` in the convolution: its bright part if HIGHLIGHTS, except that alpha counts in full.
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
