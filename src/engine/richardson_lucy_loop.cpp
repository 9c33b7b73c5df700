// SPDX-License-Identifier: Apache-2.0
#include "engine/richardson_lucy_loop.h"

#include <algorithm>
#include <iterator>

namespace clconv {
namespace {

/// Where the shares of the estimate are equal: there the whole PSF reaches data, wherever its origin is, and these have
/// no weights.
Region even_shares(const Problem& estimate, const RichardsonLucy& how)
{
    if (how.weights) return {};
    const Extent beside{estimate.psf.width - 1, estimate.psf.height - 1};
    const Extent even{estimate.image.width - 2 * beside.width, estimate.image.height - 2 * beside.height};
    if (even.width <= 0 || even.height <= 0) return {};
    return {{beside.width, beside.height}, even};
}

}  // namespace

RichardsonLucyLoop::RichardsonLucyLoop(Device& device, const KernelSource& kernels, const Plan& plan,
                                       const Problem& samples, const EstimateProblem& estimate,
                                       const RichardsonLucy& how, const std::shared_ptr<Scratch>& scratch)
    : how_(how),
      adjoint_(device, kernels, plan, scratch),
      passes_(device, kernels, samples, estimate, how, iteration_kernels(how, can_chain(plan, adjoint_.plan()))),
      even_(even_shares(estimate.problem, how))
{
    if (can_chain(plan, adjoint_.plan()))
        chain_.emplace(PassContext{device, kernels, plan, false, scratch}, adjoint_.plan(), step_shape(how));
}

void RichardsonLucyLoop::begin(DeviceConvolution& convolution, const RichardsonLucyPlanes& planes,
                               const PreparedPsf& transfer, const std::vector<double>& outside)
{
    if (!forward_ || outside_ != outside || sums_ != transfer.sums) {
        outside_ = outside;
        sums_ = transfer.sums;
        forward_ = convolution.between(planes.estimate, planes.ratio, transfer, {outside});
    }
    forward_->input = planes.estimate;
    forward_->output = planes.ratio;
    forward_->weight = transfer.weight;
}

void RichardsonLucyLoop::to_ratios(Launcher& launcher, DeviceConvolution& convolution, const Transfers& transfers,
                                   const RichardsonLucyPlanes& planes, const Iteration& iteration)
{
    const std::size_t first = sums() * static_cast<std::size_t>(iteration.number);
    if (!chain_) {
        convolve(launcher, convolution, transfers.there);
        passes_.ratio(launcher, {planes.ratio, planes.data, planes.known, planes.sums, planes.numbers,
                                 iteration.background, first});
        return;
    }
    launcher.after(transfers.there.ready);
    if (iteration.number == 0 || !merges_updates()) chain_->begin(launcher, *forward_);
    chain_->to_ratios(launcher, transfers.there,
                      {.samples = planes.data,
                       .weights = planes.known,
                       .before = planes.share,
                       .partial = planes.sums,
                       .numbers = planes.numbers,
                       .restore = forward_->restore,
                       .background = iteration.background,
                       .first = first});
}

void RichardsonLucyLoop::to_estimate(Launcher& launcher, const Transfers& transfers, const RichardsonLucyPlanes& planes,
                                     const Iteration& iteration)
{
    const bool is_smoothed = how_.total_variation > 0;
    const auto smooth = [&](const cl::Buffer& from, const RichardsonLucyPasses::RunsAhead& estimate) {
        if (is_smoothed)
            passes_.smooth(launcher, {from, planes.factor, estimate, planes.numbers, how_.total_variation});
    };
    if (!merges_updates()) {
        to_factors(launcher, transfers, planes);
        smooth(planes.factor, {planes.estimate, planes.estimate, 0});
        return update(launcher, planes, iteration);
    }
    const bool runs_ahead = takes_turns();
    const double past_momentum = runs_ahead && iteration.number > 0 ? momentum_after(iteration.number) : 0;
    const cl::Buffer& own = estimate_after(iteration.number, planes);
    const cl::Buffer& other = runs_ahead ? estimate_after(iteration.number + 1, planes) : planes.data;
    smooth(planes.share, {own, runs_ahead ? other : own, past_momentum});
    chain_->to_estimate(launcher, transfers.back,
                        {.samples = own,
                         .weights = is_smoothed ? planes.factor : planes.share,
                         .before = other,
                         .partial = planes.sums,
                         .numbers = planes.numbers,
                         .restore = forward_->restore,
                         .even = is_smoothed ? Region{} : even_,
                         .runs_ahead = runs_ahead,
                         .past_momentum = past_momentum,
                         .momentum = iteration.is_last ? 0 : momentum_after(iteration.number + 1)});
}

void RichardsonLucyLoop::to_factors(Launcher& launcher, const Transfers& transfers, const RichardsonLucyPlanes& planes)
{
    if (!chain_) return adjoint_.convolve(launcher, planes.ratio, planes.factor, transfers.back);
    ImageBuffers image = *forward_;
    image.output = planes.factor;
    chain_->to_factors(launcher, transfers.back, image);
}

void RichardsonLucyLoop::update(Launcher& launcher, const RichardsonLucyPlanes& planes, const Iteration& iteration)
{
    const RichardsonLucyPasses::Ahead ahead{planes.estimate, planes.improved, planes.factor, planes.share};
    switch (how_.acceleration) {
        case Acceleration::none: return passes_.update(launcher, planes.estimate, planes.factor, planes.share);
        case Acceleration::momentum:
            return passes_.update_ahead(launcher, ahead, iteration.is_last ? 0 : momentum_after(iteration.number + 1));
        case Acceleration::biggs_andrews: break;
    }
    passes_.update_ahead(
        launcher, {ahead, planes.change, planes.partial, planes.numbers, iteration.number == 0, iteration.is_last});
}

std::vector<Recipe> richardson_lucy_recipes(const Plan& plan, const Problem& samples, const RichardsonLucy& how,
                                            const DeviceTraits& traits)
{
    const AdjointPlan back = adjoint_of(plan, traits);
    const bool is_chained = can_chain(plan, back);
    std::vector<Recipe> all{richardson_lucy_recipe(samples, how, iteration_kernels(how, is_chained), traits)};
    std::ranges::move(recipes_of(back.plan, traits), std::back_inserter(all));
    if (is_chained) all.push_back(step_recipe(plan, step_shape(how), traits));
    return all;
}

}  // namespace clconv
