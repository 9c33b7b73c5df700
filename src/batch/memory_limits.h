// SPDX-License-Identifier: Apache-2.0
// How much memory there is, and how a run divides what it may use.
#pragma once

#include <cstdint>
#include <optional>

namespace clconv {

/// Bytes that this process may still use: those that the system has available, or that its control groups leave it,
/// whichever is less.
[[nodiscard]] std::uint64_t available_memory();

/// Bytes of the machine, or those to which a control group limits this process: a container, a job of a scheduler.
[[nodiscard]] std::uint64_t machine_memory();

/// Bytes to which control groups limit this process, if that is less than the machine has.
[[nodiscard]] std::optional<std::uint64_t> group_memory();

/// From now on, large blocks go back to the system as soon as they are freed. Otherwise glibc raises the size from
/// which it does so, up to 32 MiB, and keeps smaller ones for each thread: eight encoders that worked one after the
/// other hold the memory of eight.
void return_freed_blocks();

/// Resident bytes of this process.
[[nodiscard]] std::uint64_t resident_memory();

/// Bytes for a mask of so many pixels: a float for each pixel during the whole run, and doubles for the part that one
/// image needs, on their way to the device and on the device. A CPU has the latter in the same memory.
[[nodiscard]] constexpr std::uint64_t mask_memory(std::uint64_t pixels) { return pixels * (4 + 3 * 8); }

/// How a limit on the process's memory is divided.
struct MemoryShares {
    std::uint64_t images = 0;   ///< decoded images and results in flight
    std::uint64_t devices = 0;  ///< data of devices in the host's memory
};

/// `resident`: bytes of the process before the first image. Devices that compute in the host's memory get half of the
/// rest, or 128 MiB if that is more, and images get what remains. One image is always in flight, however little
/// remains.
[[nodiscard]] MemoryShares share_memory(std::uint64_t limit, std::uint64_t resident, bool devices_use_host);

}  // namespace clconv
