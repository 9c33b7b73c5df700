// SPDX-License-Identifier: Apache-2.0
#include "image_options/history.h"

#include "cli/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace clconv {

std::string history_of(const CLI::App& app, const OptionNames& without_effect)
{
    const std::string& name = app.get_name();
    std::string text = fmt::format("clconv {}{}", kVersion, name.substr(std::min(name.find(' '), name.size())));
    for (const CLI::Option* option : app.get_options()) {
        if (option->count() == 0 || option->get_name() == "--psf" || without_effect.contains(option->get_name()))
            continue;
        const bool is_negated = option->get_items_expected_max() == 0 && option->results().back() == "false" &&
                                !option->get_fnames().empty();
        text += " " + (is_negated ? "--" + option->get_fnames().front() : option->get_name());
        if (option->get_items_expected_max() > 0) text += fmt::format(" {}", fmt::join(option->results(), " "));
    }
    return text;
}

}  // namespace clconv
