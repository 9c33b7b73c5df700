// SPDX-License-Identifier: Apache-2.0
#include "engine/planned_in_words.h"

#include "base/errors.h"
#include "plan/pieces.h"

namespace clconv {

std::string planned_in_words(const Problem& problem, const DeviceInfo& device, const ConvolveSettings& settings)
{
    try {
        return describe(settings.plans(problem, device, settings.decisions));
    } catch (const TooLarge&) {
        if (settings.work->halo(problem)) return "in overlapping parts, because the whole does not fit the device\n";
        if (problem.alternates) throw;
        return describe_plan(problem, device.traits, settings.decisions);
    }
}

std::string bands_in_words(const Problem& whole, const DeviceInfo& device, const ConvolveSettings& settings,
                           std::uint64_t host_limit)
{
    const std::optional<std::string> cut = settings.work->cut();
    const Pieces pieces = plan_pieces(whole, device.traits, settings.decisions, host_limit);
    return (cut ? *cut + "\n" : std::string()) + describe(pieces);
}

}  // namespace clconv
