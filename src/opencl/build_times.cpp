// SPDX-License-Identifier: Apache-2.0
#include "opencl/build_times.h"

#include "opencl/handles.h"

namespace clconv {

BuildTimes::BuildTimes(Device& device) : device_(device) { device_.handles().programs.watch_this_thread(true); }

BuildTimes::~BuildTimes() { device_.handles().programs.watch_this_thread(false); }

std::vector<Span> BuildTimes::spans() const { return device_.handles().programs.waits_of_this_thread(); }

}  // namespace clconv
