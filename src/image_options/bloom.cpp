// SPDX-License-Identifier: Apache-2.0
// clconv bloom: highlights, spread by a PSF and blended with the image.
#include "base/process_end.h"
#include "cli/exit_codes.h"
#include "image_options/commands.h"
#include "image_options/image_module.h"
#include "image_options/run_options.h"

#include <CLI/CLI.hpp>

namespace clconv {
namespace {

constexpr const char* kAbout =
    "Make bright parts glow: highlights are convolved with a PSF and blended with the image, in "
    "linear light, with alpha\nas it is. Without --psf they get a soft glow half as wide as the "
    "image's shorter side; any other PSF gives another\nlook: stars, streaks, halos, starbursts of an "
    "aperture (clconv psf --help), or a measured one.";

constexpr const char* kExamples =
    "Examples:\n  clconv bloom night --output glowing\n  clconv bloom night --threshold 0.3 --boost 8 "
    "--intensity 0.5 --output stronger\n  clconv bloom shots/*.exr --threshold 1 --clamp 50 --mix "
    "lerp --scatter 0.1 --output out\n  clconv bloom car.png --psf streak:300 --tint 0.4,0.6,1 "
    "--output anamorphic\n  clconv bloom photos --psf diffraction:radius=3,blades=6 --scale 0.8 "
    "--boost 20 --output starbursts\n\ndocs/gallery.md shows what the options do. Exit codes are "
    "those of clconv run.";

}  // namespace

int bloom_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kAbout, "clconv bloom");
    app.footer(kExamples);
    RunOptions options;
    options.bloom.emplace();
    options.problem.linear = true;
    options.problem.border = "mirror";
    options.alpha = AlphaRule::keep;
    OptionList list(app);
    add_bloom_options(list, *options.bloom);
    add_run_options(list, options);
    for (const char* name : {"--mode", "--linear", "--alpha", "--nonfinite"}) list.remove_option(name);
    constexpr const char* group_name = "What is computed";
    list.add_flag(Effect::pixels, "--linear,!--stored", options.problem.linear,
                  "work in linear light, which is the default for bloom; --stored: on samples as they are stored")
        ->group(group_name);
    add_nonfinite_option_without_gaps(list, options.nonfinite, group_name);
    if (!parse_run(app, list, arguments, options)) return all_done;
    if (options.psfs.empty()) {
        options.psfs = {kBloomGlow};
        options.bloom->default_glow = true;
    }
    return quick_end(image_module().run(options));
}

}  // namespace clconv
