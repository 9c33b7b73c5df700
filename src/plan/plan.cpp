// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"

#include "base/byte_count.h"
#include "base/errors.h"
#include "base/overloaded.h"
#include "plan/method_choice.h"
#include "plan/plan_memory.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <utility>

namespace clconv {
namespace {

/// Kernels count the values of a channel's spectrum in 32 bits.
bool is_counted(const Plan& plan)
{
    return !plan.is_fft() || plan.fft().spectrum.cells() <= std::numeric_limits<std::int32_t>::max();
}

bool fits(const Plan& plan, const DeviceTraits& traits)
{
    if (!is_counted(plan)) return false;
    const DeviceBytes bytes = device_bytes(plan);
    return bytes.largest <= traits.max_allocation && bytes.together <= traits.global_memory / 10 * 9;
}

[[noreturn]] void refuse(const Plan& plan, const DeviceTraits& traits)
{
    if (!is_counted(plan))
        throw TooLarge(fmt::format("{}: a channel's spectrum has {} values, and kernels count {}; use a smaller image",
                                   token(plan.problem), plan.fft().spectrum.cells(),
                                   std::numeric_limits<std::int32_t>::max()));
    throw TooLarge(
        fmt::format("{}: needs {} of device memory in one piece, and may use {} ({} at once); use a smaller "
                    "image, a larger --device-memory, or a device with more memory",
                    token(plan.problem), in_words(device_bytes(plan).together), in_words(traits.global_memory),
                    in_words(traits.max_allocation)));
}

/// Plans one channel at a time if all together do not fit.
void fit(Plan& plan, const DeviceTraits& traits)
{
    if (fits(plan, traits)) return;
    FftPlan* fft = std::get_if<FftPlan>(&plan.how);
    if (!fft) refuse(plan, traits);
    fft->planes = 1;
    fft->storing = Storing::channels;
    if (!fits(plan, traits)) refuse(plan, traits);
    plan.reasons.emplace_back("one channel at a time: all together do not fit the device's memory");
}

}  // namespace

Method Plan::method() const
{
    return std::visit(
        Overloaded{[](const FftPlan&) { return Method::fft; }, [](const TilePlan&) { return Method::tiled; },
                   [](const DirectPlan&) { return Method::direct; }},
        how);
}

void check_supported(Precision precision, const DeviceTraits& traits)
{
    if (precision == Precision::float64 && !traits.has_double)
        throw DeviceError(
            "--precision double: the device has no double (cl_khr_fp64); use --precision float, or another device");
}

Plan make_plan(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
{
    check(problem);
    check_supported(problem.precision, traits);
    // An image whose lines would be too long is cut into pieces, for every method.
    (void)padded_axis(along_x(problem));
    (void)padded_axis(along_y(problem));
    Plan plan;
    plan.problem = problem;
    plan.output = output_extent(problem);
    plan.programs = decisions.programs.value_or(shapes_are_decided(decisions) ? Programs::special : Programs::general);
    MethodChoice choice = choose_method(problem, traits, decisions);
    plan.reasons.push_back(std::move(choice.reason));
    switch (choice.method) {
        case Method::direct: plan.how = plan_direct(problem, traits); break;
        case Method::tiled: plan.how = required_tiles(problem, traits, decisions); break;
        case Method::fft: plan.how = plan_fft(problem, traits, decisions, plan.programs, plan.reasons); break;
    }
    fit(plan, traits);
    return plan;
}

Extent padded_extent(const Plan& plan)
{
    if (plan.is_fft()) return {plan.fft().x.length, plan.fft().y.length};
    return {padded_axis(along_x(plan.problem)).length, padded_axis(along_y(plan.problem)).length};
}

std::optional<Plan> plan_if_it_fits(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
{
    try {
        return make_plan(problem, traits, decisions);
    } catch (const TooLarge&) {
        return std::nullopt;
    }
}

}  // namespace clconv
