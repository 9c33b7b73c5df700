// SPDX-License-Identifier: Apache-2.0
#include "image_commands/asked_blending.h"

#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "cli/number_option.h"
#include "psf/resize.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace clconv {
namespace {

/// For images of integers.
constexpr double kUsualBoost = 4;

std::vector<double> tint_of(const std::string& text)
{
    const std::optional<std::vector<double>> tint = numbers_of(text);
    if (!tint || tint->size() != 3 || std::ranges::any_of(*tint, [](double value) { return value < 0; }))
        throw InvalidProblem(fmt::format("--tint {}: give three numbers of at least 0, R,G,B such as 1,0.8,0.6", text));
    return *tint;
}

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
        gain *= options.intensity.value_or(options.mix == BloomMix::lerp ? 1 : kUsualIntensity);
    blending.blend = options.mix == BloomMix::screen ? Blend::screen : Blend::sum;
    blending.boosts_floats = options.boost.has_value();
    blending.highlights = Highlights{options.threshold, options.threshold * options.knee, options.clamp,
                                     options.boost.value_or(kUsualBoost)};
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

/// Checks the options that blends cannot be combined with.
void check_blend(const Blending& blending, const RunOptions& options)
{
    if (blending.shape() == BlendShape{} && blending.offset == 0) return;
    const std::string name = options.bloom ? "bloom" : blending.blend == Blend::none ? "--bias" : "--mix or --mask";
    if (options.problem.method.copies)
        throw InvalidProblem(fmt::format("{}: --method none convolves nothing; leave one of them out", name));
    if (options.nonfinite == NonFiniteRule::interpolate)
        throw InvalidProblem(
            fmt::format("{}: cannot be combined with --nonfinite interpolate, because missing samples leave nothing to "
                        "blend; use zero or error",
                        name));
    if (options.problem.mode == Mode::full && blending.blend != Blend::none)
        throw InvalidProblem(
            fmt::format("{}: cannot be combined with --mode full, whose results also lie outside the image", name));
}

}  // namespace

Blending blending_of(const RunOptions& options)
{
    Blending blending = options.bloom ? bloom_blending(*options.bloom) : mix_blending(options.blend);
    check_blend(blending, options);
    if (options.blend.mask.empty()) return blending;
    try {
        blending.mask = std::make_shared<const Mask>(isolated_mask(options.blend.mask));
    } catch (const InputError& error) {
        throw InvalidProblem(fmt::format("--mask {}", error.what()));
    }
    return blending;
}

PsfSet::Fit bloom_fit(const BloomOptions& options)
{
    if (!options.scale) {
        if (!options.usual_glow) return {};
        return [](const Psf& psf, int shorter_side) {
            return resized(psf, static_cast<double>(shorter_side) / kBloomReference);
        };
    }
    return [scale = *options.scale](const Psf& psf, int shorter_side) {
        return resized(psf, scale * shorter_side / psf.extent.height);
    };
}

}  // namespace clconv
