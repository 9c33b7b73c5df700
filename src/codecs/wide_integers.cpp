// SPDX-License-Identifier: Apache-2.0
#include "codecs/wide_integers.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace clconv::oiio {

WideIntegers::WideIntegers(const ImageHeader& header)
    : type_(header.stored_type),
      may_be_rounded_((type_ == FileType::u32 || type_ == FileType::i32) && header.channels > 0 &&
                      header.type == SampleType::float32)
{
}

void WideIntegers::add(std::span<const float> samples)
{
    if (!may_be_rounded_) return;
    for (const float sample : samples) largest_ = std::max(largest_, std::abs(sample));
}

std::optional<Warning> WideIntegers::warning(const std::filesystem::path& path) const
{
    constexpr int mantissa = 24;
    if (largest_ <= std::ldexp(1.0F, mantissa)) return std::nullopt;
    const auto rounding = static_cast<int>(std::ldexp(1.0F, std::ilogb(largest_) - mantissa));
    return Warning(WarningKind::accuracy,
                   path.string() + ": has samples of " + std::string(name_of(type_)) +
                       " beyond 2^24, which float, in which they are convolved, rounds by up to " +
                       std::to_string(rounding));
}

}  // namespace clconv::oiio
