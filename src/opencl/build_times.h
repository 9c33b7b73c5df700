// SPDX-License-Identifier: Apache-2.0
// How long a thread waited for programs: while they were compiled, or loaded from a cache.
#pragma once

#include "base/timings.h"
#include "opencl/device.h"

#include <vector>

namespace clconv {

/// Programs that this thread requests of a device while the object exists. One at a time for each thread.
class BuildTimes {
public:
    explicit BuildTimes(Device& device);
    ~BuildTimes();
    BuildTimes(const BuildTimes&) = delete;
    BuildTimes& operator=(const BuildTimes&) = delete;

    /// One for each program that was not ready. They do not overlap.
    [[nodiscard]] std::vector<Span> spans() const;

private:
    Device& device_;
};

}  // namespace clconv
