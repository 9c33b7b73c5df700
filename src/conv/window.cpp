// SPDX-License-Identifier: Apache-2.0
#include "conv/window.h"

#include <algorithm>

namespace clconv {

Window window_of(const AxisProblem& problem)
{
    const Axis axis = padded_axis(problem);
    // The line's position 0 is the first output's; a PSF sample moves data by at most `maximum` to the right.
    const int maximum = axis.psf_first + axis.psf_count - 1 + axis.psf_shift;
    return {.first_source = axis.first_source - maximum,
            .psf_first = axis.psf_first,
            .taps = axis.psf_count,
            .output = axis.output};
}

std::vector<int> window_sources(const AxisProblem& problem, int positions)
{
    const Window window = window_of(problem);
    std::vector<int> sources(static_cast<std::size_t>(positions), -1);
    const int needed = std::min(positions, window.output + window.taps - 1);
    for (int n = 0; n < needed; ++n)
        sources[static_cast<std::size_t>(n)] =
            source_index(problem.border, window.first_source + n, problem.count).value_or(-1);
    return sources;
}

}  // namespace clconv
