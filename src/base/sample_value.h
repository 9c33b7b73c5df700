// SPDX-License-Identifier: Apache-2.0
// One sample of any type as a number.
#pragma once

#include "base/half.h"
#include "base/sample_type.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace clconv {

/// Sample number `index`; integers as fractions of their largest value.
[[nodiscard]] inline double sample_value(const std::byte* samples, SampleType type, std::size_t index)
{
    const auto read = [&]<class T>(T value) {
        std::memcpy(&value, samples + index * sizeof(T), sizeof(T));
        return value;
    };
    switch (type) {
        case SampleType::u8: return read(std::uint8_t{}) / 255.0;
        case SampleType::u16: return read(std::uint16_t{}) / 65535.0;
        case SampleType::half: return float_from_half(read(std::uint16_t{}));
        case SampleType::float32: return read(float{});
        case SampleType::float64: return read(double{});
    }
    return 0;
}

}  // namespace clconv
