// SPDX-License-Identifier: Apache-2.0
#include "image/picture.h"

#include "base/orientation.h"
#include "base/sample_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace clconv {

namespace {

constexpr std::size_t kSamples = 4;  ///< of a pixel of ReducedImage

std::size_t at(const Extent& extent, int x, int y)
{
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(extent.width) + static_cast<std::size_t>(x);
}

/// Which channels are red, green and blue: three, or one for all.
std::array<std::size_t, 3> colours_of(const Image& image)
{
    std::vector<std::size_t> colours;
    for (int c = 0; c < image.channels; ++c)
        if (c != image.alpha_channel || image.channels == 1) colours.push_back(static_cast<std::size_t>(c));
    if (colours.size() < 3) return {colours.front(), colours.front(), colours.front()};
    return {colours[0], colours[1], colours[2]};
}

Extent reduced_extent(const Extent& extent, int longest)
{
    const double scale = std::min(1.0, static_cast<double>(longest) / std::max(extent.width, extent.height));
    const auto side = [&](int length) { return std::max(1, static_cast<int>(std::lround(length * scale))); };
    return {side(extent.width), side(extent.height)};
}

/// Where a coordinate of `length` is among `reduced_length`.
int reduced_place(int place, int length, int reduced_length)
{
    return static_cast<int>(static_cast<std::int64_t>(place) * reduced_length / length);
}

double srgb_code(double light) { return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055; }

double code_of(double value, const Tone& tone)
{
    const double part = std::clamp((value - tone.from) / (tone.to - tone.from), 0.0, 1.0);
    return tone.is_light ? srgb_code(part) : part;
}

/// Light and dark squares of 8 pixels.
double ground(int x, int y) { return (x / 8 + y / 8) % 2 == 0 ? 0.8 : 0.6; }

}  // namespace

ReducedImage reduced(const Image& image, const PictureArea& area, int longest)
{
    ReducedImage result{reduced_extent(area.extent, longest), {}};
    result.samples.resize(result.extent.pixels() * kSamples);
    std::vector<float> counts(result.extent.pixels());
    const std::array<std::size_t, 3> colours = colours_of(image);
    const auto channels = static_cast<std::size_t>(image.channels);
    const bool has_alpha = image.alpha_channel >= 0 && image.channels > 1;
    for (int y = 0; y < area.extent.height; ++y)
        for (int x = 0; x < area.extent.width; ++x) {
            const std::size_t first = at(image.extent, area.place.x + x, area.place.y + y) * channels;
            const auto sample = [&](std::size_t c) {
                return static_cast<float>(sample_value(image.samples.data(), image.type, first + c));
            };
            const std::array<float, kSamples> pixel{
                sample(colours[0]), sample(colours[1]), sample(colours[2]),
                has_alpha ? sample(static_cast<std::size_t>(image.alpha_channel)) : 1};
            if (!std::ranges::all_of(pixel, [](float value) { return std::isfinite(value); })) continue;
            const std::size_t place = at(result.extent, reduced_place(x, area.extent.width, result.extent.width),
                                         reduced_place(y, area.extent.height, result.extent.height));
            for (std::size_t c = 0; c < kSamples; ++c) result.samples[place * kSamples + c] += pixel[c];
            ++counts[place];
        }
    for (std::size_t i = 0; i < result.samples.size(); ++i)
        if (const float count = counts[i / kSamples]; count > 0) result.samples[i] /= count;
    return result;
}

