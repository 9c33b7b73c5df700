#include "compare/structural_similarity.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace clconv {
namespace {

constexpr std::size_t kWindow = kSimilarityWindow;

/// The sums of a quantity over the windows of one row of them. `column` returns the sum over the rows of a window.
template <class Column>
std::vector<double> window_sums(std::size_t width, const Column& column)
{
    std::vector<double> columns(width);
    for (std::size_t x = 0; x < width; ++x) columns[x] = column(x);
    std::vector<double> sums(width + 1 - kWindow);
    for (std::size_t x = 0; x < sums.size(); ++x)
        for (std::size_t i = 0; i < kWindow; ++i) sums[x] += columns[x + i];
    return sums;
}

/// The similarity of a window from its sums.
double similarity(double a, double b, double aa, double bb, double ab, double range)
{
    constexpr double n = kWindow * kWindow;
    const double mean_a = a / n;
    const double mean_b = b / n;
    const double variance_a = (aa - n * mean_a * mean_a) / (n - 1);
    const double variance_b = (bb - n * mean_b * mean_b) / (n - 1);
    const double covariance = (ab - n * mean_a * mean_b) / (n - 1);
    const double c1 = 0.01 * range * 0.01 * range;
    const double c2 = 0.03 * range * 0.03 * range;
    return (2 * mean_a * mean_b + c1) * (2 * covariance + c2) /
           ((mean_a * mean_a + mean_b * mean_b + c1) * (variance_a + variance_b + c2));
}

}  // namespace

std::optional<double> structural_similarity(const PlanePair& pair, double range)
{
    const auto width = static_cast<std::size_t>(pair.extent.width);
    const auto height = static_cast<std::size_t>(pair.extent.height);
    if (width < kWindow || height < kWindow) return std::nullopt;
    double total = 0;
    std::size_t windows = 0;
    for (std::size_t y = 0; y + kWindow <= height; ++y) {
        const auto sums = [&](const auto& quantity) {
            return window_sums(width, [&](std::size_t x) {
                double sum = 0;
                for (std::size_t j = 0; j < kWindow; ++j) {
                    const std::size_t at = (y + j) * width + x;
                    sum += quantity(pair.a[at], pair.b[at]);
                }
                return sum;
            });
        };
        const std::vector<double> a = sums([](double p, double) { return p; });
        const std::vector<double> b = sums([](double, double q) { return q; });
        const std::vector<double> aa = sums([](double p, double) { return p * p; });
        const std::vector<double> bb = sums([](double, double q) { return q * q; });
        const std::vector<double> ab = sums([](double p, double q) { return p * q; });
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
