// SPDX-License-Identifier: Apache-2.0
// One axis computed as the engine does it, by a circular sum in integers, and the same outputs by their definition.
#pragma once

#include "conv/axis.h"

#include <algorithm>
#include <random>
#include <vector>

namespace clconv::test {

using Samples = std::vector<long long>;

inline Samples random_samples(int count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::uniform_int_distribution<int> uniform(1, 1000);
    Samples samples(count);
    for (auto& sample : samples) sample = uniform(engine);
    return samples;
}

/// The padded lines, the PSF at its positions, their circular convolution, the first positions.
inline Samples circular_outputs(const Axis& axis, Border border, const Samples& image, const Samples& psf)
{
    Samples placed(axis.length);
    for (int j = axis.psf_first; j < axis.psf_first + axis.psf_count; ++j) placed[psf_position(axis, j)] += psf[j];
    const std::vector<int> table = source_table(axis, border);
    Samples outputs(axis.output);
    for (int part = 0; part < axis.parts; ++part) {
        const int first = part * axis.part;
        Samples line(axis.length);
        for (int n = 0; n < axis.loaded; ++n) line[n] = table[first + n] < 0 ? 0 : image[table[first + n]];
        const int count = axis.parts > 1 ? std::min(axis.part, axis.output - first) : axis.output;
        for (int n = 0; n < count; ++n)
            for (int m = 0; m < axis.length; ++m)
                outputs[first + n] += placed[m] * line[(n - m + axis.length) % axis.length];
    }
    return outputs;
}

/// out[x] = sum over i of K[i] I[x - (i - origin)], empty borders counting as 0.
inline Samples defined_outputs(const AxisProblem& p, const Samples& image, const Samples& psf)
{
    Samples outputs;
    const int first = p.mode == Mode::same ? 0 : p.mode == Mode::full ? -p.origin : p.psf - 1 - p.origin;
    const int count = p.mode == Mode::same ? p.count : p.mode == Mode::full ? p.count + p.psf - 1 : p.count - p.psf + 1;
    for (int x = first; x < first + count; ++x) {
        long long sum = 0;
        for (int i = 0; i < p.psf; ++i)
            if (const auto source = source_index(p.border, x - (i - p.origin), p.count)) sum += psf[i] * image[*source];
        outputs.push_back(sum);
    }
    return outputs;
}

/// Calls `check` with every small axis problem that has an output.
template <class Check>
void for_each_axis_problem(Check check)
{
    for (const Border border : all_values<Border>())
        for (const Mode mode : all_values<Mode>())
            for (const int count : {1, 2, 3, 5, 8})
                for (const int psf : {1, 2, 3, 4, 5, 8, 13, 19})
                    for (int origin = 0; origin < psf; ++origin)
                        if (mode != Mode::valid || psf <= count) check(AxisProblem{count, psf, origin, border, mode});
}

}  // namespace clconv::test
