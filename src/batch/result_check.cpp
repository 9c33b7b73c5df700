// SPDX-License-Identifier: Apache-2.0
#include "batch/result_check.h"

#include "base/errors.h"
#include "base/light.h"
#include "base/sample_value.h"
#include "image/nonfinite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

namespace clconv {
namespace {

/// Half way between the largest half and the next value: from here on, rounding gives infinity.
constexpr float kBeyondHalf = 65520;

bool has_nan(const ImageView& result)
{
    for (std::size_t i = 0; i < result.sample_count(); ++i)
        if (std::isnan(sample_value(result.samples, result.type, i))) return true;
    return false;
}

std::size_t beyond_half(const ImageView& result)
{
    const std::span<const float> samples(reinterpret_cast<const float*>(result.samples), result.sample_count());
    std::size_t count = 0;
    for (const float sample : samples) count += std::abs(sample) >= kBeyondHalf ? 1U : 0U;
    return count;
}

/// The range that samples of a file may have: its integers, and one code beyond at both ends.
struct Limits {
    double minimum;
    double maximum;
};

template <class T>
Limits limits_of(double code_of_one, const Transfer* transfer)
{
    const Limits codes{(std::numeric_limits<T>::min() - 1.0) / code_of_one,
                       (std::numeric_limits<T>::max() + 1.0) / code_of_one};
    if (transfer == nullptr) return codes;
    // At least sRGB's: a code of a steeper curve may be less than float's rounding of a sum.
    Limits lights{srgb_decoded(codes.minimum), srgb_decoded(codes.maximum)};
    for (std::size_t colour = 0; colour < std::max<std::size_t>(transfer->curves.size(), 1); ++colour) {
        lights.minimum = std::min(lights.minimum, transfer->decoded(codes.minimum, colour));
        lights.maximum = std::max(lights.maximum, transfer->decoded(codes.maximum, colour));
    }
    return lights;
}

/// The limits of a file of integers; none for other files. `transfer`: how they encode light; null if they do not.
std::optional<Limits> integer_limits(FileType file, const Transfer* transfer)
{
    switch (file) {
        case FileType::u8: return limits_of<std::uint8_t>(255, transfer);
        case FileType::u16: return limits_of<std::uint16_t>(65535, transfer);
        case FileType::i8: return limits_of<std::int8_t>(127, transfer);
        case FileType::i16: return limits_of<std::int16_t>(32767, transfer);
        case FileType::i32: return limits_of<std::int32_t>(1, nullptr);
        case FileType::u32: return limits_of<std::uint32_t>(1, nullptr);
        case FileType::half:
        case FileType::float32:
        case FileType::float64: break;
    }
    return std::nullopt;
}

std::size_t beyond(const Limits& limits, const ImageView& result)
{
    const auto is_beyond = [&](double sample) { return sample > limits.maximum || sample < limits.minimum; };
    std::size_t count = 0;
    if (result.type == SampleType::float32) {
        const std::span<const float> samples(reinterpret_cast<const float*>(result.samples), result.sample_count());
        for (const float sample : samples) count += is_beyond(sample) ? 1U : 0U;
    } else {
        for (std::size_t i = 0; i < result.sample_count(); ++i)
            count += is_beyond(sample_value(result.samples, result.type, i)) ? 1U : 0U;
    }
    return count;
}

bool is_of_floats(SampleType type) { return type != SampleType::u8 && type != SampleType::u16; }

}  // namespace

std::size_t count_overflow(const std::filesystem::path& input, const Image& image, const ResultRows& rows,
                           const ResultFile& file)
{
    const ImageView& result = rows.samples;
    const NonFinite bad = image.has_nonfinite ? NonFinite{} : find_nonfinite(result);
    if (bad.count > 0 && (bytes_of(result.type) >= sizeof(float) || has_nan(result)))
        throw InputError(fmt::format(
            "{}: {} result{} not finite, though all samples are, the first at x {}, y {}, channel {}: its sums are too "
            "large for float; use --normalize sum or sum-all, divide the samples or the weights by a constant, or try "
            "--precision double",
            input.string(), bad.count, bad.count == 1 ? " is" : "s are", bad.first.x, rows.first + bad.first.y,
            image.file_channel(bad.channel)));
    if (result.type == SampleType::float32 && file.type == FileType::half) return beyond_half(result);
    if (is_of_floats(result.type) && !file.clips_light) {
        const std::shared_ptr<const Transfer> srgb = srgb_transfer();
        const Transfer* const encoding = file.codes != nullptr ? file.codes : srgb.get();
        const auto limits = integer_limits(file.type, image.light == Light::linear ? encoding : nullptr);
        if (limits) return beyond(*limits, result);
    }
    return bad.count;
}

}  // namespace clconv
