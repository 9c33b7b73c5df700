// SPDX-License-Identifier: Apache-2.0
// clconv merge-reports: checks that all shards of a batch are there, and merges their reports.
#include "report/merge_reports.h"
#include "base/errors.h"
#include "cli/command_line.h"
#include "cli/exit_codes.h"
#include "cli/standard_output.h"
#include "files/file_identity.h"
#include "image_options/commands.h"
#include "image_options/report_file.h"
#include "image_options/run_options.h"
#include "report/json_values.h"
#include "report/text_file.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace clconv {

namespace {

constexpr const char* kMergeReportsAbout =
    "Check the reports of a batch's shards and merge them.\n\nEvery shard must be there once. All "
    "must have the same version of clconv, list of items and\noptions; --device, --jobs, logs and the "
    "like may differ. The merged report has the form of clconv run --report,\nplus an entry for each "
    "shard.";

constexpr const char* kFooter =
    "Example:\n  clconv run in --psf disc.png --output out --shard 0/2 --report 0.json    (on one "
    "machine)\n  clconv run in --psf disc.png --output out --shard 1/2 --report 1.json    (on "
    "another)\n  clconv merge-reports 0.json 1.json --output whole.json\n\nExit codes: 0 all shards "
    "are there and all their images are done, 1 a shard is missing, repeated or of another\nbatch "
    "(nothing is written), or an image is not done (the merged report names it), 2 usage error.";

}  // namespace

int merge_reports_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kMergeReportsAbout, "clconv merge-reports");
    app.footer(kFooter);
    std::vector<std::string> files;
    std::string output;
    app.add_option("REPORT", files, "the files that clconv run --shard I/N --report wrote")->type_name("")->required();
    app.add_option("--output,-o", output, "write the merged report to FILE instead of standard output")
        ->type_name("FILE");
    if (!parse(app, arguments)) return all_done;

    for (const std::string& file : files)
        if (!output.empty() && file_identity(file) == file_identity(output))
            throw InvalidProblem(fmt::format("--output {}: would replace the report {}; choose another", output, file));
    std::vector<NamedReport> reports;
    for (const std::string& file : files) reports.push_back({file, report_text(file)});
    const nlohmann::ordered_json merged = merged_report(reports, run_options_without_effect());
    const std::string text = json_text(merged, 2) + "\n";
    if (output.empty())
        print(text);
    else
        write_text_file(output, text);
    const nlohmann::ordered_json& counts = merged["counts"];
    return counts["failed"] == 0 && counts["not_started"] == 0 ? all_done : some_failed;
}

}  // namespace clconv
