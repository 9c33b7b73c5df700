// SPDX-License-Identifier: Apache-2.0
#include "engine/image_problem.h"

#include "base/errors.h"
#include "engine/clamped.h"
#include "passes/bias.h"
#include "psf/normalize.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clconv {
namespace {

/// The PSF for one image: matched to its channels, and rotated for correlation.
Psf fitted(const Psf& psf, const Channels& channels, bool correlate)
{
    Psf matched = matched_to_channels(psf, channels);
    return correlate ? flipped(matched) : matched;
}

}  // namespace

Problem fitted_problem(const ImageView& image, const Psf& psf, const PsfSupport& support,
                       const ConvolveSettings& settings, SampleType output)
{
    if (mode_of(settings.border).needs_value && settings.border_value.size() != 1 &&
        settings.border_value.size() != static_cast<std::size_t>(image.channels))
        throw InvalidProblem(
            fmt::format("--border {} has {} values and the image {} channels; give 1 value, or one a channel",
                        name_of(settings.border), settings.border_value.size(), image.channels));
    const Blending& blending = settings.blending;
    if (blending.mask && blending.mask->extent != image.extent) {
        const bool is_turned = blending.mask->extent == Extent{image.extent.height, image.extent.width};
        throw InvalidProblem(fmt::format("--mask is {}, and the image {}; give a mask of the image's size{}",
                                         to_string(blending.mask->extent), to_string(image.extent),
                                         is_turned ? ", as its pixels are stored before viewers rotate them" : ""));
    }
    return {.image = image.extent,
            .channels = image.channels,
            .input = image.type,
            .output = output,
            .psf = psf.extent,
            .origin = psf.origin,
            .psf_channels = psf.channels,
            .border = settings.border,
            .mode = settings.mode,
            .precision = settings.precision,
            .decode_srgb = decodes_srgb(image.light),
            .encode_srgb = encodes_srgb(image.light),
            .counts_clamped = may_clamp(image, support, settings, output),
            .blend = blending_for(blending, image).shape(image.alpha_channel)};
}

Problem problem_of(const ImageView& image, const Psf& psf, const ConvolveSettings& settings, SampleType output)
{
    const Psf matched = fitted(psf, channels_of(image), settings.correlate);
    return fitted_problem(image, matched, support_of(matched), settings, output);
}

WorkNeeds work_needs(const Problem& whole, const Psf& psf, const Channels& channels, const ConvolveSettings& settings,
                     const DeviceTraits& traits)
{
    return settings.work->needs(whole, fitted(psf, channels, settings.correlate), settings.decisions, traits);
}

std::vector<double> outside_of(const ImageView& image, const ConvolveSettings& settings)
{
    std::vector<double> outside = bias_of(image, settings.border, settings.border_value);
    // Highlights are mostly zero.
    if (settings.blending.highlights && !mode_of(settings.border).has_own_value())
        std::fill(outside.begin(), outside.end(), 0.0);
    if (settings.precision == Precision::float64) return outside;
    for (double& value : outside) value = static_cast<float>(value);
    return outside;
}

std::vector<double> subtracted_from(const ImageView& image, const ConvolveSettings& settings)
{
    std::vector<double> bias = outside_of(image, settings);
    const Blending blending = blending_for(settings.blending, image);
    if (blending.highlights) make_bright(bias, *blending.highlights, image.alpha_channel);
    if (settings.precision == Precision::float64) return bias;
    for (double& value : bias) value = static_cast<float>(value);
    return bias;
}

const Psf& FittedPsfs::fit(const std::shared_ptr<const Psf>& psf, const Channels& channels, bool correlate)
{
    constexpr std::size_t maximum = 32;
    for (const Fitted& known : known_)
        if (known.original == psf && known.channels == channels && known.correlate == correlate) return known.psf;
    Psf made = fitted(*psf, channels, correlate);
    if (known_.size() == maximum) known_.pop_front();
    return known_.emplace_back(Fitted{psf, channels, correlate, std::move(made)}).psf;
}

std::shared_ptr<const PsfSupport> FittedPsfs::support(const Psf& fitted)
{
    for (Fitted& known : known_) {
        if (&known.psf != &fitted) continue;
        if (!known.support) known.support = std::make_shared<const PsfSupport>(support_of(fitted));
        return known.support;
    }
    throw InternalError("the support of a PSF that was not fitted here");
}

}  // namespace clconv
