// --no-cache, and the folder of what one run keeps for the next.
#pragma once

#include "base/cache_folder.h"
#include "opencl/device.h"
#include "report/events.h"

#include "cli/option_list.h"

namespace clconv {

/// `no_cache`: where the flag goes.
void add_cache_option(OptionList& list, bool& no_cache);

/// The user's folder, or nowhere.
[[nodiscard]] CacheFolder cache_folder(bool no_cache);

/// For a device; what is built, loaded and kept is told at debug level. `sink` must outlive the device.
[[nodiscard]] ProgramCache program_cache(bool no_cache, Sink& sink);

/// Tells `sink` what a driver has been compiling for ten seconds, and again each time that it has taken twice as long.
[[nodiscard]] SlowDriver told_when_slow(Sink& sink);

/// How long the end of a run may take to keep programs. (One program of a CPU takes some tenths of a second.)
constexpr std::chrono::duration<double> kKeepingBudget{5};

}  // namespace clconv
