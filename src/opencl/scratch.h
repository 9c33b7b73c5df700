// SPDX-License-Identifier: Apache-2.0
// Device memory for intermediates that is used again.
//
// The commands of one queue run one after the other. So the convolutions of one queue need the memory of the largest
// intermediate among them, whatever their plans, and a plan of another size needs no new memory.
#pragma once

#include "opencl/api.h"
#include "opencl/device.h"

#include <cstdint>

namespace clconv {

class Scratch {
public:
    /// `device` must outlive it.
    explicit Scratch(Device& device) : device_(&device) {}

    /// A buffer of at least `bytes`, with any content: the same one again unless it is too small. Commands that were
    /// enqueued keep the buffer that they were given. Throws DeviceError.
    [[nodiscard]] const cl::Buffer& of(std::uint64_t bytes);

    /// Another one, for a convolution that needs two at once.
    [[nodiscard]] const cl::Buffer& second(std::uint64_t bytes);

    /// Bytes of both buffers.
    [[nodiscard]] std::uint64_t bytes() const { return first_.bytes + second_.bytes; }

    /// Frees the memory as soon as no command uses it.
    void clear();

private:
    struct Block {
        cl::Buffer buffer;
        std::uint64_t bytes = 0;
    };
    const cl::Buffer& grown_to(Block& block, std::uint64_t bytes);

    Device* device_;
    Block first_, second_;
};

}  // namespace clconv
