// SPDX-License-Identifier: Apache-2.0
// clconv psf: makes a PSF from words, or cleans a measured one, and writes it.
#include "base/errors.h"
#include "base/parse_number.h"
#include "cli/command_line.h"
#include "cli/exit_codes.h"
#include "cli/log_options.h"
#include "codecs/image_file.h"
#include "encoders/write_psf.h"
#include "files/extension.h"
#include "files/file_identity.h"
#include "files/output_checks.h"
#include "image_commands/commands.h"
#include "image_commands/psf_loading.h"
#include "image_commands/psf_words.h"
#include "psf/kinds.h"
#include "psf/preview.h"
#include "psf/text_psf.h"
#include "report/log.h"
#include "report/text_file.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

namespace clconv {

namespace {

constexpr const char* kPsfAbout =
    "Make a PSF from words, as in clconv run --psf, or from a file, and write it.\nPluses join "
    "several into a sum: gaussian:2*0.9+glow:400*0.1. Formulas and pictures: docs/psfs.md.";

constexpr const char* kPsfInErrors = "PSF";

constexpr const char* kPsfExamples =
    "Examples:\n"
    "  clconv psf gaussian:2.5 --output gaussian.exr --preview gaussian.png\n"
    "  clconv psf polygon:20,blades=6,rotation=15,round=0.3 --output bokeh.tif\n"
    "  clconv psf polygon --radius 20 --blades 6 --output bokeh.txt\n"
    "  clconv psf diffraction:radius=3,blades=6 --size 513 --output burst.exr\n"
    "  clconv psf measured.png --psf-linear --psf-background auto --psf-crop 0.99 --output clean.exr";

struct PsfOptions {
    std::string spec;
    std::string output;
    std::string size = "auto";
    std::string preview;
    bool overwrite = false;
    ProblemOptions problem;
    LogChoice log;
};

/// Turns KIND --radius 20 --blades=6, and KIND 20, into KIND:radius=20,blades=6: options of the kind become part of its
/// word.
std::vector<std::string> with_kind_options(const std::vector<std::string>& arguments)
{
    if (arguments.empty()) return arguments;
    const PsfKind* kind = psf_kind_named(arguments[0]);
    if (kind == nullptr || !is_words(arguments[0])) return arguments;
    std::string list;
    std::vector<std::string> rest;
    const auto add = [&](const std::string& text) { list += (list.empty() ? "" : ",") + text; };
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        const std::size_t equals = word.find('=');
        const std::string name = word.starts_with("--") ? word.substr(2, equals - 2) : "";
        const bool own = std::ranges::any_of(kind->arguments, [&](const KindArgument& a) { return a.name == name; });
        if (own && equals != std::string::npos)
            add(word.substr(2));
        else if (own && i + 1 < arguments.size())
            add(fmt::format("{}={}", name, arguments[++i]));
        else if (i == 1 && !word.starts_with('-'))
            add(word);
        else
            rest.push_back(word);
    }
    rest.insert(rest.begin(), list.empty() ? arguments[0] : fmt::format("{}:{}", arguments[0], list));
    return rest;
}

std::optional<int> size_option(const std::string& text)
{
    if (text == "auto") return std::nullopt;
    const std::optional<int> size = parse_number<int>(text);
    if (!size || *size < 1 || *size > kMostPsfSize)
        throw InvalidProblem(
            fmt::format("--size {}: give auto, or a number of pixels from 1 to {}", text, kMostPsfSize));
    return size;
}

bool is_text_file(const std::string& file)
{
    const std::string extension = extension_of(file);
    return std::ranges::any_of(std::array{"txt", "psf", "csv", "dat"},
                               [&](const char* text) { return extension == text; });
}

/// Throws InvalidProblem, OutputExists.
void check_output(const PsfOptions& options, const std::string& option, const std::string& file)
{
    if (!(is_text_file(file) && option == "--output") && !writable_extensions().contains(extension_of(file)))
        throw InvalidProblem(fmt::format("{} {}: this extension belongs to no format that can be written; use {}",
                                         option, file, option == "--output" ? "exr, tif, png or txt" : "png"));
    for (const std::string& source : psf_files({options.spec}, kPsfInErrors))
        if (file_identity(source) == file_identity(file))
            throw InvalidProblem(fmt::format("{} {}: would replace {}; choose another", option, file, source));
    check_folder_of(file, option);
    if (std::filesystem::is_directory(file))
        throw InvalidProblem(fmt::format("{} {}: is a folder; give a file", option, file));
    if (std::filesystem::exists(file) && !options.overwrite)
        throw OutputExists(fmt::format("{}: exists; use --overwrite, or choose another {}", file, option));
}

void write(const PsfOptions& options, const Psf& psf, Sink& sink)
{
    if (is_text_file(options.output)) {
        write_text_file(options.output, text_of_psf(psf, options.spec));
        return;
    }
    Psf stored = psf;
    if (is_integer(writable_type(options.output, SampleType::float32))) {
        stored = normalized(std::move(stored), Normalization::peak);
        sink.message(
            Level::info,
            fmt::format("{}: holds integers, so its largest weight is 1, and small ones are rounded; exr and tif hold "
                        "floats",
                        options.output));
    }
    write_psf(options.output, stored);
}

void add_options(CLI::App& app, PsfOptions& options)
{
    app.add_option("SPEC", options.spec,
                   "the PSF: KIND:ARGUMENTS as below, sums of them, or a file. KIND --ARGUMENT VALUE ... means the "
                   "same")
        ->type_name("")
        ->required();
    app.add_option("--output,-o", options.output, "file to write: exr, tif (floats), png (integers), txt, ...")
        ->type_name("FILE")
        ->required();
    app.add_option("--size", options.size,
                   "width and height of a PSF in words; auto, the smallest odd ones that hold a share of its light: "
                   "99 % of power laws, 99.9999999 % of Gaussians, all of bounded shapes")
        ->type_name("auto|N")
        ->capture_default_str();
    app.add_option(
           "--preview", options.preview,
           fmt::format("also write a picture of the PSF: logarithmic, {} decades from black to white", kPreviewDecades))
        ->type_name("FILE.png");
    app.add_flag("--overwrite", options.overwrite, "replace files that exist");
    OptionList list(app);
    add_psf_options(list, options.problem, "Processing");
    add_log_options(list, options.log);
}

}  // namespace

int psf_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kPsfAbout, "clconv psf");
    app.footer(std::string(kPsfExamples) + "\n\n" + psf_kinds_help());
    PsfOptions options;
    add_options(app, options);
    if (!parse(app, with_kind_options(arguments))) return all_done;

    Log log(log_options(options.log), nullptr);
    const std::optional<int> size = size_option(options.size);
    check_output(options, "--output", options.output);
    if (!options.preview.empty()) check_output(options, "--preview", options.preview);
    PsfSettings settings = psf_settings(options.problem);
    settings.option = kPsfInErrors;
    const Psf psf = load_psf(options.spec, settings, size, log);
    write(options, psf, log);
    if (!options.preview.empty()) write_psf(options.preview, log_preview(psf), SampleType::u8);
    return all_done;
}

}  // namespace clconv
