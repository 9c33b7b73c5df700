// SPDX-License-Identifier: Apache-2.0
// clconv deconvolve: images made sharp that a known PSF has blurred.
#include "base/errors.h"
#include "base/process_end.h"
#include "cli/exit_codes.h"
#include "image_options/commands.h"
#include "image_options/image_module.h"
#include "image_options/run_options.h"
#include "settings/deconvolve_options.h"

#include <CLI/CLI.hpp>

namespace clconv {
namespace {

constexpr const char* kDeconvolveAbout =
    "Undo a blur with a known PSF in linear light (--stored: of the samples as they are stored), by a regularised "
    "inverse\nor by iterations.\nThe PSF is what one point of light became: a picture of a star or a bead, or words "
    "such as "
    "disc:4.5.\nPages and frames are worked on one by one, so this is right for single planes and movies, and not for "
    "widefield stacks.";

constexpr const char* kDeconvolveExamples =
    "Examples:\n  clconv deconvolve photo.jpg --psf disc:3.5 --output sharp\n  clconv deconvolve stars/*.fits --psf "
    "star.fits --stored --method tikhonov --lambda 0.003 --output out\n  clconv deconvolve shaken.png --psf "
    "motion:15,angle=30 --nsr 0.02 --output out\n  clconv deconvolve cells.tif --stored --psf airy:radius=4 "
    "--method rl --iterations 40 --output out\n\ndocs/deconvolution.md has the formulas, and advice. Exit codes are "
    "those of clconv run.";

constexpr const char* kComputed = "What is computed";

}  // namespace

int deconvolve_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kDeconvolveAbout, "clconv deconvolve");
    app.footer(kDeconvolveExamples);
    RunOptions options;
    options.problem.linear = true;
    DeconvolveOptions own;
    OptionList list(app);
    add_run_options(list, options);
    for (const char* name : {"--border", "--mode", "--linear", "--method", "--nonfinite"}) list.remove_option(name);
    add_deconvolve_options(list, own);
    add_nonfinite_option_without_gaps(list, options.nonfinite, kComputed);
    list.add_flag(Effect::pixels, "--linear,!--stored", options.problem.linear,
                  "work in linear light, which is the default here; --stored: on samples as they are stored, which is "
                  "right for integers that are measurements, such as those of a microscope")
        ->group(kComputed);
    if (!parse_run(app, list, arguments, options)) return all_done;
    if (options.nonfinite == NonFiniteRule::interpolate)
        throw InvalidProblem(
            "--nonfinite interpolate: deconvolution has no such rule; use error or zero, or --method rl --weight auto");
    return quick_end(image_module().deconvolve(own, options));
}

}  // namespace clconv
