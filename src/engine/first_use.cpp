// SPDX-License-Identifier: Apache-2.0
#include "engine/first_use.h"

#include "base/clock.h"
#include "base/fingerprint.h"
#include "opencl/kept_programs.h"

#include <fmt/format.h>

#include <chrono>

namespace clconv {
namespace {

std::string file_name(const std::string& key) { return fmt::format("{:016x}.txt", fingerprint(key)); }

/// Images without content prove nothing about a plan. After this many of them with right results, the plan counts as
/// right for this run.
constexpr int kMaxChecks = 8;

}  // namespace

std::string first_use_key(const DeviceInfo& device, const KernelSource& kernels, const Plan& plan)
{
    return fmt::format("clconv plan that computed right, 1\n{}\n{}\n{}\n{}\nkernels {}\n{}", device.platform,
                       device.name, device.driver, device.version, kernels.fingerprint(), describe_work(plan));
}

bool has_passed(const FirstUse& first_use, const std::string& key)
{
    const std::string name = file_name(key);
    if (first_use.passed.read(name) != key) return false;
    first_use.passed.touch(name);
    return true;
}

void remember_passed(const FirstUse& first_use, const std::string& key)
{
    if (first_use.passed.write(file_name(key), key)) first_use.passed.remove_unused(kUnusedFor);
}

PlanCheck::PlanCheck(const FirstUse& first_use, const DeviceInfo& device, const KernelSource& kernels,
                     const ChosenPlan& chosen)
    : first_use_(&first_use),
      key_(first_use_key(device, kernels, chosen.plan)),
      device_(fmt::format("{} {}", device.index, device.name)),
      plan_(title_of(chosen.plan)),
      origin_(chosen.origin)
{
    const Problem& problem = chosen.plan.problem;
    if (!first_use.is_checked || problem.decode_srgb || problem.encode_srgb) return;
    const bool passed = has_passed(first_use, key_);
    status_ = passed ? "passed before" : "undecided";
    left_ = passed ? 0 : kMaxChecks;
}

PlanCheck::Finding PlanCheck::compare(const DoneWork& work)
{
    const auto start = Clock::now();
    const SpotCheck found = spot_check(work);
    const std::chrono::duration<double, std::milli> taken = Clock::now() - start;
    if (found.verdict == Verdict::wrong) {
        const std::string wrong =
            fmt::format("{} computes wrongly: {}; plan {} ({})", device_, found.what, plan_, origin_);
        first_use_->error(wrong + "; it is not used");
        return {found.verdict, wrong};
    }
    --left_;
    if (found.verdict == Verdict::right) {
        left_ = 0;
        status_ = "passed before";
        remember_passed(*first_use_, key_);
    }
    first_use_->note(
        fmt::format("first use of {}: {} with {} direct sums, errors to {:.2g} of what is allowed, {:.2g} ms", plan_,
                    found.verdict == Verdict::right ? "compared" : "an image without content compared", found.points,
                    found.error, taken.count()));
    return {found.verdict};
}

}  // namespace clconv
