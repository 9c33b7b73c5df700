// SPDX-License-Identifier: Apache-2.0
#include "engine/image_statistics.h"

#include "base/light.h"
#include "base/sample_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

namespace clconv {
namespace {

constexpr std::size_t kWindows = 16384;

/// The second difference of second differences, which is small in smooth images.
constexpr std::array<double, 9> kRough = {1, -2, 1, -2, 4, -2, 1, -2, 1};

/// The linear light of each code of an integer type: its powers take longer than all else here.
template <class Code>
const std::vector<double>& decoded_codes()
{
    static const std::vector<double> kLight = [] {
        constexpr std::size_t max = std::numeric_limits<Code>::max();
        std::vector<double> table(max + 1);
        for (std::size_t code = 0; code <= max; ++code)
            table[code] = srgb_decoded(static_cast<double>(code) / static_cast<double>(max));
        return table;
    }();
    return kLight;
}

template <class Code>
double decoded_code(const std::byte* samples, std::size_t index)
{
    Code code{};
    std::memcpy(&code, samples + index * sizeof(Code), sizeof(Code));
    return decoded_codes<Code>()[code];
}

/// Sample number `index` in light.
double light_at(const ImageView& image, std::size_t index)
{
    if (!decodes_srgb(image.light)) return sample_value(image.samples, image.type, index);
    switch (image.type) {
        case SampleType::u8: return decoded_code<std::uint8_t>(image.samples, index);
        case SampleType::u16: return decoded_code<std::uint16_t>(image.samples, index);
        default: return srgb_decoded(sample_value(image.samples, image.type, index));
    }
}

using Neighbours = std::array<double, kRough.size()>;

/// The nine samples around a pixel, in light; empty if one of them is not finite.
std::optional<Neighbours> window_at(const ImageView& image, std::size_t x, std::size_t y, std::size_t channel)
{
    Neighbours window{};
    std::size_t count = 0;
    for (std::size_t row = y; row < y + 3; ++row)
        for (std::size_t column = x; column < x + 3; ++column) {
            const std::size_t pixel = row * static_cast<std::size_t>(image.extent.width) + column;
            const double light = light_at(image, pixel * static_cast<std::size_t>(image.channels) + channel);
            if (!std::isfinite(light)) return std::nullopt;
            window[count++] = light;
        }
    return window;
}

std::size_t planes_of(const ImageView& image, const CountedSamples& counted)
{
    return counted.shares.empty() ? static_cast<std::size_t>(image.channels) : 1;
}

/// A datum in light, of negative samples as 0; none where it does not count.
std::optional<double> datum_at(const ImageView& image, const CountedSamples& counted, std::size_t pixel,
                               std::size_t plane)
{
    const auto channels = static_cast<std::size_t>(image.channels);
    double value = 0, largest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < std::max<std::size_t>(1, counted.shares.size()); ++k) {
        const double light = light_at(image, pixel * channels + plane + k);
        value +=
            (counted.shares.empty() ? 1 : counted.shares[k]) * (std::isfinite(light) ? std::max(light, 0.0) : light);
        largest = std::max(largest, light);
    }
    if (!std::isfinite(value) || largest >= counted.maximum) return std::nullopt;
    return value;
}

double weight_of(const CountedSamples& counted, std::size_t pixel)
{
    return counted.weights ? (*counted.weights)[pixel] : 1;
}

}  // namespace

ImageStatistics statistics_of(const ImageView& image)
{
    ImageStatistics found;
    if (image.extent.width < 3 || image.extent.height < 3) return found;
    const auto across = static_cast<std::size_t>(image.extent.width - 2);
    const std::size_t windows = across * static_cast<std::size_t>(image.extent.height - 2);
    const std::size_t step = std::max<std::size_t>(1, windows * image.channels / kWindows) | 1;
    std::vector<double> samples;
    double rough = 0, clipped = 0;
    for (int c = 0; c < image.channels; ++c) {
        if (c == image.alpha_channel) continue;
        for (std::size_t n = 0; n < windows; n += step) {
            const std::optional<Neighbours> window =
                window_at(image, n % across, n / across, static_cast<std::size_t>(c));
            if (!window) continue;
            const double middle = (*window)[4];
            samples.push_back(middle);
            rough += std::abs(std::inner_product(window->begin(), window->end(), kRough.begin(), 0.0));
            if (image.is_clipped && middle >= 1) ++clipped;
        }
    }
    if (samples.empty()) return found;
    const auto count = static_cast<double>(samples.size());
    found.noise = std::sqrt(std::numbers::pi / 2) / 6 * rough / count;
    found.clipped = clipped / count;
    for (const double sample : samples) found.mean += sample / count;
    for (const double sample : samples) found.variance += (sample - found.mean) * (sample - found.mean) / count;
    const auto dark = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 20);
    std::ranges::nth_element(samples, dark);
    found.dark = *dark;
    return found;
}

double mean_of_data(const ImageView& image, const CountedSamples& counted)
{
    double sum = 0, weights = 0;
    for (std::size_t pixel = 0; pixel < image.extent.pixels(); ++pixel)
        for (std::size_t plane = 0; plane < planes_of(image, counted); ++plane)
            if (const std::optional<double> datum = datum_at(image, counted, pixel, plane)) {
                const double weight = weight_of(counted, pixel);
                sum += weight * *datum;
                weights += weight;
            }
    return weights > 0 ? sum / weights : 0;
}

double mean_weight(const ImageView& image, const CountedSamples& counted)
{
    const std::size_t step = std::max<std::size_t>(1, image.extent.pixels() / kWindows) | 1;
    double weights = 0, count = 0;
    for (std::size_t pixel = 0; pixel < image.extent.pixels(); pixel += step)
        for (std::size_t plane = 0; plane < planes_of(image, counted); ++plane, ++count)
            if (datum_at(image, counted, pixel, plane)) weights += weight_of(counted, pixel);
    return weights / count;
}

double residual_of_noise(const ImageStatistics& image)
{
    return image.mean > 0 ? image.noise * image.noise / (2 * image.mean) : 0;
}

double noise_to_signal(const ImageStatistics& image)
{
    constexpr double minimum = 1e-6, maximum = 1;
    const double noise = image.noise * image.noise, signal = image.variance - noise;
    const double ratio = signal > 0 ? std::clamp(noise / signal, minimum, maximum) : maximum;
    const double power = std::pow(10, std::floor(std::log10(ratio)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (ratio / power < digit * 1.5) return digit * power;
    return 10 * power;
}

}  // namespace clconv
