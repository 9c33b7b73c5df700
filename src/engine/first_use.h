// Which plans have proved right on which device, from one run to the next.
//
// The first result of a plan on a device is compared with direct sums (spot_check.h): a compiler that makes wrong
// programs must never give wrong pixels silently. What passed is remembered like built programs are: for the same
// device, driver, kernels and plan, as one small file that can only save time.
#pragma once

#include "base/cache_folder.h"
#include "conv/plan.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"

#include <functional>
#include <string>

namespace clconv {

/// Whether first results are checked, and who hears of it.
struct FirstUse {
    bool is_checked = false;
    CacheFolder passed = {};  ///< where it is remembered; by default nowhere
    std::function<void(const std::string&)> note = [](const std::string& /*text*/) {};
    std::function<void(const std::string&)> error = [](const std::string& /*text*/) {};
};

/// All that decides whether a plan computes right.
[[nodiscard]] std::string first_use_key(const DeviceInfo& device, const KernelSource& kernels, const Plan& plan);

[[nodiscard]] bool has_passed(const FirstUse& first_use, const std::string& key);
void remember_passed(const FirstUse& first_use, const std::string& key);

}  // namespace clconv
