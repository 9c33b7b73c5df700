// SPDX-License-Identifier: Apache-2.0
// PSFs are made from words, or measured ones cleaned, and written.
#include "base/errors.h"
#include "base/extension.h"
#include "base/parse_number.h"
#include "base/special_file.h"
#include "base/temporary_file.h"
#include "cli/exit_codes.h"
#include "cli/log_options.h"
#include "codecs/file_formats.h"
#include "codecs/image_file.h"
#include "codecs/psf_file.h"
#include "encoders/write_psf.h"
#include "files/file_identity.h"
#include "files/output_checks.h"
#include "image/format_table.h"
#include "image_commands/commands.h"
#include "image_commands/psf_loading.h"
#include "image_commands/side_files.h"
#include "image_options/psf_options.h"
#include "image_options/psf_words.h"
#include "psf/kinds.h"
#include "psf/preview.h"
#include "psf/text_psf.h"
#include "report/log.h"
#include "report/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace clconv {

namespace {

std::optional<int> size_option(const std::string& text)
{
    if (text == "auto") return std::nullopt;
    const std::optional<int> size = parse_number<int>(text);
    if (!size || *size < 1 || *size > kMaxPsfSize)
        throw InvalidProblem(
            fmt::format("--size {}: give auto, or a number of pixels from 1 to {}", text, kMaxPsfSize));
    return size;
}

/// Throws InvalidProblem, OutputExists.
void check_output(const PsfOptions& options, const std::string& option, const std::string& file)
{
    if (!(has_text_extension(file) && option == "--output") && !writable_extensions().contains(extension_of(file)))
        throw InvalidProblem(fmt::format("{} {}: this extension belongs to no format that can be written; use {}",
                                         option, file, option == "--output" ? "exr, tif, png or txt" : "png"));
    for (const std::string& source : psf_files({options.spec}, kPsfInErrors))
        if (file_identity(source) == file_identity(file))
            throw InvalidProblem(fmt::format("{} {}: would replace {}; choose another", option, file, source));
    check_folder_of(file, option);
    if (is_folder(file)) throw InvalidProblem(fmt::format("{} {}: is a folder; give a file", option, file));
    std::error_code failure;
    if (std::filesystem::exists(file, failure) && !options.overwrite)
        throw OutputExists(fmt::format("{}: exists; use --overwrite, or choose another {}", file, option));
}

/// Warns of what the format of `file` does not keep of a PSF's weights.
void warn_of_losses(const std::string& file, const Psf& psf, Sink& sink)
{
    const FileFormat& format = file_format_of(file);
    double negative = 0, all = 0;
    for (const double weight : psf.weights) {
        negative += std::max(0.0, -weight);
        all += std::abs(weight);
    }
    const bool holds_negatives = !is_integer(writable_type(file, SampleType::float32)) && format.name != "hdr";
    if (negative > 0 && !holds_negatives)
        sink.message(Level::warning,
                     fmt::format("{}: holds no negative weights, so {} of {}, {:.2g} % of all magnitudes, become 0; "
                                 "exr, tif and txt hold them",
                                 file, std::ranges::count_if(psf.weights, [](double weight) { return weight < 0; }),
                                 psf.weights.size(), 100 * negative / all));
    if (format.is_always_lossy)
        sink.message(Level::warning,
                     fmt::format("{}: its compression changes weights; exr, tif, png and txt keep them", file));
}

void write(const PsfOptions& options, const Psf& psf, Sink& sink)
{
    if (has_text_extension(options.output)) {
        write_text_file(options.output, text_of_psf(psf, options.spec));
        return;
    }
    warn_of_losses(options.output, psf, sink);
    Psf stored = psf;
    if (is_integer(writable_type(options.output, SampleType::float32))) {
        stored = normalized(std::move(stored), Normalization::peak);
        sink.message(
            Level::info,
            fmt::format("{}: holds integers, so its largest weight is 1, and small ones are rounded; exr and tif hold "
                        "floats",
                        options.output));
    }
    (void)make_folder_of(options.output);
    write_psf(options.output, stored);
}

}  // namespace

int make_psf(const PsfOptions& options)
{
    check_side_file("--log-file", options.log.file, psf_files({options.spec}, kPsfInErrors));
    Log log(log_options(options.log), nullptr);
    const std::optional<int> size = size_option(options.size);
    check_output(options, "--output", options.output);
    if (!options.preview.empty()) {
        check_output(options, "--preview", options.preview);
        if (file_identity(options.preview) == file_identity(options.output))
            throw InvalidProblem(fmt::format("--preview {}: would replace the --output {}; choose another",
                                             options.preview, options.output));
    }
    PsfSettings settings = psf_settings(options.problem);
    settings.option = kPsfInErrors;
    const Psf psf = load_psf(options.spec, settings, size, log);
    write(options, psf, log);
    if (options.preview.empty()) return all_done;
    (void)make_folder_of(options.preview);
    write_psf(options.preview, log_preview(psf), SampleType::u8);
    return all_done;
}

}  // namespace clconv
