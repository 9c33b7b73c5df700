// SPDX-License-Identifier: Apache-2.0
// A file of measured plans, and what a planner makes of the decisions in it.
#include "plan_records/record.h"

#include "../../plan/devices.h"
#include "base/errors.h"
#include "plan_records/lookup.h"
#include "promise.h"

using namespace clconv;

namespace {

Problem a_problem()
{
    Problem problem;
    problem.image = {640, 480};
    problem.channels = 3;
    problem.input = problem.output = SampleType::u8;
    problem.psf = {63, 31};
    problem.origin = {31, 15};
    return problem;
}

void use(const Record& record)
{
    const auto again = parse_record(record_text(record));
    hostile::promise(again && *again == record, "a record that is written is read again");
    for (const DeviceTraits& traits : {test::kNvidia, test::kSmallGpu, test::kCpu}) {
        std::string why_not;
        const auto plan = plan_of(record, a_problem(), traits, {}, why_not);
        hostile::promise(plan || !why_not.empty(), "a record is passed over with a reason");
        if (plan) (void)describe(*plan);
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = hostile::text_of(data, size);
    if (const auto record = parse_record(text)) use(*record);
    if (const auto records = parse_records(text))
        for (const Record& record : *records) use(record);
    return 0;
}
