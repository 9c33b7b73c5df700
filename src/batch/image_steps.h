// SPDX-License-Identifier: Apache-2.0
// The real steps of the pipeline: image files in, devices, image files out.
#pragma once

#include "batch/image_work.h"
#include "batch/pipeline.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace clconv {

struct FileSettings {
    /// If an image and its result take more bytes than this, the image is read, convolved and written by bands (if the
    /// formats allow it), which then take at most this many bytes.
    std::uint64_t image_memory = kNoLimit;
};

/// Bytes of an image with an output of its own up to which it is decoded whole. One that is not written by rows is,
/// however large it is.
[[nodiscard]] std::uint64_t max_decoded_bytes(const std::filesystem::path& output, std::uint64_t image_memory);

/// Steps without workers. Samples that are not finite are treated as work.nonfinite says, and reported. Inputs are in
/// memory from `host_memory`. `work` and `sink` must outlive the steps.
[[nodiscard]] Steps image_steps(const ImageWork& work, const FileSettings& settings, Allocate host_memory, Sink& sink);

}  // namespace clconv
