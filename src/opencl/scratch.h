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

    /// Bytes of the buffer.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    /// Frees the memory as soon as no command uses it.
    void clear();

private:
    Device* device_;
    cl::Buffer buffer_;
    std::uint64_t bytes_ = 0;
};

}  // namespace clconv
