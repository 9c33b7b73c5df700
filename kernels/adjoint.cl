// SPDX-License-Identifier: Apache-2.0
// The ends of an adjoint convolution, in floats: the transposes of what renormalize does to results and of what a border
// does to an image.
//
// Needs:  PRECISION (of the coverage)
// Shapes: images interleaved, [y][x][channel].

#include "complex.cl"

/// Results divided by the coverage, as renormalize divides them; 0 where it divides by 0. `weight`: [psf channels][pixel].
__kernel void divide_by_coverage(__global const float *restrict samples, __global const scalar *restrict weight,
                                 __global float *restrict result, uint channels, uint psf_channels, ulong pixels)
{
    const size_t pixel = get_global_id(0);
    const uint channel = get_global_id(1);
    if (pixel >= pixels) return;
    const scalar covered = weight[channel % psf_channels * pixels + pixel];
    const size_t i = pixel * channels + channel;
    result[i] = covered != 0 ? samples[i] / covered : 0;
}

/// Adds samples up along one axis: sample n of a line is the sum of those at positions[first[n] .. first[n + 1] - 1] of
/// the extended line, which are the positions where the border has put it. Lines of `count` samples, `extended` before,
/// each sample of `inner` numbers; work-item = (number of a line, line).
__kernel void fold(__global const float *restrict lines, __global float *restrict result,
                   __global const int *restrict first, __global const int *restrict positions, uint count, uint extended,
                   uint inner)
{
    const size_t i = get_global_id(0), line = get_global_id(1);
    if (i >= (size_t)count * inner) return;
    const size_t n = i / inner;
    lines += line * extended * inner + i % inner;
    float sum = 0;
    for (int k = first[n]; k < first[n + 1]; ++k) sum += lines[(size_t)positions[k] * inner];
    result[line * count * inner + i] = sum;
}
