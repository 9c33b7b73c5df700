// clconv deconvolve: images made sharp that a known PSF has blurred, by direct methods.
#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "cli/exit_codes.h"
#include "cli/number_option.h"
#include "cli/sample_type_option.h"
#include "engine/deconvolution_work.h"
#include "image_commands/commands.h"
#include "image_commands/psf_words.h"
#include "image_commands/run_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clconv {
namespace {

constexpr const char* kDeconvolveAbout =
    "Undo a blur with a known PSF, by one regularised inverse in linear light (--stored: of the samples as they are "
    "stored).\nThe PSF is what one point of light became: a picture of a star or a bead, or words such as "
    "disc:4.5.\nPages and frames are worked on one by one, so this is right for single planes and movies, and not for "
    "widefield stacks.";

constexpr const char* kDeconvolveExamples =
    "Examples:\n  clconv deconvolve photo.jpg --psf disc:3.5 --output sharp\n  clconv deconvolve stars/*.fits --psf "
    "star.fits --stored --method tikhonov --lambda 0.003 --output out\n  clconv deconvolve shaken.png --psf "
    "motion:15,angle=30 --nsr 0.02 --output out\n\ndocs/deconvolution.md has the formulas, and advice. Exit codes are "
    "those of clconv run.";

/// As typed.
struct DeconvolveOptions {
    std::string method = "wiener";
    double noise = 0.01;
    double lambda = 0.01;
};

void add_deconvolve_options(OptionList& list, DeconvolveOptions& options)
{
    constexpr const char* group = "The deconvolution (H is the PSF's spectrum)";
    list.add_option(Effect::pixels, "--method", options.method,
                    "wiener: conj(H) / (|H|^2 + NSR); or tikhonov: conj(H) / (|H|^2 + LAMBDA |L|^2) with the Laplacian "
                    "L, which spares smooth areas")
        ->type_name("METHOD")
        ->capture_default_str()
        ->group(group);
    list.add_option(Effect::pixels, "--nsr", options.noise,
                    "of wiener: the power of the noise over that of the image; less is sharper, and has more noise")
        ->type_name("V")
        ->check(in_range(0, 1e6))
        ->capture_default_str()
        ->group(group);
    list.add_option(Effect::pixels, "--lambda", options.lambda, "of tikhonov: how much roughness counts")
        ->type_name("V")
        ->check(in_range(0, 1e6))
        ->capture_default_str()
        ->group(group);
}

/// Throws InvalidProblem for a PSF of several planes. One that cannot be read is reported later.
void check_planes(const std::vector<std::string>& psfs)
{
    for (const std::string& file : psf_files(psfs)) {
        int planes = 1;
        try {
            planes = isolated_count_of_parts(file);
        } catch (const InputError&) {
            continue;
        }
        if (planes > 1)
            throw InvalidProblem(fmt::format(
                "--psf {}: holds {} planes, and images are worked on one by one: give one plane as a file of its own, "
                "and use a 3-D tool for stacks",
                file, planes));
    }
}

std::shared_ptr<const Work> work_of(const DeconvolveOptions& options)
{
    const auto method = choice<DirectMethod>("--method", options.method);
    return deconvolution_work({method, method == DirectMethod::wiener ? options.noise : options.lambda});
}

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
    for (const char* name : {"--mode", "--linear", "--method"}) list.remove_option(name);
    add_deconvolve_options(list, own);
    list.add_flag(Effect::pixels, "--linear,!--stored", options.problem.linear,
                  "work in linear light, which is the default here; --stored: on samples as they are stored, which is "
                  "right for integers that are measurements, such as those of a microscope")
        ->group("What is computed");
    if (!parse_run(app, list, arguments, options)) return all_done;
    if (options.nonfinite == NonFiniteRule::interpolate)
        throw InvalidProblem("--nonfinite interpolate: an inverse has no weights of known samples; use error or zero");
    options.work = work_of(own);
    check_planes(options.psfs);
    return execute(options);
}

}  // namespace clconv
