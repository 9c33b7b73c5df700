// SPDX-License-Identifier: Apache-2.0
#include "psf/shrink.h"

#include "psf/resize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace clconv {
namespace {

/// Samples that sharpening adds to each side.
constexpr int kMore = 2;

using Taps = std::array<double, 2 * kMore + 1>;

/// The blur, as a number of boxes of the small samples' width, each sinc(w / 2 pi). It comes from the two tents over
/// full-size samples, and from the pixels over which the PSF is averaged, with the linear interpolation between its
/// weights. Variances in samples: f^2 / 6 + 1 / 12 twice, f^2 / 12 + 1 / 6; a box has f^2 / 12.
double boxes(int factor) { return 5 + 4.0 / (factor * factor); }

/// A filter with the response 1 / sinc^boxes up to w^order: 1, 1 + a w^2, 1 + a w^2 + b w^4, as powers of 2 - 2 cos w =
/// w^2 - w^4 / 12.
Taps sharpening(int order, int factor)
{
    const double a = boxes(factor) / 24;
    const double b = boxes(factor) / 2880 + a * a / 2;
    const double one = order >= 2 ? a : 0;
    const double two = order >= 4 ? b + a / 12 : 0;
    return {two, -one - 4 * two, 1 + 2 * one + 6 * two, -one - 4 * two, two};
}

/// One channel, [y][x].
struct Plane {
    Extent extent;
    std::vector<double> weights;
};

/// An axis as a matrix: `weight(to, from)` where it is not 0, from first(to) to end(to).
struct Axis1d {
    int size = 0;
    std::vector<std::pair<int, std::vector<double>>> rows;  ///< the first `from`, and the weights
};

Plane applied(const Plane& plane, const Axis1d& across, const Axis1d& down)
{
    const int width = plane.extent.width;
    const auto wide = static_cast<std::size_t>(across.size);
    std::vector<double> rows(wide * static_cast<std::size_t>(plane.extent.height));
    for (int y = 0; y < plane.extent.height; ++y)
        for (int x = 0; x < across.size; ++x) {
            const auto& [first, weights] = across.rows[static_cast<std::size_t>(x)];
            double sum = 0;
            for (int i = 0; i < static_cast<int>(weights.size()); ++i)
                if (first + i >= 0 && first + i < width)
                    sum += weights[static_cast<std::size_t>(i)] *
                           plane.weights[static_cast<std::size_t>(y) * width + first + i];
            rows[static_cast<std::size_t>(y) * wide + x] = sum;
        }
    Plane result{{across.size, down.size}, std::vector<double>(wide * static_cast<std::size_t>(down.size))};
    for (int y = 0; y < down.size; ++y) {
        const auto& [first, weights] = down.rows[static_cast<std::size_t>(y)];
        double* const to = result.weights.data() + static_cast<std::size_t>(y) * wide;
        for (int j = 0; j < static_cast<int>(weights.size()); ++j) {
            if (first + j < 0 || first + j >= plane.extent.height) continue;
            const double* const from = rows.data() + static_cast<std::size_t>(first + j) * wide;
            for (std::size_t x = 0; x < wide; ++x) to[x] += weights[static_cast<std::size_t>(j)] * from[x];
        }
    }
    return result;
}

Axis1d sharpened_axis(int count, const Taps& taps)
{
    Axis1d axis{count + 2 * kMore, {}};
    for (int to = 0; to < axis.size; ++to)
        axis.rows.emplace_back(to - 2 * kMore, std::vector<double>(taps.begin(), taps.end()));
    return axis;
}

/// The effect of the tents on a small PSF of `count` samples around its middle. On the average over all positions of a
/// light, sample d - reach of the result is the sum over n of psf[n] c[d - f n], where c is the tent's correlation with
/// itself.
Axis1d spread_axis(int count, int reach, int factor)
{
    const int taps = 2 * factor;
    std::vector<double> tent(static_cast<std::size_t>(taps));
    for (int k = 0; k < taps; ++k)
        tent[static_cast<std::size_t>(k)] = (2 * std::min(k, taps - 1 - k) + 1) / (2.0 * factor * factor);
    const auto correlation = [&](int d) {
        double sum = 0;
        for (int k = std::max(0, -d), moved = k + d; k < taps && moved < taps; ++k, ++moved)
            sum += tent[static_cast<std::size_t>(k)] * tent[static_cast<std::size_t>(moved)];
        return sum;
    };
    Axis1d axis{2 * reach + 1, {}};
    for (int d = -reach; d <= reach; ++d) {
        const int first = static_cast<int>(std::ceil(static_cast<double>(d - taps + 1) / factor));
        std::vector<double> weights;
        for (int n = first; factor * n < d + taps; ++n) weights.push_back(correlation(d - factor * n));
        axis.rows.emplace_back(first + count / 2, std::move(weights));
    }
    return axis;
}

double sum_of(std::span<const double> weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

Plane sharpened(const Plane& plane, int order, int factor, bool may_be_negative)
{
    const Taps taps = sharpening(order, factor);
    Plane result = applied(plane, sharpened_axis(plane.extent.width, taps), sharpened_axis(plane.extent.height, taps));
    if (may_be_negative) return result;
    for (double& weight : result.weights) weight = std::max(weight, 0.0);
    const double sum = sum_of(result.weights);
    const double gain = sum > 0 ? sum_of(plane.weights) / sum : 1;
    for (double& weight : result.weights) weight *= gain;
    return result;
}

/// ShrunkPsf::misplaced of one channel. `wanted`: of that extent and origin.
double misplaced_by(const Plane& small, std::span<const double> wanted, Extent extent, Position origin, int factor)
{
    const int right = factor * (small.extent.width / 2 + 2), below = factor * (small.extent.height / 2 + 2);
    const int reach_x = std::max({right, origin.x, extent.width - 1 - origin.x});
    const int reach_y = std::max({below, origin.y, extent.height - 1 - origin.y});
    const Plane made = applied(small, spread_axis(small.extent.width, reach_x, factor),
                               spread_axis(small.extent.height, reach_y, factor));
    double difference = 0;
    double all = 0;
    for (int y = 0; y < made.extent.height; ++y)
        for (int x = 0; x < made.extent.width; ++x) {
            const int i = x - reach_x + origin.x, j = y - reach_y + origin.y;
            const bool is_inside = i >= 0 && i < extent.width && j >= 0 && j < extent.height;
            const double weight = is_inside ? wanted[static_cast<std::size_t>(j) * extent.width + i] : 0;
            difference += std::abs(made.weights[static_cast<std::size_t>(y) * made.extent.width + x] - weight);
            all += std::abs(weight);
        }
    return all > 0 ? difference / 2 / all : 0;
}

}  // namespace

ShrunkPsf shrunk(const Psf& psf, int factor)
{
    const Psf small = resized(psf, 1.0 / factor);
    const Extent extent{small.extent.width + 2 * kMore, small.extent.height + 2 * kMore};
    ShrunkPsf result{{psf.name, extent, psf.channels, {extent.width / 2, extent.height / 2}, {}, psf.is_matched}, 0};
    for (int c = 0; c < psf.channels; ++c) {
        const auto own = std::span(small.weights).subspan(c * small.extent.pixels(), small.extent.pixels());
        const auto wanted = std::span(psf.weights).subspan(c * psf.extent.pixels(), psf.extent.pixels());
        const Plane plane{small.extent, {own.begin(), own.end()}};
        const bool is_signed = std::ranges::any_of(wanted, [](double weight) { return weight < 0; });
        Plane best;
        double minimum = 2;
        for (const int order : {4, 2, 0}) {
            Plane tried = sharpened(plane, order, factor, is_signed);
            const double misplaced = misplaced_by(tried, wanted, psf.extent, psf.origin, factor);
            if (!best.weights.empty() && misplaced >= minimum) continue;
            minimum = misplaced;
            best = std::move(tried);
        }
        result.misplaced = std::max(result.misplaced, minimum);
        result.psf.weights.insert(result.psf.weights.end(), best.weights.begin(), best.weights.end());
    }
    return result;
}

}  // namespace clconv
