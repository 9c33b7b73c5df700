// The convolution by its definition for PSFs that are too large for direct.cl: one work-item a result sample, a loop over
// the PSF.
//
// Needs:  image.cl's defines, and PSF_WIDTH, PSF_HEIGHT
// Shapes: psf[channel][j][i], flipped, so that out[y][x] = sum psf[j][i] padded[y + j][x + i]. The padded position n holds
//         column source_column[n], row source_row[n] of the image; negative: nothing.

#include "complex.cl"
#include "samples.cl"
#include "image.cl"

__kernel void convolve_direct(__global const in_sample *restrict samples, __global out_sample *restrict result,
                              __global const scalar *restrict psf, __global const int *restrict source_column,
                              __global const int *restrict source_row, __global const scalar *restrict bias,
                              __global const scalar *restrict restore, __global const scalar *restrict weight)
{
    const uint x = get_global_id(0) / CHANNELS, channel = get_global_id(0) % CHANNELS, y = get_global_id(1);
    if (x >= OUT_WIDTH || y >= OUT_HEIGHT) return;
    __global const scalar *row = psf + channel % PSF_CHANNELS * (PSF_WIDTH * PSF_HEIGHT);
    scalar sum = 0;
    for (uint j = 0; j < PSF_HEIGHT; ++j, row += PSF_WIDTH) {
        const int source_y = source_row[y + j];
        if (source_y < 0) continue;
        __global const in_sample *line = input_row(samples, source_y, channel);
        scalar part = 0;  // a sum a row: the error grows with width + height, not with their product
        for (uint i = 0; i < PSF_WIDTH; ++i) {
            const int source_x = source_column[x + i];
            if (source_x < 0) continue;
            part = fma(row[i], load_sample(line + source_x * STEP_X) - bias[channel], part);
        }
        sum += part;
    }
    store_sample(output_row(result, y, channel) + x * STEP_X,
                 finished(sum, restore[channel], weight_row(weight, y, channel) + x));
}
