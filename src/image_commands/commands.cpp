// SPDX-License-Identifier: Apache-2.0
#include "image_commands/commands.h"

#include "base/errors.h"
#include "cli/version.h"
#include "image_options/image_module.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace clconv {
namespace {

struct ImageCommand {
    std::string_view name;
    int (*run)(const std::vector<std::string>& words);
};

constexpr ImageCommand kCommands[] = {
    {"run", run_command},         {"bloom", bloom_command}, {"deconvolve", deconvolve_command},
    {"compare", compare_command}, {"psf", psf_command},     {"merge-reports", merge_reports_command},
};

int run_named(std::string_view name, const std::vector<std::string>& words)
{
    const auto* const found = std::ranges::find(kCommands, name, &ImageCommand::name);
    if (found == std::end(kCommands)) throw InternalError(std::string(name) + ": the module has no such command");
    return found->run(words);
}

constexpr ImageModule kModule{kVersion, run_named, planned_files, tuned_files};

}  // namespace
}  // namespace clconv

const clconv::ImageModule* clconv_image_module() { return &clconv::kModule; }
