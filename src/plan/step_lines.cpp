// SPDX-License-Identifier: Apache-2.0
#include "plan/step_lines.h"

#include "conv/axis.h"
#include "fft/factorize.h"

#include <algorithm>
#include <cstdint>

namespace clconv {
namespace {

/// Ascending. Each is the fastest of the lines that were tried with its length for images of one size, and no longer
/// one was faster there: bench/measure-steps on an NVIDIA H100, docs/measurements/2026-11-26-h100.md
const std::vector<StepLine>& measured()
{
    static const std::vector<StepLine> kLines = {
        {{16, 12, 6}, 96},   {{16, 14, 6}, 96},    {{14, 14, 8}, 112},    {{9, 8, 7, 4}, 252},   {{16, 8, 4, 4}, 256},
        {{14, 14, 11}, 154}, {{20, 12, 9}, 120},   {{11, 8, 6, 5}, 330},  {{11, 7, 6, 6}, 252},  {{10, 8, 8, 5}, 320},
        {{9, 9, 8, 5}, 405}, {{12, 8, 7, 6}, 336}, {{12, 10, 6, 6}, 432}, {{13, 12, 7, 4}, 364},
    };
    return kLines;
}

bool fits(const StepLine& line, const DeviceTraits& traits)
{
    const std::uint64_t bytes = 2 * sizeof(float) * static_cast<std::uint64_t>(line_length(line.radices));
    return static_cast<std::uint64_t>(line.items) <= traits.max_work_group && bytes <= traits.local_memory;
}

}  // namespace

std::optional<StepLine> step_rows(const Problem& problem, const DeviceTraits& traits)
{
    if (!problem.alternates || traits.is_cpu || problem.precision != Precision::float32) return std::nullopt;
    const int minimum = padded_axis(along_x(problem)).length;
    for (const StepLine& line : measured()) {
        const int length = line_length(line.radices);
        if (length > minimum + minimum / 8) break;
        if (length >= minimum && fits(line, traits)) return line;
    }
    return std::nullopt;
}

std::vector<int> step_lengths()
{
    std::vector<int> lengths;
    for (const StepLine& line : measured()) lengths.push_back(line_length(line.radices));
    return lengths;
}

}  // namespace clconv
