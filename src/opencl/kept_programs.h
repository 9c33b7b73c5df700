// SPDX-License-Identifier: Apache-2.0
// The programs that one run keeps for the next, and messages to users about building them.
#pragma once

#include "base/cache_folder.h"
#include "base/messages.h"
#include "opencl/device.h"

#include <chrono>
#include <functional>
#include <string>

namespace clconv {

/// The cache of a device, below `caches`. Logs at debug level what is built, loaded and kept. `messages` must outlive
/// the device.
[[nodiscard]] ProgramCache program_cache(const CacheFolder& caches, Messages& messages);

/// Reports to `messages` when a driver has been compiling for ten seconds, and again each time that this time has
/// doubled.
[[nodiscard]] SlowDriver slow_driver_messages(Messages& messages);

/// A function for ProgramCache::warn.
[[nodiscard]] std::function<void(const std::string&)> warning_to(Messages& messages);

/// The time that the end of a run may take to keep programs. (One program of a CPU takes some tenths of a second.)
constexpr std::chrono::duration<double> kKeepingBudget{5};

/// Programs, and plans that passed (engine/first_use.h), which no run has used for this long are removed when one is
/// added.
constexpr std::chrono::hours kUnusedFor{90 * 24};

}  // namespace clconv
