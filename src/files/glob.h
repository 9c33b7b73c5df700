// Glob patterns, matched here rather than by glob(3), because that has no `**` and reads the file system.
//
// `*` any run of characters, `?` one, `[a-z]` one of a set, `[!a-z]` one outside it; none of them matches a slash.
// `**` as a whole component matches any number of folders, also none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// True if `text` holds a character that a pattern gives a meaning to.
[[nodiscard]] bool is_pattern(std::string_view text);

/// True if `pattern` matches the whole of `name`, a name without slashes.
[[nodiscard]] bool matches_name(std::string_view pattern, std::string_view name);

/// True if `pattern` matches the whole of `path`, component by component.
[[nodiscard]] bool matches_path(std::string_view pattern, std::string_view path);

/// The components between the slashes; empty ones are left out.
[[nodiscard]] std::vector<std::string> path_components(std::string_view path);

}  // namespace clconv
