#include "opencl/host_memory.h"

#include "opencl/handles.h"

#include <sys/mman.h>
#include <cstdlib>
#include <new>

namespace clconv {
namespace {

/// The kernel fills a huge page in one go: 24 MB take a tenth of the time that 6000 small pages take.
constexpr std::size_t kHugePage = std::size_t{2} << 20U;

Bytes pinned(const std::shared_ptr<Device>& device, std::size_t size)
{
    try {
        const Device::Handles& handles = device->handles();
        const cl::Buffer buffer(handles.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size);
        void* const data = handles.queue.enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size);
        return {static_cast<std::byte*>(data), size, [device, buffer](std::byte* mapped) {
                    try {
                        device->handles().queue.enqueueUnmapMemObject(buffer, mapped);
                        device->handles().queue.finish();
                    } catch (const cl::Error&) {  // a lost device: its memory is gone with it
                    }
                }};
    } catch (const cl::Error&) {
        return Bytes(size);
    }
}

}  // namespace

Bytes huge_pages(std::size_t size)
{
    if (size < 2 * kHugePage) return Bytes(size);
    const std::size_t rounded = (size + kHugePage - 1) / kHugePage * kHugePage;
    void* const block = std::aligned_alloc(kHugePage, rounded);
    if (!block) throw std::bad_alloc();
    // Only advice: small pages do as well.
    static_cast<void>(::madvise(block, size, MADV_HUGEPAGE));
    return {static_cast<std::byte*>(block), size, [](std::byte* data) { std::free(data); }};
}

Allocate host_memory_for(std::shared_ptr<Device> device)
{
    if (device->info().traits.is_cpu) return huge_pages;
    return [device = std::move(device)](std::size_t size) { return pinned(device, size); };
}

}  // namespace clconv
