// SPDX-License-Identifier: Apache-2.0
#include "opencl/guard_bands.h"

#include "opencl/handles.h"

#include <algorithm>

namespace clconv {
namespace {

/// A pattern that no kernel is likely to write: neither zeros nor a float near one.
std::vector<std::uint8_t> band_bytes()
{
    std::vector<std::uint8_t> bytes(GuardBands::kBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(0xa5u ^ (i * 7));
    return bytes;
}

}  // namespace

GuardBands::Watch::Watch(GuardBands& bands) : bands_(bands)
{
    Device::Handles& handles = bands_.device_.handles();
    const std::lock_guard lock(handles.guards_mutex);
    handles.guards[std::this_thread::get_id()] = &bands_;
}

GuardBands::Watch::~Watch()
{
    Device::Handles& handles = bands_.device_.handles();
    const std::lock_guard lock(handles.guards_mutex);
    handles.guards.erase(std::this_thread::get_id());
}

void GuardBands::write(const Band& band) const
{
    device_.handles().queue.enqueueWriteBuffer(band.buffer, CL_TRUE, band.begin, kBytes, band_bytes().data());
}

cl::Buffer GuardBands::guarded(std::uint64_t bytes)
{
    const Band band{{device_.handles().context, CL_MEM_READ_WRITE, bytes + kBytes}, bytes};
    write(band);
    return bands_.emplace_back(band).buffer;
}

std::uint64_t GuardBands::buffer_bytes() const
{
    std::uint64_t sum = 0;
    for (const Band& band : bands_) sum += band.begin;
    return sum;
}

void GuardBands::renew()
{
    for (const Band& band : bands_) write(band);
}

bool GuardBands::intact() const
{
    const cl::CommandQueue& queue = device_.handles().queue;
    const std::vector<std::uint8_t> written = band_bytes();
    std::vector<std::uint8_t> found(kBytes);
    return std::all_of(bands_.begin(), bands_.end(), [&](const Band& band) {
        queue.enqueueReadBuffer(band.buffer, CL_TRUE, band.begin, kBytes, found.data());
        return found == written;
    });
}

}  // namespace clconv
