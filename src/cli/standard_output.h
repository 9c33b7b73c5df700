// SPDX-License-Identifier: Apache-2.0
// Standard output carries requested results and nothing else.
#pragma once

#include <string_view>

namespace clconv {

/// Writes the text at once. Throws InputError if it cannot be written (a full disk). If the reader has gone away,
/// SIGPIPE ends the process silently.
void print(std::string_view text);

}  // namespace clconv
