// SPDX-License-Identifier: Apache-2.0
// A convolution and its adjoint, alternating, with the steps of Richardson-Lucy merged into their rows: what a
// convolution leaves in rows is changed there sample by sample, and goes into the next convolution at once. An
// iteration is four launches, and neither ratios nor factors are ever stored.
//
// Only for lines in local memory, whose rows are transformed where they are changed. All other plans take each
// convolution by itself (device_convolution.h, adjoint_convolution.h) with passes between them.
#pragma once

#include "opencl/scratch.h"
#include "passes/engine.h"
#include "passes/passes.h"
#include "plan/adjoint.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace clconv {

/// Whether the steps between the convolution by `plan` and its adjoint can be merged: its lines are in local memory,
/// all planes are in one launch, and the border neither folds nor divides.
[[nodiscard]] bool can_chain(const Plan& plan, const AdjointPlan& back);

/// The programs of a chain, besides those of both plans.
[[nodiscard]] Recipe step_recipe(const Plan& plan, const StepShape& shape, const DeviceTraits& traits);

class ConvolutionChain {
public:
    /// Of plans that can_chain(). `scratch`: for intermediates, as of DeviceConvolution; nothing else may use it from
    /// begin() on. Throws BuildError, DeviceError.
    ConvolutionChain(const PassContext& context, const AdjointPlan& back, const StepShape& shape);

    /// Enqueues the way of an estimate (`image.input`) to the first column pass.
    void begin(Launcher& launcher, const ImageBuffers& image);
    /// The columns of the convolution, and the step to ratios. Afterwards these are before the adjoint's columns.
    void to_ratios(Launcher& launcher, const PreparedPsf& psf, const RowStep& step);
    /// The columns of the adjoint, and the step to the next estimate. Afterwards that is before the convolution's
    /// columns.
    void to_estimate(Launcher& launcher, const PreparedPsf& psf, const RowStep& step);
    /// The columns of the adjoint, and its result to `image.output`. begin() must follow.
    void to_factors(Launcher& launcher, const PreparedPsf& psf, const ImageBuffers& image);

    /// Partial sums of a step to ratios.
    [[nodiscard]] std::size_t sums() const { return step_->groups(); }

private:
    [[nodiscard]] const cl::Buffer& spectra() { return scratch_->of(bytes_); }

    std::shared_ptr<Scratch> scratch_;
    std::uint64_t bytes_;
    std::unique_ptr<RowPass> rows_, back_rows_;
    std::unique_ptr<ColumnPass> columns_, back_columns_;
    std::unique_ptr<StepPass> step_;
};

}  // namespace clconv
