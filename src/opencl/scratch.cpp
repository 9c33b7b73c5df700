// SPDX-License-Identifier: Apache-2.0
#include "opencl/scratch.h"

#include "opencl/buffers.h"

#include <algorithm>

namespace clconv {
namespace {

/// The size of a buffer of `present` bytes that must grow to `wanted`. It grows by at least an eighth, so that images
/// that become larger one by one do not each need a new buffer.
std::uint64_t grown(std::uint64_t present, std::uint64_t wanted, std::uint64_t maximum)
{
    return std::max(wanted, std::min(present + present / 8, maximum));
}

}  // namespace

const cl::Buffer& Scratch::of(std::uint64_t bytes) { return grown_to(first_, bytes); }

const cl::Buffer& Scratch::second(std::uint64_t bytes) { return grown_to(second_, bytes); }

const cl::Buffer& Scratch::grown_to(Block& block, std::uint64_t bytes)
{
    if (block.buffer() && bytes <= block.bytes) return block.buffer;
    const std::uint64_t maximum = device_->info().traits.max_allocation;
    const std::uint64_t size = bytes_for_free(*device_, grown(block.bytes, bytes, maximum));
    block = {};  // before the new one is made, so that not both take memory
    block.buffer = allocate(*device_, size);
    block.bytes = size;
    return block.buffer;
}

void Scratch::clear() { first_ = second_ = {}; }

}  // namespace clconv
