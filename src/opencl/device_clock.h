// Times of a device's events on the host's clock.
//
// OpenCL 1.2 has no call that reads both clocks. But an event is queued after the host, about to enqueue it, has read
// its own clock: the difference of the two readings is at most what lies between the clocks, and of several events the
// largest comes nearest to it. The error is the time of one enqueueing call, some microseconds.
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
        ahead_ = seen_ ? std::max(ahead_, difference) : difference;
        seen_ = true;
    }

    /// The moment that the device calls `time`. Something must have been seen.
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
    bool seen_ = false;
};

}  // namespace clconv
