// SPDX-License-Identifier: Apache-2.0
// The mask of blends on a device. It keeps the part that results needed last.
#pragma once

#include "base/extent.h"
#include "conv/problem.h"
#include "engine/flights.h"
#include "opencl/device.h"
#include "passes/blending.h"

#include <memory>
#include <optional>

namespace clconv {

class UploadedMask {
public:
    /// `mask` may be null. The device must outlive this.
    UploadedMask(Device& device, std::shared_ptr<const Mask> mask) : device_(device), mask_(std::move(mask)) {}

    /// The mask of the results of a flight of `problem`. No buffer if there is no mask.
    [[nodiscard]] cl::Buffer of(const Flight& flight, const Problem& problem);

private:
    struct Part {
        Position first;
        Extent size;
        cl::Buffer values;
    };
    Device& device_;
    std::shared_ptr<const Mask> mask_;
    std::optional<Part> part_;
};

}  // namespace clconv
