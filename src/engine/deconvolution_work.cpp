// SPDX-License-Identifier: Apache-2.0
#include "engine/deconvolution_work.h"

#include "base/errors.h"
#include "engine/cut_samples.h"
#include "engine/image_statistics.h"
#include "engine/plain_work.h"
#include "fft/factorize.h"
#include "fft/radix.h"
#include "passes/transfer_operators.h"

#include <fmt/format.h>

#include <utility>

namespace clconv {
namespace {

Problem inverse_problem(Problem whole)
{
    whole.support = KernelSupport::infinite;
    whole.counts_clamped = is_integer(whole.output);  // an inverse overshoots at edges
    return whole;
}

Psf laplacian(int channels)
{
    Psf psf{"Laplacian", {3, 3}, channels, {1, 1}, {}};
    for (int c = 0; c < channels; ++c) psf.weights.insert(psf.weights.end(), {0, -1, 0, -1, 4, -1, 0, -1, 0});
    return psf;
}

std::string in_words(const DirectDeconvolution& how)
{
    return fmt::format("{} inverse of the PSF, {} {}", name_of(how.method),
                       how.method == DirectMethod::wiener ? "noise to signal" : "lambda", how.strength);
}

/// The longest side up to `side` that is a product of radices.
int circular_side(int side)
{
    const RadixRules any{.cost = [](int /*radix*/) { return 1.0; }};
    while (!factorize(side, any)) --side;
    return side;
}

class DeconvolutionTask final : public PlainTask {
public:
    DeconvolutionTask(const WorkContext& context, const Job& job, const DirectDeconvolution& how)
        : PlainTask(context, job), how_(how)
    {
    }

    [[nodiscard]] PreparedPlan::Transfer transfer(PreparedPlan& plan) override
    {
        plan_ = &plan;
        PreparedPsf psf, regular;
        const auto make = [&](Launcher& launcher, DeviceConvolution& convolution) {
            TransferOperators operators(context().device, context().kernels, plan.plan());
            psf = convolution.prepare(launcher, job().psf.fitted);
            if (how_.method == DirectMethod::wiener)
                return operators.regularised_inverse(launcher, psf, how_.strength, 0, psf);
            regular = convolution.prepare(launcher, laplacian(job().psf.fitted.channels));
            return operators.regularised_inverse(launcher, psf, 0, how_.strength, regular);
        };
        PreparedPlan::Transfer made = plan.transfer(job().psf, in_words(how_), make);
        if (made.preparing) made.psf.ready.wait();  // psf and regular are in use until then
        return made;
    }

    /// An inverse has no direct sums. So the plan convolves the image once with the PSF itself, which has.
    [[nodiscard]] PlanCheck::Finding compare(PlanCheck& check, const Flight& flight) override
    {
        Flight trial;
        trial.plan = plan_;
        trial.slot = flight.slot;
        trial.launcher = std::make_unique<Launcher>(context().device, plan_->route_of(trial.slot));
        PreparedPlan::Transfer plain = plan_->psf(job().psf);
        trial.preparing = std::move(plain.preparing);
        PlainTask::enqueue(trial, *plan_, plain.psf, false);
        trial.settle();
        return PlainTask::compare(check, trial);
    }

    void enqueue(Flight& flight, PreparedPlan& plan, const PreparedPsf& transfer, bool is_checked) override
    {
        PlainTask::enqueue(flight, plan, transfer, is_checked);
        if (how_.is_cut && job().problem.output == SampleType::float32)
            flight.completes = [](ConvolvedImage& result) { cut_to_unit(result.samples); };
    }

    [[nodiscard]] std::string text() const override { return in_words(how_) + ":\n"; }

    /// Of a periodic image whose period is no line: its ring is longer and has a seam. One sample repeats without any.
    [[nodiscard]] std::vector<std::string> warnings() const override
    {
        const Problem& p = planned();
        const FftPlan& fft = plan_->plan().fft();
        const auto has_seam = [](const Axis& axis) { return axis.length != axis.count && axis.count > 1; };
        if (!mode_of(p.border).is_periodic || (!has_seam(fft.x) && !has_seam(fft.y))) return {};
        const Extent exact{circular_side(p.image.width), circular_side(p.image.height)};
        const bool by_request = exact == p.image;
        const std::string factors =
            by_request ? "the radices of the plan" : fmt::format("numbers up to {}", largest_odd_radix());
        const std::string advice = by_request
                                       ? "request no radices"
                                       : fmt::format("crop it to {}x{} for exact ones", exact.width, exact.height);
        return {
            fmt::format("{}: an exact circular inverse needs sides that are products of {}, and the image is {}x{}, "
                        "so samples near its edges differ{}; {}",
                        how_.is_cut ? "--like skimage" : "--border wrap", factors, p.image.width, p.image.height,
                        how_.is_cut ? " from scikit-image's" : "", advice)};
    }
    [[nodiscard]] std::optional<ZeroRule> zeros(ZeroRule /*plain*/) const override { return std::nullopt; }

private:
    const DirectDeconvolution how_;
    PreparedPlan* plan_ = nullptr;
};

class BoundDeconvolution final : public BoundWork {
public:
    BoundDeconvolution(const WorkContext& context, const DirectDeconvolution& how) : context_(context), how_(how) {}

    [[nodiscard]] std::unique_ptr<Task> task(const Job& job, ConvolvedImage& /*result*/) override
    {
        Job inverse = job;
        inverse.problem = inverse_problem(job.problem);
        inverse.support = nullptr;  // results may have any sign
        DirectDeconvolution how = how_;
        if (how.is_estimated) how.strength = noise_to_signal(statistics_of(job.image));
        return std::make_unique<DeconvolutionTask>(context_, inverse, how);
    }

private:
    const WorkContext& context_;
    DirectDeconvolution how_;
};

class DeconvolutionWork final : public Work {
public:
    explicit DeconvolutionWork(const DirectDeconvolution& how) : how_(how) {}

    [[nodiscard]] WorkNeeds needs(const Problem& whole, const Psf& /*fitted*/, const Decisions& /*forced*/,
                                  const DeviceTraits& /*traits*/) const override
    {
        return {inverse_problem(whole), {transfers_recipe(whole.precision, TransferOperator::regularised_inverse)}};
    }

    [[nodiscard]] std::unique_ptr<BoundWork> bound(const WorkContext& context) const override
    {
        return std::make_unique<BoundDeconvolution>(context, how_);
    }

    [[nodiscard]] std::optional<std::string> cut() const override
    {
        throw TooLarge(
            "the image does not fit the device and the memory limit in one piece, and each result of an inverse needs "
            "the whole image; raise --memory-limit or --device-memory, or use a smaller image");
    }

private:
    DirectDeconvolution how_;
};

}  // namespace

std::shared_ptr<const Work> deconvolution_work(const DirectDeconvolution& how)
{
    return std::make_shared<const DeconvolutionWork>(how);
}

}  // namespace clconv
