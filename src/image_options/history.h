// SPDX-License-Identifier: Apache-2.0
// The description of a command for headers that say how an image was made.
#pragma once

#include "settings/option_list.h"

#include <CLI/App.hpp>

#include <string>

namespace clconv {

/// "clconv 0.1.0 run --border wrap": the given options that may change pixels, except PSFs, of which each item has one.
/// It does not depend on the machine, the date or the number of jobs.
[[nodiscard]] std::string history_of(const CLI::App& app, const OptionNames& without_effect);

}  // namespace clconv
