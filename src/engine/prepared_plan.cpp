// SPDX-License-Identifier: Apache-2.0
#include "engine/prepared_plan.h"

#include "engine/clamped.h"
#include "passes/levels.h"
#include "plan/plan_memory.h"

#include <algorithm>

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
    return overlap.slots * (input_bytes(plan) + output_bytes(plan) + plan.problem.extra_bytes) +
           overlap.computing * (plan.scratch_bytes() + kept) + transfers_at_once(plan.problem) * plan.transfer_bytes();
}

std::uint64_t own_bytes(const Plan& plan, const Overlap& overlap, std::size_t psfs)
{
    const std::uint64_t spectra = plan.is_fft() ? plan.fft().spectra_bytes(plan.problem.precision) : 0;
    const std::uint64_t shared = plan.is_fft() ? plan.fft().intermediates() * spectra : 0;
    const std::uint64_t kept = overlap.keeps_spectra ? spectra : 0;
    return overlap.computing * (plan.scratch_bytes() - shared + kept) +
           std::max<std::size_t>(psfs, 1) * plan.transfer_bytes();
}

Overlap choose_overlap(const Plan& plan, Overlap maximum, std::uint64_t memory)
{
    maximum.keeps_spectra = maximum.keeps_spectra && can_keep_spectra(plan);
    if (device_bytes(plan, maximum) > memory) maximum.keeps_spectra = false;
    while (maximum.computing > 1 && device_bytes(plan, maximum) > memory) --maximum.computing;
    while (maximum.slots > 1 && device_bytes(plan, maximum) > memory) --maximum.slots;
    return maximum;
}

PreparedPlan::PreparedPlan(Device& device, const KernelSource& kernels, Workspace& workspace, Plan plan,
                           Overlap overlap)
    : device_(device), kernels_(kernels), workspace_(workspace), plan_(std::move(plan)), overlap_(overlap)
{
    (void)add_convolution();
}

PreparedPlan::Transfer PreparedPlan::psf(const UsedPsf& used)
{
    const auto make = [&](Launcher& launcher, DeviceConvolution& convolution) {
        return convolution.prepare(launcher, used.fitted);
    };
    return transfer(used, "", make);
}

PreparedPlan::Transfer PreparedPlan::transfer(const UsedPsf& used, const std::string& name, const MakeTransfer& make)
{
    const auto key = std::tuple(used.psf.get(), used.alpha_channel, name);
    if (const auto known = psfs_.find(key); known != psfs_.end()) return {known->second.prepared, nullptr};
    // It uses the queue of the first convolution, because it uses its intermediates.
    auto launcher = std::make_unique<Launcher>(device_, route_of(0));
    PreparedPsf made = make(*launcher, convolutions_.front());
    return {psfs_.emplace(key, PsfEntry{used.psf, std::move(made)}).first->second.prepared, std::move(launcher)};
}

ImageBuffers PreparedPlan::slot(int number) const
{
    const bool is_cpu = device_.info().traits.is_cpu;
    return workspace_.slot(number, {.input = is_cpu ? 0 : input_bytes(plan_),
                                    .output = is_cpu ? 0 : output_bytes(plan_),
                                    .levels = level_bytes(plan_.problem)});
}

DeviceConvolution& PreparedPlan::add_convolution()
{
    const auto& scratch = workspace_.scratch(static_cast<int>(convolutions_.size()));
    return convolutions_.emplace_back(device_, kernels_, plan_, overlap_.keeps_spectra, scratch);
}

DeviceConvolution& PreparedPlan::convolution_of(int slot)
{
    const auto number = static_cast<std::size_t>(slot % overlap_.computing);
    while (convolutions_.size() <= number) (void)add_convolution();
    return convolutions_[number];
}

const Route& PreparedPlan::route_of(int slot) const
{
    return device_.handles().routes.at(static_cast<std::size_t>(slot % overlap_.computing));
}

}  // namespace clconv
