// SPDX-License-Identifier: Apache-2.0
#include "engine/coarse_convolution.h"

#include "opencl/buffers.h"
#include "opencl/build_times.h"
#include "passes/bias.h"
#include "passes/coverage.h"
#include "passes/scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace clconv {
namespace {

constexpr int kCoarseKept = 4;

/// A slot's own memory, besides that of the image.
enum SlotPart { of_small, of_result, of_bias, of_restore };

/// A small image or result.
std::uint64_t small_bytes(const Problem& small, Extent extent)
{
    return extent.pixels() * static_cast<std::uint64_t>(small.channels) * sizeof(float);
}

/// Planar floats in the order that spot checks expect.
Bytes interleaved(const Bytes& planar, int channels)
{
    const std::size_t pixels = planar.size() / sizeof(float) / static_cast<std::size_t>(channels);
    Bytes result(planar.size());
    for (int c = 0; c < channels; ++c)
        for (std::size_t i = 0; i < pixels; ++i)
            result.as<float>()[i * channels + c] = planar.as<float>()[static_cast<std::size_t>(c) * pixels + i];
    return result;
}

}  // namespace

CoarseConvolution::CoarseConvolution(Device& device, const KernelSource& kernels, Coarse coarse, const Psf& whole_psf)
    : device_(device), whole_psf_(whole_psf), coarse_(std::move(coarse)), passes_(device, kernels, coarse_)
{
    const Problem& whole = coarse_.whole;
    check_fits(whole, device.info().traits);
    if (mode_of(whole.border).divides_by_coverage)
        weight_ = upload_scalars(device, convolved_coverage(whole, whole_psf), whole.precision);
}

std::string CoarseConvolution::text() const
{
    return fmt::format("glow at 1/{} of the resolution of {}, {:.2g} % of its light misplaced:\n", coarse_.factor,
                       token(coarse_.whole), 100 * coarse_.misplaced);
}

std::vector<std::string> CoarseConvolution::warnings() const
{
    if (coarse_.misplaced < kMuchMisplaced) return {};
    return {fmt::format(
        "PSF {} is narrow or sharp for --resolution 1/{}: {:.0f} % of its light falls on other pixels than at full "
        "resolution; use --resolution {}",
        coarse_.psf->name, coarse_.factor, 100 * coarse_.misplaced, coarse_.factor == 4 ? "1/2 or 1" : "1")};
}

std::uint64_t CoarseConvolution::output_bytes() const { return samples_bytes(coarse_.whole, coarse_.whole.output); }

void CoarseConvolution::give_buffers(Flight& flight, const PreparedPlan& plan, const ImageView& view) const
{
    const bool is_cpu = device_.info().traits.is_cpu;
    const std::uint64_t bytes = samples_bytes(coarse_.whole, coarse_.whole.input);
    ImageBuffers image =
        plan.slot(flight.slot, {.input = is_cpu ? 0 : bytes,
                                .output = is_cpu ? 0 : output_bytes(),
                                .levels = std::max(flight.levels.bias.size(), flight.levels.restore.size())});
    if (is_cpu) {
        Bytes& samples = flight.result.samples;
        image.input = wrap(device_, view.samples, bytes, CL_MEM_READ_ONLY);
        image.output = wrap(device_, samples.data(), samples.size(), CL_MEM_READ_WRITE);
    }
    image.weight = weight_;
    image.mask = flight.buffers.mask;
    flight.buffers = image;
}

ImageBuffers CoarseConvolution::small_buffers(const Flight& flight, const PreparedPlan& plan) const
{
    const Problem& small = coarse_.small;
    const auto part = [&](SlotPart number, std::uint64_t bytes) {
        return plan.workspace().of_slot(flight.slot, number).of(bytes);
    };
    ImageBuffers buffers;
    buffers.input = part(of_small, small_bytes(small, small.image));
    buffers.output = part(of_result, small_bytes(small, output_extent(small)) + CoarsePasses::kBehind * sizeof(float));
    buffers.bias = part(of_bias, level_bytes(small));
    buffers.restore = part(of_restore, level_bytes(small));
    return buffers;
}

