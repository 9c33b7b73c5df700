// SPDX-License-Identifier: Apache-2.0
#include "engine/half_noise.h"

#include "base/sample_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

/// Root mean square of the relative error of rounding to a half, over all mantissas.
constexpr double kRounding = 2.1e-4;
constexpr std::size_t kSampled = 4096;

/// The mean square of each row of a channel, [rows], after `level` is subtracted.
std::vector<double> mean_squares(const ImageView& image, int channel, double level)
{
    std::vector<double> squares(static_cast<std::size_t>(image.extent.height));
    const auto width = static_cast<std::size_t>(image.extent.width);
    const auto channels = static_cast<std::size_t>(image.channels);
    std::size_t index = static_cast<std::size_t>(channel);
    for (double& square : squares) {
        for (std::size_t x = 0; x < width; ++x, index += channels) {
            const double value = sample_value(image.samples, image.type, index) - level;
            square += value * value;
        }
        square /= static_cast<double>(width);
    }
    return squares;
}

/// The largest sum of the rows' mean squares, weighted by the energies of the PSF's rows. Rows outside the image count
/// as the edge row.
double noisiest(const std::vector<double>& squares, const std::vector<double>& energies)
{
    const int rows = static_cast<int>(squares.size()), taps = static_cast<int>(energies.size());
    double maximum = 0;
    for (int y = -taps / 2; y < rows - taps / 2; ++y) {
        double sum = 0;
        for (int j = 0; j < taps; ++j)
            sum += energies[static_cast<std::size_t>(j)] *
                   squares[static_cast<std::size_t>(std::clamp(y + j, 0, rows - 1))];
        maximum = std::max(maximum, sum);
    }
    return maximum;
}

/// The median magnitude of a sample of the results, zeros left out.
double typical_magnitude(const ImageView& result)
{
    const std::size_t step = std::max<std::size_t>(1, result.sample_count() / kSampled) | 1U;
    std::vector<double> magnitudes;
    for (std::size_t i = 0; i < result.sample_count(); i += step)
        if (const double value = std::abs(sample_value(result.samples, result.type, i)); value > 0)
            magnitudes.push_back(value);
    if (magnitudes.empty()) return 0;
    const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>(magnitudes.size() / 2);
    std::nth_element(magnitudes.begin(), middle, magnitudes.end());
    return *middle;
}

double step_of(const ImageView& result)
{
    switch (result.type) {
        case SampleType::u8: return 1 / 255.0;
        case SampleType::u16: return 1 / 65535.0;
        case SampleType::half:
        case SampleType::float32:
        case SampleType::float64: break;
    }
    const double typical = std::clamp(typical_magnitude(result), 0x1p-14, 32768.0);
    return std::exp2(std::floor(std::log2(typical)) - 10);
}

}  // namespace

HalfNoise half_noise(const Plan& plan, const ImageView& image, std::span<const double> bias, const PsfSupport& support,
                     const std::byte* result)
{
    const ImageView out{plan.output, image.channels, plan.problem.output, result};
    double maximum = 0;
    for (int c = 0; c < image.channels; ++c) {
        const ChannelSupport& psf = support.of(c);
        const double level = bias[static_cast<std::size_t>(c)];
        const std::vector<double> results = mean_squares(out, c, level * (psf.positive - psf.negative));
        maximum = std::max(
            maximum, noisiest(mean_squares(image, c, level), psf.row_energies) + *std::ranges::max_element(results));
    }
    return {kRounding * std::sqrt(maximum), step_of(out)};
}

std::optional<std::string> noise_warning(const HalfNoise& noise)
{
    if (noise.noise <= noise.step) return std::nullopt;
    return fmt::format(
        "--precision half leaves noise of about {:.1g} in the rows of its brightest light, and neighbouring numbers of "
        "the output are {:.1g} apart: use --precision float",
        noise.noise, noise.step);
}

}  // namespace clconv
