// SPDX-License-Identifier: Apache-2.0
#include "passes/convolution_chain.h"

namespace clconv {

bool can_chain(const Plan& plan, const AdjointPlan& back)
{
    const BorderMode& border = mode_of(plan.problem.border);
    // The rows between two convolutions neither add a border's own value nor subtract it.
    if (!plan.is_fft() || back.folds() || border.divides_by_coverage || border.has_own_value()) return false;
    const FftPlan& fft = plan.fft();
    return !fft.goes_global() && !fft.joint() && fft.planes == fft.planes_of(plan.problem.channels) &&
           !fft.x.extended() && !fft.y.extended();
}

Recipe step_recipe(const Plan& plan, const StepShape& shape, const DeviceTraits& traits)
{
    return plan.fft().by_lanes() ? lane_step_recipe(plan, shape) : local_step_recipe(plan, shape, traits);
}

ConvolutionChain::ConvolutionChain(const PassContext& context, const AdjointPlan& back, const StepShape& shape)
    : scratch_(context.scratch), bytes_(context.plan.fft().spectra_bytes(context.plan.problem.precision))
{
    const PassContext of_back{context.device, context.kernels, back.plan};
    const bool by_lanes = context.plan.fft().by_lanes();
    const auto make_rows = by_lanes ? make_lane_rows : make_local_rows;
    const auto make_columns = by_lanes ? make_lane_columns : make_local_columns;
    rows_ = make_rows(context);
    back_rows_ = make_rows(of_back);
    columns_ = make_columns(context);
    back_columns_ = make_columns(of_back);
    step_ = (by_lanes ? make_lane_step : make_local_step)(context, back.plan, shape);
}

void ConvolutionChain::begin(Launcher& launcher, const ImageBuffers& image)
{
    rows_->forward(launcher, image, spectra(), 0);
}

void ConvolutionChain::to_ratios(Launcher& launcher, const PreparedPsf& psf, const RowStep& step)
{
    columns_->convolve(launcher, spectra(), spectra(), psf.transfer, {});
    step_->to_ratios(launcher, spectra(), step);
}

void ConvolutionChain::to_estimate(Launcher& launcher, const PreparedPsf& psf, const RowStep& step)
{
    back_columns_->convolve(launcher, spectra(), spectra(), psf.transfer, {});
    step_->to_estimate(launcher, spectra(), step);
}

void ConvolutionChain::to_factors(Launcher& launcher, const PreparedPsf& psf, const ImageBuffers& image)
{
    back_columns_->convolve(launcher, spectra(), spectra(), psf.transfer, {});
    back_rows_->inverse(launcher, spectra(), image, 0);
}

}  // namespace clconv
