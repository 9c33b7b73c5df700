// The types samples have in files, in host memory and on the device.
//
// Integers stand for [0, 1]: a u8 of 255 and a u16 of 65535 are 1.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace clconv {

enum class SampleType { u8, u16, half, float32 };

inline constexpr SampleType kSampleTypes[] = {SampleType::u8, SampleType::u16, SampleType::half, SampleType::float32};

/// Bytes of one sample.
[[nodiscard]] constexpr std::size_t bytes_of(SampleType type)
{
    switch (type) {
        case SampleType::u8: return 1;
        case SampleType::u16:
        case SampleType::half: return 2;
        case SampleType::float32: return 4;
    }
    return 0;
}

[[nodiscard]] constexpr bool is_integer(SampleType type) { return type == SampleType::u8 || type == SampleType::u16; }

/// The name used in options, logs and reports: u8, u16, half, float.
[[nodiscard]] constexpr std::string_view name_of(SampleType type)
{
    switch (type) {
        case SampleType::u8: return "u8";
        case SampleType::u16: return "u16";
        case SampleType::half: return "half";
        case SampleType::float32: return "float";
    }
    return "?";
}

/// The type of that name, if there is one.
[[nodiscard]] constexpr std::optional<SampleType> sample_type_named(std::string_view name)
{
    for (const SampleType type : kSampleTypes)
        if (name_of(type) == name) return type;
    return std::nullopt;
}

}  // namespace clconv
