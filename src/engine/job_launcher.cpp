// SPDX-License-Identifier: Apache-2.0
#include "engine/job_launcher.h"

#include "base/clock.h"
#include "base/errors.h"
#include "engine/plain_work.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace clconv {
namespace {

/// The plan with one launch a stage, whatever else is forced. Its programs differ from those of all other plans.
ChosenPlan simplest_plan(const Problem& problem, const DeviceInfo& device, const Decisions& forced)
{
    Decisions decisions = forced;
    decisions.method = Method::fft;
    decisions.residence = Residence::global;
    return {make_plan(problem, device.traits, decisions), "first-use check"};
}

}  // namespace

JobLauncher::JobLauncher(Device& device, const KernelSource& kernels, const ConvolveSettings& settings,
                         const LaunchResources& resources)
    : device_(device),
      settings_(settings),
      resources_(resources),
      mask_(device, settings.blending.mask),
      plans_(device, kernels, settings, resources.limits, [this] { flights_.settle_all(); }),
      context_{device, kernels, settings, resources_.host_memory, mask_, [this] { flights_.settle_all(); }},
      work_(settings.work->bound(context_)),
      plain_(plain_work()->bound(context_))
{
}

std::unique_ptr<Task> JobLauncher::launch(Flight& flight, const Job& job, BoundWork& work)
{
    std::unique_ptr<Task> task = work.task(job, flight.result);
    KnownPlan& known = launch_with(settings_.plans, flight, *task);
    const bool was_measured = known.is_measured;
    std::string wrong = wrong_at_first_use(known, flight, *task);
    if (!wrong.empty() && was_measured) wrong = wrong_again(wrong, heuristic_plan, flight, *task);
    if (!wrong.empty()) wrong = wrong_again(wrong, simplest_plan, flight, *task);
    if (!wrong.empty()) throw WrongResults(wrong + "; see clconv selftest, and try another driver or another device");
    return task;
}

KnownPlan& JobLauncher::launch_with(const PlanSource& source, Flight& flight, Task& task)
{
    const auto transfer_by = [&](PreparedPlan& plan) { return task.transfer(plan); };
    auto [known, transfer, preparing] = plans_.ready(task.planned(), source, transfer_by, flight.result);
    flight.preparing = std::move(preparing);
    flight.result.plan = task.text() + known.text;
    flight.result.plan_origin = known.origin;
    if (!shares(flight, known, transfer, task)) {
        send_off();
        flight.slot = flights_.free_slot(known.plan);
        flight.launcher = std::make_unique<Launcher>(device_, known.plan.route_of(flight.slot));
    }
    flight.plan = &known.plan;
    task.enqueue(flight, known.plan, transfer, known.check.is_due());
    // With nothing else to do, the device should not wait for images that may never come.
    if (flight.shared && flights_.launches() == 0) send_off();
    return known;
}

bool JobLauncher::shares(Flight& flight, KnownPlan& known, const PreparedPsf& transfer, const Task& task)
{
    if (resources_.limits.is_frugal || known.check.is_due() || !task.shares_launches()) return false;
    if (flight.piece.samples.size() > 0) return false;
    const int images = images_a_launch(known.plan.plan(), device_.info().traits);
    if (images == 1) return false;
    if (waiting_ && !waiting_->takes(known.plan, transfer)) send_off();
    if (!waiting_) {
        const int slot = flights_.free_slot(known.plan);
        waiting_ = std::make_shared<SharedLaunch>(device_, known.plan, transfer, slot, images);
    }
    flight.slot = waiting_->slot();
    flight.shared = SharedPlace(waiting_);
    return true;
}

void JobLauncher::send_off()
{
    if (waiting_) waiting_->launch();
    waiting_ = nullptr;
}

std::string JobLauncher::wrong_again(const std::string& before, const PlanSource& source, Flight& flight, Task& task)
{
    plans_.forget(task.planned());
    try {
        return wrong_at_first_use(launch_with(source, flight, task), flight, task);
    } catch (const Error& error) {
        return fmt::format("{}; there is no other plan: {}", before, error.what());
    }
}

std::string JobLauncher::wrong_at_first_use(KnownPlan& known, Flight& flight, Task& task)
{
    flight.result.plan_check = known.check.status();
    if (!known.check.is_due()) return "";
    flight.settle();
    const Clock::time_point start = Clock::now();
    const PlanCheck::Finding found = task.compare(known.check, flight);
    add_time(flight.result.times, stage::kCheck, Clock::now() - start);
    if (found.verdict == Verdict::right) flight.result.plan_check = "passed";
    return found.wrong;
}

}  // namespace clconv
