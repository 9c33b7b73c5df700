// OpenCL devices: listing them, choosing one, opening it.
#pragma once

#include "base/cache_folder.h"
#include "opencl/compilers.h"
#include "opencl/slow_driver.h"
#include "plan/device_traits.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// What can be said of a device without opening it.
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

/// The devices that `selector` means: an index "P:D", a type (gpu, cpu), a part of the name (any case), "all";
/// an empty selector means the best one (GPU before accelerator before CPU, then the first).
/// Throws DeviceError, with the list of what there is, if nothing fits.
[[nodiscard]] std::vector<DeviceInfo> select_devices(std::string_view selector);

/// Where a device's programs are kept from one run to the next, who hears of it, and who else builds programs.
struct ProgramCache {
    CacheFolder folder;                               ///< by default nowhere
    std::function<void(const std::string&)> note;     ///< called from any thread; says what was built, loaded and kept
    std::optional<CompilerProcesses> compilers = {};  ///< by default compiler_processes_asked_for()
    SlowDriver slow = {};                             ///< hears of what takes long
};

/// An opened device: its context, queues and programs. Only src/opencl and src/engine look inside.
class Device {
public:
    explicit Device(const DeviceInfo& info, ProgramCache programs = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] const DeviceInfo& info() const { return info_; }

    /// The same device with a context of its own, and with the same limits and cache. Throws DeviceError.
    [[nodiscard]] std::shared_ptr<Device> opened_again() const;

    /// How many programs are built in the time of one, if as many threads ask for them; 1 where threads gain nothing.
    [[nodiscard]] std::size_t parallel_builds() const;

    /// Keeps the programs that were built so far, but begins none after `budget`; what is left out is built again by
    /// the next run. For the end of a run: drivers that compile a kernel at its first launch (PoCL) then keep the
    /// compiled kernel too, but compile it for any number of work-items first, which takes as long as building it did.
    void keep_programs(std::chrono::duration<double> budget) noexcept;

    struct Handles;
    [[nodiscard]] Handles& handles() { return *handles_; }

private:
    DeviceInfo info_;
    std::unique_ptr<Handles> handles_;
};

}  // namespace clconv
