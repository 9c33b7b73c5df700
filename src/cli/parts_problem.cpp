// SPDX-License-Identifier: Apache-2.0
#include "cli/parts_problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clconv {

std::string parts_in_words(const std::vector<int>& parts)
{
    std::vector<std::string> ranges;
    for (auto first = parts.begin(); first != parts.end();) {
        auto last = first;
        while (last + 1 != parts.end() && *(last + 1) == *last + 1) ++last;
        if (last - first < 2) last = first;  // "0, 1" instead of "0 to 1"
        ranges.push_back(first == last ? fmt::format("{}", *first) : fmt::format("{} to {}", *first, *last));
        first = last + 1;
    }
    return fmt::format("part{} {}", parts.size() == 1 ? "" : "s", fmt::join(ranges, ", "));
}

}  // namespace clconv
