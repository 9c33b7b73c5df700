// SPDX-License-Identifier: Apache-2.0
// exp(-(u^2 / sx^2 + v^2 / sy^2) / 2) / (2 pi sx sy), (u, v) rotated by the angle. Along the axes, a pixel's integral
// is a product of differences of error functions. Otherwise it is integrated numerically.
#include "base/errors.h"
#include "psf/families.h"
#include "psf/pixel_integral.h"

#include <algorithm>
#include <cmath>

namespace clconv::families {
namespace {

/// The integrals of a Gaussian over `count` unit steps, the first around `first`. Differences of erfc stay accurate in
/// the tails.
std::vector<double> steps(double sigma, double first, int count)
{
    const double scale = 1 / (sigma * std::sqrt(2.0));
    std::vector<double> result;
    for (int i = 0; i < count; ++i) {
        const double middle = std::abs(first + i);
        result.push_back((std::erfc((middle - 0.5) * scale) - std::erfc((middle + 0.5) * scale)) / 2);
    }
    return result;
}

class Gaussian final : public Profile {
public:
    Gaussian(double sx, double sy, double angle)
        : sx_(sx), sy_(sy), angle_(angle), cos_(std::cos(radians(angle))), sin_(std::sin(radians(angle)))
    {
    }

    /// The ellipse of k sigmas holds 1 - exp(-k^2 / 2).
    [[nodiscard]] HalfSize reach(double share) const override
    {
        const double k = std::sqrt(-2 * std::log(1 - share));
        return {k * std::hypot(sx_ * cos_, sy_ * sin_), k * std::hypot(sx_ * sin_, sy_ * cos_)};
    }

    [[nodiscard]] std::vector<double> integrals(const Frame& frame, int /*channel*/) const override
    {
        if (sx_ == sy_ || angle_ == 0) return along_axes(frame);
        const double norm = 1 / (2 * kPi * sx_ * sy_);
        const auto density = [&](double x, double y) {
            const double u = (x * cos_ + y * sin_) / sx_;
            const double v = (y * cos_ - x * sin_) / sy_;
            return norm * std::exp(-(u * u + v * v) / 2);
        };
        const double detail = 2 * std::min(sx_, sy_);
        std::vector<double> result;
        result.reserve(frame.extent.pixels());
        for (int row = 0; row < frame.extent.height; ++row)
            for (int column = 0; column < frame.extent.width; ++column)
                result.push_back(is_dark(frame.x_of(column), frame.y_of(row))
                                     ? 0
                                     : pixel_integral(density, frame.x_of(column), frame.y_of(row), detail));
        return result;
    }

private:
    [[nodiscard]] std::vector<double> along_axes(const Frame& frame) const
    {
        const std::vector<double> across = steps(sx_, frame.x_of(0), frame.extent.width);
        const std::vector<double> down = steps(sy_, frame.y_of(0), frame.extent.height);
        std::vector<double> result;
        result.reserve(frame.extent.pixels());
        for (const double y : down)
            for (const double x : across) result.push_back(x * y);
        return result;
    }

    /// Whether the whole pixel is more than 9 sigmas away, where a billion billionth of the light is.
    [[nodiscard]] bool is_dark(double x, double y) const
    {
        constexpr double half_diagonal = 0.7072;
        return std::abs(x * cos_ + y * sin_) > 9 * sx_ + half_diagonal ||
               std::abs(y * cos_ - x * sin_) > 9 * sy_ + half_diagonal;
    }

    double sx_, sy_, angle_, cos_, sin_;
};

}  // namespace

ProfilePtr gaussian(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    const bool one = arguments.is_given("sigma");
    const bool both = arguments.is_given("sx") && arguments.is_given("sy");
    const bool any = arguments.is_given("sx") || arguments.is_given("sy");
    if ((one && any) || (!one && !both))
        throw InvalidProblem("give either sigma, as gaussian:2.5, or sx and sy, as gaussian:sx=3,sy=1,angle=30");
    const double sx = arguments.number(one ? "sigma" : "sx");
    const double sy = arguments.number(one ? "sigma" : "sy");
    return std::make_unique<Gaussian>(sx, sy, arguments.number("angle"));
}

}  // namespace clconv::families
