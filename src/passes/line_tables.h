// SPDX-License-Identifier: Apache-2.0
// Tables of lines in device memory, which plans with the same lines share.
#pragma once

#include "conv/precision.h"
#include "fft/radix.h"
#include "opencl/api.h"
#include "opencl/device.h"

#include <functional>
#include <span>
#include <string_view>

namespace clconv {

/// What a table depends on.
struct LineTable {
    std::string_view kind;  ///< a name for each way of computing it
    std::span<const int> radices;
    Butterflies butterflies = Butterflies::embedded;
    Precision precision = Precision::float32;
};

/// The table, which `make` uploads unless a plan has it already. Kernels only read it. Throws DeviceError.
[[nodiscard]] cl::Buffer line_table(Device& device, const LineTable& table, const std::function<cl::Buffer()>& make);

/// lane_forward_twiddles() and lane_back_twiddles() (fft/lane_line.h).
[[nodiscard]] cl::Buffer lane_forward_table(Device& device, std::span<const int> radices, Butterflies butterflies,
                                            Precision precision);
[[nodiscard]] cl::Buffer lane_back_table(Device& device, std::span<const int> radices, Butterflies butterflies,
                                         Precision precision);

}  // namespace clconv
