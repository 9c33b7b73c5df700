// The first SIGINT or SIGTERM asks the run to stop; the second ends the process at once.
#pragma once

#include <atomic>

namespace clconv {

/// Listens from its construction to its end; one at a time. What came is kept where another process may see it, too.
/// SIGPIPE is ignored meanwhile, so that a reader of the log who goes away cannot end a run with files half written. A
/// signal that the caller has set to be ignored (nohup) stays ignored.
class StopSignals {
public:
    /// `received`: gets the number of the signal that came; is 0 until then. Must outlive this.
    explicit StopSignals(std::atomic<int>& received);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// As if `signal` had come.
    static void request(int signal);
};

}  // namespace clconv
