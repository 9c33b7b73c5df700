// --no-cache, and the folder of files that one run keeps for the next.
#pragma once

#include "base/cache_folder.h"
#include "opencl/device.h"
#include "report/events.h"

#include "cli/option_list.h"

namespace clconv {

/// `no_cache` receives the flag.
void add_cache_option(OptionList& list, bool& no_cache);

/// The user's cache folder, or none.
[[nodiscard]] CacheFolder cache_folder(bool no_cache);

/// The cache of a device. Logs at debug level what is built, loaded and kept. `sink` must outlive the device.
[[nodiscard]] ProgramCache program_cache(bool no_cache, Sink& sink);

/// Reports to `sink` when a driver has been compiling for ten seconds, and again each time that this time has doubled.
[[nodiscard]] SlowDriver told_when_slow(Sink& sink);

/// The time that the end of a run may take to keep programs. (One program of a CPU takes some tenths of a second.)
constexpr std::chrono::duration<double> kKeepingBudget{5};

}  // namespace clconv
