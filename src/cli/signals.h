// The first SIGINT or SIGTERM asks the run to stop; the second ends the process at once.
#pragma once

#include <atomic>

namespace clconv {

/// Listens from its construction to its end; one at a time. SIGPIPE is ignored meanwhile, so that a reader of the log
/// who goes away cannot end a run with files half written. A signal that the caller has set to be ignored (nohup) stays
/// ignored.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// The number of the signal that came, 0 until then.
    [[nodiscard]] static const std::atomic<int>& received();

    /// As if `signal` had come.
    static void request(int signal);
};

}  // namespace clconv
