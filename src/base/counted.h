// SPDX-License-Identifier: Apache-2.0
// Numbers of things in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace clconv {

/// "1 record", "2 records", "3 passes". `noun`: a regular one, in the singular.
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view noun)
{
    std::string text = std::to_string(count) + " ";
    text += noun;
    if (count != 1) text += noun.ends_with('s') ? "es" : "s";
    return text;
}

}  // namespace clconv
