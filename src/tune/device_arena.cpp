// SPDX-License-Identifier: Apache-2.0
#include "tune/device_arena.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace clconv {
namespace {

std::uint64_t bytes_of_plan(const Plan& plan) { return plan.scratch_bytes() + plan.transfer_bytes(); }

}  // namespace

DeviceArena::DeviceArena(Device& device, const KernelSource& kernels, const Problem& problem)
    : device_(device), kernels_(kernels), work_(device, problem)
{
}

std::size_t DeviceArena::capacity(const Plan& plan)
{
    const std::uint64_t memory = device_.info().traits.global_memory / 3;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(memory / (bytes_of_plan(plan) + 1), 1, 64));
}

std::string DeviceArena::complaint_about(Trial& trial)
{
    const double error = trial.relative_error();
    const bool inside = trial.stayed_inside();
    if (!inside) work_.bands().renew();
    const double allowed = trial.allowed_error();
    if (!(error <= allowed))
        return fmt::format("computes wrongly: relative error {:.2e}, allowed {:.2e}", error, allowed);
    return inside ? "" : "writes beyond the end of a buffer";
}

std::vector<std::string> DeviceArena::enter(const std::vector<Plan>& plans,
                                            const std::function<bool(std::size_t)>& out_of_time)
{
    std::vector<Place> places(plans.size());
    std::vector<std::string> complaints(plans.size());
    std::vector<std::size_t> to_build;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        places[i].plan = describe(plans[i]);
        // A plan that was here before is not started again.
        const auto old = std::find_if(places_.begin(), places_.end(),
                                      [&](const Place& place) { return place.trial && place.plan == places[i].plan; });
        if (old != places_.end())
            places[i] = std::move(*old);
        else
            to_build.push_back(i);
    }
    places_ = std::move(places);

    std::atomic<std::size_t> next = 0;
    const auto build_some = [&] {
        for (std::size_t n = next++; n < to_build.size(); n = next++) {
            const std::size_t i = to_build[n];
            if (out_of_time(i)) {
                complaints[i] = kOutOfTime;
                continue;
            }
            try {
                places_[i].trial = std::make_unique<Trial>(work_, kernels_, plans[i]);
            } catch (const std::exception& error) {
                complaints[i] = fmt::format("does not run: {}", error.what());
            }
        }
    };
    {
        std::vector<std::jthread> builders;
        const std::size_t cores = std::thread::hardware_concurrency();
        const std::size_t threads = std::min(std::max(cores, device_.parallel_builds()), to_build.size());
        for (std::size_t t = 1; t < threads; ++t) builders.emplace_back(build_some);
        build_some();
    }
    for (const std::size_t i : to_build) {
        if (!places_[i].trial) continue;
        try {
            complaints[i] = complaint_about(*places_[i].trial);
        } catch (const std::exception& error) {
            complaints[i] = fmt::format("does not run: {}", error.what());
        }
        if (!complaints[i].empty()) places_[i].trial.reset();
    }
    return complaints;
}

double DeviceArena::sample(std::size_t candidate)
{
    Place& place = places_.at(candidate);
    if (place.images == 0) place.images = place.trial->times_a_series();
    return place.trial->series_ms(place.images);
}

}  // namespace clconv
