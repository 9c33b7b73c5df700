// SPDX-License-Identifier: Apache-2.0
// clconv psf: makes a PSF from words, or cleans a measured one, and writes it.
#include "base/process_end.h"
#include "cli/command_line.h"
#include "cli/exit_codes.h"
#include "image_options/commands.h"
#include "image_options/image_module.h"
#include "image_options/psf_options.h"
#include "image_options/psf_words.h"
#include "psf/kinds.h"
#include "psf/preview.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace clconv {

namespace {

constexpr const char* kPsfAbout =
    "Make a PSF from words, as in clconv run --psf, or from a file, and write it.\nPluses join "
    "several into a sum: gaussian:2*0.9+glow:400*0.1. Formulas and pictures: docs/psfs.md.";

constexpr const char* kPsfExamples =
    "Examples:\n"
    "  clconv psf gaussian:2.5 --output gaussian.exr --preview gaussian.png\n"
    "  clconv psf polygon:20,blades=6,rotation=15,round=0.3 --output bokeh.tif\n"
    "  clconv psf polygon --radius 20 --blades 6 --output bokeh.txt\n"
    "  clconv psf diffraction:radius=3,blades=6 --size 513 --output burst.exr\n"
    "  clconv psf measured.png --psf-linear --psf-background auto --psf-crop 0.99 --output clean.exr";

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
    // Words without sense are refused before the module loads.
    static_cast<void>(psf_files({options.spec}, kPsfInErrors));
    return quick_end(image_module().psf(options));
}

}  // namespace clconv
