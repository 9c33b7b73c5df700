// SPDX-License-Identifier: Apache-2.0
// A worker without a device, for batches in which nothing is convolved.
#pragma once

#include "batch/image_work.h"
#include "batch/image_worker.h"

#include <memory>

namespace clconv {

/// Returns every image unchanged, to measure the cost of reading and writing alone. `work` must outlive it.
[[nodiscard]] std::shared_ptr<ImageWorker> copying_worker(const ImageWork& work, const BlockPool& memory,
                                                          const Streaming& streaming = {});

}  // namespace clconv
