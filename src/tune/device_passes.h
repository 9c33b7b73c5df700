// SPDX-License-Identifier: Apache-2.0
// Passes on a real device: plans are built (several at a time), checked as in tune/device_arena.h, and their passes
// timed by the device's clock, in turns.
#pragma once

#include "engine/build_ahead.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "tune/pass_tuner.h"

namespace clconv {

class DevicePasses final : public PassArena {
public:
    /// Both must outlive this.
    DevicePasses(Device& device, const KernelSource& kernels);

    void expect(const Problem& problem, const std::vector<Plan>& plans) override;

    std::vector<PlanTimes> measure(const Problem& problem, const std::vector<Plan>& plans,
                                   const std::vector<double>& shares,
                                   const std::function<bool(std::size_t)>& out_of_time) override;

private:
    Device& device_;
    const KernelSource& kernels_;
    BuildAhead ahead_;
};

}  // namespace clconv
