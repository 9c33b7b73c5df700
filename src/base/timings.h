// SPDX-License-Identifier: Apache-2.0
// How long the named parts of some work took, and when they were done.
#pragma once

#include "base/clock.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

using Seconds = std::chrono::duration<double>;

/// Stages besides the passes of kernels (passes/pass_names.h).
namespace stage {
inline constexpr std::string_view kRead = "read";
inline constexpr std::string_view kWrite = "write";
inline constexpr std::string_view kUpload = "upload";
inline constexpr std::string_view kDownload = "download";
inline constexpr std::string_view kBuild = "build";
inline constexpr std::string_view kCheck = "check";                    ///< comparing a first result with direct sums
inline constexpr std::string_view kZeros = "zeros";                    ///< finding results that are exactly zero
inline constexpr std::string_view kCutAndJoin = "cut and join";        ///< of pieces
inline constexpr std::string_view kLaunchAndWait = "launch and wait";  ///< what the other stages do not account for
}  // namespace stage

/// One part of the work on one image: "read", "upload", a kernel pass by its name, "download", "write".
struct StageTime {
    std::string stage;
    Seconds time{0};
};

/// Adds `time` to the entry called `stage`, or appends one.
inline void add_time(std::vector<StageTime>& times, std::string_view stage, Seconds time)
{
    for (StageTime& entry : times)
        if (entry.stage == stage) {
            entry.time += time;
            return;
        }
    times.push_back({std::string(stage), time});
}

/// One piece of work on a timeline, on the host's steady clock.
struct Span {
    std::string track;  ///< who worked: "reader 1", "compute", "writer 2", "device"
    std::string name;   ///< "read", "convolve", a kernel pass by its name, ...
    Clock::time_point start;
    Clock::time_point end;
    std::string program = {};  ///< for a kernel pass: the name of the program that ran
};

}  // namespace clconv
