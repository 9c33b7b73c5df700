// SPDX-License-Identifier: Apache-2.0
// Checks that a device computes correctly: every radix, residence, method, precision, border, extent and sample type
// against host references in double, with guard bands behind the buffers.
//
// The cases come from the tables of the code (radices, sample types, borders, methods), so new entries there are tested
// here.
#pragma once

#include "opencl/device.h"
#include "opencl/kernel_source.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// The result of one case.
struct SelftestResult {
    std::string group;  ///< "radix", "method", "precision", "border", "extent", "samples"
    std::string name;
    bool right = false;
    double error = 0;    ///< relative L2, if it could be computed
    double allowed = 0;  ///< the maximum that rounding explains
    std::string remark;  ///< what went wrong
};

enum class Thoroughness { full, quick };

/// Runs all cases with `only` in "GROUP NAME". `on_result` is called with each result as it comes. A failed case does
/// not stop the others.
[[nodiscard]] std::vector<SelftestResult> selftest(Device& device, const KernelSource& kernels,
                                                   Thoroughness thoroughness,
                                                   const std::function<void(const SelftestResult&)>& on_result,
                                                   std::string_view only = {});

/// A line for each group with its worst error, a line for each failed case, and a verdict. `suspect`: what not to trust
/// if a case failed.
[[nodiscard]] std::string selftest_table(const DeviceInfo& device, const std::vector<SelftestResult>& results,
                                         std::string_view suspect);

/// The same as JSON, with a line for each case.
[[nodiscard]] std::string selftest_json(const DeviceInfo& device, const std::vector<SelftestResult>& results);

[[nodiscard]] bool all_right(const std::vector<SelftestResult>& results);

}  // namespace clconv
