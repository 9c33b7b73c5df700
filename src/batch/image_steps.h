// The real steps of the pipeline: image files in, devices, image files out.
#pragma once

#include "batch/device_worker.h"
#include "batch/pipeline.h"

#include <memory>
#include <optional>
#include <vector>

namespace clconv {

struct FileSettings {
    /// Bytes of an image and its result from which on they are read, convolved and written by bands, if their formats
    /// can be; and what is held of them then.
    std::uint64_t image_memory = kNoLimit;
};

/// Steps without workers. Samples that are not finite are treated as work.nonfinite says, and told of. Inputs lie in
/// memory from `host_memory`. `work` and `sink` must outlive the steps.
[[nodiscard]] Steps image_steps(const ImageWork& work, const FileSettings& settings, Allocate host_memory, Sink& sink);

}  // namespace clconv
