// What the benchmark measures: a problem, and what is forced about its plan.
#pragma once

#include "conv/plan.h"
#include "engine/plan_source.h"

#include <string>
#include <vector>

namespace clconv {

struct BenchCase {
    Problem problem;
    Decisions decisions;
    PlanSource plans = heuristic_plan;
};

/// The sizes of docs/performance.md for a GPU: from 1024x1024 gray to 7680x4320 RGB.
[[nodiscard]] std::vector<BenchCase> standard_suite(const BenchCase& base);

/// One plane from 1024x1024 to 24 megapixels: the sizes of docs/performance.md for a CPU.
[[nodiscard]] std::vector<BenchCase> plane_suite(const BenchCase& base);

/// The case with another size, channel count and square PSF, origin in its centre.
[[nodiscard]] BenchCase resized(BenchCase base, Extent image, int channels, Extent psf);

}  // namespace clconv
