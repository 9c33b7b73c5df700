// The option --tuning: whose measurements a plan may use.
#pragma once

#include "base/cache_folder.h"
#include "engine/plan_source.h"
#include "opencl/kernel_source.h"
#include "report/events.h"

#include <string>

namespace clconv {

/// Plans as `tuning` (auto, off, measure) asks, with the records below `caches`. `sink` hears what is
/// measured and, at debug level, what was found and what was passed over; it must outlive the source. Throws
/// InvalidProblem naming the option.
[[nodiscard]] PlanSource plans_for(const std::string& tuning, const CacheFolder& caches, const KernelSource& kernels,
                                   Sink& sink);

}  // namespace clconv
