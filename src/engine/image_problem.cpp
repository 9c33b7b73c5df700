#include "engine/image_problem.h"

#include "base/errors.h"
#include "engine/bias.h"
#include "psf/normalize.h"

#include <fmt/format.h>

#include <utility>

namespace clconv {
namespace {

/// A PSF as one image needs it: matched to its channels, turned for correlation.
Psf fitted(const Psf& psf, int channels, int alpha_channel, bool correlate)
{
    Psf matched = matched_to_channels(psf, channels, alpha_channel);
    return correlate ? flipped(matched) : matched;
}

}  // namespace

Problem fitted_problem(const ImageView& image, const Psf& psf, const ConvolveSettings& settings, SampleType output)
{
    if (settings.border == Border::constant && settings.border_value.size() != 1 &&
        settings.border_value.size() != static_cast<std::size_t>(image.channels))
        throw InvalidProblem(
            fmt::format("--border constant has {} values and the image {} channels; give 1 value, or one a channel",
                        settings.border_value.size(), image.channels));
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
            .decode_srgb = image.light == Light::srgb,
            .encode_srgb = image.light == Light::srgb};
}

Problem problem_of(const ImageView& image, int alpha_channel, const Psf& psf, const ConvolveSettings& settings,
                   SampleType output)
{
    return fitted_problem(image, fitted(psf, image.channels, alpha_channel, settings.correlate), settings, output);
}

std::vector<float> bias_in_float(const ImageView& image, int alpha_channel, const ConvolveSettings& settings)
{
    const std::vector<double> bias = bias_of(image, settings.border, settings.border_value, alpha_channel);
    return {bias.begin(), bias.end()};
}

const Psf& FittedPsfs::fit(const std::shared_ptr<const Psf>& psf, int channels, int alpha_channel, bool correlate)
{
    constexpr std::size_t most = 32;
    for (const Fitted& known : known_)
        if (known.original == psf && known.channels == channels && known.alpha_channel == alpha_channel &&
            known.correlate == correlate)
            return known.psf;
    Psf made = fitted(*psf, channels, alpha_channel, correlate);
    if (known_.size() == most) known_.pop_front();
    return known_.emplace_back(Fitted{psf, channels, alpha_channel, correlate, std::move(made)}).psf;
}

}  // namespace clconv