std::shared_ptr<CoarseFlight> CoarseConvolution::enqueue(Flight& flight, PreparedPlan& plan,
                                                         const PreparedPsf& transfer, const Image& taken)
{
    const Problem& whole = coarse_.whole;
    Launcher& launcher = *flight.launcher;
    Bytes& samples = flight.result.samples;
    const bool is_cpu = device_.info().traits.is_cpu;
    flight.levels = coarse_levels(coarse_, taken.levels, whole_psf_, taken.blending);
    give_buffers(flight, plan, taken.view);
    const ImageBuffers& image = flight.buffers;

    auto held = std::make_shared<CoarseFlight>();
    flight.held = held;  // from here on, also if something below fails: copies in flight use its memory
    CoarseFlight& small = *held;
    const double boost = taken.blending.highlights ? taken.blending.highlights->boost : 0;
    const double magnitude = whole.precision == Precision::half ? largest_magnitude(taken.view) * (1 + boost) : 0;
    const std::vector<double> no_bias(static_cast<std::size_t>(whole.channels));
    small.levels = level_scalars(plan.plan(), {no_bias, magnitude}, transfer);
    small.buffers = small_buffers(flight, plan);
    small.buffers.weight = transfer.weight;
    small.buffers.image_id = taken.view.id;

    if (!is_cpu) launcher.write(image.input, taken.view.samples, samples_bytes(whole, whole.input));
    launcher.write(image.bias, flight.levels.bias.data(), flight.levels.bias.size());
    launcher.write(image.restore, flight.levels.restore.data(), flight.levels.restore.size());
    launcher.write(small.buffers.bias, small.levels.bias.data(), small.levels.bias.size());
    launcher.write(small.buffers.restore, small.levels.restore.data(), small.levels.restore.size());
    passes_.shrink(launcher, image, small.buffers.input);
    plan.convolution_of(flight.slot).convolve(launcher, small.buffers, transfer);
    passes_.spread(launcher, small.buffers.output, image);
    if (taken.is_checked) {
        small.image = Bytes(small_bytes(coarse_.small, coarse_.small.image));
        small.result = Bytes(small_bytes(coarse_.small, output_extent(coarse_.small)));
        launcher.read(small.buffers.input, small.image.data(), small.image.size());
        launcher.read(small.buffers.output, small.result.data(), small.result.size());
    }
    if (is_cpu)
        launcher.show_host(image.output, samples.size());
    else
        launcher.read(image.output, samples.data(), samples.size());
    launcher.flush();
    return held;
}

PlanCheck::Finding CoarseConvolution::compare(PlanCheck& check, const CoarseFlight& flight) const
{
    const Bytes image = interleaved(flight.image, coarse_.small.channels);
    const Bytes result = interleaved(flight.result, coarse_.small.channels);
    const std::vector<double> no_bias(static_cast<std::size_t>(coarse_.small.channels));
    return check.compare({coarse_.small, *coarse_.psf, image.data(), result.data(), no_bias});
}

CoarseConvolution& CoarseConvolutions::of(const Key& key, const std::function<void()>& before_one_goes,
                                          ConvolvedImage& result)
{
    const std::string problem = program_key(key.whole);
    for (auto known = known_.begin(); known != known_.end(); ++known)
        if (known->problem == problem && known->psf == key.psf.psf && known->alpha_channel == key.psf.alpha_channel) {
            known_.splice(known_.begin(), known_, known);
            return *known_.front().convolution;
        }
    if (known_.size() == kCoarseKept) {
        before_one_goes();
        known_.pop_back();
    }
    const Clock::time_point start = Clock::now();
    const BuildTimes builds(device_);
    Coarse made = coarse(key.whole, key.psf.fitted, key.factor);
    made.lanes = key.lanes;
    known_.push_front({problem, key.psf.psf, key.psf.alpha_channel,
                       std::make_unique<CoarseConvolution>(device_, kernels_, std::move(made), key.psf.fitted)});
    add_preparing(result, start, builds.spans());
    return *known_.front().convolution;
}

}  // namespace clconv
