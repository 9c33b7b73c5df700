// SPDX-License-Identifier: Apache-2.0
// The stages of many lines through global memory, ping-pong between two buffers.
//
// There is only a forward transform: the inverse is a forward transform of swapped parts, and Stockham's order needs no
// reversal.
#pragma once

#include "opencl/kernel_source.h"
#include "passes/launcher.h"
#include "plan/plan.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace clconv {

class GlobalLines {
public:
    /// Programs, tables and memory for at most `lines` lines of the plan's length. Throws BuildError, DeviceError.
    GlobalLines(Device& device, const KernelSource& kernels, const LinePlan& plan, std::uint64_t lines,
                Precision precision = Precision::float32);

    /// The lines, [line][length] complex: the input of transform() before the call, its output afterwards.
    [[nodiscard]] const cl::Buffer& lines() const { return buffers_[now_]; }

    /// One launch a stage over the first `lines` lines.
    void transform(Launcher& launcher, const std::string& pass, std::size_t lines);

private:
    std::vector<int> radices_;
    std::vector<int> strides_;
    int length_ = 0;
    std::map<int, Kernel> kernels_;     ///< by radix
    std::vector<cl::Buffer> twiddles_;  ///< by stage
    cl::Buffer buffers_[2];
    int now_ = 0;
};

}  // namespace clconv
