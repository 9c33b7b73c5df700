// SPDX-License-Identifier: Apache-2.0
// The arena on a real device: plans are built (several at a time), checked against direct double sums with guard bands
// behind every buffer, and then timed.
#pragma once

#include "bench/trial.h"
#include "tune/search.h"

#include <memory>
#include <vector>

namespace clconv {

class DeviceArena final : public Arena {
public:
    /// `kernels` must outlive this.
    DeviceArena(Device& device, const KernelSource& kernels, const Problem& problem);

    std::vector<std::string> enter(const std::vector<Plan>& plans,
                                   const std::function<bool(std::size_t)>& out_of_time) override;
    double sample(std::size_t candidate) override;
    std::size_t capacity(const Plan& plan) override;

    /// A candidate that entered without complaint.
    [[nodiscard]] Trial& trial(std::size_t candidate) { return *places_.at(candidate).trial; }

private:
    struct Place {
        std::unique_ptr<Trial> trial;
        int images = 0;  ///< of a series; 0 before the first sample
        std::string plan;
    };
    [[nodiscard]] std::string complaint_about(Trial& trial);

    Device& device_;
    const KernelSource& kernels_;
    WorkOnDevice work_;
    std::vector<Place> places_;
};

}  // namespace clconv
