// Tuning one problem on one device: the search in the device's arena, and the record of what it found.
#pragma once

#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "records/record.h"
#include "tune/search.h"

namespace clconv {

struct Tuned {
    Problem problem;
    SearchResult found;
    Record record;
    double seconds = 0;
};

/// Searches for at most `budget_s` seconds (builds included; what is under way is finished). Throws InvalidProblem,
/// DeviceError.
[[nodiscard]] Tuned tune_problem(Device& device, const KernelSource& kernels, const Problem& problem,
                                 const Decisions& forced, double budget_s);

}  // namespace clconv
