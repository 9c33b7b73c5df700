// SPDX-License-Identifier: Apache-2.0
// Host memory that a device can copy fast.
#pragma once

#include "base/block_pool.h"
#include "opencl/device.h"

#include <memory>

namespace clconv {

/// Ordinary memory, in huge pages if the system has them. Throws std::bad_alloc.
[[nodiscard]] Bytes huge_pages(std::size_t size);

/// Pins blocks so that `device`, a GPU, copies from and to them at the full speed of its bus.
///
/// The blocks remain host memory. A buffer that no command uses covers each of them (CL_MEM_USE_HOST_PTR), which makes
/// drivers pin their pages. Pages that a driver allocates itself (CL_MEM_ALLOC_HOST_PTR) are small, take ten times as
/// long, and also take memory of the device. docs/decisions/025-reading-ahead-and-pinned-blocks.md
[[nodiscard]] Pin pin_for(std::shared_ptr<Device> device);

}  // namespace clconv
