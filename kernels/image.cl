// The image on the device: where the row passes load from and store to.
//
// Needs:  CHANNELS, WIDTH, HEIGHT         of the input
//         OUT_WIDTH, OUT_HEIGHT           of the output
//         PLANAR                          1: [channel][y][x]; 0: [y][x][channel], as files have it
//         IN_TYPE, OUT_TYPE               TYPE_... of samples.cl
//         COLUMN_TABLE                    1: position n holds column source_column[n]; 0: column n
//         RENORMALIZE                     1: the result is divided by weight[psf channel][y][x]
//         PSF_CHANNELS                    1, or CHANNELS
//         SCALE                           where results come from a transform: their scale, but for half
// A border is a table of source columns and one of source rows, made by source_index() on the host
// (src/conv/border.cpp): no border formula exists on the device.
// `bias` is subtracted from every sample, and `restore` is added to the result: bias times the PSF's sum, or the bias
// itself after a division by the weight. With spectra in half, what is left of the samples is scaled by bias[CHANNELS]
// and the result by restore[CHANNELS + channel], which undoes that and more (src/engine/levels.h). What is transformed has a mean near zero, so that rounding errors are relative
// to the detail, not to the brightness.

/// Samples from one column to the next.
#define STEP_X (PLANAR ? 1 : CHANNELS)
/// Samples from one row to the next, of the image and of the result.
#define ROW_STEP (WIDTH * STEP_X)
#define OUT_ROW_STEP (OUT_WIDTH * STEP_X)

INLINE __global const in_sample *input_row(__global const in_sample *samples, uint y, uint channel)
{
    if (PLANAR) return samples + ((size_t)channel * HEIGHT + y) * WIDTH;
    return samples + (size_t)y * (WIDTH * CHANNELS) + channel;
}

INLINE __global out_sample *output_row(__global out_sample *samples, uint y, uint channel)
{
    if (PLANAR) return samples + ((size_t)channel * OUT_HEIGHT + y) * OUT_WIDTH;
    return samples + (size_t)y * (OUT_WIDTH * CHANNELS) + channel;
}

/// The weights of a row of the result.
INLINE __global const scalar *weight_row(__global const scalar *weight, uint y, uint channel)
{
    return weight + ((size_t)(channel % PSF_CHANNELS) * OUT_HEIGHT + y) * OUT_WIDTH;
}

/// What a channel's samples lose when they are loaded for a transform, and what the rest is multiplied by.
typedef struct {
    scalar bias, scale;
} level;
INLINE level level_of(__global const scalar *bias, uint channel)
{
    return (level){bias[channel], PRECISION == PRECISION_HALF ? bias[CHANNELS] : 1};
}

#ifdef SCALE
/// The scale of what comes out of the transform back.
INLINE scalar scale_of(__global const scalar *restore, uint channel)
{
    return PRECISION == PRECISION_HALF ? restore[CHANNELS + channel] : SCALE;
}
#endif

/// What is stored for `value`, as it comes from the transform; `weight` is this pixel's, and unused elsewhere.
INLINE scalar finished(scalar value, scalar restore, __global const scalar *weight)
{
    if (!RENORMALIZE) return value + restore;
    const scalar covered = *weight;
    return covered != 0 ? value / covered + restore : 0;
}
