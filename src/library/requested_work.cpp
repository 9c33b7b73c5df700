// SPDX-License-Identifier: Apache-2.0
#include "library/requested_work.h"

#include "base/errors.h"
#include "engine/coarse_work.h"
#include "engine/planned_in_words.h"
#include "library/part_options.h"
#include "library/samples.h"
#include "plan_records/tuned_plans.h"
#include "settings/requested_deconvolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clconv {
namespace {

v0::Part part_of(v0::Operation operation)
{
    switch (operation) {
        case v0::Operation::convolve: break;
        case v0::Operation::deconvolve: return v0::Part::deconvolve;
        case v0::Operation::bloom: return v0::Part::bloom;
    }
    return v0::Part::convolve;
}

PlanSource plans_of(Tuning tuning, const v0::Device::Inside& device)
{
    if (tuning == Tuning::measure)
        throw InvalidProblem("--tuning measure: nothing is measured here; use auto or off, and clconv tune to measure");
    return plan_source(std::make_shared<TunedPlans>(tuning, device.caches, device.kernels.fingerprint(),
                                                    [](const std::string& /*note*/) {}));
}

Mask read_no_weights(const std::string& file)
{
    throw InvalidProblem(fmt::format("--weight {}: no files are read here; use auto", file));
}

/// The problem's options and the work of a deconvolution.
void put_deconvolution(const PartOptions& read, ProblemOptions& problem, RequestedWork& requested)
{
    const DeconvolveOptions& options = read.deconvolution();
    if (read.nonfinite() == NonFiniteRule::interpolate)
        throw InvalidProblem(
            "--nonfinite interpolate: deconvolution has no such rule; use error or zero, or method rl with weight "
            "auto");
    RequestedDeconvolution deconvolution = requested_deconvolution(options, std::move(problem), read_no_weights);
    problem = std::move(deconvolution.problem);
    requested.is_inverse = true;
    requested.convolve = convolve_settings(problem);
    requested.convolve.work = std::move(deconvolution.work);
    // Their weights say that they do not count.
    requested.nonfinite = options.weight.empty() ? read.nonfinite() : NonFiniteRule::propagate;
}

void put_bloom(const PartOptions& read, RequestedWork& requested)
{
    requested.convolve.blending = bloom_blending(read.bloom());
    requested.convolve.work = work_at_resolution(shrink_of(read.bloom().resolution));
    requested.fit = bloom_fit(read.bloom());
}

bool are_codes(v0::SampleType type) { return type == v0::SampleType::u8 || type == v0::SampleType::u16; }

}  // namespace

RequestedWork requested_work(v0::Operation operation, const v0::Options& options, const v0::Device::Inside& device)
{
    PartOptions read(part_of(operation));
    read.read(options);
    RequestedWork requested;
    ProblemOptions problem = read.problem();
    requested.nonfinite = read.nonfinite();
    if (operation == v0::Operation::deconvolve)
        put_deconvolution(read, problem, requested);
    else
        requested.convolve = convolve_settings(problem);
    if (operation == v0::Operation::bloom)
        put_bloom(read, requested);
    else
        requested.convolve.blending = mix_blending(read.blend());
    check_blend(requested.convolve.blending, operation == v0::Operation::bloom ? "bloom" : "run", problem,
                requested.nonfinite);
    requested.convolve.plans = plans_of(read.problem().tuning, device);
    requested.convolve.first_use.is_checked = true;
    requested.convolve.first_use.passed = device.caches.below("verified");
    requested.is_linear = problem.linear;
    return requested;
}

SampleType engine_type(v0::SampleType type, Precision precision)
{
    const FileType inner = file_type_of(type);
    if (inner == FileType::float64 && precision != Precision::float64) return SampleType::float32;
    return sample_type_of(inner);
}

ImageView engine_view(const RequestedWork& requested, const v0::ConstView& image, v0::SampleType result,
                      const std::byte* samples)
{
    ImageView view{
        {image.width, image.height}, image.channels, engine_type(image.type, requested.convolve.precision), samples};
    view.is_clipped = are_codes(image.type);
    view.alpha_channel = image.alpha;
    if (!requested.is_linear) return view;
    const bool decodes = are_codes(image.type);
    const bool encodes = are_codes(result);
    if (image.alpha >= 0 && (decodes || encodes))
        throw InvalidProblem(
            "--linear: integers with alpha are not made light here, because colours are multiplied by alpha after "
            "that; give and take floats, or set linear to false");
    if (decodes)
        view.light = encodes ? Light::srgb : Light::from_srgb;
    else
        view.light = encodes ? Light::to_srgb : Light::linear;
    if (!decodes) view.transfer = requested.light.get();
    return view;
}

std::shared_ptr<const Psf> fitted(const RequestedWork& requested, std::shared_ptr<const Psf> psf, Extent image)
{
    if (!requested.fit) return psf;
    return std::make_shared<const Psf>(requested.fit(*psf, std::min(image.width, image.height)));
}

Extent result_extent(const RequestedWork& requested, Extent image, const Psf& psf)
{
    Problem problem;
    problem.image = image;
    problem.psf = psf.extent;
    problem.origin = psf.origin;
    problem.mode = requested.convolve.mode;
    check(problem);
    return output_extent(problem);
}

std::string planned(const RequestedWork& requested, const v0::ConstView& image, v0::SampleType result, const Psf& psf,
                    const DeviceInfo& device)
{
    check_shape(image, "the image");
    const ImageView view = engine_view(requested, image, result, nullptr);
    const SampleType output = engine_type(result, requested.convolve.precision);
    return planned_in_words(problem_of(view, psf, requested.convolve, output), psf, channels_of(view), device,
                            requested.convolve);
}

}  // namespace clconv
