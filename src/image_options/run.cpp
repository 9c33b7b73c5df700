// SPDX-License-Identifier: Apache-2.0
// clconv run: convolve a batch of images.
#include "base/process_end.h"
#include "cli/exit_codes.h"
#include "image_options/commands.h"
#include "image_options/image_module.h"
#include "image_options/run_options.h"

#include <CLI/CLI.hpp>

namespace clconv {

int run_command(const std::vector<std::string>& arguments)
{
    CLI::App app(run_about(), "clconv run");
    app.footer(run_examples());
    RunOptions options;
    OptionList list(app);
    add_run_options(list, options);
    return parse_run(app, list, arguments, options) ? quick_end(image_module().run(options)) : all_done;
}

}  // namespace clconv
