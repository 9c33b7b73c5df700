// SPDX-License-Identifier: Apache-2.0
#include "files/part_choice.h"

#include "base/errors.h"
#include "base/parse_number.h"
#include "base/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace clconv {
namespace {

int part_named(std::string_view word, const std::string& text)
{
    const std::optional<int> part = parse_number<int>(word);
    if (!part || *part < 0)
        throw InvalidProblem(fmt::format(
            "--parts {}: does not name parts of a file; use all, first, or numbers counted from 0, as 0,2,5", text));
    return *part;
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
    for (const std::string_view word : split(text, ',')) parts.push_back(part_named(word, text));
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
