// Which plans have proved right on which device, from one run to the next.
//
// The first result of a plan on a device is compared with direct sums (spot_check.h): a compiler that makes wrong
// programs must never give wrong pixels silently. What passed is remembered like built programs are: for the same
// device, driver, kernels and plan, as one small file that can only save time.
#pragma once

#include "base/cache_folder.h"
#include "engine/plan_source.h"
#include "engine/spot_check.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "plan/plan.h"

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

/// The check of one plan's first results on one device.
class PlanCheck {
public:
    /// Due if `first_use` wants it and the plan has not passed before. Not for linear light: direct sums are of stored
    /// values so far. `first_use` must outlive this.
    PlanCheck(const FirstUse& first_use, const DeviceInfo& device, const KernelSource& kernels,
              const ChosenPlan& chosen);

    /// "off", "passed before", or "undecided".
    [[nodiscard]] const std::string& status() const { return status_; }
    [[nodiscard]] bool is_due() const { return left_ > 0; }

    struct Finding {
        Verdict verdict = Verdict::undecided;
        std::string wrong = {};  ///< empty, or the device, what it got wrong, and by which plan
    };
    /// Compares a result with direct sums, and tells those who hear of it. A right one is the last that is looked at,
    /// and so is the last of a few without content.
    Finding compare(const DoneWork& work);

private:
    const FirstUse* first_use_;
    std::string key_;
    std::string device_;
    std::string plan_;    ///< its first line
    std::string origin_;  ///< of the plan
    std::string status_ = "off";
    int left_ = 0;  ///< results that are to be compared, if none before tells enough
};

}  // namespace clconv
