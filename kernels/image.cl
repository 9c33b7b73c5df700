// The image on the device: where the row passes load from and store to.
//
// Needs:  complex.cl, sizes.cl, samples.cl
//         CHANNELS       of the image
//         PLANAR         1: [channel][y][x]; 0: [y][x][channel], as files have it
//         RENORMALIZE    1: the result is divided by weight[psf channel][y][x] (default 0)
// A border is a table of source columns and one of source rows, made by source_index() on the host
// (src/conv/border.cpp): no border formula exists on the device. Position n of a row holds column source_column[n], or
// nothing where that is negative; tables reach as far as lines do.
// `bias` is subtracted from every sample, so that what is transformed has a mean near zero and rounding errors are
// relative to the detail, not to the brightness. With spectra in half, what is left is scaled by bias[CHANNELS].
// `restore` brings back what was taken (src/engine/levels.h): restore[channel], the bias times the PSF's sum, or the bias
// itself after a division by the weight, is added; restore[CHANNELS + channel] is the scale of what is computed.

#ifndef RENORMALIZE
#define RENORMALIZE 0
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

/// What a channel's samples lose when they are loaded for a transform, and what the rest is multiplied by.
typedef struct {
    scalar bias, scale;
} level;
INLINE level level_of(__global const scalar *bias, uint channel)
{
    return (level){bias[channel], PRECISION == PRECISION_HALF ? bias[CHANNELS] : 1};
}

/// A row of the result, or what is left of it from some column on.
typedef struct {
    __global out_sample *samples;
    __global const scalar *weight;  // RENORMALIZE: what each pixel is divided by
    scalar scale, restore;
} result_row;

INLINE result_row result_row_of(sizes s, __global out_sample *samples, __global const scalar *restore,
                                __global const scalar *weight, uint y, uint channel)
{
    __global out_sample *row = PLANAR ? samples + ((size_t)channel * s.out_height + y) * s.out_width
                                      : samples + (size_t)y * (s.out_width * CHANNELS) + channel;
    return (result_row){row, weight + ((size_t)psf_channel_of(s, channel) * s.out_height + y) * s.out_width,
                        restore[CHANNELS + channel], restore[channel]};
}

INLINE result_row from_column(result_row row, int x)
{
    row.samples += x * STEP_X;
    row.weight += x;
    return row;
}

/// The row so many further down.
INLINE result_row rows_below(sizes s, result_row row, int rows)
{
    row.samples += rows * out_row_step(s);
    row.weight += rows * s.out_width;
    return row;
}

/// What is stored for a value as it comes from the arithmetic: the one place where values become results.
/// `covered`: this pixel's weight, read under RENORMALIZE only. For one value, and for vectors of neighbours.
#define FINISHED(type)                                                                                              \
    INLINE type finished_##type(type value, result_row row, type covered)                                           \
    {                                                                                                               \
        if (!RENORMALIZE) return fma(value, (type)(row.scale), (type)(row.restore));                                \
        return covered != 0 ? value * row.scale / covered + row.restore : (type)(0);                                \
    }
FINISHED(scalar)
FINISHED(scalar4)
FINISHED(scalar8)

/// One result.
INLINE void store_result(result_row row, int x, scalar value)
{
    store_sample(row.samples + x * STEP_X, finished_scalar(value, row, RENORMALIZE ? row.weight[x] : 0));
}

#if OUT_TYPE == TYPE_FLOAT && !ENCODE_SRGB
/// Four neighbours in a planar row, at an address that is a multiple of theirs.
INLINE void store_four_results(result_row row, int x, scalar4 value)
{
    *(__global float4 *)(row.samples + x) = convert_float4(finished_scalar4(value, row, RENORMALIZE ? vload4(0, row.weight + x) : 0));
}
#endif
