// SPDX-License-Identifier: Apache-2.0
#include "files/glob.h"

namespace clconv {

namespace {

struct SetMatch {
    bool closed = false;  ///< there is a ']'; otherwise the '[' is an ordinary character
    bool contains = false;
    std::size_t length = 0;  ///< of the set in the pattern, brackets included
};

/// `pattern` starts with '['. A ']' that comes first is an ordinary character, as in every shell.
SetMatch match_set(std::string_view pattern, char c)
{
    std::size_t at = 1;
    const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
    if (negated) ++at;
    const std::size_t first = at;
    bool found = false;
    while (at < pattern.size() && (pattern[at] != ']' || at == first)) {
        if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
            found = found || (pattern[at] <= c && c <= pattern[at + 2]);
            at += 3;
        } else {
            found = found || pattern[at] == c;
            ++at;
        }
    }
    if (at >= pattern.size()) return {};
    return {true, found != negated, at + 1};
}

/// How many characters of `pattern` match `c`, or 0.
std::size_t matched_length(std::string_view pattern, char c)
{
    if (pattern.empty()) return 0;
    if (pattern[0] == '?') return 1;
    if (pattern[0] == '[') {
        const SetMatch set = match_set(pattern, c);
        if (set.closed) return set.contains ? set.length : 0;
    }
    return pattern[0] == c ? 1 : 0;
}

/// Whether a pattern of `parts` parts matches `count` things in a row. Part p matches any number of things if
/// is_star(p) is true. Otherwise matched(p, n) parts from p on match thing n; 0: they do not.
///
/// After a mismatch, only the last star needs to be tried again, one thing longer. This is linear in practice.
template <class IsStar, class Matched>
bool matches_with_stars(std::size_t parts, std::size_t count, const IsStar& is_star, const Matched& matched)
{
    constexpr auto none = static_cast<std::size_t>(-1);
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = none;
    std::size_t star_end = 0;
    while (n < count) {
        if (p < parts && is_star(p)) {
            star = p++;
            star_end = n;
        } else if (const std::size_t length = p < parts ? matched(p, n) : 0; length > 0) {
            p += length;
            ++n;
        } else if (star != none) {
            p = star + 1;
            n = ++star_end;
        } else {
            return false;
        }
    }
    while (p < parts && is_star(p)) ++p;
    return p == parts;
}

}  // namespace

bool is_pattern(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

bool matches_name(std::string_view pattern, std::string_view name)
{
    return matches_with_stars(
        pattern.size(), name.size(), [&](std::size_t p) { return pattern[p] == '*'; },
        [&](std::size_t p, std::size_t n) { return matched_length(pattern.substr(p), name[n]); });
}

bool matches_path(std::string_view pattern, std::string_view path)
{
    const std::vector<std::string> parts = path_components(pattern);
    const std::vector<std::string> names = path_components(path);
    return matches_with_stars(
        parts.size(), names.size(), [&](std::size_t p) { return parts[p] == "**"; },
        [&](std::size_t p, std::size_t n) { return matches_name(parts[p], names[n]) ? 1U : 0U; });
}

std::vector<std::string> path_components(std::string_view path)
{
    std::vector<std::string> components;
    while (!path.empty()) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        if (slash > 0) components.emplace_back(path.substr(0, slash));
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return components;
}

}  // namespace clconv
