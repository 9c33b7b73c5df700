// SPDX-License-Identifier: Apache-2.0
#include "library/work_done.h"

#include "base/errors.h"
#include "image/samples.h"
#include "library/look.h"
#include "library/samples.h"
#include "psf/crop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace clconv {
namespace {

/// The samples as the engine takes them. `own` holds a copy, if they had to be copied.
const std::byte* taken(const v0::ConstView& image, SampleType type, const Allocate& allocate, Bytes& own)
{
    const FileType given = file_type_of(image.type);
    const bool is_same = file_type_of(type) == given;
    if (is_same && is_usable_in_place(image)) return static_cast<const std::byte*>(image.data);
    own = gathered(image, allocate);
    if (!is_same) own = as_floats(own.data(), sample_count(image), given);
    return own.data();
}

std::string bad_samples(const NonFinite& bad)
{
    return fmt::format("{} of them {} NaN or infinite, the first at x {}, y {}, channel {}", bad.count,
                       bad.count == 1 ? "is" : "are", bad.first.x, bad.first.y, bad.channel);
}

/// Throws InputError if finite samples have made results that are not.
void require_finite_results(const v0::ConstView& result, SampleType type, const std::byte* samples)
{
    const NonFinite bad = find_nonfinite({{result.width, result.height}, result.channels, type, samples});
    if (bad.count == 0 || type == SampleType::half) return;
    throw InputError(
        fmt::format("results: {}, though all samples are finite: sums are too large for float; use normalize sum or "
                    "sum-all, divide the samples by a constant, or use precision double",
                    bad_samples(bad)));
}

void check_result(const v0::ConstView& image, const v0::View& result, Extent extent)
{
    check_view(result, "the result");
    if (result.width == extent.width && result.height == extent.height && result.channels == image.channels) return;
    throw InvalidProblem(fmt::format("the result: is {}x{} of {} channels; for this image and mode it must be {} of {}",
                                     result.width, result.height, result.channels, to_string(extent), image.channels));
}

/// Results of the engine to where the caller wants them.
void store(const Bytes& samples, SampleType type, const v0::View& result)
{
    const FileType wanted = file_type_of(result.type);
    if (file_type_of(type) == wanted) return scatter(samples.data(), result);
    scatter(from_float(samples.as<float>(), wanted).data(), result);
}

}  // namespace

WorkDone::WorkDone(v0::Device::Inside& device, const std::shared_ptr<const Psf>& psf, const RequestedWork& requested)
    : device_(device),
      given_psf_(psf),
      psf_(psf),
      requested_(requested),
      engine_(device.device, device.kernels, requested.convolve,
              ConvolverResources{[this](std::size_t size) { return memory_for(size); }, false})
{
}

void WorkDone::fit_psf(Extent image)
{
    const int shorter = std::min(image.width, image.height);
    if (shorter == shorter_side_) return;
    psf_ = fitted(requested_, given_psf_, image);
    shorter_side_ = shorter;
    psf_magnitude_ = sum_of_magnitudes(*psf_);
}

bool WorkDone::may_overflow(const Look& look) const
{
    // Of sums that a blend may multiply by a billion.
    constexpr double harmless = 1e18;
    const auto is_small = [](double value) { return std::abs(value) < kSmallSample; };
    return requested_.is_inverse || !look.are_small ||
           !std::ranges::all_of(requested_.convolve.border_value, is_small) ||
           !(kSmallSample * psf_magnitude_ < harmless);
}

Bytes WorkDone::memory_for(std::size_t size)
{
    if (place_ == nullptr || size != place_bytes_) return device_.blocks.take(size);
    return {std::exchange(place_, nullptr), size, [](std::byte* /*of the caller*/) {}};
}

void WorkDone::start(const v0::ConstView& image, const v0::View& result)
{
    if (started_.size() >= capacity())
        throw InvalidProblem(fmt::format("{} images are started already; finish one first", capacity()));
    check_view(image, "the image");
    fit_psf({image.width, image.height});
    check_result(image, result, result_extent(requested_, {image.width, image.height}, *psf_));
    Started next{result, engine_type(result.type, requested_.convolve.precision)};
    next.psf = psf_;
    const SampleType input = engine_type(image.type, requested_.convolve.precision);
    const std::byte* const samples = taken(image, input, allocate_from(device_.blocks), next.samples);
    ImageView view = engine_view(requested_, image, result.type, samples);
    const Look look = look_at(view, wants_exact_zeros(next.type));
    if (wants_exact_zeros(next.type)) view.facts = &look.facts;
    next.may_overflow = judges_results(requested_.nonfinite) && may_overflow(look);
    if (look.bad.count > 0) treat(look.bad, view, next);

    const bool is_in_place = file_type_of(next.type) == file_type_of(result.type) && is_usable_in_place(result) &&
                             !next.gaps && !may_overlap(image, result);
    place_ = is_in_place ? static_cast<std::byte*>(result.data) : nullptr;
    place_bytes_ = sample_count(result) * bytes_of(next.type);
    engine_.start(view, psf_, next.type);
    place_ = nullptr;
    started_.push_back(std::move(next));
}

v0::Report WorkDone::finish()
{
    if (started_.empty()) throw InvalidProblem("no image is started");
    const Started next = std::move(started_.front());
    started_.pop_front();
    ConvolvedImage made = engine_.finish();
    if (next.gaps) divide_by_known(next, made);
    if (next.may_overflow) require_finite_results(next.result, next.type, made.samples.data());
    if (made.samples.data() != next.result.data) store(made.samples, next.type, next.result);
    return {std::move(made.plan), std::move(made.plan_check), std::move(made.warnings), made.clamped,
            std::move(made.residuals)};
}

void WorkDone::treat(const NonFinite& bad, ImageView& view, Started& next)
{
    switch (requested_.nonfinite) {
        case NonFiniteRule::error:
            throw InputError(
                fmt::format("the image: {}; finite samples are needed, or nonfinite zero, interpolate or propagate",
                            bad_samples(bad)));
        case NonFiniteRule::propagate: return;
        case NonFiniteRule::zero: {
            Bytes finite = device_.blocks.take(view.bytes());
            std::memcpy(finite.data(), view.samples, view.bytes());
            zero_nonfinite(view, finite.data());
            next.samples = std::move(finite);
            view.samples = next.samples.data();
            break;
        }
        case NonFiniteRule::interpolate:
            if (encodes_srgb(view.light))
                throw InvalidProblem(
                    "--nonfinite interpolate: cannot make integers of light; take floats, or set linear to false");
            next.gaps = Gaps{missing_samples(view), known_weights(*psf_, channels_of(view), requested_.convolve.border),
                             view.extent, view.alpha_channel};
            next.type = SampleType::float32;
            view.samples = next.gaps->samples.filled.data();
            break;
    }
    view.facts = nullptr;
}

void WorkDone::divide_by_known(const Started& done, ConvolvedImage& made)
{
    if (!masks_)
        masks_ = std::make_unique<Convolver>(device_.device, device_.kernels, mask_settings(requested_.convolve),
                                             ConvolverResources{allocate_from(device_.blocks), true});
    const Gaps& gaps = *done.gaps;
    ImageView mask{gaps.extent, done.result.channels, SampleType::u8, gaps.samples.mask.data()};
    mask.alpha_channel = gaps.alpha;
    const ConvolvedImage weights = masks_->convolve(mask, done.psf, SampleType::float32);
    gaps.known.divide(made.samples.as<float>(), weights.samples.as<float>(), mask.channels);
}

}  // namespace clconv
