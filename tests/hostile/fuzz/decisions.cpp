// SPDX-License-Identifier: Apache-2.0
// Any problem with any decisions on any device: refused, or a plan whose programs and memory are known.
#include "plan/decisions.h"

#include "../../plan/devices.h"
#include "base/errors.h"
#include "base/split.h"
#include "passes/recipes.h"
#include "plan/pieces.h"
#include "plan/plan_memory.h"
#include "promise.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace clconv;

namespace {

/// Small and common numbers, the edges of ranges, and any number.
int some_number(FuzzedDataProvider& from)
{
    constexpr int common[] = {
        1,          2,          3,   4,   5,   7,   8,   9,    16,   17,   31,    32,      33,      63,
        64,         100,        255, 256, 511, 512, 513, 1000, 4096, 4097, 65536, 1 << 20, 1 << 28, (1 << 28) + 1,
        2147483646, 2147483647, 0,   -1};
    switch (from.ConsumeIntegralInRange<int>(0, 3)) {
        case 0: return from.ConsumeIntegral<int>();
        case 1: return from.ConsumeIntegralInRange<int>(1, 3000);
        default: return from.PickValueInArray(common);
    }
}

template <class T>
T one_of(FuzzedDataProvider& from, std::initializer_list<T> values)
{
    return *(values.begin() + from.ConsumeIntegralInRange<std::size_t>(0, values.size() - 1));
}

template <class T, std::size_t count>
T one_of(FuzzedDataProvider& from, const std::array<T, count>& values)
{
    return values[from.ConsumeIntegralInRange<std::size_t>(0, count - 1)];
}

Problem some_problem(FuzzedDataProvider& from)
{
    Problem problem;
    problem.image = {some_number(from), some_number(from)};
    problem.psf = {some_number(from), some_number(from)};
    const bool central = from.ConsumeBool();
    problem.origin = central ? Position{problem.psf.width / 2, problem.psf.height / 2}
                             : Position{some_number(from), some_number(from)};
    problem.channels = from.ConsumeBool() ? from.ConsumeIntegralInRange<int>(1, 4) : some_number(from);
    problem.psf_channels = from.ConsumeBool() ? 1 : problem.channels;
    problem.input = one_of(from, all_values<SampleType>());
    problem.output = one_of(from, all_values<SampleType>());
    problem.border = one_of(from, all_values<Border>());
    problem.mode = one_of(from, all_values<Mode>());
    problem.layout = one_of(from, all_values<Layout>());
    problem.precision = one_of(from, all_values<Precision>());
    return problem;
}

/// A value of the key that is listed, a number in the place of N and R, or any text.
std::string some_value(FuzzedDataProvider& from, const std::string& values)
{
    if (from.ConsumeIntegralInRange<int>(0, 15) == 0) return from.ConsumeRandomLengthString(12);
    if (values == "R.R...") {
        std::string radices;
        for (int stage = from.ConsumeIntegralInRange<int>(1, 5); stage > 0; --stage)
            radices += std::to_string(one_of(from, {2, 3, 4, 5, 7, 8, 9, 12, 16, 24, 32, 64, 1024})) + ".";
        radices.pop_back();
        return radices;
    }
    const std::vector<std::string_view> listed = split(values, '|');
    const std::string_view value = listed[from.ConsumeIntegralInRange<std::size_t>(0, listed.size() - 1)];
    return value == "N" || value == "R" ? std::to_string(some_number(from)) : std::string(value);
}

Decisions some_decisions(FuzzedDataProvider& from)
{
    Decisions decisions;
    const std::vector<std::string> keys = decision_keys();
    for (int count = from.ConsumeIntegralInRange<int>(0, 6); count > 0; --count) {
        const std::string& key = keys[from.ConsumeIntegralInRange<std::size_t>(0, keys.size() - 1)];
        const std::size_t equals = key.find('=');
        try {
            decide(decisions, key.substr(0, equals + 1) + some_value(from, key.substr(equals + 1)));
        } catch (const InvalidProblem&) {
        }
    }
    return decisions;
}

void look_at(const Plan& plan, const DeviceTraits& traits)
{
    const DeviceBytes bytes = device_bytes(plan);
    hostile::promise(bytes.largest <= bytes.together, "no part is larger than the whole");
    hostile::promise(bytes.together <= traits.global_memory, "a plan fits the device");
    hostile::promise(bytes.together / plan.problem.image.pixels() / plan.problem.channels > 0, "an image takes memory");
    hostile::promise(!describe(plan).empty() && !recipes_of(plan, traits).empty(), "a plan prints and has programs");
    Decisions again;
    const Decisions made = decisions_of(plan);
    for (const std::string& decision : decided(made)) decide(again, decision);
    hostile::promise(decided(again) == decided(made), "what was decided can be decided again");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    FuzzedDataProvider from(data, size);
    const Problem problem = some_problem(from);
    const DeviceTraits traits = one_of(from, {test::kNvidia, test::kSmallGpu, test::kCpu});
    const Decisions decisions = some_decisions(from);
    const bool in_pieces = from.ConsumeIntegralInRange<int>(0, 7) == 0;
    try {
        if (in_pieces)
            (void)describe(plan_pieces(problem, traits, decisions, from.ConsumeIntegral<std::uint64_t>()));
        else
            look_at(make_plan(problem, traits, decisions), traits);
    } catch (const InvalidProblem&) {
    } catch (const DeviceError&) {  // no double
    }
    return 0;
}
