// SPDX-License-Identifier: Apache-2.0
// Launches jobs on one device, each by the plan of its work, and checks the first results of each plan.
//
// It keeps plans, PSFs, masks and works on the device, and owns the flights that use them.
#pragma once

#include "base/block_pool.h"
#include "engine/flights.h"
#include "engine/image_problem.h"
#include "engine/plan_cache.h"
#include "engine/task.h"
#include "engine/uploaded_mask.h"

#include <memory>
#include <string>

namespace clconv {

/// Resources that launches may use.
struct LaunchResources {
    const Allocate& host_memory;  ///< for results
    PlanLimits limits;
};

class JobLauncher {
public:
    /// All of these must outlive it.
    JobLauncher(Device& device, const KernelSource& kernels, const ConvolveSettings& settings,
                const LaunchResources& resources);
    JobLauncher(const JobLauncher&) = delete;
    JobLauncher& operator=(const JobLauncher&) = delete;

    [[nodiscard]] Flights& flights() { return flights_; }

    /// Enqueues a job of the settings' work. If checks are due, waits for the first results of a plan and checks them.
    /// Other plans replace wrong results: the planner's own instead of a measured one, then the simplest. Throws what
    /// PlanCache::ready() throws, and WrongResults if no plan is right.
    std::unique_ptr<Task> launch(Flight& flight, const Job& job) { return launch(flight, job, *work_); }
    /// The same for a piece of an image, which is convolved plainly.
    void launch_piece(Flight& flight, const Job& job) { (void)launch(flight, job, *plain_); }

    /// Sends off images that wait for others to share their launches. Call it before waiting for any.
    void send_off();
    /// Whether an image like the latest one could still join such a launch.
    [[nodiscard]] bool has_waiting() const { return waiting_ && waiting_->is_waiting(); }

private:
    [[nodiscard]] std::unique_ptr<Task> launch(Flight& flight, const Job& job, BoundWork& work);

    /// Enqueues a task by the known plan of its problem, or by one from `source`.
    KnownPlan& launch_with(const PlanSource& source, Flight& flight, Task& task);

    /// Gives a flight its place in a launch with others, if its images are small enough for that.
    [[nodiscard]] bool shares(Flight& flight, KnownPlan& known, const PreparedPsf& transfer, const Task& task);

    /// Uses another plan after a wrong one. Returns what wrong_at_first_use() says of it. `before`: what was wrong with
    /// the first.
    [[nodiscard]] std::string wrong_again(const std::string& before, const PlanSource& source, Flight& flight,
                                          Task& task);

    /// Has the task compare its result, unless the plan has passed before. Empty if the result is right. Otherwise the
    /// error has been reported, and nothing is in flight with that plan.
    [[nodiscard]] static std::string wrong_at_first_use(KnownPlan& known, Flight& flight, Task& task);

    Device& device_;
    const ConvolveSettings& settings_;
    const LaunchResources resources_;
    UploadedMask mask_;
    PlanCache plans_;
    WorkContext context_;
    std::unique_ptr<BoundWork> work_, plain_;
    std::shared_ptr<SharedLaunch> waiting_;  ///< for more images; null if none waits
    Flights flights_ = {};                   ///< declared after what flights use, so destroyed before it
};

}  // namespace clconv
