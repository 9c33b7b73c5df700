// SPDX-License-Identifier: Apache-2.0
// How far apart two words are, for "did you mean".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace clconv {

/// Single-character insertions, deletions and replacements between two words (Levenshtein).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word of `words` that the user most likely meant by `typed`; empty if none is near: one letter away, or up to
/// three for words of six letters and more.
[[nodiscard]] std::string nearest_word(std::string_view typed, std::span<const std::string> words);

}  // namespace clconv
