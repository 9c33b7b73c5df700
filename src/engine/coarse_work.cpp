// SPDX-License-Identifier: Apache-2.0
#include "engine/coarse_work.h"

#include "engine/coarse_convolution.h"
#include "engine/task.h"

#include <utility>

namespace clconv {
namespace {

class CoarseTask final : public Task {
public:
    CoarseTask(const WorkContext& context, const Job& job, CoarseConvolution& convolution)
        : context_(context), job_(job), convolution_(convolution)
    {
    }

    [[nodiscard]] const Problem& planned() const override { return convolution_.coarse().small; }

    [[nodiscard]] PreparedPlan::Transfer transfer(PreparedPlan& plan) override { return plan.psf(convolution_.psf()); }

    void enqueue(Flight& flight, PreparedPlan& plan, const PreparedPsf& transfer, bool is_checked) override
    {
        flight.result.extent = job_.problem.image;
        flight.result.samples = context_.host_memory(convolution_.output_bytes());
        if (context_.settings.blending.mask) flight.buffers.mask = context_.mask.of(flight, job_.problem);
        small_ = convolution_.enqueue(flight, plan, transfer, {job_.image, job_.levels(1), job_.blending, is_checked});
    }

    [[nodiscard]] PlanCheck::Finding compare(PlanCheck& check, const Flight& /*flight*/) override
    {
        return convolution_.compare(check, *small_);
    }

    [[nodiscard]] std::string text() const override { return convolution_.text(); }
    [[nodiscard]] std::vector<std::string> warnings() const override { return convolution_.warnings(); }
    [[nodiscard]] std::optional<ZeroRule> zeros(ZeroRule plain) const override
    {
        return coarse_rule(std::move(plain), convolution_.coarse());
    }

private:
    const WorkContext& context_;
    const Job job_;
    CoarseConvolution& convolution_;
    std::shared_ptr<CoarseFlight> small_;
};

class BoundCoarse final : public BoundWork {
public:
    BoundCoarse(const WorkContext& context, int shrink)
        : context_(context), shrink_(shrink), convolutions_(context.device, context.kernels)
    {
    }

    [[nodiscard]] std::unique_ptr<Task> task(const Job& job, ConvolvedImage& result) override
    {
        const int lanes = coarse_lanes(context_.settings.decisions, context_.device.info().traits);
        CoarseConvolution& convolution =
            convolutions_.of({job.problem, job.psf, shrink_, lanes}, context_.settle_all, result);
        return std::make_unique<CoarseTask>(context_, job, convolution);
    }

private:
    const WorkContext& context_;
    int shrink_;
    CoarseConvolutions convolutions_;
};

class CoarseWork final : public Work {
public:
    explicit CoarseWork(int shrink) : shrink_(shrink) {}

    [[nodiscard]] WorkNeeds needs(const Problem& whole, const Psf& fitted, const Decisions& forced,
                                  const DeviceTraits& traits) const override
    {
        check_fits(whole, traits);
        Coarse made = coarse(whole, fitted, shrink_);
        made.lanes = coarse_lanes(forced, traits);
        return {made.small, {coarse_recipe(made)}};
    }

    [[nodiscard]] std::unique_ptr<BoundWork> bound(const WorkContext& context) const override
    {
        return std::make_unique<BoundCoarse>(context, shrink_);
    }

    [[nodiscard]] std::optional<std::string> cut() const override
    {
        return "the glow has full resolution: --resolution is only for images that fit the device and the memory limit "
               "in one piece";
    }

private:
    int shrink_;
};

}  // namespace

std::shared_ptr<const Work> work_at_resolution(int shrink)
{
    if (shrink == 1) return plain_work();
    return std::make_shared<const CoarseWork>(shrink);
}

}  // namespace clconv
