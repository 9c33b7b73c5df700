// What clconv plan and --dry-run print of a problem.
#pragma once

#include "engine/convolver.h"

#include <string>

namespace clconv {

/// The plan of `settings.plans` and where its decisions come from; where the device has too little memory for it, the
/// pieces it is cut into. Throws TooLarge if no pieces fit either, and as make_plan() does.
[[nodiscard]] std::string planned_in_words(const Problem& problem, const DeviceInfo& device,
                                           const ConvolveSettings& settings);

}  // namespace clconv
