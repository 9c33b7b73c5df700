// SPDX-License-Identifier: Apache-2.0
#include "cli/tuning_option.h"

#include "cli/tune_command.h"

namespace clconv {

PlanSource plans_for(Tuning tuning, const CacheFolder& caches, const KernelSource& kernels, Sink& sink)
{
    const auto notes = [&sink](const std::string& text) { sink.message(Level::debug, text); };
    const auto progress = [&sink](const std::string& text) { sink.message(Level::info, text); };
    return plan_source(std::make_shared<TunedPlans>(tuning, caches, kernels.fingerprint(), notes,
                                                    short_search(kernels, caches, progress)));
}

}  // namespace clconv
