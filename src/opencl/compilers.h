// SPDX-License-Identifier: Apache-2.0
// Programs compiled in parallel, by other processes.
//
// NVIDIA's compiler admits one thread of a process at a time. On an H200, three programs that are requested at once
// end after 1.4, 1.8 and 3.1 s. But eight processes compile eight programs in the time of one, and loading a binary
// takes a tenth of a second or less. The processes run clconv-compile (src/opencl/compile_main.cpp), which is in the
// same folder as the program that uses it. They start when they are needed. They end some seconds after their last
// request, because each holds a context, and so memory, on the device. docs/decisions/017-compile-processes.md
//
// Nothing here fails a build: without a binary, the caller builds in its own process, one program after the other. That
// can take several times as long, so the first failure is a warning.
#pragma once

#include "base/device_traits.h"

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// At most `maximum` processes that run `executable`; 0: none.
struct CompilerProcesses {
    std::filesystem::path executable;
    std::size_t maximum = 0;
};

/// Identifies a device to another process, whose loader may number the devices in another way.
struct DeviceIdentity {
    std::string index;  ///< "P:D" in this process
    std::string platform;
    std::string name;
};

/// For callers that build many programs: the number in $CLCONV_COMPILE_PROCESSES, else as many as help on such a
/// device. None if clconv-compile is missing. Throws InvalidProblem if the variable is not a number from 0 to 64.
[[nodiscard]] CompilerProcesses compiler_processes(const DeviceTraits& traits);

/// Whether $CLCONV_COMPILE_PROCESSES is set and not empty.
[[nodiscard]] bool compiler_processes_are_requested();

/// For callers that build the few programs of one plan: the number in the variable, else none. On an H200 a new process
/// takes 1.5 to 2 s to open the device, and in that time one process compiles them all.
[[nodiscard]] CompilerProcesses requested_compiler_processes();

/// The compiler processes of one device. Safe to use from several threads.
class Compilers {
public:
    /// `warn`: called at most once, with what failed and why. May be empty.
    Compilers(CompilerProcesses processes, DeviceIdentity device, std::function<void(const std::string&)> warn = {});
    /// Ends the processes. No compile() may be running.
    ~Compilers();
    Compilers(const Compilers&) = delete;
    Compilers& operator=(const Compilers&) = delete;

    [[nodiscard]] std::size_t maximum() const { return processes_.maximum; }

    /// The driver's binary of a program. Waits while all processes are busy. Nothing if the program does not build, if
    /// there are no processes, or if a process failed. After a failure no process is used again, because the next one
    /// would fail too.
    [[nodiscard]] std::optional<std::string> compile(const std::string& options, const std::string& source);

private:
    class Process;

    /// An idle process, or a new one; nothing after a failure.
    [[nodiscard]] std::unique_ptr<Process> taken();
    void give_back(std::unique_ptr<Process> process);
    /// Instead of give_back(), for a process that failed or did not start.
    void give_up(const std::string& why);

    CompilerProcesses processes_;
    DeviceIdentity device_;
    std::function<void(const std::string&)> warn_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::unique_ptr<Process>> idle_;  ///< the most recently used one is last
    std::size_t busy_ = 0;
    bool failed_ = false;
};

}  // namespace clconv
