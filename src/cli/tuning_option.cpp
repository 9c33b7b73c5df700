#include "cli/tuning_option.h"

#include "cli/command_line.h"
#include "cli/tune_command.h"
#include "plan_records/tuned_plans.h"

namespace clconv {

PlanSource plans_for(const std::string& tuning, const CacheFolder& caches, const KernelSource& kernels, Sink& sink)
{
    const Tuning how = choice<Tuning>("--tuning", tuning);
    const auto notes = [&sink](const std::string& text) { sink.message(Level::debug, text); };
    const auto progress = [&sink](const std::string& text) { sink.message(Level::info, text); };
    return plan_source(std::make_shared<TunedPlans>(how, caches, kernels.fingerprint(), notes,
                                                    short_search(kernels, caches, progress)));
}

}  // namespace clconv
