// SPDX-License-Identifier: Apache-2.0
// Text for terminals and logs. Names of files, and messages of decoders about their contents, come from
// untrusted sources.
#pragma once

#include <string>
#include <string_view>

namespace clconv {

/// The text with control characters as \xNN, so that a terminal does not obey it: those of ASCII except newline and
/// tab, and those of UTF-8 from U+0080 to U+009F.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace clconv
