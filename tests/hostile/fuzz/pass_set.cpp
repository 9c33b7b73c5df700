// SPDX-License-Identifier: Apache-2.0
// A file of measured passes, and what a planner makes of their times.
#include "plan_records/pass_set.h"

#include "../../plan/devices.h"
#include "plan/measured_decisions.h"
#include "promise.h"

using namespace clconv;

namespace {

Problem a_problem()
{
    Problem problem;
    problem.image = {100, 80};
    problem.channels = 3;
    problem.input = problem.output = SampleType::u8;
    problem.psf = {63, 31};
    problem.origin = {31, 15};
    return problem;
}

void use(const PassSet& set)
{
    const auto again = parse_pass_set(pass_set_text(set));
    hostile::promise(again && *again == set, "a set that is written is read again");
    for (const DeviceTraits& traits : {test::kNvidia, test::kSmallGpu, test::kCpu}) {
        const PassCosts costs(set.passes, traits);
        for (const Programs programs : {Programs::general, Programs::special}) {
            Decisions requested;
            requested.method = Method::fft;
            requested.programs = programs;
            const Plan planned = make_plan(a_problem(), traits, requested);
            const auto decisions = measured_decisions(planned, traits, requested, costs);
            if (decisions) (void)sum_of(a_problem(), make_plan(a_problem(), traits, *decisions).fft(), costs);
        }
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = hostile::text_of(data, size);
    if (const auto set = parse_pass_set(text)) use(*set);
    for (const PassSet& set : parse_exported_passes(text)) use(set);
    return 0;
}
