// SPDX-License-Identifier: Apache-2.0
#include "opencl/device_clock.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

using namespace std::chrono_literals;

TEST(DeviceClock, TakesTheObservationNearestToTheEvent)
{
    DeviceClock clock;
    const std::chrono::steady_clock::time_point start{};
    // The device is 1000 ns behind; the host's readings come 500, 20 and 300 ns before the events are queued.
    clock.see(1000, start + 1500ns);
    clock.see(2000, start + 2980ns);
    clock.see(3000, start + 3700ns);
    EXPECT_EQ(clock.on_host(5000), start + 5980ns);
}

}  // namespace
}  // namespace clconv
