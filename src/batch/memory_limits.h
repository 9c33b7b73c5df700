// How much memory there is, and how a run shares out what it may use.
#pragma once

#include <cstdint>

namespace clconv {

/// Bytes this process may still take: what the system has available, or what its control group allows if that is less.
[[nodiscard]] std::uint64_t available_memory();

/// Bytes of this process that are in memory now.
[[nodiscard]] std::uint64_t resident_memory();

/// Who gets what of a limit on the process's memory.
struct MemoryShares {
    std::uint64_t images = 0;   ///< decoded images and results in flight
    std::uint64_t devices = 0;  ///< what devices keep in the host's memory
};

/// `resident`: what the process takes before the first image. Devices that compute in the host's memory get half of
/// what is left then, or 128 MiB if that is more, and the images the rest; one image at a time is always in flight,
/// however little it is.
[[nodiscard]] MemoryShares share_memory(std::uint64_t limit, std::uint64_t resident, bool devices_use_host);

}  // namespace clconv
