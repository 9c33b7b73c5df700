#include "report/option_effects.h"

#include <algorithm>
#include <array>

namespace clconv {

namespace {

constexpr auto kSamePixels = std::to_array<std::string_view>({
    // which files, and where they go: the list of items
    "INPUT",
    "--files-from",
    "--frames",
    "--recursive",
    "--include",
    "--exclude",
    "--output",
    "--name",
    "--shard",
    // what may differ between machines
    "--device",
    "--jobs",
    "--memory-limit",
    "--device-memory",
    "--tuning",
    "--no-cache",
    "--no-verify",
    // what happens around the work
    "--overwrite",
    "--skip-existing",
    "--resume",
    "--manifest",
    "--dry-run",
    "--fail-fast",
    "--timeout",
    "--max-pixels",
    "--report",
    "--events",
    "--trace",
    "--progress",
    "--verbose",
    "--quiet",
    "--log-level",
    "--log-file",
});

}  // namespace

bool changes_pixels(std::string_view option) { return std::ranges::find(kSamePixels, option) == kSamePixels.end(); }

}  // namespace clconv
