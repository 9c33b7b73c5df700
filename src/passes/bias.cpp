// SPDX-License-Identifier: Apache-2.0
#include "passes/bias.h"

#include "base/ceil_div.h"
#include "base/sample_value.h"
#include "base/transfer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace clconv {
namespace {

/// Each costs the host a line of memory. The mean of so many is wrong by a thirtieth of the detail, or less, and
/// rounding errors are hardly larger for that.
constexpr std::size_t kSampledPixels = 1024;

/// Pixels from one that is looked at to the next. It is odd, so that all columns are visited, even if the row length is
/// a power of two.
std::size_t sampled_step(const ImageView& image)
{
    return std::max<std::size_t>(1, image.extent.pixels() / kSampledPixels) | 1;
}

/// The sums of the sampled pixels, by channel, when a sample is value(sample number).
template <class Value>
std::vector<double> sums_of_sampled(const ImageView& image, const Value& value)
{
    const auto channels = static_cast<std::size_t>(image.channels);
    const std::size_t pixels = image.extent.pixels(), step = sampled_step(image);
    std::vector<double> sums(channels);
    for (std::size_t pixel = 0; pixel < pixels; pixel += step)
        for (std::size_t c = 0; c < channels; ++c) sums[c] += value(pixel * channels + c);
    return sums;
}

/// What each code of 8 bits stands for, in light if samples are decoded.
std::array<double, 256> values_by_code(Light light)
{
    std::array<double, 256> values{};
    for (std::size_t code = 0; code < values.size(); ++code) {
        const double value = static_cast<double>(code) / 255;
        values[code] = decodes_srgb(light) ? srgb_decoded(value) : value;
    }
    return values;
}

std::vector<double> sampled_sums(const ImageView& image)
{
    if (image.type == SampleType::u8) {  // most images, and small ones would take the host longer than a GPU
        const std::array<double, 256> values = values_by_code(image.light);
        return sums_of_sampled(image,
                               [&](std::size_t i) { return values[std::to_integer<std::size_t>(image.samples[i])]; });
    }
    if (decodes_srgb(image.light))
        return sums_of_sampled(image,
                               [&](std::size_t i) { return srgb_decoded(sample_value(image.samples, image.type, i)); });
    return sums_of_sampled(image, [&](std::size_t i) { return sample_value(image.samples, image.type, i); });
}

std::vector<double> sampled_means(const ImageView& image)
{
    std::vector<double> means = sampled_sums(image);
    const auto count = static_cast<double>(ceil_div(image.extent.pixels(), sampled_step(image)));
    for (double& mean : means) {
        mean /= count;
        if (!std::isfinite(mean)) mean = 0;  // NaN or infinity in the image, which is reported elsewhere
    }
    return means;
}

/// `colour`: counted without alpha.
double decoded_border(const ImageView& image, double code, std::size_t colour)
{
    return image.transfer != nullptr ? image.transfer->decoded(code, colour) : srgb_decoded(code);
}

}  // namespace

std::vector<double> bias_of(const ImageView& image, Border border, const std::vector<double>& border_value)
{
    std::vector<double> bias(static_cast<std::size_t>(image.channels));
    switch (mode_of(border).bias) {
        case BorderBias::none: return bias;
        case BorderBias::value:
            for (std::size_t c = 0; c < bias.size(); ++c) {
                const double value = border_value.size() == 1 ? border_value.front() : border_value.at(c);
                const bool is_code = image.light != Light::stored && static_cast<int>(c) != image.alpha_channel;
                const bool behind_alpha = image.alpha_channel >= 0 && static_cast<int>(c) > image.alpha_channel;
                bias[c] = is_code ? decoded_border(image, value, behind_alpha ? c - 1 : c) : value;
            }
            return bias;
        case BorderBias::mean: return sampled_means(image);
    }
    return bias;
}

double largest_magnitude(const ImageView& image)
{
    // Read as integers, the bits of magnitudes have the order of their values, with infinity and NaN on top.
    const auto largest_bits = [&]<class Bits>(Bits infinity) {
        Bits largest = 0;
        for (std::size_t i = 0; i < image.sample_count(); ++i) {
            Bits bits = 0;
            std::memcpy(&bits, image.samples + i * sizeof(Bits), sizeof(Bits));
            bits = static_cast<Bits>(bits & (std::numeric_limits<Bits>::max() >> 1));
            largest = std::max(largest, bits < infinity ? bits : Bits{0});
        }
        return largest;
    };
    switch (image.type) {
        case SampleType::u8:
        case SampleType::u16: return 1;
        case SampleType::half: return float_from_half(largest_bits(std::uint16_t{0x7c00}));
        case SampleType::float32: return std::bit_cast<float>(largest_bits(std::uint32_t{0x7f800000}));
        case SampleType::float64: return std::bit_cast<double>(largest_bits(std::uint64_t{0x7ff0000000000000}));
    }
    return 1;
}

double restored_bias(double bias, double psf_sum, Border border)
{
    return mode_of(border).divides_by_coverage ? bias : bias * psf_sum;
}

}  // namespace clconv
