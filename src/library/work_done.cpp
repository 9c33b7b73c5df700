// SPDX-License-Identifier: Apache-2.0
#include "library/work_done.h"

#include "base/errors.h"
#include "base/rounding_by_float.h"
#include "image/samples.h"
#include "library/look.h"
#include "library/samples.h"
#include "psf/crop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace clconv {
namespace {

/// Throws InputError if a finite double is beyond the largest float, of which it becomes infinity.
void require_range_of_float(const v0::ConstView& image, const Bytes& doubles)
{
    const std::span<const double> samples = doubles.as<double>().first(sample_count(image));
    constexpr double maximum = std::numeric_limits<float>::max();
    const auto count = std::ranges::count_if(
        samples, [](double sample) { return std::isfinite(sample) && std::abs(sample) > maximum; });
    if (count > 0)
        throw InputError(fmt::format(
            "the image: {} sample{} beyond the largest float; divide them by a constant, or use precision double",
            count, count == 1 ? " is" : "s are"));
}

/// A warning if whole numbers of 32 bits are rounded by float.
std::vector<std::string> rounding_warnings(FileType type, std::span<const float> samples)
{
    if (type != FileType::i32 && type != FileType::u32) return {};
    float largest = 0;
    for (const float sample : samples) largest = std::max(largest, std::abs(sample));
    if (const std::optional<std::string> rounding = rounding_by_float(type, largest))
        return {"the image: " + *rounding};
    return {};
}

/// A warning if finite samples have made results that are beyond the largest half.
std::vector<std::string> overflow_warnings(const v0::ConstView& result, const std::byte* samples)
{
    const NonFinite bad = find_nonfinite({{result.width, result.height}, result.channels, SampleType::half, samples});
    if (bad.count == 0) return {};
    return {
        fmt::format("results: {} {} beyond the largest half (65504) and infinite; take floats, or use normalize "
                    "sum-all to keep results as large as the image",
                    bad.count, bad.count == 1 ? "is" : "are")};
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
    if (bad.count == 0) return;
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
    const std::byte* const samples = taken(image, input, next);
    ImageView view = engine_view(requested_, image, result.type, samples);
    const Look look = look_at(view, wants_exact_zeros(next.type));
    if (wants_exact_zeros(next.type)) view.facts = &look.facts;
    next.may_overflow = judges_results(requested_.nonfinite, look.bad.count > 0) &&
                        (next.type == SampleType::half || may_overflow(look));
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
    Started next = std::move(started_.front());
    started_.pop_front();
    ConvolvedImage made = engine_.finish();
    if (next.gaps) divide_by_known(next, made);
    if (next.may_overflow && next.type == SampleType::half)
        std::ranges::move(overflow_warnings(next.result, made.samples.data()), std::back_inserter(next.warnings));
    else if (next.may_overflow)
        require_finite_results(next.result, next.type, made.samples.data());
    std::ranges::move(next.warnings, std::back_inserter(made.warnings));
    if (made.samples.data() != next.result.data) store(made.samples, next.type, next.result);
    return {std::move(made.plan), std::move(made.plan_check), std::move(made.warnings), made.clamped,
            std::move(made.residuals)};
}

const std::byte* WorkDone::taken(const v0::ConstView& image, SampleType type, Started& next) const
{
    const FileType given = file_type_of(image.type);
    const bool is_same = file_type_of(type) == given;
    if (is_same && is_usable_in_place(image)) return static_cast<const std::byte*>(image.data);
    next.samples = gathered(image, allocate_from(device_.blocks));
    if (is_same) return next.samples.data();
    if (given == FileType::float64) require_range_of_float(image, next.samples);
    next.samples = as_floats(next.samples.data(), sample_count(image), given);
    next.warnings = rounding_warnings(given, next.samples.as<float>().first(sample_count(image)));
    return next.samples.data();
}

void WorkDone::treat(const NonFinite& bad, ImageView& view, Started& next)
{
    switch (requested_.nonfinite) {
        case NonFiniteRule::error:
            throw InputError(
                fmt::format("the image: {}; finite samples are needed, or nonfinite zero, propagate or, in plain "
                            "convolutions, interpolate",
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
