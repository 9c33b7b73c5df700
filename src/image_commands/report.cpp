// SPDX-License-Identifier: Apache-2.0
// clconv report: a report as a page that people look at.
#include "cli/exit_codes.h"
#include "image_commands/commands.h"
#include "image_commands/page_gallery.h"
#include "image_commands/side_files.h"
#include "image_options/report_file.h"
#include "report/run_page.h"
#include "report/text_file.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace clconv {

int show_report(const ReportOptions& options)
{
    check_side_file("--html", options.html, {options.report});
    nlohmann::ordered_json report = parsed_report(options.report, report_text(options.report));
    const PageGallery gallery = gallery_of(pictured_files(report), options.max_pictured);
    write_text_file(options.html, report_page(std::move(report), gallery));
    return all_done;
}

}  // namespace clconv
