// SPDX-License-Identifier: Apache-2.0
// The adjoint of a convolution on a device (plan/adjoint.h): from a buffer of results to a buffer of an image.
//
// Iterative methods need both: the convolution makes the data that an estimate would give, and its adjoint brings the
// ratio, or the difference, to the measured data back. It never reads samples on the host, and never waits.
#pragma once

#include "opencl/kernel.h"
#include "opencl/recipe.h"
#include "passes/device_convolution.h"
#include "plan/adjoint.h"

#include <optional>

namespace clconv {

/// The program of kernels/adjoint.cl.
[[nodiscard]] Recipe adjoint_recipe(Precision precision);

class AdjointConvolution {
public:
    /// Of the convolution by `plan`. `scratch`: for intermediates, as of DeviceConvolution. Throws as adjoint_of(),
    /// BuildError, DeviceError.
    AdjointConvolution(Device& device, const KernelSource& kernels, const Plan& plan,
                       std::shared_ptr<Scratch> scratch = nullptr);

    [[nodiscard]] const AdjointPlan& plan() const { return plan_; }

    /// Whether the adjoint's transfer is that of the convolution, in the same memory.
    [[nodiscard]] bool shares_transfer() const { return plan_.plan.is_fft(); }
    /// The adjoint's transfer. `prepared`: that of the convolution with `psf`.
    [[nodiscard]] PreparedPsf prepare(Launcher& launcher, const Psf& psf, const PreparedPsf& prepared);

    /// Enqueues the way from `results` to `image`, both interleaved floats and different buffers. `transfer`: from
    /// prepare(). All buffers are in use until it has finished.
    void convolve(Launcher& launcher, const cl::Buffer& results, const cl::Buffer& image, const PreparedPsf& transfer);

private:
    /// The positions of an axis, sorted by the sample that they are added to.
    struct FoldedAxis {
        FoldedAxis() = default;
        FoldedAxis(Device& device, const std::vector<int>& sources, int count);
        cl_uint count = 0, extended = 0;
        cl::Buffer first, positions;
    };
    void fold(Launcher& launcher, const cl::Buffer& image);

    AdjointPlan plan_;
    Problem problem_;  ///< of the convolution
    DeviceConvolution back_;
    Kernel divide_, fold_;
    FoldedAxis x_, y_;
    cl::Buffer divided_;            ///< renormalize: results over the coverage
    cl::Buffer extended_, folded_;  ///< before folding, and after folding rows
    std::optional<ImageBuffers> buffers_;
};

}  // namespace clconv
