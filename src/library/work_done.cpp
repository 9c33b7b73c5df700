// SPDX-License-Identifier: Apache-2.0
#include "library/work_done.h"

#include "base/errors.h"
#include "engine/missing_samples.h"
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

/// An image as the engine takes it.
struct Taken {
    Bytes own;  ///< empty if the caller's samples are used
    const std::byte* samples = nullptr;
};

Taken taken(const v0::ConstView& image, SampleType type, const Allocate& allocate)
{
    const FileType given = file_type_of(image.type);
    const bool is_same = file_type_of(type) == given;
    if (is_same && is_usable_in_place(image)) return {{}, static_cast<const std::byte*>(image.data)};
    Taken taken{gathered(image, allocate)};
    if (!is_same) taken.own = as_floats(taken.own.data(), sample_count(image), given);
    taken.samples = taken.own.data();
    return taken;
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

WorkDone::WorkDone(v0::Device::Inside& device, const std::shared_ptr<const Psf>& psf, const WorkAsked& asked)
    : device_(device),
      given_psf_(psf),
      psf_(psf),
      asked_(asked),
      engine_(device.device, device.kernels, asked.convolve,
              ConvolverResources{[this](std::size_t size) { return memory_for(size); }, false})
{
}

void WorkDone::fit_psf(Extent image)
{
    const int shorter = std::min(image.width, image.height);
    if (shorter == shorter_side_) return;
    psf_ = fitted(asked_, given_psf_, image);
    shorter_side_ = shorter;
    psf_magnitude_ = sum_of_magnitudes(*psf_);
}

bool WorkDone::may_overflow(const Look& look) const
{
    // Of sums that a blend may multiply by a billion.
    constexpr double harmless = 1e18;
    const auto is_small = [](double value) { return std::abs(value) < kSmallSample; };
    return asked_.is_inverse || !look.are_small || !std::ranges::all_of(asked_.convolve.border_value, is_small) ||
           !(kSmallSample * psf_magnitude_ < harmless);
}

Bytes WorkDone::memory_for(std::size_t size)
{
    if (place_ == nullptr || size != place_bytes_) return device_.blocks.take(size);
    return {std::exchange(place_, nullptr), size, [](std::byte* /*of the caller*/) {}};
}

v0::Report WorkDone::run(const v0::ConstView& image, const v0::View& result)
{
    check_view(image, "the image");
    fit_psf({image.width, image.height});
    check_result(image, result, result_extent(asked_, {image.width, image.height}, *psf_));
    const SampleType output = engine_type(result.type, asked_.convolve.precision);
    const Taken input = taken(image, engine_type(image.type, asked_.convolve.precision), allocate_from(device_.blocks));
    ImageView view = engine_view(asked_, image, result.type, input.samples);
    const Look look = look_at(view, wants_exact_zeros(output));
    if (wants_exact_zeros(output)) view.facts = &look.facts;

    const bool is_in_place =
        file_type_of(output) == file_type_of(result.type) && is_usable_in_place(result) && !may_overlap(image, result);
    place_ = is_in_place ? static_cast<std::byte*>(result.data) : nullptr;
    place_bytes_ = sample_count(result) * bytes_of(output);
    Made made = convolved(view, look, output);
    place_ = nullptr;
    ConvolvedImage& done = made.image;
    if (judges_results(asked_.nonfinite) && may_overflow(look))
        require_finite_results(result, made.type, done.samples.data());
    if (done.samples.data() != result.data) store(done.samples, made.type, result);
    return {std::move(done.plan), std::move(done.plan_check), std::move(done.warnings), done.clamped,
            std::move(done.residuals)};
}

WorkDone::Made WorkDone::convolved(ImageView view, const Look& look, SampleType output)
{
    const NonFinite& bad = look.bad;
    if (bad.count > 0) switch (asked_.nonfinite) {
            case NonFiniteRule::error:
                throw InputError(
                    fmt::format("the image: {}; finite samples are needed, or nonfinite zero, interpolate "
                                "or propagate",
                                bad_samples(bad)));
            case NonFiniteRule::zero: {
                Bytes finite = device_.blocks.take(view.bytes());
                std::memcpy(finite.data(), view.samples, view.bytes());
                zero_nonfinite(view, finite.data());
                view.samples = finite.data();
                view.facts = nullptr;
                return {engine_.convolve(view, psf_, output), output};
            }
            case NonFiniteRule::interpolate: return {without_gaps(view), SampleType::float32};
            case NonFiniteRule::propagate: break;
        }
    return {engine_.convolve(view, psf_, output), output};
}

ConvolvedImage WorkDone::without_gaps(ImageView view)
{
    if (encodes_srgb(view.light))
        throw InvalidProblem(
            "--nonfinite interpolate: cannot make integers of light; take floats, or set linear to false");
    const MissingSamples missing = missing_samples(view);
    const KnownWeights known = known_weights(*psf_, channels_of(view), asked_.convolve.border);
    view.samples = missing.filled.data();
    view.facts = nullptr;
    place_ = nullptr;
    ConvolvedImage made = engine_.convolve(view, psf_, SampleType::float32);
    if (!masks_)
        masks_ = std::make_unique<Convolver>(device_.device, device_.kernels, mask_settings(asked_.convolve),
                                             ConvolverResources{allocate_from(device_.blocks), true});
    ImageView mask{view.extent, view.channels, SampleType::u8, missing.mask.data()};
    mask.alpha_channel = view.alpha_channel;
    const ConvolvedImage weights = masks_->convolve(mask, psf_, SampleType::float32);
    known.divide(made.samples.as<float>(), weights.samples.as<float>(), view.channels);
    return made;
}

}  // namespace clconv
