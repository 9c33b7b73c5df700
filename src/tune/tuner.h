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

/// Searches for at most `budget_s` seconds (builds included; what is under way is finished). Begins with what the
/// `known` records decide for images or lines of the same size on this kind of device. Throws InvalidProblem,
/// DeviceError.
[[nodiscard]] Tuned tune_problem(Device& device, const KernelSource& kernels, const Problem& problem,
                                 const Decisions& forced, double budget_s, const std::vector<Record>& known);

/// The distinct decisions of those records, of this kind of device, that are about images of the size of `problem` or
/// about lines as long as `padded`, whatever their samples, borders and PSFs are; at most a dozen.
[[nodiscard]] std::vector<Answer> known_answers(const std::vector<Record>& known, const DeviceInfo& device,
                                                const Problem& problem, Extent padded);

}  // namespace clconv
