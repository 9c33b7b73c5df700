// SPDX-License-Identifier: Apache-2.0
// The convolution by its definition for PSFs that are too large for direct.cl: one work-item a result sample, a loop over
// the PSF.
//
// Needs:  results.cl's defines
// Shapes: psf, source_column, source_row: as direct.cl.

#include "complex.cl"
#include "sizes.cl"
#include "samples.cl"
#include "results.cl"

__kernel void convolve_direct(__global const in_sample *restrict samples, __global out_sample *restrict result,
                              __global const scalar *restrict psf, __global const int *restrict source_column,
                              __global const int *restrict source_row, __global const scalar *restrict bias,
                              __global const scalar *restrict restore, __global const scalar *restrict weight,
                              __global const scalar *restrict mask, const sizes given)
{
    const sizes s = KNOWN(given);
    const uint x = get_global_id(0) / CHANNELS, channel = get_global_id(0) % CHANNELS, y = get_global_id(1);
    if (x >= (uint)s.out_width || y >= (uint)s.out_height) return;
    __global const scalar *row = psf + psf_channel_of(s, channel) * (s.psf_width * s.psf_height);
    const level level = level_of(s, bias, channel);
    scalar sum = 0;
    for (int j = 0; j < s.psf_height; ++j, row += s.psf_width) {
        const int source_y = source_row[y + j];
        if (source_y < 0) continue;
        __global const in_sample *from = input_row(s, samples, source_y, channel);
        scalar part = 0;  // one sum for each row: the error grows with width + height, not with their product
        for (int i = 0; i < s.psf_width; ++i) {
            const int source_x = source_column[x + i];
            if (source_x < 0) continue;
            part = fma(row[i], taken_sample(from + source_x * STEP_X, level) - level.bias, part);
        }
        sum += part;
    }
    store_result(result_row_of(s, result, samples, restore, weight, mask, y, channel), x, sum);
}
