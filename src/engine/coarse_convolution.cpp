// SPDX-License-Identifier: Apache-2.0
#include "engine/coarse_convolution.h"

#include "base/errors.h"
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

std::uint64_t samples_bytes(const Problem& problem, SampleType type)
{
    return problem.image.pixels() * static_cast<std::uint64_t>(problem.channels) * bytes_of(type);
}

/// A small image or result.
std::uint64_t small_bytes(const Problem& small, Extent extent)
{
    return extent.pixels() * static_cast<std::uint64_t>(small.channels) * sizeof(float);
}

/// Throws TooLarge.
void check_fits(const Problem& whole, const DeviceTraits& traits)
{
    const std::uint64_t in = samples_bytes(whole, whole.input), out = samples_bytes(whole, whole.output);
    if (std::max(in, out) > traits.max_allocation || in + out > traits.global_memory / 2)
        throw TooLarge(fmt::format("an image of {} does not fit the device whole", to_string(whole.image)));
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

CoarseConvolution::Slot& CoarseConvolution::slot(const Flight& flight)
{
    const auto [known, is_new] = slots_.try_emplace({flight.plan, flight.slot});
    Slot& slot = known->second;
    if (!is_new) return slot;
    const Problem& small = coarse_.small;
    slot.small = allocate(device_, small_bytes(small, small.image));
    slot.result = allocate(device_, small_bytes(small, output_extent(small)) + CoarsePasses::kBehind * sizeof(float));
    const std::uint64_t levels = level_bytes(small);
    slot.bias = allocate(device_, levels);
    slot.restore = allocate(device_, levels);
    if (device_.info().traits.is_cpu) return slot;
    slot.input = allocate(device_, samples_bytes(coarse_.whole, coarse_.whole.input));
    slot.output = allocate(device_, output_bytes());
    return slot;
}

std::shared_ptr<CoarseFlight> CoarseConvolution::enqueue(Flight& flight, PreparedPlan& plan,
                                                         const PreparedPsf& transfer, const Image& taken)
{
    const Problem& whole = coarse_.whole;
    const Slot& memory = slot(flight);
    Launcher& launcher = *flight.launcher;
    ImageBuffers& image = flight.buffers;
    Bytes& samples = flight.result.samples;
    const std::uint64_t bytes = samples_bytes(whole, whole.input);
    const bool is_cpu = device_.info().traits.is_cpu;
    flight.levels = coarse_levels(coarse_, taken.levels, whole_psf_, taken.blending);
    image.input = is_cpu ? wrap(device_, taken.view.samples, bytes, CL_MEM_READ_ONLY) : memory.input;
    image.output = is_cpu ? wrap(device_, samples.data(), samples.size(), CL_MEM_READ_WRITE) : memory.output;
    image.bias = memory.bias;
    image.restore = memory.restore;
    image.weight = weight_;

    auto held = std::make_shared<CoarseFlight>();
    flight.held = held;  // from here on, also if something below fails: copies in flight use its memory
    CoarseFlight& small = *held;
    const double boost = taken.blending.highlights ? taken.blending.highlights->boost : 0;
    const double magnitude = whole.precision == Precision::half ? largest_magnitude(taken.view) * (1 + boost) : 0;
    const std::vector<double> no_bias(static_cast<std::size_t>(whole.channels));
    small.levels = level_scalars(plan.plan(), {no_bias, magnitude}, transfer);
    small.buffers = plan.slot(flight.slot);
    small.buffers.input = memory.small;
    small.buffers.output = memory.result;
    small.buffers.weight = transfer.weight;
    small.buffers.image_id = taken.view.id;

    if (!is_cpu) launcher.write(image.input, taken.view.samples, bytes);
    launcher.write(image.bias, flight.levels.bias.data(), flight.levels.bias.size());
    launcher.write(image.restore, flight.levels.restore.data(), flight.levels.restore.size());
    launcher.write(small.buffers.bias, small.levels.bias.data(), small.levels.bias.size());
    launcher.write(small.buffers.restore, small.levels.restore.data(), small.levels.restore.size());
    passes_.shrink(launcher, image, memory.small);
    plan.convolution_of(flight.slot).convolve(launcher, small.buffers, transfer);
    passes_.spread(launcher, memory.result, image);
    if (taken.is_checked) {
        small.image = Bytes(small_bytes(coarse_.small, coarse_.small.image));
        small.result = Bytes(small_bytes(coarse_.small, output_extent(coarse_.small)));
        launcher.read(memory.small, small.image.data(), small.image.size());
        launcher.read(memory.result, small.result.data(), small.result.size());
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
