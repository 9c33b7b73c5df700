// SPDX-License-Identifier: Apache-2.0
// The options of commands that write a page: --html and --pictures.
#pragma once

#include "settings/option_list.h"

#include <cstddef>
#include <string>

namespace clconv {

/// Images with pictures in a page, by default. Those of one image take about 70 kB.
inline constexpr std::size_t kMaxPictured = 24;

/// Returns the option --html. `group`: the heading of both in --help.
CLI::Option* add_page_options(OptionList& list, std::string& file, std::size_t& max_pictured, const char* group);

}  // namespace clconv
