// SPDX-License-Identifier: Apache-2.0
// Stored samples as numbers, and how far rounding may move them.
#pragma once

#include "base/bytes.h"
#include "base/half.h"
#include "base/sample_type.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace clconv::test {

inline double value_at(const Bytes& samples, SampleType type, std::size_t index)
{
    switch (type) {
        case SampleType::u8: return samples.as<std::uint8_t>()[index] / 255.0;
        case SampleType::u16: return samples.as<std::uint16_t>()[index] / 65535.0;
        case SampleType::half: return float_from_half(samples.as<std::uint16_t>()[index]);
        case SampleType::float32: return samples.as<float>()[index];
        case SampleType::float64: return samples.as<double>()[index];
    }
    return 0;
}

/// Half the distance of neighbouring values of the type, near `value` in [0, 4).
inline double half_a_step(SampleType type, double value)
{
    switch (type) {
        case SampleType::u8: return 0.5 / 255;
        case SampleType::u16: return 0.5 / 65535;
        case SampleType::half: return std::ldexp(0.5, std::max(std::ilogb(std::max(value, 1e-9)), -14) - 10);
        case SampleType::float32:
        case SampleType::float64: return 0;
    }
    return 0;
}

/// 2^-20, about 1e-6 of the values, is for the computation in float before the rounding.
inline constexpr double kComputation = 0x1p-20;

}  // namespace clconv::test
