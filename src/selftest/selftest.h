// Proof that a device computes right: every radix, residence, method, precision, border, extent and sample type against
// host references in double, with guard bands behind the buffers.
//
// The cases come from the tables the code has (radices, sample types, borders, methods), so that what is added there is
// tested here.
#pragma once

#include "opencl/device.h"
#include "opencl/kernel_source.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// How one case went.
struct SelftestResult {
    std::string group;  ///< "radix", "method", "precision", "border", "extent", "samples"
    std::string name;
    bool right = false;
    double error = 0;    ///< relative L2, if it could be computed
    double allowed = 0;  ///< the most that rounding explains
    std::string remark;  ///< what went wrong
};

enum class Thoroughness { full, quick };

/// Runs all cases with `only` in "GROUP NAME"; `heard` is told each result as it comes. A case that fails does not end
/// the others.
[[nodiscard]] std::vector<SelftestResult> selftest(Device& device, const KernelSource& kernels,
                                                   Thoroughness thoroughness,
                                                   const std::function<void(const SelftestResult&)>& heard,
                                                   std::string_view only = {});

/// A line a group with its worst error, a line a case that failed, and a verdict.
[[nodiscard]] std::string selftest_table(const DeviceInfo& device, const std::vector<SelftestResult>& results);

/// The same as JSON, with a line a case.
[[nodiscard]] std::string selftest_json(const DeviceInfo& device, const std::vector<SelftestResult>& results);

[[nodiscard]] bool all_right(const std::vector<SelftestResult>& results);

}  // namespace clconv
