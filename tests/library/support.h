// SPDX-License-Identifier: Apache-2.0
// Images for the tests of the library, and what their convolutions are by direct double sums.
//
// The library's names are api::Name here, because the inner rooms have types of the same names.
#pragma once

#include "base/half.h"
#include "clconv/clconv.hpp"
#include "conv/direct_reference.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace clconv::test {

namespace api = clconv::v0;

/// The device of all tests: opening one takes long.
inline const api::Device& device()
{
    static const api::Device opened;
    return opened;
}

/// Interleaved samples of some type, and their values.
struct Samples {
    api::SampleType type = api::SampleType::float32;
    Extent extent;
    int channels = 1;
    std::vector<std::byte> bytes;
    std::vector<double> values;

    [[nodiscard]] api::View view()
    {
        const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(bytes.size() / values.size());
        return {
            bytes.data(), type, extent.width, extent.height, channels, size * channels, size * channels * extent.width,
            size,         -1};
    }
};

/// Calls visit(T{}, unit) with the C++ type of `type`; a code times `unit` is its value.
template <class Visit>
void with_type(api::SampleType type, const Visit& visit)
{
    switch (type) {
        case api::SampleType::u8: return visit(std::uint8_t{}, 1 / 255.0);
        case api::SampleType::u16: return visit(std::uint16_t{}, 1 / 65535.0);
        case api::SampleType::i8: return visit(std::int8_t{}, 1 / 127.0);
        case api::SampleType::i16: return visit(std::int16_t{}, 1 / 32767.0);
        case api::SampleType::u32: return visit(std::uint32_t{}, 1.0);
        case api::SampleType::i32: return visit(std::int32_t{}, 1.0);
        case api::SampleType::float32: return visit(float{}, 1.0);
        case api::SampleType::float64: return visit(double{}, 1.0);
        case api::SampleType::half: return visit(std::uint16_t{}, 0.0);
    }
}

/// The values of samples.
inline void read_values(Samples& samples)
{
    with_type(samples.type, [&]<class T>(T code, double unit) {
        for (std::size_t i = 0; i < samples.values.size(); ++i) {
            std::memcpy(&code, samples.bytes.data() + i * sizeof(T), sizeof(T));
            samples.values[i] =
                unit > 0 ? static_cast<double>(code) * unit : float_from_half(static_cast<std::uint16_t>(code));
        }
    });
}

inline Samples empty(api::SampleType type, Extent extent, int channels)
{
    Samples samples{
        type, extent, channels, {}, std::vector<double>(extent.pixels() * static_cast<std::size_t>(channels))};
    with_type(type, [&]<class T>(T, double) { samples.bytes.resize(samples.values.size() * sizeof(T)); });
    return samples;
}

/// The same numbers each time. They use the range of small integers; wide ones are up to 1000.
inline Samples random_samples(api::SampleType type, Extent extent, int channels)
{
    Samples samples = empty(type, extent, channels);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    with_type(type, [&]<class T>(T code, double unit) {
        for (std::size_t i = 0; i < samples.values.size(); ++i) {
            const double value = uniform(random);
            if (unit == 0)
                code = static_cast<T>(half_from_float(static_cast<float>(value)));
            else if (std::is_integral_v<T>)
                code = static_cast<T>(unit == 1 ? 1000 * value : value / unit);
            else
                code = static_cast<T>(value);
            std::memcpy(samples.bytes.data() + i * sizeof(T), &code, sizeof(T));
        }
    });
    read_values(samples);
    return samples;
}

/// By direct double sums.
inline std::vector<double> expected(const Samples& image, const api::Psf& psf, Border border = Border::clamp,
                                    Mode mode = Mode::same)
{
    const Problem problem{.image = image.extent,
                          .channels = image.channels,
                          .psf = {psf.width(), psf.height()},
                          .origin = {psf.origin_x(), psf.origin_y()},
                          .psf_channels = psf.channels(),
                          .border = border,
                          .mode = mode};
    return direct_reference(problem, image.values, psf.samples());
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b)
{
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

}  // namespace clconv::test
