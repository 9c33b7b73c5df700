// SPDX-License-Identifier: Apache-2.0
#include "image_commands/side_files.h"

#include "base/errors.h"
#include "base/extension.h"
#include "base/special_file.h"
#include "codecs/image_file.h"
#include "files/file_identity.h"
#include "files/listing.h"
#include "files/output_checks.h"
#include "image_options/psf_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace clconv {

namespace fs = std::filesystem;

namespace {

struct SideFile {
    std::string option;
    std::string file;
};

InvalidProblem replaces(const SideFile& side, const std::string& source)
{
    return InvalidProblem(
        fmt::format("{} {}: would replace the input {}; choose another", side.option, side.file, source));
}

/// Throws InvalidProblem if two of them are one file, of which one text would be left. A device or a FIFO takes both.
void check_different(const std::vector<SideFile>& sides)
{
    std::error_code failure;
    for (auto a = sides.begin(); a != sides.end(); ++a)
        for (auto b = std::next(a); b != sides.end(); ++b)
            if (file_identity(a->file) == file_identity(b->file) &&
                (is_regular(a->file) || !fs::exists(a->file, failure)))
                throw InvalidProblem(fmt::format("{} {} and {} {}: are the same file; choose another for one of them",
                                                 a->option, a->file, b->option, b->file));
}

/// Throws InvalidProblem if standard output (-) would carry two texts, or one that needs a file.
void check_streams(const std::vector<SideFile>& sides, const std::string& output)
{
    std::string carried = output == "-" ? "the image" : "";
    for (const SideFile& side : sides) {
        if (side.file != "-") continue;
        if (side.option == "--manifest" || side.option == "--log-file")
            throw InvalidProblem(side.option + " -: needs a file; one of that name is ./-");
        if (!carried.empty())
            throw InvalidProblem(fmt::format("{} -: standard output cannot carry {} too; give one of them a file",
                                             side.option, carried));
        carried = side.option;
    }
}

/// Throws InvalidProblem if one of them is a file that --files-from lists. Only a file that exists can be lost, and
/// only one that is named: folders and patterns mean files with the extensions of images alone, which check_side_file()
/// refuses.
void check_not_listed(std::vector<SideFile> sides, const std::string& list)
{
    std::erase_if(sides, [](const SideFile& side) { return !is_regular(side.file); });
    if (sides.empty() || !is_regular(list)) return;
    const std::atomic<int> never = 0;
    for (const std::string& line : lines_of(list, never))
        for (const SideFile& side : sides) {
            std::error_code failure;
            if (fs::equivalent(line, side.file, failure)) throw replaces(side, line);
        }
}

}  // namespace

void check_side_file(const std::string& option, const std::string& file, const std::vector<std::string>& sources)
{
    if (file.empty() || file == "-") return;
    if (readable_extensions().contains(extension_of(file)))
        throw InvalidProblem(fmt::format("{} {}: is the name of an image; choose another, such as run.{}", option, file,
                                         option == "--html" ? "html" : "json"));
    if (is_folder(file) || !fs::path(file).has_filename())
        throw InvalidProblem(fmt::format("{} {}: is a folder; give a file", option, file));
    for (const std::string& source : sources) {
        std::error_code failure;  // a hard link is the same file under another name
        if (file_identity(source) == file_identity(file) || (is_regular(file) && fs::equivalent(source, file, failure)))
            throw replaces({option, file}, source);
    }
    check_folder_of(file, option);
}

void check_side_files(const RunOptions& options)
{
    std::vector<std::string> sources = options.inputs;
    std::ranges::move(psf_files(options.psfs), std::back_inserter(sources));
    std::ranges::move(other_inputs(options), std::back_inserter(sources));
    if (!options.files_from.empty() && options.files_from != "-") sources.push_back(options.files_from);
    std::vector<SideFile> sides{{"--report", options.report},     {"--html", options.html},
                                {"--events", options.events},     {"--trace", options.trace},
                                {"--manifest", options.manifest}, {"--log-file", options.log.file}};
    check_streams(sides, options.output);
    std::erase_if(sides, [](const SideFile& side) { return side.file.empty() || side.file == "-"; });
    for (const SideFile& side : sides) check_side_file(side.option, side.file, sources);
    check_different(sides);
    check_not_listed(std::move(sides), options.files_from);
    if (std::error_code failure; std::filesystem::is_fifo(options.manifest, failure))
        throw InvalidProblem(
            fmt::format("--manifest {}: is a FIFO; give a regular file, which --resume can read", options.manifest));
}

}  // namespace clconv
