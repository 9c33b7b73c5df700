#include "psf/normalize.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace clconv {
namespace {

/// Below this share of the sum of magnitudes, a sum is rounding noise of weights that cancel.
constexpr double kSmallestRelativeSum = 1e-6;

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

/// Weights beyond the range of float are mistakes, and their sums overflow.
void check_finite(const Psf& psf)
{
    const auto bad = std::find_if(psf.weights.begin(), psf.weights.end(), [](double weight) {
        return !(std::abs(weight) <= static_cast<double>(std::numeric_limits<float>::max()));
    });
    if (bad == psf.weights.end()) return;
    throw InvalidProblem(fmt::format(
        "PSF {}: holds the weight {:g}, which is not finite or too large for a float; weights must be numbers of "
        "magnitudes up to 3.4e38: divide all by a constant",
        psf.name, *bad));
}

/// `total` is a sum that the weights of `channel` (-1: all) will be divided by, `magnitudes` their sum of magnitudes.
void check_sum(const Psf& psf, int channel, double total, double magnitudes)
{
    if (std::abs(total) >= kSmallestRelativeSum * magnitudes && magnitudes > 0) return;
    const std::string of_channel = channel >= 0 && psf.channels > 1 ? "channel " + std::to_string(channel) + " " : "";
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
    if (peak == 0)
        throw InvalidProblem("PSF " + psf.name +
                             ": all weights are 0, so no peak can be scaled to 1; use another PSF, " +
                             "or --normalize none to convolve with zeros");
    scale(psf.weights, 1.0 / peak);
}

/// Sums of weights times samples are computed in float, whose limit is 3e38. No picture has samples of 1e8.
constexpr double kLargestMagnitude = 1e30;

void check_range(const Psf& psf)
{
    const double magnitudes = sum_of_magnitudes(psf.weights);
    if (magnitudes <= kLargestMagnitude) return;  // false for NaN too
    throw InvalidProblem(fmt::format(
        "PSF {}: the magnitudes of its scaled weights sum to {:g}, and results are computed in float: at most {:g}; "
        "divide its weights by a constant, or use --normalize sum or peak",
        psf.name, magnitudes, kLargestMagnitude));
}

}  // namespace

Psf normalized(Psf psf, Normalization how)
{
    check_finite(psf);
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
