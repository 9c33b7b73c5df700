// SPDX-License-Identifier: Apache-2.0
// Everything a run needs, as values that were checked before any work starts.
#pragma once

#include "base/cache_folder.h"
#include "batch/image_steps.h"
#include "files/item.h"
#include "files/manifest.h"
#include "report/events.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// The manifest that a run writes, and the common part of its lines.
struct RunManifest {
    std::filesystem::path file;
    ManifestContext context;
};

struct PreparedRun {
    ImageWork work;
    bool copies = false;  ///< --method none: no device
    FileSettings files;
    std::vector<std::string> devices;           ///< as --device names them; empty: the best one
    std::uint64_t device_memory = 0;            ///< bytes of each device
    bool times_every_launch = false;            ///< for a trace, in which each launch has its place
    std::optional<std::uint64_t> memory_limit;  ///< bytes
    CacheFolder caches;                         ///< what earlier runs kept; none if it has no path
    int jobs = 1;                               ///< files that are read and written at a time
    bool fail_fast = false;
    RunShard shard;
    std::vector<Item> items;  ///< of this shard
    std::optional<RunManifest> manifest;
};

}  // namespace clconv
