// SPDX-License-Identifier: Apache-2.0
// Transforms of single complex lines without a convolution, for tests and the self-test.
#pragma once

#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "plan/plan.h"

#include <complex>
#include <vector>

namespace clconv {

class LineTransform {
public:
    using Lines = std::vector<std::complex<float>>;  ///< [line][length]

    /// Lines have the product of plan.radices as length, and plan.residence. plan.lines is not used: a work-group has
    /// one line.
    LineTransform(Device& device, KernelSource kernels, LinePlan plan);

    /// X[k] = sum over n of x[n] exp(-2 pi i n k / N) of each line. Throws BuildError, DeviceError.
    [[nodiscard]] Lines forward(const Lines& lines);
    /// The inverse transform (exponent +2 pi i), not scaled. If the residence is local, the stages run in reversed
    /// order.
    [[nodiscard]] Lines back(const Lines& lines);

private:
    [[nodiscard]] Lines run_local(const Lines& lines, const char* kernel);
    [[nodiscard]] Lines run_global(const Lines& lines);

    Device& device_;
    KernelSource kernels_;
    LinePlan plan_;
    int length_;
};

}  // namespace clconv
