// SPDX-License-Identifier: Apache-2.0
// The option --tuning: which measurements a plan may use.
#pragma once

#include "base/cache_folder.h"
#include "engine/plan_source.h"
#include "opencl/kernel_source.h"
#include "plan_records/tuned_plans.h"
#include "report/events.h"

namespace clconv {

/// The source of plans for `tuning`, with the records below `caches`. It logs to `sink` what is measured and, at debug
/// level, which records were found or ignored. `sink` must outlive it.
[[nodiscard]] PlanSource plans_for(Tuning tuning, const CacheFolder& caches, const KernelSource& kernels, Sink& sink);

}  // namespace clconv
