// SPDX-License-Identifier: Apache-2.0
#include "compare/structural_similarity.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace clconv {
namespace {

constexpr std::size_t kWindow = kSimilarityWindow;

using WindowWeights = std::array<double, kWindow>;

/// The weights along one axis. They add up to 1.
WindowWeights window_weights()
{
    constexpr double deviation = 1.5;
    constexpr double middle = (kSimilarityWindow - 1) / 2.0;
    WindowWeights weights{};
    double sum = 0;
    for (std::size_t i = 0; i < kWindow; ++i) {
        const double distance = (static_cast<double>(i) - middle) / deviation;
        weights[i] = std::exp(-distance * distance / 2);
        sum += weights[i];
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

/// The means of a quantity over the windows of one row of them. `column` returns the mean over the rows of a window.
template <class Column>
std::vector<double> window_means(std::size_t width, const WindowWeights& weights, const Column& column)
{
    std::vector<double> columns(width);
    for (std::size_t x = 0; x < width; ++x) columns[x] = column(x);
    std::vector<double> means(width + 1 - kWindow);
    for (std::size_t x = 0; x < means.size(); ++x)
        for (std::size_t i = 0; i < kWindow; ++i) means[x] += weights[i] * columns[x + i];
    return means;
}

/// The similarity of a window from its means of the samples, their squares and their products.
double similarity(double a, double b, double aa, double bb, double ab, double range)
{
    const double c1 = 0.01 * range * 0.01 * range;
    const double c2 = 0.03 * range * 0.03 * range;
    const double variances = (aa - a * a) + (bb - b * b);
    const double covariance = ab - a * b;
    return (2 * a * b + c1) * (2 * covariance + c2) / ((a * a + b * b + c1) * (variances + c2));
}

}  // namespace

std::optional<double> structural_similarity(const PlanePair& pair, double range)
{
    const auto width = static_cast<std::size_t>(pair.extent.width);
    const auto height = static_cast<std::size_t>(pair.extent.height);
    if (width < kWindow || height < kWindow) return std::nullopt;
    const WindowWeights weights = window_weights();
    double total = 0;
    std::size_t windows = 0;
    for (std::size_t y = 0; y + kWindow <= height; ++y) {
        const auto means = [&](const auto& quantity) {
            return window_means(width, weights, [&](std::size_t x) {
                double mean = 0;
                for (std::size_t j = 0; j < kWindow; ++j) {
                    const std::size_t at = (y + j) * width + x;
                    mean += weights[j] * quantity(pair.a[at], pair.b[at]);
                }
                return mean;
            });
        };
        const std::vector<double> a = means([](double p, double) { return p; });
        const std::vector<double> b = means([](double, double q) { return q; });
        const std::vector<double> aa = means([](double p, double) { return p * p; });
        const std::vector<double> bb = means([](double, double q) { return q * q; });
        const std::vector<double> ab = means([](double p, double q) { return p * q; });
        for (std::size_t x = 0; x < a.size(); ++x) {
            const std::size_t centre = (y + kWindow / 2) * width + x + kWindow / 2;
            if (!pair.mask.empty() && pair.mask[centre] == 0) continue;
            const double value = similarity(a[x], b[x], aa[x], bb[x], ab[x], range);
            if (!std::isfinite(value)) continue;
            total += value;
            ++windows;
        }
    }
    if (windows == 0) return std::nullopt;
    return total / static_cast<double>(windows);
}

}  // namespace clconv
