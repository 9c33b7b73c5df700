// SPDX-License-Identifier: Apache-2.0
#include "settings/deconvolve_options.h"

#include "base/choice.h"
#include "conv/border.h"
#include "engine/richardson_lucy_work.h"
#include "settings/number_option.h"

#include <fmt/format.h>

namespace clconv {
namespace {

void add_direct_options(OptionList& list, DeconvolveOptions& options, const char* group)
{
    list.add_option(Effect::pixels, "--nsr", options.noise,
                    "wiener only: power of the noise relative to that of the image; lower is sharper, and noisier; "
                    "auto estimates it for each image; default: 0.01")
        ->type_name("V|auto")
        ->group(group);
    list.add_option(Effect::pixels, "--lambda", options.lambda, "tikhonov only: weight of the roughness; default: 0.01")
        ->type_name("V")
        ->check(in_range(0, 1e6))
        ->group(group);
}

void add_iteration_options(OptionList& list, DeconvolveOptions& options, const char* group)
{
    list.add_option(Effect::pixels, "--iterations", options.iterations,
                    fmt::format("rl only: number of iterations, the same for all images; more are sharper, "
                                "and noisier; default: {}",
                                RichardsonLucy{}.iterations))
        ->type_name("N")
        ->check(CLI::Range(0, 100000).description(""))
        ->group(group);
    list.add_parsed(
            Effect::pixels, "--accelerate",
            [&options](const std::string& text) { options.accelerate = choice<Accelerate>("--accelerate", text); },
            "rl only: fewer iterations for the same result: none, momentum (a growing share of the last change is "
            "added "
            "to each), biggs-andrews (the share follows from the last two changes), or auto, which is momentum",
            "auto")
        ->type_name("HOW")
        ->group(group);
    list.add_choice(
            Effect::pixels, "--colour", options.colour,
            "rl only: channels, each is worked on; or luminance, only that of red, green and blue is, which takes "
            "a third of the time and keeps colours free of new grain, and alpha stays as it was")
        ->type_name("HOW")
        ->group(group);
    list.add_option(Effect::pixels, "--tv", options.tv,
                    "rl only: strength of a regularisation by total variation, such as 0.002, which takes grain away "
                    "and keeps edges; default: 0, none")
        ->type_name("V")
        ->check(in_range(0, 0.5))
        ->group(group);
    list.add_option(Effect::pixels, "--stop", options.stop,
                    fmt::format("rl only: end an image's iterations when the residual falls by less than this share "
                                "an iteration, such as 0.01; checked every {} iterations; --iterations is the maximum. "
                                "Default: 0, never, "
                                "so that all images are treated alike",
                                kStopsEvery))
        ->type_name("V")
        ->check(in_range(0, 1))
        ->group(group);
    list.add_option(Effect::pixels, "--weight", options.weight,
                    "rl only: samples to ignore. auto: those that are not finite, and in images of integers "
                    "those of the largest code, which are clipped; or FILE, an image of the images' size, 0 where "
                    "samples are not known and 1 where they are, besides those that are not finite")
        ->type_name("auto|FILE")
        ->group(group);
    list.add_option(Effect::pixels, "--start", options.start,
                    "rl only: the first estimate: flat, each channel's mean everywhere; image; or V everywhere; "
                    "default: flat")
        ->type_name("flat|image|V")
        ->group(group);
    list.add_option(
            Effect::pixels, "--background", options.background,
            "rl only: light in the image that did not pass through the PSF, such as a detector's offset, in the "
            "unit of the samples (integers: 0 to 1), in linear light unless --stored; it is not in the result; auto: "
            "the median of the darkest tenth of the image; default: 0")
        ->type_name("V|auto")
        ->group(group);
    list.add_parsed(
            Effect::pixels, "--like",
            [&options](const std::string& text) { options.like = choice<Like>("--like", text); },
            "the conventions of scikit-image: stored samples, --normalize none, results cut to [-1, 1]; rl with a "
            "border of zeros, 50 iterations from 0.5, and negative samples; its wiener is tikhonov here, with "
            "--border wrap",
            "")
        ->type_name("skimage")
        ->group(group);
}

}  // namespace

void add_deconvolve_options(OptionList& list, DeconvolveOptions& options)
{
    constexpr const char* group = "The deconvolution (H is the PSF's spectrum)";
    list.add_choice(Effect::pixels, "--method", options.method,
                    "auto, which is rl, or the method that --nsr or --lambda belongs to; wiener: conj(H) / (|H|^2 + "
                    "NSR); tikhonov: conj(H) / (|H|^2 + LAMBDA |L|^2) with the Laplacian "
                    "L, which spares smooth areas; or rl: Richardson-Lucy's iterations, for images of few photons, "
                    "whose results are never negative")
        ->type_name("METHOD")
        ->group(group);
    add_direct_options(list, options, group);
    add_iteration_options(list, options, group);
    list.add_option(
            Effect::pixels, "--border", options.border,
            "the values of the image outside its data: masked, unknown (only rl, and its default), or one of\n" +
                borders_help() + "\nDefault of the other methods: clamp")
        ->type_name("MODE")
        ->group(group);
}

}  // namespace clconv
