// SPDX-License-Identifier: Apache-2.0
#include "engine/planned_in_words.h"

#include "base/errors.h"
#include "engine/image_problem.h"
#include "plan/pieces.h"

namespace clconv {

std::string planned_in_words(const Problem& problem, const DeviceInfo& device, const ConvolveSettings& settings)
{
    try {
        return describe(settings.plans(problem, device, settings.decisions));
    } catch (const TooLarge&) {
        return describe(plan_pieces(problem, device.traits, settings.decisions));
    }
}

std::string planned_in_words(const Problem& whole, const Psf& psf, const Channels& channels, const DeviceInfo& device,
                             const ConvolveSettings& settings)
{
    try {
        const WorkNeeds needs = work_needs(whole, psf, channels, settings, device.traits);
        return describe(settings.plans(needs.planned, device, settings.decisions));
    } catch (const TooLarge&) {
        if (settings.work->halo(whole)) return "in overlapping parts, because the whole does not fit the device\n";
        return bands_in_words(whole, device, settings, kNoLimit);
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
