// SPDX-License-Identifier: Apache-2.0
#include "engine/missing_samples.h"

#include "base/errors.h"
#include "image/nonfinite.h"
#include "psf/normalize.h"
#include "psf/sums.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace clconv {
namespace {

/// The minimum weight of known samples, over the sum of magnitudes. Below it, a convolution in float has only a few
/// correct digits.
constexpr double kMinWeight = 1e-5;

}  // namespace

MissingSamples missing_samples(const ImageView& image)
{
    MissingSamples missing{Bytes(image.bytes()), nonfinite_mask(image)};
    std::memcpy(missing.filled.data(), image.samples, image.bytes());
    zero_nonfinite(image, missing.filled.data());
    return missing;
}

ConvolveSettings mask_settings(const ConvolveSettings& settings)
{
    ConvolveSettings mask = settings;
    if (mode_of(settings.border).has_own_value()) mask.border = Border::zero;
    if (settings.precision == Precision::half) mask.precision = Precision::float32;
    return mask;
}

void KnownWeights::divide(std::span<float> samples, std::span<const float> mask, int channels) const
{
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::size_t c = i % static_cast<std::size_t>(channels) % sums.size();
        const double weight = sums[c] - mask[i];
        samples[i] = std::abs(weight) > minimum[c] ? static_cast<float>(samples[i] * (sums[c] / weight))
                                                   : std::numeric_limits<float>::quiet_NaN();
    }
}

KnownWeights known_weights(const Psf& psf, const Channels& channels, Border border)
{
    const Psf matched = matched_to_channels(psf, channels);
    KnownWeights known;
    for (const auto& [sum, magnitude] : channel_sums(matched)) {
        if (std::abs(sum) < kMinRelativeSum * magnitude)
            throw InvalidProblem(
                fmt::format("{}: its weights sum to {:g}, and --nonfinite interpolate divides by that; "
                            "use --nonfinite zero",
                            psf.name, sum));
        // With renormalize, both convolutions are already divided by the weight inside the image.
        const bool divided = mode_of(border).divides_by_coverage;
        known.sums.push_back(divided ? 1 : sum);
        known.minimum.push_back(kMinWeight * (divided ? 1 : magnitude));
    }
    return known;
}

}  // namespace clconv
