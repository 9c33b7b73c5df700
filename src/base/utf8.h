// SPDX-License-Identifier: Apache-2.0
// Characters of texts in UTF-8 (RFC 3629).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace clconv {

struct Utf8Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0: it is not well-formed
};

/// The character that begins at `at`, which is inside the text.
[[nodiscard]] Utf8Character character_at(std::string_view text, std::size_t at);

}  // namespace clconv
