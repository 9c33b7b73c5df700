// SPDX-License-Identifier: Apache-2.0
// Lower case of ASCII's letters alone, whatever the locale: bytes of other characters stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace clconv {

[[nodiscard]] constexpr char lower_case(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

[[nodiscard]] inline std::string lower_case(std::string_view text)
{
    std::string result(text);
    for (char& letter : result) letter = lower_case(letter);
    return result;
}

}  // namespace clconv
