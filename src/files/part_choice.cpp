#include "files/part_choice.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>
#include <system_error>

namespace clconv {
namespace {

int part_named(std::string_view word, const std::string& text)
{
    int part = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), part);
    if (failure != std::errc() || end != word.data() + word.size() || part < 0)
        throw InvalidProblem(fmt::format(
            "--parts {}: names no parts of a file; use all, first, or numbers counted from 0, as 0,2,5", text));
    return part;
}

}  // namespace

PartChoice::PartChoice(const std::string& text)
{
    if (text == "all") return;
    std::vector<int>& parts = named_.emplace();
    if (text == "first") {
        parts.push_back(0);
        return;
    }
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t comma = std::min(text.find(',', first), text.size());
        parts.push_back(part_named(std::string_view(text).substr(first, comma - first), text));
        first = comma + 1;
    }
    std::ranges::sort(parts);
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
}

std::vector<int> PartChoice::of(int count) const
{
    if (named_) return *named_;
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace clconv
