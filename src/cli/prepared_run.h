// Everything a run needs, made and checked before any work starts. No device is touched.
#pragma once

#include "batch/image_steps.h"
#include "cli/resume.h"
#include "cli/run_options.h"
#include "engine/convolver.h"
#include "files/item.h"
#include "report/events.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace clconv {

struct PreparedRun {
    ImageWork work;
    bool copies = false;  ///< --method none: no device
    FileSettings files;
    std::uint64_t device_memory = 0;            ///< bytes of each device
    std::optional<std::uint64_t> memory_limit;  ///< bytes
    RunShard shard;
    std::vector<Item> items;  ///< of this shard
    std::optional<RunManifest> manifest;
};

/// Checks in this order: usage, inputs, outputs. Nothing is written. Lists of inputs are waited for until `stop` is
/// not 0. Throws InvalidProblem, InputError, NoInput or OutputExists.
[[nodiscard]] PreparedRun prepare_run(const RunOptions& options, const std::atomic<int>& stop, Sink& sink);

}  // namespace clconv
