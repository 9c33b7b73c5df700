// Parsing one subcommand's words with CLI11, in this tool's manners.
#pragma once

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv {

/// Parses `arguments`. False: --help was among them and has been printed.
/// Throws InvalidProblem with a short message that names the option and where to read on.
[[nodiscard]] bool parse(CLI::App& app, const std::vector<std::string>& arguments);

/// Every option with the value it has, given or default; those that have none are left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> values_of(const CLI::App& app);

/// The value called `text`. Throws InvalidProblem naming the option, what was found and the names there are.
template <class T>
[[nodiscard]] T choice(std::string_view option, std::string_view text, std::optional<T> found, std::string_view names);

/// Throws what choice() throws.
[[noreturn]] void unknown_choice(std::string_view option, std::string_view text, std::string_view names);

template <class T>
T choice(std::string_view option, std::string_view text, std::optional<T> found, std::string_view names)
{
    if (!found) unknown_choice(option, text, names);
    return *found;
}

}  // namespace clconv
