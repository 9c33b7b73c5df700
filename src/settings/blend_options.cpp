// SPDX-License-Identifier: Apache-2.0
#include "settings/blend_options.h"

#include "base/errors.h"
#include "settings/number_option.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clconv {
namespace {

/// "auto", which is none, or a number. Throws InvalidProblem with `wanted`.
std::optional<double> auto_or_number(const std::string& option, const std::string& text, double minimum, double maximum,
                                     const std::string& wanted)
{
    if (text == "auto") return std::nullopt;
    const std::optional<double> number = number_of(text);
    if (!number || *number < minimum || *number > maximum)
        throw InvalidProblem(fmt::format("{} {}: give {}", option, text, wanted));
    return number;
}

}  // namespace

void add_mask_option(OptionList& list, BlendOptions& options)
{
    list.add_option(Effect::pixels, "--mask", options.mask,
                    "an image of the inputs' size, black to white: how much of the change each pixel gets. Its colours "
                    "are averaged")
        ->type_name("FILE")
        ->group("What is computed");
}

void add_blend_options(OptionList& list, BlendOptions& options)
{
    constexpr const char* group = "What is computed";
    list.add_option(Effect::pixels, "--mix", options.mix,
                    "output = (1 - M) * input + M * convolved. 0.4 is a soft focus, and -0.6 with a gaussian an "
                    "unsharp mask. Default with --mask: 1")
        ->type_name("M")
        ->check(in_range(-1000, 1000))
        ->group(group);
    add_mask_option(list, options);
    list.add_option(Effect::pixels, "--bias", options.blending.offset,
                    "added to every result except alpha, before rounding and clamping. 0.5 shows both signs of a "
                    "high-pass in integers")
        ->type_name("V")
        ->check(in_range(-1e6, 1e6))
        ->capture_default_str()
        ->group(group);
}

void add_bloom_options(OptionList& list, BloomOptions& options)
{
    constexpr const char* group = "The bloom (numbers are linear light, 1 is white)";
    list.add_option(Effect::pixels, "--threshold", options.threshold,
                    "light above it glows: the part of each pixel by which its brightest channel exceeds it; 0: all "
                    "light")
        ->type_name("T")
        ->check(in_range(0, 1e6))
        ->capture_default_str()
        ->group(group);
    list.add_option(Effect::pixels, "--knee", options.knee,
                    "softness of the threshold: light begins to glow at T (1 - K), and everything above T glows from "
                    "T (1 + K) on")
        ->type_name("K")
        ->check(in_range(0, 1))
        ->capture_default_str()
        ->group(group);
    list.add_option(Effect::pixels, "--clamp", options.clamp,
                    "limit for the light of a pixel, so that single fireflies do not outshine the rest; 0: no limit")
        ->type_name("V")
        ->check(in_range(0, 1e6))
        ->capture_default_str()
        ->group(group);
    list.add_parsed(
            Effect::pixels, "--boost",
            [&options](const std::string& text) {
                options.boost = auto_or_number("--boost", text, 0, 1e4, "auto, or 0 to 10000");
            },
            "brightens light that was clipped when it was stored: white counts as 1 + B, with less boost down "
            "to 0.8 of white, and brighter light is unchanged; auto: 4 for integers, 0 for floats",
            "auto")
        ->type_name("auto|B")
        ->group(group);
    list.add_option(Effect::pixels, "--intensity", options.intensity,
                    fmt::format("strength of the glow; default: {} for add and screen, 1 for lerp", kDefaultIntensity))
        ->type_name("I")
        ->check(in_range(0, 1e4))
        ->group(group);
    list.add_option(Effect::pixels, "--scatter", options.scatter,
                    "for --mix lerp: the share of the bright light that becomes glow; without --boost the sum of light "
                    "stays")
        ->type_name("S")
        ->check(in_range(0, 1))
        ->capture_default_str()
        ->group(group);
    list.add_option(Effect::pixels, "--tint", options.tint, "the glow's colour")
        ->type_name("R,G,B")
        ->capture_default_str()
        ->group(group);
    list.add_choice(Effect::pixels, "--mix", options.mix,
                    "add; screen, which adds less where the image is bright; or lerp, which moves light instead of "
                    "adding it")
        ->type_name("HOW")
        ->group(group);
    list.add_parsed(
            Effect::pixels, "--scale",
            [&options](const std::string& text) {
                options.scale =
                    auto_or_number("--scale", text, 0.001, 4, "auto, or 0.001 to 4 times the image's shorter side");
            },
            "the PSF's height over the image's shorter side, so that one look fits images of all sizes, and portraits "
            "as landscapes; auto: half for the default glow, and no scaling for PSFs of --psf",
            "auto")
        ->type_name("auto|F")
        ->group(group);
    list.add_choice(Effect::pixels, "--resolution", options.resolution,
                    "1, 1/2 or 1/4: resolution of the picture that is convolved. Wide, soft glows look the same and "
                    "take less time. docs/conventions.md has the errors, and a warning names PSFs that are too narrow")
        ->type_name("1|1/2|1/4")
        ->group(group);
}

}  // namespace clconv
