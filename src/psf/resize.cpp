// SPDX-License-Identifier: Apache-2.0
#include "psf/resize.h"

#include "base/errors.h"
#include "psf/kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

/// The integral of the linear interpolation's weight, 1 - |t| around its sample, from far below up to t.
double integral(double t)
{
    if (t <= -1) return 0;
    if (t >= 1) return 1;
    return t < 0 ? (1 + t) * (1 + t) / 2 : 1 - (1 - t) * (1 - t) / 2;
}

/// How one axis is resized. The new origin is in the middle, with enough samples on both sides to hold everything.
struct ResizedAxis {
    int size = 0;  ///< of the result, odd
    double factor = 1;
    int origin = 0;  ///< of the source
    int count = 0;

    [[nodiscard]] int middle() const { return size / 2; }

    /// The part of sample `from` of the source that falls on sample `to` of the result.
    [[nodiscard]] double weight(int to, int from) const
    {
        const double center = to - middle();
        const double left = (center - 0.5) / factor + origin - from;
        return integral(left + 1 / factor) - integral(left);
    }

    /// The first source sample that falls on sample `to`, and one past the last.
    [[nodiscard]] int first(int to) const
    {
        return std::max(0, static_cast<int>(std::floor((to - middle() - 0.5) / factor)) + origin - 1);
    }
    [[nodiscard]] int end(int to) const
    {
        return std::min(count, static_cast<int>(std::ceil((to - middle() + 0.5) / factor)) + origin + 2);
    }
};

ResizedAxis axis_of(int count, int origin, double factor)
{
    const double reach = std::max(origin, count - 1 - origin) + 0.5;
    const double side = std::max(0.0, std::ceil(reach * factor - 0.5));
    if (2 * side + 1 > kMaxPsfSize)
        throw InvalidProblem(fmt::format("a PSF of {} pixels, {:.3g} times as large: no side may be longer than {}",
                                         count, factor, kMaxPsfSize));
    return {2 * static_cast<int>(side) + 1, factor, origin, count};
}

double sum_of(const double* weights, std::size_t count)
{
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += weights[i];
    return sum;
}

}  // namespace

Psf resized(const Psf& psf, double factor)
{
    const ResizedAxis across = axis_of(psf.extent.width, psf.origin.x, factor);
    const ResizedAxis down = axis_of(psf.extent.height, psf.origin.y, factor);
    Psf result{psf.name, {across.size, down.size}, psf.channels, {across.size / 2, down.size / 2}, {}, psf.is_matched};
    result.weights.resize(result.extent.pixels() * static_cast<std::size_t>(psf.channels));
    std::vector<double> rows(static_cast<std::size_t>(psf.extent.height) * static_cast<std::size_t>(across.size));
    for (int c = 0; c < psf.channels; ++c) {
        for (int y = 0; y < psf.extent.height; ++y)
            for (int x = 0; x < across.size; ++x) {
                double sum = 0;
                for (int i = across.first(x); i < across.end(x); ++i) sum += across.weight(x, i) * psf.at(i, y, c);
                rows[static_cast<std::size_t>(y) * across.size + x] = sum;
            }
        double* const plane = result.weights.data() + static_cast<std::size_t>(c) * result.extent.pixels();
        for (int y = 0; y < down.size; ++y)
            for (int j = down.first(y); j < down.end(y); ++j) {
                const double weight = down.weight(y, j);
                for (int x = 0; x < across.size; ++x)
                    plane[static_cast<std::size_t>(y) * across.size + x] +=
                        weight * rows[static_cast<std::size_t>(j) * across.size + x];
            }
        // The interpolation loses light outside of the extent.
        const double wanted = sum_of(psf.weights.data() + c * psf.extent.pixels(), psf.extent.pixels());
        const double sum = sum_of(plane, result.extent.pixels());
        if (sum != 0)
            for (std::size_t i = 0; i < result.extent.pixels(); ++i) plane[i] *= wanted / sum;
    }
    return result;
}

}  // namespace clconv
