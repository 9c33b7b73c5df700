// SPDX-License-Identifier: Apache-2.0
// clconv report: a report as a page that people look at.
#include "base/process_end.h"
#include "cli/command_line.h"
#include "cli/exit_codes.h"
#include "image_options/commands.h"
#include "image_options/image_module.h"
#include "image_options/report_options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace clconv {

namespace {

constexpr const char* kReportAbout =
    "Show a report as one page for a browser: what clconv run --report, merge-reports or compare --json wrote.\n\nThe "
    "page shows some images before and after, if their files are still where the report says, seen from the\ncurrent "
    "folder. So use --pictures 0 for a report that you do not trust to name files.";

constexpr const char* kReportFooter =
    "Examples:\n  clconv run in --psf disc.png --output out --report run.json\n  clconv report run.json --html "
    "run.html\n\nExit codes: 0 the page is written, 1 the report cannot be read or the page not written, 2 usage "
    "error.";

}  // namespace

int report_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kReportAbout, "clconv report");
    app.footer(kReportFooter);
    ReportOptions options;
    OptionList list(app);
    list.add_option(Effect::none, "REPORT", options.report, "the file that clconv run --report wrote")
        ->type_name("")
        ->required();
    add_page_options(list, options.html, options.max_pictured, "Options")->required();
    if (!parse(app, arguments)) return all_done;
    return quick_end(image_module().report(options));
}

}  // namespace clconv
