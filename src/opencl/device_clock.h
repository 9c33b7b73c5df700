// SPDX-License-Identifier: Apache-2.0
// Times of a device's events on the host's clock.
//
// OpenCL 1.2 has no call that reads both clocks. But the host reads its own clock before it enqueues an event. So the
// difference between this reading and the event's queued time is at most the offset between the clocks. The largest
// difference over several events is the best estimate. Its error is the time of one enqueueing call, some microseconds.
#pragma once

#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace clconv {

class DeviceClock {
public:
    using Host = Clock::time_point;

    /// An event was queued at `queued` (nanoseconds of the device), not before `host`.
    void see(std::uint64_t queued, Host host)
    {
        // host <= queued + ahead_, for every event: the smallest `ahead_` that this allows.
        const std::int64_t difference = nanoseconds(host) - static_cast<std::int64_t>(queued);
        ahead_ = has_difference_ ? std::max(ahead_, difference) : difference;
        has_difference_ = true;
    }

    /// The host's moment for the device's `time`. Call see() first.
    [[nodiscard]] Host on_host(std::uint64_t time) const
    {
        return Host(std::chrono::duration_cast<Host::duration>(
            std::chrono::nanoseconds(static_cast<std::int64_t>(time) + ahead_)));
    }

private:
    static std::int64_t nanoseconds(Host host)
    {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(host.time_since_epoch()).count();
    }

    std::int64_t ahead_ = 0;  ///< of the host, in nanoseconds
    bool has_difference_ = false;
};

}  // namespace clconv
