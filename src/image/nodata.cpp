// SPDX-License-Identifier: Apache-2.0
#include "image/nodata.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace clconv {
namespace {

struct Range {
    double minimum;
    double maximum;
};

template <class T>
constexpr Range kRangeOf{static_cast<double>(std::numeric_limits<T>::lowest()),
                         static_cast<double>(std::numeric_limits<T>::max())};

constexpr double kMaxHalf = 65504;

Range range_of(FileType type)
{
    switch (type) {
        case FileType::u8: return kRangeOf<std::uint8_t>;
        case FileType::i8: return kRangeOf<std::int8_t>;
        case FileType::u16: return kRangeOf<std::uint16_t>;
        case FileType::i16: return kRangeOf<std::int16_t>;
        case FileType::u32: return kRangeOf<std::uint32_t>;
        case FileType::i32: return kRangeOf<std::int32_t>;
        case FileType::half: return {-kMaxHalf, kMaxHalf};
        case FileType::float32: return kRangeOf<float>;
        case FileType::float64: break;
    }
    return kRangeOf<double>;
}

/// The largest code, if samples of this type are codes of [0, 1] or [-1, 1]; else 0.
double code_of_one(FileType type) { return is_integer(type) && bytes_of(type) < 4 ? range_of(type).maximum : 0; }

}  // namespace

std::string in_words(const Nodata& nodata) { return "nodata " + nodata.text; }

std::optional<double> held_value(FileType type, double value)
{
    if (!std::isfinite(value)) return is_integer(type) ? std::nullopt : std::optional(value);
    const Range range = range_of(type);
    // The largest float, in fewer digits than it has, may be a little larger.
    constexpr double slack = 1 + 1e-10;
    const bool is_near_end = !is_integer(type) && std::abs(value) <= range.maximum * slack;
    if (is_near_end && value > range.maximum) return range.maximum;
    if (is_near_end && value < range.minimum) return range.minimum;
    if (value < range.minimum || value > range.maximum) return std::nullopt;
    if (is_integer(type)) return value == std::floor(value) ? std::optional(value) : std::nullopt;
    return type == FileType::float64 ? value : static_cast<double>(static_cast<float>(value));
}

std::optional<double> nodata_in(const Nodata& nodata, FileType type)
{
    const double from = code_of_one(nodata.type);
    const double to = code_of_one(type);
    if (from == to || (from == 0 && to == 0)) return held_value(type, nodata.value);
    if (from == 0) return std::nullopt;
    const double share = nodata.value / from;
    return held_value(type, to == 0 ? share : std::round(share * to));
}

}  // namespace clconv
