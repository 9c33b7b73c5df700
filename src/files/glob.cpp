#include "files/glob.h"

#include <span>

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

/// Like matches_name(): after a mismatch, only the last "**" needs to be tried again, one folder longer.
bool match_components(std::span<const std::string> pattern, std::span<const std::string> path)
{
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string::npos;
    std::size_t star_end = 0;
    while (n < path.size()) {
        if (p < pattern.size() && pattern[p] == "**") {
            star = p++;
            star_end = n;
        } else if (p < pattern.size() && matches_name(pattern[p], path[n])) {
            ++p;
            ++n;
        } else if (star != std::string::npos) {
            p = star + 1;
            n = ++star_end;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == "**") ++p;
    return p == pattern.size();
}

}  // namespace

bool is_pattern(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

bool matches_name(std::string_view pattern, std::string_view name)
{
    // After a mismatch, only the last star needs to be tried again, one character longer. This is linear in practice.
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t star_end = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            star_end = n;
        } else if (const std::size_t length = matched_length(pattern.substr(p), name[n])) {
            p += length;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++star_end;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool matches_path(std::string_view pattern, std::string_view path)
{
    return match_components(path_components(pattern), path_components(path));
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
