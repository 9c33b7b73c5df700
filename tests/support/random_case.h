// SPDX-License-Identifier: Apache-2.0
// Random images and PSFs, and how far a result is from the truth.
#pragma once

#include "base/bytes.h"
#include "base/half.h"
#include "base/image_view.h"
#include "conv/direct_reference.h"
#include "psf/psf.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace clconv::test {

/// The bits of the half nearest to a value in [0, 2): enough for test data.
inline std::uint16_t half_from_float(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value * 0x1p-112f);
    return static_cast<std::uint16_t>((bits + 0x1000u) >> 13);
}

/// An image in the samples' own type, and the same numbers in double.
struct RandomImage {
    ImageView view;
    Bytes samples;
    std::vector<double> values;
};

inline RandomImage random_image(Extent extent, int channels, SampleType type, unsigned seed)
{
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> uniform(0, 1);
    const std::size_t count = extent.pixels() * static_cast<std::size_t>(channels);
    RandomImage image{{extent, channels, type, nullptr}, Bytes(count * bytes_of(type)), {}};
    for (std::size_t i = 0; i < count; ++i) {
        const float value = uniform(engine);
        switch (type) {
            case SampleType::u8: {
                const auto code = static_cast<std::uint8_t>(value * 255);
                image.samples.as<std::uint8_t>()[i] = code;
                image.values.push_back(code / 255.0);
                break;
            }
            case SampleType::u16: {
                const auto code = static_cast<std::uint16_t>(value * 65535);
                image.samples.as<std::uint16_t>()[i] = code;
                image.values.push_back(code / 65535.0);
                break;
            }
            case SampleType::half: {
                const std::uint16_t bits = half_from_float(value);
                image.samples.as<std::uint16_t>()[i] = bits;
                image.values.push_back(float_from_half(bits));
                break;
            }
            case SampleType::float32:
                image.samples.as<float>()[i] = value;
                image.values.push_back(value);
                break;
            case SampleType::float64:
                image.samples.as<double>()[i] = value;
                image.values.push_back(value);
                break;
        }
    }
    image.view.samples = image.samples.data();
    return image;
}

/// Positive random weights, each channel's sum 1; asymmetric, so that a flip shows.
inline Psf random_psf(Extent extent, int channels, Position origin, unsigned seed)
{
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    Psf psf{"random", extent, channels, origin, {}};
    for (int c = 0; c < channels; ++c) {
        double sum = 0;
        const std::size_t first = psf.weights.size();
        for (std::size_t i = 0; i < extent.pixels(); ++i) {
            psf.weights.push_back(uniform(engine));
            sum += psf.weights.back();
        }
        for (std::size_t i = first; i < psf.weights.size(); ++i) psf.weights[i] /= sum;
    }
    return psf;
}

struct Errors {
    double plain = 0;           ///< relative L2
    double without_mean = 0;    ///< the same relative to the reference less its mean: the mean cannot hide an error
    double mean_to_detail = 0;  ///< the reference's mean over its standard deviation: how far its float spacing is felt
};

template <class T>
Errors errors_of(std::span<const T> result, const std::vector<double>& reference)
{
    double error = 0, norm = 0, mean = 0, detail = 0;
    for (const double value : reference) mean += value / static_cast<double>(reference.size());
    for (std::size_t i = 0; i < reference.size(); ++i) {
        error += std::pow(static_cast<double>(result[i]) - reference[i], 2);
        norm += reference[i] * reference[i];
        detail += std::pow(reference[i] - mean, 2);
    }
    return {std::sqrt(error / std::max(norm, 1e-300)), std::sqrt(error / std::max(detail, 1e-300)),
            std::abs(mean) * std::sqrt(static_cast<double>(reference.size()) / std::max(detail, 1e-300))};
}

}  // namespace clconv::test
