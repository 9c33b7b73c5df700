#include "engine/prepared_plan.h"

#include "engine/clamped.h"
#include "opencl/buffers.h"
#include "passes/levels.h"

#include <algorithm>
#include <iterator>

namespace clconv {

std::uint64_t input_bytes(const Plan& plan)
{
    return plan.problem.image.pixels() * plan.problem.channels * bytes_of(plan.problem.input);
}

std::uint64_t output_bytes(const Plan& plan)
{
    return counted_bytes(plan.output.pixels() * plan.problem.channels, plan.problem);
}

std::uint64_t device_bytes(const Plan& plan, const Overlap& overlap)
{
    const std::uint64_t kept = overlap.keeps_spectra ? plan.fft().spectra_bytes(plan.problem.precision) : 0;
    return overlap.slots * (input_bytes(plan) + output_bytes(plan)) +
           overlap.computing * (plan.scratch_bytes() + kept) + plan.transfer_bytes();
}

Overlap choose_overlap(const Plan& plan, Overlap most, std::uint64_t memory)
{
    most.keeps_spectra = most.keeps_spectra && can_keep_spectra(plan);
    if (device_bytes(plan, most) > memory) most.keeps_spectra = false;
    while (most.computing > 1 && device_bytes(plan, most) > memory) --most.computing;
    while (most.slots > 1 && device_bytes(plan, most) > memory) --most.slots;
    return most;
}

PreparedPlan::PreparedPlan(Device& device, const KernelSource& kernels, Plan plan, Overlap overlap)
    : device_(device), kernels_(kernels), plan_(std::move(plan)), overlap_(overlap)
{
    convolutions_.emplace_back(device_, kernels_, plan_, overlap_.keeps_spectra);
}

const PreparedPsf& PreparedPlan::psf(const UsedPsf& used, ConvolvedImage& result)
{
    const auto key = std::pair(used.psf.get(), used.alpha_channel);
    if (const auto known = psfs_.find(key); known != psfs_.end()) return known->second.prepared;
    Launcher launcher(device_);
    PreparedPsf made = convolutions_.front().prepare(launcher, used.fitted);
    for (const StageTime& time : launcher.finish()) add_time(result.times, time.stage, time.time);
    std::ranges::move(launcher.take_spans(), std::back_inserter(result.spans));
    return psfs_.emplace(key, PsfEntry{used.psf, std::move(made)}).first->second.prepared;
}

const ImageBuffers& PreparedPlan::slot(int number)
{
    while (slots_.size() <= static_cast<std::size_t>(number)) slots_.push_back(make_slot());
    return slots_[static_cast<std::size_t>(number)];
}

ImageBuffers PreparedPlan::make_slot() const
{
    ImageBuffers slot;
    slot.bias = allocate(device_, most_levels(plan_.problem.channels) * scalar_bytes(plan_.problem.precision));
    slot.restore = allocate(device_, most_levels(plan_.problem.channels) * scalar_bytes(plan_.problem.precision));
    if (device_.info().traits.is_cpu) return slot;
    slot.input = allocate(device_, input_bytes(plan_));
    slot.output = allocate(device_, output_bytes(plan_));
    return slot;
}

DeviceConvolution& PreparedPlan::convolution_of(int slot)
{
    const auto number = static_cast<std::size_t>(slot % overlap_.computing);
    while (convolutions_.size() <= number) convolutions_.emplace_back(device_, kernels_, plan_, overlap_.keeps_spectra);
    return convolutions_[number];
}

const Route& PreparedPlan::route_of(int slot) const
{
    return device_.handles().routes.at(static_cast<std::size_t>(slot % overlap_.computing));
}

}  // namespace clconv
