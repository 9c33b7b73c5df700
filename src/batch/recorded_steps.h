// SPDX-License-Identifier: Apache-2.0
// A batch that keeps a manifest: the record of an item is written after its output.
#pragma once

#include "batch/pipeline.h"
#include "files/manifest.h"

#include <functional>

namespace clconv {

/// Returns `steps` that also call `append` with a record of every item after it is written. `append` is called from
/// several threads. `context` must outlive the steps.
[[nodiscard]] Steps recorded_steps(const Steps& steps, const ManifestContext& context,
                                   std::function<void(const ManifestRecord&)> append);

}  // namespace clconv
