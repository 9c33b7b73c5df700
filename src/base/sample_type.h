// SPDX-License-Identifier: Apache-2.0
// The types of samples in files, in host memory and on the device.
//
// Integers stand for [0, 1]: a u8 of 255 and a u16 of 65535 are 1.
#pragma once

#include "base/names.h"

#include <array>
#include <cstddef>

namespace clconv {

enum class SampleType { u8, u16, half, float32, float64 };
/// The names in options, logs and reports.
template <>
inline constexpr auto kNames<SampleType> = std::to_array<Named<SampleType>>({{"u8", SampleType::u8},
                                                                             {"u16", SampleType::u16},
                                                                             {"half", SampleType::half},
                                                                             {"float", SampleType::float32},
                                                                             {"double", SampleType::float64}});

/// The types that every precision supports. Doubles need --precision double.
inline constexpr std::array kSampleTypes{SampleType::u8, SampleType::u16, SampleType::half, SampleType::float32};

/// Bytes of one sample.
[[nodiscard]] constexpr std::size_t bytes_of(SampleType type)
{
    switch (type) {
        case SampleType::u8: return 1;
        case SampleType::u16:
        case SampleType::half: return 2;
        case SampleType::float32: return 4;
        case SampleType::float64: return 8;
    }
    return 0;
}

[[nodiscard]] constexpr bool is_integer(SampleType type) { return type == SampleType::u8 || type == SampleType::u16; }

}  // namespace clconv
