// Programs compiled side by side, by other processes.
//
// NVIDIA's compiler lets one thread of a process in at a time (on an H200 three programs asked for at once end after
// 1.4, 1.8 and 3.1 s), but eight processes compile eight programs in the time of one, and taking over a binary takes a
// tenth of a second or less. The processes run clconv-compile (src/compile/main.cpp), which lies beside the program
// that uses it. They start when they are needed, and end by themselves some seconds after their last request, because
// each holds a context, and so memory, on the device.
//
// Nothing here fails a build: where no binary comes back, the caller builds in its own process.
#pragma once

#include "plan/device_traits.h"

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// At most `most` processes that run `executable`; 0: none.
struct CompilerProcesses {
    std::filesystem::path executable;
    std::size_t most = 0;
};

/// For who builds many programs: as many as $CLCONV_COMPILE_PROCESSES says, else as many as help on such a device; none
/// where there is no clconv-compile. Throws InvalidProblem if the variable holds anything but a number from 0 to 64.
[[nodiscard]] CompilerProcesses compiler_processes(const DeviceTraits& traits);

/// Whether $CLCONV_COMPILE_PROCESSES says how many.
[[nodiscard]] bool compiler_processes_are_asked_for();

/// For who builds the few programs of a plan: only what the variable says, else none. To open a device takes a
/// process 1.5 to 2 s on an H200, in which one process has compiled them all.
[[nodiscard]] CompilerProcesses compiler_processes_asked_for();

/// The compiler processes of one device. Safe to use from several threads.
class Compilers {
public:
    /// `device`: its index, "P:D".
    Compilers(CompilerProcesses processes, std::string device);
    /// Ends the processes. No compile() may be under way.
    ~Compilers();
    Compilers(const Compilers&) = delete;
    Compilers& operator=(const Compilers&) = delete;

    [[nodiscard]] std::size_t most() const { return processes_.most; }

    /// The driver's binary of a program; waits while all processes are busy. Nothing if the program does not build, if
    /// there are no processes, or if one failed: then none is asked again, what starts badly once does so every time.
    [[nodiscard]] std::optional<std::string> compile(const std::string& options, const std::string& source);

private:
    class Process;

    /// One that is idle, or a new one; nothing where one has failed.
    [[nodiscard]] std::unique_ptr<Process> taken();
    /// `process` is none if it failed.
    void give_back(std::unique_ptr<Process> process);

    CompilerProcesses processes_;
    std::string device_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::unique_ptr<Process>> idle_;  ///< the last one was busy last
    std::size_t busy_ = 0;
    bool failed_ = false;
};

}  // namespace clconv
