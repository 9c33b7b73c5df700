// SPDX-License-Identifier: Apache-2.0
#include "engine/flights.h"

#include "engine/clamped.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace clconv {

void Flight::settle()
{
    if (!launcher && !shared) return;  // settled before, or done in pieces
    for (const Milestone& milestone : milestones) {
        milestone.event.wait();
        tell(milestone.done, milestone.maximum);
    }
    milestones.clear();
    for (Launcher* const part : {preparing.get(), launcher.get()}) {
        if (!part) continue;
        for (const StageTime& time : part->finish()) add_time(result.times, time.stage, time.time);
        std::ranges::move(part->take_spans(), std::back_inserter(result.spans));
    }
    if (shared) {
        shared->finish();
        for (const StageTime& time : shared->times()) add_time(result.times, time.stage, time.time);
        std::ranges::move(shared->take_spans(), std::back_inserter(result.spans));
        shared = {};
    }
    result.spans.push_back({"compute", "convolve", started, Clock::now()});
    const Plan& done = plan->plan();
    result.clamped = take_clamped(result.samples, done.output.pixels() * done.problem.channels, done.problem);
    if (completes) completes(result);
    plan = nullptr;
    preparing = nullptr;
    launcher = nullptr;
}

Flight Flights::take_first(std::deque<Flight>& some)
{
    Flight flight = std::move(some.front());
    some.pop_front();
    flight.settle();
    return flight;
}

std::size_t Flights::launches() const
{
    std::size_t count = 0;
    const SharedPlace* last = nullptr;
    for (const Flight& flight : images) {
        if (!flight.shared) {
            ++count;  // done in pieces, too: its result waits
        } else if (!flight.shared->is_finished() && !(last && flight.shared.is_of(*last))) {
            ++count;
            last = &flight.shared;
        }
    }
    return count;
}

int Flights::free_slot(const PreparedPlan& plan)
{
    Flight* first_user = nullptr;
    std::vector<bool> used(static_cast<std::size_t>(plan.slots()));
    for (std::deque<Flight>* some : {&images, &pieces})
        for (Flight& flight : *some) {
            if (flight.has_landed() || flight.slot >= plan.slots()) continue;
            used[static_cast<std::size_t>(flight.slot)] = true;
            if (!first_user) first_user = &flight;
        }
    const auto unused = std::find(used.begin(), used.end(), false);
    if (unused != used.end()) return static_cast<int>(unused - used.begin());
    first_user->settle();
    return first_user->slot;
}

void Flights::settle_all()
{
    for (std::deque<Flight>* some : {&images, &pieces})
        for (Flight& flight : *some) flight.settle();
}

}  // namespace clconv
