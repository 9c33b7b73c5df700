// SPDX-License-Identifier: Apache-2.0
#include "psf/preview.h"

#include "base/ceil_div.h"

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

constexpr int kSmall = 256;
constexpr int kLarge = 1024;

double shade(double weight, double peak)
{
    if (!(weight > 0) || !(peak > 0)) return 0;
    return std::clamp(1 + std::log10(weight / peak) / kPreviewDecades, 0.0, 1.0);
}

}  // namespace

Psf log_preview(const Psf& psf)
{
    const int side = std::max(psf.extent.width, psf.extent.height);
    const int larger = std::max(1, kSmall / side);
    const int smaller = ceil_div(side, kLarge);
    const double peak = *std::ranges::max_element(psf.weights);
    Psf result{psf.name, {}, psf.channels, {}, {}};
    const auto resized = [&](int size) { return larger > 1 ? size * larger : ceil_div(size, smaller); };
    result.extent = {resized(psf.extent.width), resized(psf.extent.height)};
    const auto brightest = [&](int x, int y, int channel) {
        double best = 0;
        for (int dy = 0; dy < smaller && y * smaller + dy < psf.extent.height; ++dy)
            for (int dx = 0; dx < smaller && x * smaller + dx < psf.extent.width; ++dx)
                best = std::max(best, psf.at(x * smaller + dx, y * smaller + dy, channel));
        return best;
    };
    for (int channel = 0; channel < psf.channels; ++channel)
        for (int y = 0; y < result.extent.height; ++y)
            for (int x = 0; x < result.extent.width; ++x)
                result.weights.push_back(
                    shade(larger > 1 ? psf.at(x / larger, y / larger, channel) : brightest(x, y, channel), peak));
    return result;
}

}  // namespace clconv
