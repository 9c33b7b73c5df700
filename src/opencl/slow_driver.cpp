// SPDX-License-Identifier: Apache-2.0
#include "opencl/slow_driver.h"

#include "base/clock.h"

#include <condition_variable>
#include <mutex>

namespace clconv {
namespace {

void call_until(const std::stop_token& over, const SlowDriver& callback, const std::string& what)
{
    const auto start = Clock::now();
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    for (std::chrono::seconds so_far = kPatience;; ++so_far) {
        woken.wait_until(lock, over, start + so_far, [] { return false; });
        if (over.stop_requested()) return;
        callback(what, so_far);
    }
}

}  // namespace

WhileCompiling::WhileCompiling(const SlowDriver& callback, const std::string& what)
{
    if (callback)
        clock_ = std::jthread([callback, what](const std::stop_token& over) { call_until(over, callback, what); });
}

}  // namespace clconv