ReducedImage reduced_difference(const Image& a, const Image& b, int longest)
{
    ReducedImage result{reduced_extent(a.extent, longest), {}};
    result.samples.resize(result.extent.pixels() * kSamples);
    const auto channels = static_cast<std::size_t>(a.channels);
    for (int y = 0; y < a.extent.height; ++y)
        for (int x = 0; x < a.extent.width; ++x) {
            double largest = 0;
            for (std::size_t c = 0; c < channels; ++c) {
                const std::size_t index = at(a.extent, x, y) * channels + c;
                const double difference = std::abs(sample_value(a.samples.data(), a.type, index) -
                                                   sample_value(b.samples.data(), b.type, index));
                if (std::isfinite(difference)) largest = std::max(largest, difference);
            }
            const std::size_t place = at(result.extent, reduced_place(x, a.extent.width, result.extent.width),
                                         reduced_place(y, a.extent.height, result.extent.height));
            float* const pixel = &result.samples[place * kSamples];
            std::fill_n(pixel, 3, std::max(*pixel, static_cast<float>(largest)));
            pixel[3] = 1;
        }
    return result;
}

PictureArea busiest_area(const ReducedImage& whole, const Extent& extent, int side)
{
    const Extent area{std::min(side, extent.width), std::min(side, extent.height)};
    // The square in the smaller picture, and a grid of places for it, half a square apart.
    const Extent square{std::max(2, reduced_place(area.width, extent.width, whole.extent.width)),
                        std::max(2, reduced_place(area.height, extent.height, whole.extent.height))};
    PictureArea best{{(extent.width - area.width) / 2, (extent.height - area.height) / 2}, area};
    double maximum = 0;
    const auto difference = [&](int x, int y) {
        const float* const pixel = &whole.samples[at(whole.extent, x, y) * kSamples];
        const float* const above = &whole.samples[at(whole.extent, x, y - 1) * kSamples];
        return std::abs(pixel[1] - pixel[1 - static_cast<int>(kSamples)]) + std::abs(pixel[1] - above[1]);
    };
    for (int top = 0; top + square.height <= whole.extent.height; top += std::max(1, square.height / 2))
        for (int left = 0; left + square.width <= whole.extent.width; left += std::max(1, square.width / 2)) {
            double sum = 0;
            for (int y = top + 1; y < top + square.height; ++y)
                for (int x = left + 1; x < left + square.width; ++x) sum += difference(x, y);
            if (sum <= maximum) continue;
            maximum = sum;
            best.place = {
                std::min(reduced_place(left, whole.extent.width, extent.width), extent.width - area.width),
                std::min(reduced_place(top, whole.extent.height, extent.height), extent.height - area.height)};
        }
    return best;
}

Tone tone_of(const ReducedImage& image, bool is_light)
{
    std::vector<float> values;
    for (std::size_t i = 0; i < image.samples.size(); ++i)
        if (i % kSamples != kSamples - 1) values.push_back(image.samples[i]);
    if (values.empty()) return {0, 1, is_light};
    const auto quantile = [&](double part) {
        const auto place = values.begin() + std::lround(part * static_cast<double>(values.size() - 1));
        std::ranges::nth_element(values, place);
        return static_cast<double>(*place);
    };
    const double low = quantile(0.005);
    const double high = quantile(0.995);
    const bool is_in_range = low >= -0.05 && high <= 1 && high >= 1.0 / 16;
    if (is_in_range || !(high > low)) return {0, 1, is_light};
    return {low, high, is_light};
}

Picture shown(const ReducedImage& image, const Tone& tone, int orientation)
{
    Picture picture{image.extent, {}};
    if (is_rotated_sideways(orientation)) std::swap(picture.extent.width, picture.extent.height);
    picture.rgb.reserve(picture.extent.pixels() * 3);
    for (int y = 0; y < picture.extent.height; ++y)
        for (int x = 0; x < picture.extent.width; ++x) {
            const Position place = stored_place({x, y}, picture.extent, orientation);
            const float* const pixel = &image.samples[at(image.extent, place.x, place.y) * kSamples];
            const double alpha = std::clamp(static_cast<double>(pixel[3]), 0.0, 1.0);
            for (std::size_t c = 0; c < 3; ++c) {
                const double code = alpha > 0 ? code_of(pixel[c] / alpha, tone) : 0;
                const double blended = code * alpha + ground(x, y) * (1 - alpha);
                picture.rgb.push_back(static_cast<std::uint8_t>(std::lround(255 * blended)));
            }
        }
    return picture;
}

}  // namespace clconv
