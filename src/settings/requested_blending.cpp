// SPDX-License-Identifier: Apache-2.0
#include "settings/requested_blending.h"

#include "base/errors.h"
#include "psf/resize.h"
#include "settings/number_option.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

/// For images of integers.
constexpr double kDefaultBoost = 4;

std::vector<double> tint_of(const std::string& text)
{
    const std::optional<std::vector<double>> tint = numbers_of(text);
    if (!tint || tint->size() != 3 || std::ranges::any_of(*tint, [](double value) { return value < 0; }))
        throw InvalidProblem(fmt::format("--tint {}: give three numbers of at least 0, R,G,B such as 1,0.8,0.6", text));
    return *tint;
}

}  // namespace

Blending bloom_blending(const BloomOptions& options)
{
    Blending blending;
    blending.keeps_alpha = true;
    blending.gain = tint_of(options.tint);
    if (options.mix == BloomMix::lerp) {
        blending.leave = options.scatter;
        for (double& gain : blending.gain) gain *= options.scatter;
    }
    for (double& gain : blending.gain)
        gain *= options.intensity.value_or(options.mix == BloomMix::lerp ? 1 : kDefaultIntensity);
    blending.blend = options.mix == BloomMix::screen ? Blend::screen : Blend::sum;
    blending.boosts_floats = options.boost.has_value();
    blending.highlights = Highlights{options.threshold, options.threshold * options.knee, options.clamp,
                                     options.boost.value_or(kDefaultBoost)};
    return blending;
}

Blending mix_blending(const BlendOptions& options)
{
    Blending blending = options.blending;
    if (!options.mix && options.mask.empty()) return blending;
    blending.blend = Blend::sum;
    blending.gain = {options.mix.value_or(1)};
    blending.leave = options.mix.value_or(1);
    return blending;
}

void check_blend(const Blending& blending, const std::string& command, const ProblemOptions& problem,
                 NonFiniteRule nonfinite)
{
    if (blending.shape() == BlendShape{} && blending.offset == 0) return;
    const std::string name = command == "bloom"              ? command
                             : blending.blend == Blend::none ? "--bias"
                                                             : "--mix or --mask";
    if (problem.method.copies)
        throw InvalidProblem(fmt::format("{}: --method none convolves nothing; leave one of them out", name));
    if (nonfinite == NonFiniteRule::interpolate)
        throw InvalidProblem(
            fmt::format("{}: cannot be combined with --nonfinite interpolate, because missing samples leave nothing to "
                        "blend; use zero or error",
                        name));
    if (problem.mode == Mode::full && blending.blend != Blend::none)
        throw InvalidProblem(
            fmt::format("{}: cannot be combined with --mode full, whose results also lie outside the image", name));
}

PsfFit bloom_fit(const BloomOptions& options)
{
    if (!options.scale) {
        if (!options.default_glow) return {};
        return [](const Psf& psf, int shorter_side) {
            return resized(psf, static_cast<double>(shorter_side) / kBloomReference);
        };
    }
    return [scale = *options.scale](const Psf& psf, int shorter_side) {
        return resized(psf, scale * shorter_side / psf.extent.height);
    };
}

}  // namespace clconv
