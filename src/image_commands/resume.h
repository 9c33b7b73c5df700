// SPDX-License-Identifier: Apache-2.0
// What happens to existing outputs, and which manifest proves what is done: --overwrite, --skip-existing, --resume,
// --manifest.
#pragma once

#include "batch/prepared_run.h"
#include "files/item.h"
#include "image_options/run_options.h"
#include "report/events.h"

#include <atomic>
#include <optional>
#include <vector>

namespace clconv {

/// The manifest of the run; nothing if no option requests one. Reads the PSFs' files; throws InputError.
[[nodiscard]] std::optional<RunManifest> run_manifest(const RunOptions& options, const RunShard& shard);

/// Marks the items to skip. With --resume, a manifest proves what is done, and other existing outputs are replaced. If
/// there is no manifest yet, --resume changes nothing. Once `stop` is not 0, no more files are compared with it. Throws
/// OutputExists, InvalidProblem, InputError.
void settle_outputs(std::vector<Item>& items, const std::optional<RunManifest>& manifest, const RunOptions& options,
                    const std::atomic<int>& stop, Sink& sink);

}  // namespace clconv
