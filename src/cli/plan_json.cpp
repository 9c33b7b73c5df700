// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_json.h"

#include "base/errors.h"
#include "passes/recipes.h"
#include "plan/pieces.h"
#include "plan/plan_memory.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace clconv {
namespace {

using nlohmann::ordered_json;

ordered_json chosen_decisions(const Plan& plan)
{
    ordered_json chosen = ordered_json::object();
    for (const ExplainedDecision& decision : explained(decisions_of(plan)))
        if (!decision.value.empty()) chosen[std::string(decision.key)] = decision.value;
    return chosen;
}

ordered_json json_of(const Problem& whole, const ChosenPlan& chosen, ordered_json pieces, const DeviceTraits& traits)
{
    const Plan& plan = chosen.plan;
    ordered_json programs = ordered_json::array();
    for (const Recipe& program : recipes_of(plan, traits)) programs.push_back(program.name);
    return {{"problem", token(whole)},
            {"image", to_string(whole.image)},
            {"psf", to_string(whole.psf)},
            {"output", to_string(output_extent(whole))},
            {"pieces", std::move(pieces)},
            {"method", name_of(plan.method())},
            {"padded", plan.is_fft() ? ordered_json(to_string(padded_extent(plan))) : ordered_json(nullptr)},
            {"decisions", chosen_decisions(plan)},
            {"programs", std::move(programs)},
            {"transfer_bytes", plan.transfer_bytes()},
            {"scratch_bytes", plan.scratch_bytes()},
            {"device_bytes", device_bytes(plan).together},
            {"reasons", plan.reasons},
            {"chosen_by", chosen.origin}};
}

}  // namespace

ordered_json plan_json(const Problem& problem, const DeviceInfo& device, const ConvolveSettings& settings)
{
    try {
        return json_of(problem, settings.plans(problem, device, settings.decisions), nullptr, device.traits);
    } catch (const TooLarge&) {
        Pieces pieces = plan_pieces(problem, device.traits, settings.decisions);
        ordered_json numbers{{"columns", pieces.columns.count()},
                             {"rows", pieces.rows.count()},
                             {"output", to_string(pieces.plan.output)}};
        return json_of(problem, {std::move(pieces.plan)}, std::move(numbers), device.traits);
    }
}

}  // namespace clconv
