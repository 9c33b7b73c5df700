// SPDX-License-Identifier: Apache-2.0
// Splits texts at separators.
#pragma once

#include <string_view>
#include <vector>

namespace clconv {

/// The words between separators: "a,b," -> "a", "b" and an empty one. An empty text is one empty word. The words are
/// views of `text`.
[[nodiscard]] inline std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> words;
    for (;;) {
        const std::size_t end = text.find(separator);
        words.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return words;
        text.remove_prefix(end + 1);
    }
}

}  // namespace clconv
