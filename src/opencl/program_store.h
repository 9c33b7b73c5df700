// SPDX-License-Identifier: Apache-2.0
// The programs of one device: each is built once, and kept in files for the next start.
//
// A repeated request returns the same program: folders of many sizes share programs with the same text. A program that
// an earlier run kept is loaded. If anything is wrong with its file, the program is built instead. Safe to use from
// several threads, which build different programs in parallel: one in this process, the others in compiler processes if
// the device has them (opencl/compilers.h).
#pragma once

#include "base/clock.h"
#include "base/timings.h"
#include "opencl/api.h"
#include "opencl/compilers.h"
#include "opencl/device.h"

#include <chrono>
#include <cstdint>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace clconv {

class ProgramStore {
public:
    /// Where programs are built.
    struct Place {
        const cl::Context& context;
        const cl::Device& device;
    };

    ProgramStore(const DeviceInfo& info, ProgramCache cache);

    [[nodiscard]] const ProgramCache& cache() const { return cache_; }

    /// The program of `source`, built with `options`. `name` is its name in notes, errors and its file's name. Throws
    /// BuildError with the compiler's log.
    [[nodiscard]] cl::Program get(const Place& place, const std::string& name, const std::string& source,
                                  const std::string& options);

    /// Starts or stops recording how long get() makes this thread wait. See opencl/build_times.h.
    void watch_this_thread(bool is_watched);
    [[nodiscard]] std::vector<Span> waits_of_this_thread();

    /// Whether a file holds that program under that name.
    [[nodiscard]] bool is_kept(const std::string& name, const std::string& source, const std::string& options) const;

    /// Device::parallel_builds().
    [[nodiscard]] std::size_t parallel_builds() const { return 1 + compilers_.maximum(); }

    /// Device::keep_programs().
    void keep(std::chrono::duration<double> budget) noexcept;

private:
    using Made = std::shared_future<cl::Program>;
    struct Entry {
        Made program;
        std::string name;
        std::uint64_t last_used = 0;
        bool is_new = false;  ///< built, and in no file yet
    };

    /// The program of `identity`, if another thread builds it or has built it. Otherwise nothing, and `mine` becomes
    /// that program.
    [[nodiscard]] std::optional<Made> others(const std::string& identity, const std::string& name, const Made& mine);
    [[nodiscard]] std::string identity_of(const std::string& source, const std::string& options) const;
    /// The program of `promise`, made now.
    [[nodiscard]] cl::Program made(std::promise<cl::Program>& promise, const Place& place, const std::string& name,
                                   const std::string& source, const std::string& options);
    void add_wait(Clock::time_point start);
    void forget(const std::string& identity);
    void set_new(const std::string& identity, bool is_new);
    [[nodiscard]] std::vector<std::pair<std::string, Entry>> new_ones();

    [[nodiscard]] std::optional<cl::Program> loaded(const Place& place, const std::string& name,
                                                    const std::string& identity, const std::string& options) const;
    [[nodiscard]] cl::Program built(const Place& place, const std::string& name, const std::string& source,
                                    const std::string& options);
    [[nodiscard]] std::optional<cl::Program> built_elsewhere(const Place& place, const std::string& name,
                                                             const std::string& source, const std::string& options);
    [[nodiscard]] cl::Program built_here(const Place& place, const std::string& name, const std::string& source,
                                         const std::string& options) const;
    void note(const std::string& text) const;

    DeviceInfo info_;
    ProgramCache cache_;
    bool driver_keeps_;  ///< if so, nothing is kept or loaded here
    Compilers compilers_;
    std::mutex mutex_;
    std::map<std::string, Entry> entries_;  ///< by identity
    std::uint64_t uses_ = 0;
    std::map<std::thread::id, std::vector<Span>> waits_;  ///< of the threads that are watched
};

}  // namespace clconv
