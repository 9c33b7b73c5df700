// Host memory as a device likes it best.
#pragma once

#include "base/block_pool.h"
#include "opencl/device.h"

#include <memory>

namespace clconv {

/// Ordinary memory, in huge pages where the system has them. Throws std::bad_alloc.
[[nodiscard]] Bytes huge_pages(std::size_t size);

/// Makes blocks that `device` copies from and to at the full speed of its bus: pinned pages. A CPU device works in the
/// blocks themselves: huge_pages(). Falls back to ordinary memory where the driver pins no more.
[[nodiscard]] Allocate host_memory_for(std::shared_ptr<Device> device);

}  // namespace clconv
