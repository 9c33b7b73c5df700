// SPDX-License-Identifier: Apache-2.0
// Parses one subcommand's words with CLI11, in this tool's style.
#pragma once

#include "base/choice.h"

#include <CLI/App.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace clconv {

/// Parses `arguments`. False: --help was among them and has been printed. Throws InvalidProblem with a short message
/// that names the option and the help to read.
[[nodiscard]] bool parse(CLI::App& app, const std::vector<std::string>& arguments);

/// While an object exists, parse() in this thread parses nothing: it calls `watch` with the options, and returns false.
class OptionsWatch {
public:
    explicit OptionsWatch(std::function<void(const CLI::App&)> watch);
    ~OptionsWatch();
    OptionsWatch(const OptionsWatch&) = delete;
    OptionsWatch& operator=(const OptionsWatch&) = delete;
};

/// Every option with its value, given or default. Options without a value are left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> values_of(const CLI::App& app);

}  // namespace clconv
