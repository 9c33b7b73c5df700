// SPDX-License-Identifier: Apache-2.0
// Which combinations run always, and which only with `scripts/test --full`. A program that was not compiled before
// takes a second or two. So each value of each dimension runs always, beside some value of the others.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <ranges>
#include <string_view>
#include <vector>

namespace clconv::test {

/// Whether every combination is to run: CTest's test full/device says so.
[[nodiscard]] inline bool is_full()
{
    const char* combinations = std::getenv("CLCONV_COMBINATIONS");
    return combinations != nullptr && std::string_view(combinations) == "all";
}

/// `all` of them if every combination is to run, otherwise those that run always.
template <std::ranges::input_range Range>
[[nodiscard]] auto mostly_full(const Range& all, std::initializer_list<std::ranges::range_value_t<Range>> always)
{
    using Value = std::ranges::range_value_t<Range>;
    return is_full() ? std::vector<Value>(std::ranges::begin(all), std::ranges::end(all)) : std::vector<Value>(always);
}

}  // namespace clconv::test
