// SPDX-License-Identifier: Apache-2.0
// Studies: one kind of decision takes all its values, everything else stays as planned, and each value is timed.
#pragma once

#include "bench/statistics.h"
#include "bench/trial.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "tune/candidates.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace clconv {

/// One value of a sweep.
struct SweepPoint {
    std::string label;    ///< the value in words: "16", "row-items=64"
    Answer decisions;     ///< the decisions of this value
    std::string problem;  ///< why it has no time: a constraint or a defect; empty if it has one
    std::string plan;     ///< in words
    std::string padded;   ///< extent
    std::string radices;  ///< of the rows and of the columns: "32.32 16.8.8"
    Spread ms;
    std::size_t launches = 0;
    std::uint64_t bytes = 0;  ///< read and written by its launches
    std::vector<PassTime> passes;
};

struct Sweep {
    std::string name;
    Problem problem;
    std::vector<SweepPoint> points;
};

/// The points of a sweep before they are measured. `kind`: "radix" (the largest radix of both axes), "shape", "method",
/// "all" (those and every decision with listed values), or a decision's key, alone or with values: "row-items=32,64".
/// Throws InvalidProblem with a list of the kinds.
[[nodiscard]] std::vector<Sweep> planned_sweeps(const std::string& kind, const Problem& problem,
                                                const DeviceTraits& traits, const Decisions& forced);

/// Measures every point that can run: checks it first, and samples in turns. Points without time for a measurement say
/// so.
void measure_sweep(Sweep& sweep, Device& device, const KernelSource& kernels, const Decisions& forced,
                   const std::function<bool()>& out_of_time);

/// Bytes that a plan's launches read and write: pass_bytes(), plus those of lines through global memory and of separate
/// passes.
[[nodiscard]] std::uint64_t moved_bytes(const Plan& plan);

}  // namespace clconv
