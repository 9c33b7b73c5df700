// SPDX-License-Identifier: Apache-2.0
// Texts in Latin-1 (ISO 8859-1), as PNG's oldest chunks have them, and in UTF-8, as all other texts are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace clconv::oiio {

/// Whether all bytes are those of ASCII.
[[nodiscard]] bool is_ascii(std::string_view text);
/// Whether the bytes are well-formed UTF-8 (RFC 3629), which texts of ASCII are, too.
[[nodiscard]] bool is_utf8(std::string_view text);

[[nodiscard]] std::string utf8_of_latin1(std::string_view text);
/// None if the text, which is UTF-8, has characters that Latin-1 has not.
[[nodiscard]] std::optional<std::string> latin1_of_utf8(std::string_view text);

}  // namespace clconv::oiio
