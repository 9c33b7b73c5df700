// SPDX-License-Identifier: Apache-2.0
// Thin lines of light through the centre: a streak is one line, and a star has one for each pair of opposite rays.
// Across, a line is a Gaussian. Along, it falls off as (1 + (u / w)^2)^(-n / 2) (1 - (u / L)^2)^2 with the width at
// half maximum w, the exponent n and the length L from the centre to the tip.
#include "psf/families.h"
#include "psf/pixel_integral.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace clconv::families {
namespace {

/// Wavelengths of red, green and blue light, relative to green's. Patterns of diffraction scale with them.
constexpr std::array<double, 3> kStretch = {0.61 / 0.55, 1, 0.465 / 0.55};
constexpr int kGreen = 1;

struct Needle {
    double length = 1;  ///< pixels from the centre to the tip
    double width = 1;   ///< full width at half maximum, pixels
    double exponent = 1;
};

constexpr double kThinnest = 0.2;

/// Beyond 7 sigmas no light is left.
constexpr double kSigmas = 7;
/// Parts of a pixel at a tip. Its curvature has a jump there, and a whole pixel may show only a corner of it.
constexpr double kTipDetail = 1.0 / 16;

class Needles final : public Profile {
public:
    /// `angles`: degrees, of each line. `chroma`: 0 for one channel; with 1, colours separate like their wavelengths.
    Needles(const Needle& needle, std::vector<double> angles, double chroma)
        : needle_(needle), angles_(std::move(angles)), chroma_(chroma)
    {
    }

    [[nodiscard]] int channels() const override { return chroma_ > 0 ? 3 : 1; }

    [[nodiscard]] HalfSize reach(double /*share*/) const override
    {
        const Needle longest = scaled(0);
        const double sides = kSigmas * longest.width / kFwhmOfSigma;
        HalfSize half;
        for (const double angle : angles_) {
            const double c = std::abs(std::cos(radians(angle)));
            const double s = std::abs(std::sin(radians(angle)));
            half = {std::max(half.x, longest.length * c + sides * s), std::max(half.y, longest.length * s + sides * c)};
        }
        return half;
    }

    [[nodiscard]] std::vector<double> integrals(const Frame& frame, int channel) const override
    {
        const Needle needle = scaled(chroma_ > 0 ? channel : kGreen);
        std::vector<double> result(frame.extent.pixels());
        for (const double angle : angles_) add_line(result, frame, needle, radians(angle));
        return result;
    }

private:
    [[nodiscard]] Needle scaled(int channel) const
    {
        const double scale = 1 + (chroma_ > 0 ? chroma_ * (kStretch.at(channel) - 1) : 0);
        return {needle_.length * scale, needle_.width * scale, needle_.exponent};
    }

    static double along(const Needle& needle, double u)
    {
        const double edge = 1 - u * u / (needle.length * needle.length);
        if (edge <= 0) return 0;
        const double t = u / needle.width;
        return std::pow(1 + t * t, -needle.exponent / 2) * edge * edge;
    }

    void add_line(std::vector<double>& result, const Frame& frame, const Needle& needle, double angle) const
    {
        // With u = width sinh(s), the integrand is smooth along s.
        const auto step = [&](double s) {
            return needle.width * std::cosh(s) * along(needle, needle.width * std::sinh(s));
        };
        constexpr int panels = 200;
        const double length = 2 * line_integral(step, 0, std::asinh(needle.length / needle.width), panels);
        const double sigma = needle.width / kFwhmOfSigma;
        const double norm = 1 / (static_cast<double>(angles_.size()) * length * sigma * std::sqrt(2 * kPi));
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        const auto density = [&](double x, double y) {
            const double v = (y * c - x * s) / sigma;
            return norm * along(needle, x * c + y * s) * std::exp(-v * v / 2);
        };
        constexpr double half_diagonal = 0.7072;
        for (int row = 0; row < frame.extent.height; ++row)
            for (int column = 0; column < frame.extent.width; ++column) {
                const double x = frame.x_of(column);
                const double y = frame.y_of(row);
                const double from_tip = std::abs(x * c + y * s) - needle.length;
                if (std::abs(y * c - x * s) > kSigmas * sigma + half_diagonal || from_tip > half_diagonal) continue;
                const double detail = from_tip < -half_diagonal ? 2 * sigma : std::min(2 * sigma, kTipDetail);
                result[static_cast<std::size_t>(row) * static_cast<std::size_t>(frame.extent.width) +
                       static_cast<std::size_t>(column)] += pixel_integral(density, x, y, detail);
            }
    }

    Needle needle_;
    std::vector<double> angles_;
    double chroma_;
};

}  // namespace

ProfilePtr streak(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    const Needle needle{arguments.number("length"), arguments.number("width"), arguments.number("exponent")};
    return std::make_unique<Needles>(needle, std::vector{arguments.number("angle")}, arguments.number("chroma"));
}

ProfilePtr star(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    const double length = arguments.number("length");
    // A blade spreads light to both of its sides. An odd number of blades makes twice as many rays; with an even
    // number, pairs of rays coincide.
    const int blades = static_cast<int>(arguments.number("blades"));
    const int lines = blades % 2 == 0 ? blades / 2 : blades;
    std::vector<double> angles;
    for (int line = 0; line < lines; ++line) angles.push_back(arguments.number("rotation") + 180.0 * line / lines);
    // A thinner line looks the same and takes longer to integrate.
    const double width = std::max(length / arguments.number("sharpness"), kThinnest);
    const Needle needle{length, width, arguments.number("exponent")};
    return std::make_unique<Needles>(needle, std::move(angles), arguments.number("chroma"));
}

}  // namespace clconv::families
