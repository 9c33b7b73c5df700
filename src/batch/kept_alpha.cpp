// SPDX-License-Identifier: Apache-2.0
#include "batch/kept_alpha.h"

#include "base/bytes.h"
#include "conv/axis.h"
#include "image/samples.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace clconv {
namespace {

/// The alpha of one input row, in the output's type.
Bytes alpha_of(const Problem& p, int channel, const std::byte* row)
{
    const ImageView pixels{{p.image.width, 1}, p.channels, p.input, row};
    Bytes alpha = select_channels(pixels, std::array{channel});
    if (p.input == p.output) return alpha;
    const Bytes floats = to_float({{p.image.width, 1}, 1, p.input, alpha.data()});
    return from_float(floats.as<float>(), p.output);
}

}  // namespace

void KeptAlpha::write(int first, int count, const std::function<const std::byte*(int y)>& row, std::byte* result) const
{
    const std::size_t sample = bytes_of(problem.output);
    const std::size_t pixel = sample * static_cast<std::size_t>(problem.channels);
    const int width = output_extent(problem).width;
    const int left = first_output(along_x(problem));
    const int top = first_output(along_y(problem)) + first;
    // Output columns that are input columns.
    const int begin = std::max(0, -left);
    const int end = std::min(width, problem.image.width - left);
    for (int i = 0; i < count; ++i) {
        std::byte* const to =
            result + static_cast<std::size_t>(i) * width * pixel + static_cast<std::size_t>(channel) * sample;
        for (int x = 0; x < width; ++x) std::memset(to + static_cast<std::size_t>(x) * pixel, 0, sample);
        if (top + i < 0 || top + i >= problem.image.height) continue;
        const Bytes alpha = alpha_of(problem, channel, row(top + i));
        for (int x = begin; x < end; ++x)
            std::memcpy(to + static_cast<std::size_t>(x) * pixel,
                        alpha.data() + static_cast<std::size_t>(left + x) * sample, sample);
    }
}

}  // namespace clconv
