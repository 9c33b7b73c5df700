// SPDX-License-Identifier: Apache-2.0
#include "files/glob.h"

#include "base/utf8.h"

namespace clconv {

namespace {

struct SetMatch {
    bool closed = false;  ///< there is a ']'; otherwise the '[' is an ordinary character
    bool contains = false;
    std::size_t length = 0;  ///< of the set in the pattern, brackets included
};

/// The characters of a text. A byte that belongs to none of UTF-8 counts as one that no text has.
std::u32string characters_of(std::string_view text)
{
    constexpr char32_t of_bytes = 0x110000;  // behind the last character
    std::u32string characters;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character next = character_at(text, at);
        const bool is_sound = next.bytes > 0;
        characters += is_sound ? char32_t{next.code} : of_bytes + static_cast<unsigned char>(text[at]);
        at += is_sound ? next.bytes : 1;
    }
    return characters;
}

/// `pattern` starts with '['. A ']' that comes first is an ordinary character, as in every shell.
SetMatch match_set(std::u32string_view pattern, char32_t c)
{
    std::size_t at = 1;
    const bool negated = at < pattern.size() && (pattern[at] == U'!' || pattern[at] == U'^');
    if (negated) ++at;
    const std::size_t first = at;
    bool found = false;
    while (at < pattern.size() && (pattern[at] != U']' || at == first)) {
        if (at + 2 < pattern.size() && pattern[at + 1] == U'-' && pattern[at + 2] != U']') {
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
std::size_t matched_length(std::u32string_view pattern, char32_t c)
{
    if (pattern.empty()) return 0;
    if (pattern[0] == U'?') return 1;
    if (pattern[0] == U'[') {
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
    const std::u32string wanted = characters_of(pattern);
    const std::u32string found = characters_of(name);
    return matches_with_stars(
        wanted.size(), found.size(), [&](std::size_t p) { return wanted[p] == U'*'; },
        [&](std::size_t p, std::size_t n) { return matched_length(std::u32string_view(wanted).substr(p), found[n]); });
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
