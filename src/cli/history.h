// What a command says of itself in headers that tell how an image was made.
#pragma once

#include "cli/option_list.h"

#include <CLI/App.hpp>

#include <string>

namespace clconv {

/// "clconv 0.1.0 run --border wrap": the options that were given and may change pixels, but for PSFs, which each item
/// has one of. The same for every machine, date and number of jobs.
[[nodiscard]] std::string history_of(const CLI::App& app, const OptionNames& without_effect);

}  // namespace clconv
