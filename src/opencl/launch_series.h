// SPDX-License-Identifier: Apache-2.0
// How long launches of a kernel take, of which only some are timed.
//
// A GPU waits between kernels that have events, and each event takes the host some microseconds
// (docs/decisions/066-events-of-some-launches.md).
#pragma once

#include "base/timings.h"
#include "opencl/api.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace clconv {

/// Launches that do the same work, in a queue in order. For one thread at a time.
class LaunchSeries {
public:
    /// Whether the next launch is to be timed. Call it for each launch.
    [[nodiscard]] bool times_next()
    {
        const std::size_t number = launches_++;
        return number < 2 || number % kTimedEvery == 0;
    }

    /// The event of a launch that is timed.
    void add(cl::Event event) { running_.push_back(std::move(event)); }

    /// The mean of the timed launches that have ended; 0 if none has. The queue is in order: when a launch has ended,
    /// so have all timed ones before it.
    [[nodiscard]] Seconds mean()
    {
        std::erase_if(running_, [this](const cl::Event& event) {
            if (event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE) return false;
            const auto start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
            sum_ += 1e-9 * static_cast<double>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - start);
            ++ended_;
            return true;
        });
        return Seconds(ended_ == 0 ? 0 : sum_ / static_cast<double>(ended_));
    }

private:
    static constexpr std::size_t kTimedEvery = 16;

    std::size_t launches_ = 0, ended_ = 0;
    double sum_ = 0;  ///< seconds of those that have ended
    std::vector<cl::Event> running_;
};

}  // namespace clconv
