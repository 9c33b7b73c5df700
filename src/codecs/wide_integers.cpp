// SPDX-License-Identifier: Apache-2.0
#include "codecs/wide_integers.h"

#include "base/rounding_by_float.h"

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
    const std::optional<std::string> rounding = rounding_by_float(type_, largest_);
    if (!rounding) return std::nullopt;
    return Warning(WarningKind::accuracy, path.string() + ": " + *rounding);
}

}  // namespace clconv::oiio
