// A batch that keeps a manifest: the record of an item is written after its output.
#pragma once

#include "batch/pipeline.h"
#include "files/manifest.h"

#include <functional>

namespace clconv {

/// `steps` that also call `append`, from several threads, with a record of every item that they have written. `context`
/// must outlive them.
[[nodiscard]] Steps recorded_steps(const Steps& steps, const ManifestContext& context,
                                   std::function<void(const ManifestRecord&)> append);

}  // namespace clconv
