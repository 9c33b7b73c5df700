// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_options.h"

#include "cli/work_options.h"
#include "settings/number_option.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clconv {

void add_plan_options(CLI::App& app, PlanOptions& options)
{
    constexpr const char* for_image = "Plan for an image";
    app.add_option("INPUT", options.input, "an image file")->type_name("")->group(for_image);
    app.add_option("--psf", options.psf,
                   "the PSF: an image, text (rows of numbers, # comments), or words such as gaussian:2.5")
        ->type_name("PSF")
        ->group(for_image);
    app.add_option("--parts", options.parts,
                   "of a file with several parts (pages, frames): all, first, or numbers counted from 0, as in clconv "
                   "run. Parts with the same plan are listed together")
        ->type_name("all|first|N[,N...]")
        ->capture_default_str()
        ->group(for_image);

    constexpr const char* for_sizes = "Plan for sizes";
    app.add_option("--size", options.size, "the image's size in pixels")->type_name("WxH")->group(for_sizes);
    app.add_option("--channels", options.channels,
                   "number of the image's channels; default: 3. With INPUT, a list of the channels to convolve, as "
                   "in clconv run")
        ->type_name("C|LIST")
        ->group(for_sizes);
    app.add_option("--psf-size", options.psf_size, "the PSF's size in pixels")->type_name("K[xK]")->group(for_sizes);
    app.add_option("--psf-channels", options.psf_channels, "the PSF's channels: 1, or as many as the image has")
        ->type_name("C")
        ->check(in_range(1, 1e6))
        ->capture_default_str()
        ->group(for_sizes);
    app.add_option("--type", options.type,
                   "the image's samples: u8, u16, half or float; double with --precision double")
        ->type_name("TYPE")
        ->capture_default_str()
        ->group(for_sizes);
    app.add_option("--layout", options.layout, "interleaved samples, as in files, or planar")
        ->type_name("LAYOUT")
        ->capture_default_str()
        ->group(for_sizes);
    app.add_option("--depth", options.depth,
                   "the output's samples: same, u8, u16, half or float; double with --precision double")
        ->type_name("TYPE")
        ->capture_default_str();

    app.add_flag("--decisions", options.decisions,
                 "list what --decide can force: keys, values and meanings, and, with an image or sizes, the "
                 "choices of this plan");

    app.add_flag("--programs", options.programs, "list the programs that this plan builds, one a line");
    CLI::Option* menu = app.add_flag(
        "--menu", options.menu,
        fmt::format("list and count the programs that images of any size need with these samples, channels, "
                    "border and PSF (--psf-size; default: {}); clconv warm builds them in advance",
                    kDefaultPsfSide));
    CLI::Option* kernels =
        app.add_option("--kernels", options.kernels,
                       "write the programs of this plan into this folder and print the files' names. Each is one file "
                       "for any OpenCL compiler, with its defines and without includes")
            ->type_name("DIR")
            ->check(CLI::Validator([](const std::string& text) { return text.empty() ? "give a folder" : ""; }, ""))
            ->excludes("--decisions", "--programs", menu);
    app.add_flag("--json", options.json,
                 "print JSON: the plan of each part, its decisions, programs and memory in bytes")
        ->excludes("--decisions", "--programs", menu, kernels);
    app.add_flag("--overwrite", options.overwrite, "replace existing files of --kernels")->needs(kernels);

    OptionList list(app);
    add_problem_options(list, options.problem);
}

}  // namespace clconv
