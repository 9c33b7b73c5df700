// The image on the device: where the row passes load from and store to.
//
// Needs:  CHANNELS, WIDTH, HEIGHT         of the input
//         OUT_WIDTH, OUT_HEIGHT           of the output
//         IN_TYPE, OUT_TYPE               TYPE_... of samples.cl
//         LOADED_X                        positions of a padded row that hold data; the rest is zero
//         COLUMN_TABLE                    1: position n holds column source_column[n]; 0: column n
//         RENORMALIZE                     1: the result is divided by weight[psf channel][y][x]
//         PSF_CHANNELS                    1, or CHANNELS
// A border is a table of source columns and one of source rows, made by source_index() on the host
// (src/conv/border.cpp): no border formula exists on the device.
// `bias` is subtracted from every sample, and `restore` is added to the result: bias times the PSF's sum, or the bias
// itself after a division by the weight. What is transformed has a mean near zero, so that rounding errors are relative
// to the detail, not to the brightness.

/// The sample at position n of a padded row, less bias; 0 where there is none.
INLINE float padded_sample(__global const void *samples, uint y, uint n, uint channel, float bias,
                           __global const int *restrict source_column)
{
    if (y >= HEIGHT || n >= LOADED_X) return 0;
    const uint x = COLUMN_TABLE ? (uint)source_column[n] : n;
    return load_sample(samples, ((size_t)y * WIDTH + x) * CHANNELS + channel, IN_TYPE) - bias;
}

/// Stores the result at (x, y), if that is inside.
INLINE void store_result(__global void *samples, uint y, uint x, uint channel, float value, float restore,
                         __global const float *restrict weight)
{
    if (y >= OUT_HEIGHT || x >= OUT_WIDTH) return;
    const size_t pixel = (size_t)y * OUT_WIDTH + x;
    if (RENORMALIZE) {
        const float covered = weight[channel % PSF_CHANNELS * ((size_t)OUT_WIDTH * OUT_HEIGHT) + pixel];
        value = covered != 0 ? value / covered + restore : 0;
    } else {
        value += restore;
    }
    store_sample(samples, pixel * CHANNELS + channel, OUT_TYPE, value);
}
