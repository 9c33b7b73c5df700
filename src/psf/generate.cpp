// SPDX-License-Identifier: Apache-2.0
#include "psf/generate.h"

#include "base/errors.h"
#include "psf/crop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

int odd_size(double half)
{
    // Light on the very edge of a pixel needs no further pixel.
    return 2 * static_cast<int>(std::ceil(std::clamp(half - 0.5, 0.0, 1e8))) + 1;
}

void check_size(const PsfTerm& term, Extent extent, double share)
{
    if (extent.width <= kMaxPsfSize && extent.height <= kMaxPsfSize) return;
    throw InvalidProblem(fmt::format(
        "holding {:.10g} of its light takes some {} pixels, and at most {}x{} are made; "
        "{} or cut it off with size={}",
        share, to_string(extent), kMaxPsfSize, kMaxPsfSize,
        term.kind->default_share < 1 ? "hold less of it with share=0.9," : "make it smaller,", kMaxPsfSize));
}

Psf sampled(const Profile& profile, Extent extent)
{
    Psf psf{{}, extent, profile.channels(), {extent.width / 2, extent.height / 2}, {}};
    for (int channel = 0; channel < psf.channels; ++channel) {
        const std::vector<double> plane = profile.integrals({extent, psf.origin}, channel);
        psf.weights.insert(psf.weights.end(), plane.begin(), plane.end());
    }
    return psf;
}

/// The smallest odd extent that holds the term's share. Where more pixels hold no more light, what they hold is all:
/// a bounded shape's integrals may sum to a little less than 1.
Psf sampled_as_needed(const PsfTerm& term, const Profile& profile)
{
    const double share = term.share.value_or(term.kind->default_share);
    HalfSize half = profile.reach(share);
    constexpr double larger = 1.25;
    constexpr double rounding = 1e-13;
    double before = 0;
    for (;; half = {half.x * larger + 1, half.y * larger + 1}) {
        const Extent extent{odd_size(half.x), odd_size(half.y)};
        check_size(term, extent, share);
        Psf psf = sampled(profile, extent);
        if (share == 1) return psf;
        const double held = sum_of_magnitudes(psf);
        const double kept = share * psf.channels;
        if (held >= kept) return cropped(psf, kept);
        if (held <= before * (1 + rounding)) return cropped(psf, share * held);
        before = held;
    }
}

/// Scales each channel of `psf` to `sum`. Returns the share of the light that it held, as the mean of the channels.
double scale_to(Psf& psf, double sum)
{
    double mean = 0;
    const std::size_t pixels = psf.extent.pixels();
    for (int channel = 0; channel < psf.channels; ++channel) {
        const auto first =
            psf.weights.begin() + static_cast<std::ptrdiff_t>(pixels * static_cast<std::size_t>(channel));
        const auto last = first + static_cast<std::ptrdiff_t>(pixels);
        double held = 0;
        for (auto weight = first; weight != last; ++weight) held += *weight;
        if (held < 1e-9)
            throw InvalidProblem(
                fmt::format("the {} pixels hold none of its light; give a larger size", to_string(psf.extent)));
        for (auto weight = first; weight != last; ++weight) *weight *= sum / held;
        mean += held / psf.channels;
    }
    return mean;
}

/// Adds `term` to `sum` with aligned centres. `sum` is at least as large.
void add(Psf& sum, const Psf& term)
{
    const int dx = sum.origin.x - term.origin.x;
    const int dy = sum.origin.y - term.origin.y;
    for (int channel = 0; channel < sum.channels; ++channel)
        for (int y = 0; y < term.extent.height; ++y)
            for (int x = 0; x < term.extent.width; ++x) {
                const std::size_t row =
                    static_cast<std::size_t>(channel) * static_cast<std::size_t>(sum.extent.height) +
                    static_cast<std::size_t>(y + dy);
                sum.weights[row * static_cast<std::size_t>(sum.extent.width) + static_cast<std::size_t>(x + dx)] +=
                    term.at(x, y, term.channels == 1 ? 0 : channel);
            }
}

/// `psf`, enlarged to at least the size and channels of `other`, with `psf` in the middle. A single channel is
/// repeated.
Psf enlarged(Psf psf, const Psf& other)
{
    const bool large = psf.extent.width >= other.extent.width && psf.extent.height >= other.extent.height;
    if (large && psf.channels >= other.channels) return psf;
    Psf result{psf.name, {}, std::max(psf.channels, other.channels), {}, {}};
    result.extent = {std::max(psf.extent.width, other.extent.width), std::max(psf.extent.height, other.extent.height)};
    result.origin = {result.extent.width / 2, result.extent.height / 2};
    result.weights.resize(result.extent.pixels() * static_cast<std::size_t>(result.channels));
    add(result, psf);
    return result;
}

/// One term, scaled to its weight. `share` becomes the share of the term's light that is held, if that is less.
Psf term_of(const PsfTerm& term, std::optional<int> size, const ReadPsfFile& read, double& share)
{
    try {
        const ProfilePtr profile = term.kind->profile(term.arguments, read);
        const std::optional<int> side = size ? size : term.size;
        Psf psf = side ? sampled(*profile, {*side, *side}) : sampled_as_needed(term, *profile);
        psf.origin = {psf.extent.width / 2, psf.extent.height / 2};
        share = std::min(share, scale_to(psf, term.weight));
        return psf;
    } catch (const InvalidProblem& error) {
        throw InvalidProblem(fmt::format("{}: {}", term.kind->name, error.what()));
    }
}

}  // namespace

GeneratedPsf generated(const PsfWords& words, std::optional<int> size, const ReadPsfFile& read)
{
    GeneratedPsf result;
    result.psf = term_of(words.terms.at(0), size, read, result.share);
    for (std::size_t i = 1; i < words.terms.size(); ++i) {
        const Psf term = term_of(words.terms[i], size, read, result.share);
        result.psf = enlarged(std::move(result.psf), term);
        add(result.psf, term);
    }
    result.psf.name = words.name();
    return result;
}

}  // namespace clconv
