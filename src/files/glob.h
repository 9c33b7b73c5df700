// SPDX-License-Identifier: Apache-2.0
// Glob patterns. glob(3) is not used, because it has no `**` and reads the file system.
//
// `*` matches any run of characters, `?` one character, `[a-z]` one of a set, `[!a-z]` one outside of it. Characters
// are those of UTF-8. None of them matches a slash. `**` as a whole component matches any number of folders, including
// none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// True if `text` has a character with a meaning in patterns.
[[nodiscard]] bool is_pattern(std::string_view text);

/// True if `pattern` matches the whole of `name`, a name without slashes.
[[nodiscard]] bool matches_name(std::string_view pattern, std::string_view name);

/// True if `pattern` matches the whole of `path`, component by component.
[[nodiscard]] bool matches_path(std::string_view pattern, std::string_view path);

/// The components between the slashes; empty ones are left out.
[[nodiscard]] std::vector<std::string> path_components(std::string_view path);

}  // namespace clconv
