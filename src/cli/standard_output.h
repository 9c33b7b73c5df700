// Standard output carries what was asked for and nothing else.
#pragma once

#include <string_view>

namespace clconv {

/// Writes the text at once. Throws InputError if it cannot be written (a full disk). A reader that has gone away ends
/// the process silently, by SIGPIPE.
void print(std::string_view text);

}  // namespace clconv
