// SPDX-License-Identifier: Apache-2.0
// An OpenCL device that works on a batch.
#pragma once

#include "batch/image_work.h"
#include "batch/image_worker.h"
#include "opencl/device.h"

#include <memory>

namespace clconv {

/// Convolves on `device`. Results are in blocks of `memory`, and images may be too. `work` must outlive it. Images
/// without samples are read and written by bands, or read whole if the output's format cannot be written by bands.
[[nodiscard]] std::shared_ptr<ImageWorker> device_worker(std::shared_ptr<Device> device, const ImageWork& work,
                                                         const BlockPool& memory, const Streaming& streaming = {});

}  // namespace clconv
