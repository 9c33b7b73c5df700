// SPDX-License-Identifier: Apache-2.0
// The first SIGINT, SIGTERM or SIGHUP stops the run after the images in flight; a second SIGINT or SIGTERM ends the
// process at once.
#pragma once

#include <atomic>

namespace clconv {

/// Listens while it exists; there can be one at a time. The received signal is stored where other processes can see it
/// too. Meanwhile SIGPIPE is ignored, so that a reader of the log that goes away cannot end a run with partial files. A
/// signal that the caller ignores (nohup) stays ignored.
class StopSignals {
public:
    /// `received` becomes the number of the received signal; it is 0 until then. It must outlive this. `tells`: the
    /// first signal is answered on standard error.
    StopSignals(std::atomic<int>& received, bool tells);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// Acts as if `signal` had been received.
    static void request(int signal);
};

}  // namespace clconv
