// The convolution by its definition: one work-item a result sample, a loop over the PSF. For small PSFs.
//
// Needs:  image.cl's defines (not LOADED_X and COLUMN_TABLE), and
//         PSF_WIDTH, PSF_HEIGHT, PSF_CHANNELS
//         SCALE unused here; X_TABLE, Y_TABLE  1: the padded position n holds source_column[n], source_row[n] (negative:
//         nothing); 0: every position exists and is its own source
// Shapes: psf[channel][j][i], flipped, so that out[y][x] = sum psf[j][i] padded[y + j][x + i].

#include "complex.cl"
#include "samples.cl"
#define LOADED_X (OUT_WIDTH + PSF_WIDTH - 1)
#define COLUMN_TABLE 0
#include "image.cl"

__kernel void convolve_direct(__global const void *restrict samples, __global void *restrict result,
                              __global const float *restrict psf, __global const int *restrict source_column,
                              __global const int *restrict source_row, __global const float *restrict bias,
                              __global const float *restrict restore, __global const float *restrict weight)
{
    const uint x = get_global_id(0) / CHANNELS, channel = get_global_id(0) % CHANNELS, y = get_global_id(1);
    if (x >= OUT_WIDTH || y >= OUT_HEIGHT) return;
    __global const float *row = psf + channel % PSF_CHANNELS * (PSF_WIDTH * PSF_HEIGHT);
    float sum = 0;
    for (uint j = 0; j < PSF_HEIGHT; ++j, row += PSF_WIDTH) {
        const int source_y = source_row[y + j];
        if (source_y < 0) continue;
        float part = 0;  // a sum a row: the error grows with width + height, not with their product
        for (uint i = 0; i < PSF_WIDTH; ++i) {
            const int source_x = source_column[x + i];
            if (source_x < 0) continue;
            const size_t index = ((size_t)source_y * WIDTH + source_x) * CHANNELS + channel;
            part = fma(row[i], load_sample(samples, index, IN_TYPE) - bias[channel], part);
        }
        sum += part;
    }
    store_result(result, y, x, channel, sum, restore[channel], weight);
}
