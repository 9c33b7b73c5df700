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
#include <span>
#include <vector>

namespace clconv {
namespace {

constexpr std::size_t kWindows = 16384;

/// What is small in smooth images: the second difference along an axis. An axis of fewer samples has none.
constexpr std::array<double, 3> kRough = {1, -2, 1};
constexpr std::array<double, 1> kPlain = {1};
using Taps = std::span<const double>;
Taps taps_along(int samples) { return samples < static_cast<int>(kRough.size()) ? Taps(kPlain) : Taps(kRough); }

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

struct Neighbourhood {
    double middle = 0, rough = 0;
};

/// The samples from (x, y) on, in light; none if one of them is not finite.
std::optional<Neighbourhood> window_at(const ImageView& image, Taps along_x, Taps along_y, std::size_t x, std::size_t y,
                                       std::size_t channel)
{
    Neighbourhood window;
    for (std::size_t row = 0; row < along_y.size(); ++row)
        for (std::size_t column = 0; column < along_x.size(); ++column) {
            const std::size_t pixel = (y + row) * static_cast<std::size_t>(image.extent.width) + x + column;
            const double light = light_at(image, pixel * static_cast<std::size_t>(image.channels) + channel);
            if (!std::isfinite(light)) return std::nullopt;
            window.rough += along_y[row] * along_x[column] * light;
            if (row == along_y.size() / 2 && column == along_x.size() / 2) window.middle = light;
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
    const Taps along_x = taps_along(image.extent.width), along_y = taps_along(image.extent.height);
    const std::size_t across = static_cast<std::size_t>(image.extent.width) + 1 - along_x.size();
    const std::size_t windows = across * (static_cast<std::size_t>(image.extent.height) + 1 - along_y.size());
    const std::size_t step = std::max<std::size_t>(1, windows * image.channels / kWindows) | 1;
    std::vector<double> samples;
    double rough = 0, clipped = 0;
    for (int c = 0; c < image.channels; ++c) {
        if (c == image.alpha_channel) continue;
        for (std::size_t n = 0; n < windows; n += step) {
            const std::optional<Neighbourhood> window =
                window_at(image, along_x, along_y, n % across, n / across, static_cast<std::size_t>(c));
            if (!window) continue;
            samples.push_back(window->middle);
            rough += std::abs(window->rough);
            if (image.is_clipped && window->middle >= 1) ++clipped;
        }
    }
    if (samples.empty()) return found;
    const auto count = static_cast<double>(samples.size());
    const auto squares = [](Taps taps) { return std::inner_product(taps.begin(), taps.end(), taps.begin(), 0.0); };
    const double gain = std::sqrt(squares(along_x) * squares(along_y));  // of the noise
    if (gain > 1) found.noise = std::sqrt(std::numbers::pi / 2) / gain * rough / count;
    found.clipped = clipped / count;
    for (const double sample : samples) found.mean += sample / count;
    for (const double sample : samples) found.variance += (sample - found.mean) * (sample - found.mean) / count;
    const auto dark = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 20);
    std::ranges::nth_element(samples, dark);
    found.dark = *dark;
    return found;
}

std::vector<double> means_of_data(const ImageView& image, const CountedSamples& counted)
{
    std::vector<double> means(planes_of(image, counted)), weights(means.size());
    for (std::size_t pixel = 0; pixel < image.extent.pixels(); ++pixel)
        for (std::size_t plane = 0; plane < means.size(); ++plane)
            if (const std::optional<double> datum = datum_at(image, counted, pixel, plane)) {
                const double weight = weight_of(counted, pixel);
                means[plane] += weight * *datum;
                weights[plane] += weight;
            }
    for (std::size_t plane = 0; plane < means.size(); ++plane)
        if (weights[plane] > 0) means[plane] /= weights[plane];
    return means;
}

bool has_data(const ImageView& image, const CountedSamples& counted)
{
    for (std::size_t pixel = 0; pixel < image.extent.pixels(); ++pixel)
        for (std::size_t plane = 0; plane < planes_of(image, counted); ++plane)
            if (weight_of(counted, pixel) > 0 && datum_at(image, counted, pixel, plane)) return true;
    return false;
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
