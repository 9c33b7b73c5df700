// Host memory as a device likes it best.
#pragma once

#include "base/block_pool.h"
#include "opencl/device.h"

#include <memory>

namespace clconv {

/// Ordinary memory, in huge pages where the system has them. Throws std::bad_alloc.
[[nodiscard]] Bytes huge_pages(std::size_t size);

/// Pins blocks so that `device`, a GPU, copies from and to them at the full speed of its bus.
///
/// The blocks stay the host's: a buffer that no command uses lies over each of them (CL_MEM_USE_HOST_PTR), which is
/// what makes drivers pin its pages. Pages that a driver allocates itself (CL_MEM_ALLOC_HOST_PTR) are small ones, take
/// ten times as long, and memory of the device as well.
[[nodiscard]] Pin pin_for(std::shared_ptr<Device> device);

}  // namespace clconv
