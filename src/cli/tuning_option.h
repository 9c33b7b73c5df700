// The option --tuning: which measurements a plan may use.
#pragma once

#include "base/cache_folder.h"
#include "engine/plan_source.h"
#include "opencl/kernel_source.h"
#include "report/events.h"

#include <string>

namespace clconv {

/// The source of plans for `tuning` (auto, off, measure), with the records below `caches`. It logs to `sink` what is
/// measured and, at debug level, which records were found or ignored. `sink` must outlive it. Throws InvalidProblem
/// with the option.
[[nodiscard]] PlanSource plans_for(const std::string& tuning, const CacheFolder& caches, const KernelSource& kernels,
                                   Sink& sink);

}  // namespace clconv
