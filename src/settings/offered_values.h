// SPDX-License-Identifier: Apache-2.0
// The words that a shell offers for the value of an option.
#pragma once

#include "base/names.h"

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// From now on, `words` are offered for `option`. They do not restrict its values.
CLI::Option* offer(CLI::Option* option, const std::vector<std::string_view>& words);

/// `words`, and behind them the names of an enumeration's values.
template <HasNames Value>
[[nodiscard]] std::vector<std::string_view> with_names(std::vector<std::string_view> words)
{
    for (const Named<Value>& known : kNames<Value>) words.push_back(known.name);
    return words;
}

/// What offer() was given; else the fixed words of a value such as "auto|N"; else none.
[[nodiscard]] std::vector<std::string> offered_values(const CLI::Option& option);

/// Whether the value is the name of a file or folder.
[[nodiscard]] bool takes_file(const CLI::Option& option);

}  // namespace clconv
