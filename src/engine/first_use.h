// SPDX-License-Identifier: Apache-2.0
// Remembers between runs which plans computed correctly on which device.
//
// The first result of a plan on a device is compared with direct sums (spot_check.h), because wrong programs of a
// compiler must never give wrong pixels silently. Plans that passed are remembered like built programs: for the same
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

/// Whether first results are checked, and who receives the findings.
struct FirstUse {
    bool is_checked = false;
    CacheFolder passed = {};  ///< where passed plans are remembered; by default nowhere
    std::function<void(const std::string&)> note = [](const std::string& /*text*/) {};
    std::function<void(const std::string&)> error = [](const std::string& /*text*/) {};
};

/// Everything on which the correctness of a plan depends.
[[nodiscard]] std::string first_use_key(const DeviceInfo& device, const KernelSource& kernels, const Plan& plan);

[[nodiscard]] bool has_passed(const FirstUse& first_use, const std::string& key);
void remember_passed(const FirstUse& first_use, const std::string& key);

/// The check of one plan's first results on one device.
class PlanCheck {
public:
    /// The check is due if `first_use` requires checks and the plan has not passed before; never for linear light,
    /// because direct sums support only stored values so far. `first_use` must outlive this.
    PlanCheck(const FirstUse& first_use, const DeviceInfo& device, const KernelSource& kernels,
              const ChosenPlan& chosen);

    /// "off", "passed before", or "undecided".
    [[nodiscard]] const std::string& status() const { return status_; }
    [[nodiscard]] bool is_due() const { return left_ > 0; }

    struct Finding {
        Verdict verdict = Verdict::undecided;
        std::string wrong = {};  ///< empty, or the device, what it got wrong, and by which plan
    };
    /// Compares a result with direct sums, and reports what it found. The check ends with the first right result that
    /// has content, or after a few without content.
    Finding compare(const DoneWork& work);

private:
    const FirstUse* first_use_;
    std::string key_;
    std::string device_;
    std::string plan_;    ///< its title
    std::string origin_;  ///< of the plan
    std::string status_ = "off";
    int left_ = 0;  ///< results still to be compared, while none has had enough content
};

}  // namespace clconv
