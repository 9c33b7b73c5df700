// SPDX-License-Identifier: Apache-2.0
// What float does to whole numbers that it does not hold.
#pragma once

#include "base/file_type.h"

#include <cmath>
#include <optional>
#include <string>

namespace clconv {

/// For warnings, behind the name of an image with integers of `type`, whose largest magnitude is `largest`: by how much
/// float rounds them. Nothing if it holds them all.
[[nodiscard]] inline std::optional<std::string> rounding_by_float(FileType type, float largest)
{
    constexpr int mantissa = 24;
    if (largest <= std::ldexp(1.0F, mantissa)) return std::nullopt;
    const auto rounding = static_cast<int>(std::ldexp(1.0F, std::ilogb(largest) - mantissa));
    return "has samples of " + std::string(name_of(type)) +
           " beyond 2^24, which float, in which they are convolved, rounds by up to " + std::to_string(rounding);
}

}  // namespace clconv
