// SPDX-License-Identifier: Apache-2.0
// Text for terminals and logs. Names of files, and what decoders say of their contents, are written by strangers.
#pragma once

#include <string>
#include <string_view>

namespace clconv {

/// The text with control characters as \xNN, so that a terminal takes no orders from it: ASCII's except newline and
/// tab, and those of UTF-8 from U+0080 to U+009F.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace clconv
