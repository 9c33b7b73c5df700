// SPDX-License-Identifier: Apache-2.0
// How far apart two words are, and which word was meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace clconv {

/// Insertions, deletions and replacements of one character, and exchanges of two neighbours, that make one word of the
/// other (optimal string alignment: no character is edited twice).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word of `words` that the user most likely meant by `typed`: the only one that begins with it, if it has three
/// letters or more; else the nearest, which is one edit away, or up to three for words of six letters and more. Empty
/// if there is none.
[[nodiscard]] std::string nearest_word(std::string_view typed, std::span<const std::string> words);

/// " (did you mean --border?)", or nothing if no word is near.
[[nodiscard]] std::string did_you_mean(std::string_view typed, std::span<const std::string> words);

}  // namespace clconv
