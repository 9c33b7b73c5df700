// SPDX-License-Identifier: Apache-2.0
#include "psf/normalize.h"

#include "base/errors.h"
#include "psf/sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace clconv {
namespace {

std::size_t plane_size(const Psf& psf) { return psf.extent.pixels(); }

std::span<double> plane(Psf& psf, int channel)
{
    return {psf.weights.data() + static_cast<std::size_t>(channel) * plane_size(psf), plane_size(psf)};
}

double sum(std::span<const double> weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

double sum_of_magnitudes(std::span<const double> weights)
{
    return std::accumulate(weights.begin(), weights.end(), 0.0,
                           [](double total, double weight) { return total + std::abs(weight); });
}

/// `which`: the channel in words, or nothing for all.
[[noreturn]] void throw_all_zero(const Psf& psf, const std::string& which)
{
    throw InvalidProblem(fmt::format(
        "PSF {}: {}has no weight but 0 ({} pixels), so it cannot be scaled; see whether it is the right file and image "
        "(--psf-part), and whether --psf-background takes all; --normalize none convolves with zeros",
        psf.name, which, to_string(psf.extent)));
}

/// "x 3, y 0", and for PSFs whose rows count from the lowest also the pixel by that count, which starts at 1.
std::string place_in_words(const Psf& psf, std::size_t weight)
{
    const std::size_t in_plane = weight % plane_size(psf);
    const int x = static_cast<int>(in_plane % static_cast<std::size_t>(psf.extent.width));
    const int y = static_cast<int>(in_plane / static_cast<std::size_t>(psf.extent.width));
    std::string place = fmt::format("x {}, y {}", x, y);
    if (psf.channels > 1) place += fmt::format(", channel {}", weight / plane_size(psf));
    if (psf.is_bottom_up) place += fmt::format(" (FITS pixel {},{})", x + 1, psf.extent.height - y);
    return place;
}

/// Weights beyond the range of float are mistakes, and their sums overflow.
void check_range_of_weights(const Psf& psf)
{
    const auto is_large = [](double weight) {
        return std::abs(weight) > static_cast<double>(std::numeric_limits<float>::max());
    };
    const auto first = std::ranges::find_if(psf.weights, is_large);
    if (first == psf.weights.end()) return;
    throw InvalidProblem(
        fmt::format("PSF {}: {} of its {} weights are too large for a float, the first, {:g}, at {}; weights may have "
                    "magnitudes up "
                    "to 3.4e38: divide all by a constant",
                    psf.name, std::ranges::count_if(psf.weights, is_large), psf.weights.size(), *first,
                    place_in_words(psf, static_cast<std::size_t>(first - psf.weights.begin()))));
}

/// `total` is a sum that the weights of `channel` (-1: all) will be divided by, `magnitudes` their sum of magnitudes.
void check_sum(const Psf& psf, int channel, double total, double magnitudes)
{
    if (std::abs(total) >= kMinRelativeSum * magnitudes && magnitudes > 0) return;
    const std::string of_channel = channel >= 0 && psf.channels > 1 ? "channel " + std::to_string(channel) + " " : "";
    if (magnitudes == 0) throw_all_zero(psf, of_channel);
    throw InvalidProblem("PSF " + psf.name + ": " + of_channel + "sums to " + std::to_string(total) +
                         " (magnitudes: " + std::to_string(magnitudes) +
                         "), so it cannot be scaled to a sum of 1; use --normalize none (or peak) for PSFs like this");
}

void scale(std::span<double> weights, double factor)
{
    for (double& weight : weights) weight *= factor;
}

void normalize_each(Psf& psf)
{
    for (int channel = 0; channel < psf.channels; ++channel) {
        const std::span<double> weights = plane(psf, channel);
        const double total = sum(weights);
        check_sum(psf, channel, total, sum_of_magnitudes(weights));
        scale(weights, 1.0 / total);
    }
}

void normalize_together(Psf& psf)
{
    const double total = sum(psf.weights);
    check_sum(psf, -1, total, sum_of_magnitudes(psf.weights));
    scale(psf.weights, psf.channels / total);
}

void normalize_peak(Psf& psf)
{
    double peak = 0;
    for (const double weight : psf.weights) peak = std::max(peak, std::abs(weight));
    if (peak == 0) throw_all_zero(psf, "");
    scale(psf.weights, 1.0 / peak);
}

/// Sums of weights times samples are computed in float, whose limit is 3e38. No picture has samples of 1e8.
constexpr double kMaxMagnitude = 1e30;

void check_range(const Psf& psf)
{
    const double magnitudes = sum_of_magnitudes(psf.weights);
    if (magnitudes <= kMaxMagnitude) return;  // false for NaN too
    throw InvalidProblem(fmt::format(
        "PSF {}: the magnitudes of its scaled weights sum to {:g}, and results are computed in float: at most {:g}; "
        "divide its weights by a constant, or use --normalize sum or peak",
        psf.name, magnitudes, kMaxMagnitude));
}

}  // namespace

void require_finite(const Psf& psf)
{
    const auto is_finite = [](double weight) { return std::isfinite(weight); };
    const auto first = std::ranges::find_if_not(psf.weights, is_finite);
    if (first == psf.weights.end()) return;
    const auto count = psf.weights.size() - static_cast<std::size_t>(std::ranges::count_if(psf.weights, is_finite));
    throw InvalidProblem(
        fmt::format("PSF {}: {} of its {} weights {} not finite (NaN or infinite), the first, {}, at {}; a PSF needs a "
                    "number everywhere: replace them in the file, by 0 or by the mean of their neighbours",
                    psf.name, count, psf.weights.size(), count == 1 ? "is" : "are", *first,
                    place_in_words(psf, static_cast<std::size_t>(first - psf.weights.begin()))));
}

Psf normalized(Psf psf, Normalization how)
{
    require_finite(psf);
    check_range_of_weights(psf);
    switch (how) {
        case Normalization::sum: normalize_each(psf); break;
        case Normalization::sum_all: normalize_together(psf); break;
        case Normalization::peak: normalize_peak(psf); break;
        case Normalization::none: break;
    }
    check_range(psf);
    return psf;
}

Psf gray(const Psf& psf)
{
    Psf result = psf;
    result.channels = 1;
    result.weights.assign(plane_size(psf), 0.0);
    for (std::size_t i = 0; i < psf.weights.size(); ++i) result.weights[i % plane_size(psf)] += psf.weights[i];
    scale(result.weights, 1.0 / psf.channels);
    return result;
}

Psf matched_to_channels(const Psf& psf, const Channels& channels)
{
    if (psf.channels == 1 || (psf.is_matched && psf.channels == channels.count)) return psf;
    const int colours = channels.colours();
    if (psf.channels != colours && colours == 1)
        throw InvalidProblem("PSF " + psf.name + ": has " + std::to_string(psf.channels) +
                             " channels, but the image has one colour; use --psf-gray to average the PSF's channels, "
                             "or a PSF with 1 channel");
    if (psf.channels != colours)
        throw InvalidProblem("PSF " + psf.name + ": has " + std::to_string(psf.channels) +
                             " channels, but the image has " + std::to_string(colours) +
                             " colours; use a PSF with 1 or " + std::to_string(colours) +
                             " channels, or --psf-gray to average this one");
    if (channels.alpha < 0) return psf;

    Psf result = psf;
    result.channels = channels.count;
    const Psf mean = gray(psf);
    result.weights.insert(result.weights.begin() + channels.alpha * static_cast<std::ptrdiff_t>(plane_size(psf)),
                          mean.weights.begin(), mean.weights.end());
    return result;
}

Psf flipped(const Psf& psf)
{
    Psf result = psf;
    for (int channel = 0; channel < psf.channels; ++channel) {
        const std::span<double> weights = plane(result, channel);
        std::reverse(weights.begin(), weights.end());
    }
    result.origin = {psf.extent.width - 1 - psf.origin.x, psf.extent.height - 1 - psf.origin.y};
    return result;
}

}  // namespace clconv
