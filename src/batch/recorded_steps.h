// A batch that keeps a manifest: the record of an item is written when its output is.
#pragma once

#include "batch/pipeline.h"
#include "files/manifest.h"

#include <functional>

namespace clconv {

/// `steps` that give a record of every item they have written to `append`, which is called by several threads.
/// `context` must outlive them.
[[nodiscard]] Steps recorded_steps(const Steps& steps, const ManifestContext& context,
                                   std::function<void(const ManifestRecord&)> append);

}  // namespace clconv
