// SPDX-License-Identifier: Apache-2.0
// Which kernels a device has launched before, and how long their compilers held up the first launch.
//
// Some drivers compile a kernel when it is first launched: PoCL takes half a second for it, after the build of the
// program. No OpenCL call reports this. But a CPU runs one command after the other. So if nothing runs although a
// kernel is ready for its first launch, the driver is compiling it, or loading what it compiled before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace clconv {

/// A command's times on the device, in nanoseconds.
struct CommandTimes {
    std::uint64_t submitted = 0;
    std::uint64_t started = 0;
    std::uint64_t ended = 0;
};

/// For a queue in order. Safe to use from several threads.
class FirstLaunches {
public:
    /// Whether a kernel is launched for the first time. Call it for each launch.
    [[nodiscard]] bool is_first(const std::string& program, const std::string& kernel)
    {
        const std::lock_guard lock(mutex_);
        return known_.emplace(program, kernel).second;
    }

    /// Call it for each command that has ended. Returns for how many nanoseconds the command was ready but neither it
    /// nor an earlier one ran.
    [[nodiscard]] std::uint64_t idle_before(const CommandTimes& command)
    {
        const std::lock_guard lock(mutex_);
        const std::uint64_t before = last_end_ <= command.started ? last_end_ : 0;
        last_end_ = std::max(last_end_, command.ended);
        const std::uint64_t ready = std::max(command.submitted, before);
        return command.started > ready ? command.started - ready : 0;
    }

private:
    std::mutex mutex_;
    std::set<std::pair<std::string, std::string>> known_;
    std::uint64_t last_end_ = 0;
};

}  // namespace clconv
