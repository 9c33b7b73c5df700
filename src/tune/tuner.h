// SPDX-License-Identifier: Apache-2.0
// Tunes one problem on one device: searches in the device's arena, and makes a record of the result.
#pragma once

#include "base/cache_folder.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "plan_records/record.h"
#include "tune/search.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace clconv {

struct Tuned {
    Problem problem;
    SearchResult found;
    Record record;
    double seconds = 0;
};

struct TuneRequest {
    Problem problem;
    Decisions forced;
    double budget_s = 0;  ///< seconds for the search, builds included; the comparison in progress is then finished
    std::size_t candidates =
        std::numeric_limits<std::size_t>::max();  ///< compared with the planner's own plan, at most
    std::vector<Answer> in_use = {};              ///< answers_in_use(); the first is the plan to compare with
    std::vector<Record> known = {};               ///< of any problem and device
};

/// Begins with `in_use`, then the decisions of known records for images or lines of the same size on this kind of
/// device. Throws InvalidProblem, DeviceError.
[[nodiscard]] Tuned tune_problem(Device& device, const KernelSource& kernels, const TuneRequest& request);

/// The decisions of the plans that `bench` and `run` have now, of special programs first, and of those that they would
/// have without records: a new record must not be slower than what it replaces, and an old one may be slower than what
/// passes say. Without what is `forced`. `caches`: where the user's records and passes are.
[[nodiscard]] std::vector<Answer> answers_in_use(const Problem& problem, const DeviceInfo& device,
                                                 const Decisions& forced, const KernelSource& kernels,
                                                 const CacheFolder& caches);

/// The distinct decisions, at most a dozen, of records of this kind of device that have the image size of `problem` or
/// the line lengths of `padded`. Samples, borders and PSFs may differ.
[[nodiscard]] std::vector<Answer> known_answers(const std::vector<Record>& known, const DeviceInfo& device,
                                                const Problem& problem, Extent padded);

}  // namespace clconv
