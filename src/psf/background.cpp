// SPDX-License-Identifier: Apache-2.0
#include "psf/background.h"

#include "base/errors.h"
#include "base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace clconv {

Background parse_background(std::string_view text)
{
    if (text == "auto") return {};
    const std::optional<double> value = parse_number<double>(text);
    if (!value || !std::isfinite(*value))
        throw InvalidProblem(
            fmt::format("--psf-background '{}' is not a number; give one, such as 0.01, or auto", text));
    return {*value};
}

double edge_median(const Psf& psf, int channel)
{
    const auto [width, height] = psf.extent;
    const int frame = std::max(1, std::min(width, height) / 16);
    std::vector<double> samples;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (std::min({x, y, width - 1 - x, height - 1 - y}) < frame) samples.push_back(psf.at(x, y, channel));
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    if (samples.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(samples.begin(), middle)) / 2;
}

Psf without_background(Psf psf, const Background& background)
{
    const std::size_t pixels = psf.extent.pixels();
    std::vector<double> dark;
    for (int channel = 0; channel < psf.channels; ++channel)
        dark.push_back(background.value ? *background.value : edge_median(psf, channel));
    for (std::size_t i = 0; i < psf.weights.size(); ++i)
        psf.weights[i] = std::max(psf.weights[i] - dark[i / pixels], 0.0);
    return psf;
}

}  // namespace clconv
