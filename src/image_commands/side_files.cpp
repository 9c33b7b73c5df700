// SPDX-License-Identifier: Apache-2.0
#include "image_commands/side_files.h"

#include "base/errors.h"
#include "codecs/image_file.h"
#include "files/extension.h"
#include "files/file_identity.h"
#include "files/output_checks.h"
#include "image_options/psf_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace clconv {

namespace fs = std::filesystem;

void check_side_file(const std::string& option, const std::string& file, const std::vector<std::string>& sources)
{
    if (file.empty() || file == "-") return;
    if (readable_extensions().contains(extension_of(file)))
        throw InvalidProblem(fmt::format("{} {}: is the name of an image; choose another, such as run.{}", option, file,
                                         option == "--html" ? "html" : "json"));
    if (fs::is_directory(file)) throw InvalidProblem(fmt::format("{} {}: is a folder; give a file", option, file));
    for (const std::string& source : sources)
        if (file_identity(source) == file_identity(file))
            throw InvalidProblem(
                fmt::format("{} {}: would replace the input {}; choose another", option, file, source));
    check_folder_of(file, option);
}

void check_side_files(const RunOptions& options)
{
    std::vector<std::string> sources = options.inputs;
    std::ranges::move(psf_files(options.psfs), std::back_inserter(sources));
    std::ranges::move(other_inputs(options), std::back_inserter(sources));
    check_side_file("--report", options.report, sources);
    check_side_file("--html", options.html, sources);
    check_side_file("--events", options.events, sources);
    check_side_file("--trace", options.trace, sources);
    check_side_file("--manifest", options.manifest, sources);
    if (std::error_code failure; std::filesystem::is_fifo(options.manifest, failure))
        throw InvalidProblem(
            fmt::format("--manifest {}: is a FIFO; give a regular file, which --resume can read", options.manifest));
    check_side_file("--log-file", options.log.file, sources);
}

}  // namespace clconv
