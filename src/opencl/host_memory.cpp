// SPDX-License-Identifier: Apache-2.0
#include "opencl/host_memory.h"

#include "base/ceil_div.h"
#include "opencl/handles.h"

#include <sys/mman.h>
#include <cstdlib>
#include <new>

namespace clconv {
namespace {

/// The kernel clears a huge page at once: 24 MB take a tenth of the time of 6000 small pages.
constexpr std::size_t kHugePage = std::size_t{2} << 20U;

}  // namespace

Bytes huge_pages(std::size_t size)
{
    if (size < 2 * kHugePage) return Bytes(size);
    const std::size_t rounded = rounded_up(size, kHugePage);
    void* const block = std::aligned_alloc(kHugePage, rounded);
    if (!block) throw std::bad_alloc();
    // This is only advice: small pages work too.
    static_cast<void>(::madvise(block, size, MADV_HUGEPAGE));
    return {static_cast<std::byte*>(block), size, [](std::byte* data) { std::free(data); }};
}

Pin pin_for(std::shared_ptr<Device> device)
{
    return [device = std::move(device)](std::byte* data, std::size_t size) -> std::shared_ptr<void> {
        try {
            return std::make_shared<cl::Buffer>(device->handles().context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                                size, data);
        } catch (const cl::Error&) {  // no more memory can be pinned, or the device is lost
            return nullptr;
        }
    };
}

}  // namespace clconv
