// SPDX-License-Identifier: Apache-2.0
// OpenCL devices: listing them, choosing one, opening it.
#pragma once

#include "base/cache_folder.h"
#include "base/device_traits.h"
#include "opencl/compilers.h"
#include "opencl/slow_driver.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// What is known about a device without opening it.
struct DeviceInfo {
    std::string index;  ///< "P:D": platform and device numbers as the OpenCL loader lists them
    std::string platform;
    std::string name;
    std::string vendor;
    std::string driver;
    std::string version;  ///< of OpenCL, as the device words it
    std::string type;     ///< "gpu", "cpu", "accelerator" or "other"
    std::uint64_t compute_units = 0;
    std::uint64_t clock_mhz = 0;
    DeviceTraits traits;
};

/// All devices of all platforms, in the loader's order. Empty if there are none (never throws for that).
[[nodiscard]] std::vector<DeviceInfo> list_devices();

/// The devices that `selector` names: an index "P:D", a type (gpu, cpu), a part of the name (any case), "all"; an empty
/// selector means the best one (GPU before accelerator before CPU, then the first). Throws DeviceError with a list of
/// all devices if none matches.
[[nodiscard]] std::vector<DeviceInfo> select_devices(std::string_view selector);

/// Where a device's programs are kept between runs, who is notified, and which processes help to build them.
struct ProgramCache {
    CacheFolder folder;                               ///< by default, programs are not kept
    std::function<void(const std::string&)> note;     ///< called from any thread, with what was built, loaded and kept
    std::optional<CompilerProcesses> compilers = {};  ///< by default requested_compiler_processes()
    SlowDriver slow = {};                             ///< called for slow builds
    std::function<void(const std::string&)> warn = {};  ///< called from any thread, if compiler processes fail
};

/// An opened device: its context, queues and programs.
class Device {
public:
    explicit Device(const DeviceInfo& info, ProgramCache programs = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] const DeviceInfo& info() const { return info_; }

    /// The same device with a context of its own, and with the same limits and cache. Throws DeviceError.
    [[nodiscard]] std::shared_ptr<Device> opened_again() const;

    /// Whether each launch on the device's routes is timed. By default those of a CPU are, and a GPU's are timed now
    /// and then, because that holds it up (LaunchSeries).
    [[nodiscard]] bool times_every_launch() const { return times_every_launch_; }
    /// Has each launch timed from now on.
    void time_every_launch() { times_every_launch_ = true; }

    /// The queues for kernels that images overlap on: two on a GPU, one on a CPU.
    [[nodiscard]] std::size_t queues() const;

    /// How many programs are built in the time of one, if as many threads request them; 1 if threads gain nothing.
    [[nodiscard]] std::size_t parallel_builds() const;

    /// Keeps the programs that were built so far, but starts none after `budget`. The next run builds the others again.
    /// Call it at the end of a run: a driver that compiles a kernel at its first launch (PoCL) then keeps the compiled
    /// kernel too. docs/decisions/055-binaries-of-pocl.md
    void keep_programs(std::chrono::duration<double> budget) noexcept;

    struct Handles;
    [[nodiscard]] Handles& handles() { return *handles_; }

private:
    DeviceInfo info_;
    bool times_every_launch_ = false;
    std::unique_ptr<Handles> handles_;
};

}  // namespace clconv
