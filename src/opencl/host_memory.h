// Host memory as a device likes it best.
#pragma once

#include "base/block_pool.h"
#include "opencl/device.h"

#include <memory>

namespace clconv {

/// Makes blocks that `device` copies from and to at the full speed of its bus: pinned pages. A CPU device works in the
/// blocks themselves: ordinary memory, in huge pages where the system has them. Falls back to ordinary memory where the
/// driver pins no more.
[[nodiscard]] Allocate host_memory_for(std::shared_ptr<Device> device);

}  // namespace clconv
