// Launches convolutions on one device, each by the plan of its problem, and checks the first results of each plan.
//
// It keeps plans, PSFs and masks on the device, and owns the flights that use them.
#pragma once

#include "base/block_pool.h"
#include "base/image_view.h"
#include "engine/coarse_convolution.h"
#include "engine/flights.h"
#include "engine/image_problem.h"
#include "engine/plan_cache.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// One convolution of samples.
struct Job {
    const Problem& problem;
    const ImageView& image;  ///< with facts where results need them
    const std::vector<float>& bias;
    UsedPsf psf;
    const Blending& blending;
    std::shared_ptr<const PsfSupport> support = {};
    CoarseConvolution* coarse = nullptr;  ///< at a lower resolution

    /// The problem to plan: the job's, or that of the lower resolution.
    [[nodiscard]] const Problem& planned() const { return coarse ? coarse->coarse().small : problem; }

    [[nodiscard]] ImageLevels levels(double magnitude) const
    {
        return {bias, magnitude, image.alpha_channel, image.facts, support.get()};
    }
};

/// What launches may use.
struct LaunchResources {
    const Allocate& host_memory;  ///< for results
    PlanLimits limits;
};

class JobLauncher {
public:
    /// All of these must outlive it.
    JobLauncher(Device& device, const KernelSource& kernels, const ConvolveSettings& settings,
                const LaunchResources& resources);

    [[nodiscard]] Flights& flights() { return flights_; }

    /// The convolution at the lower resolution that the settings ask for. What making it took is added to `result`.
    [[nodiscard]] CoarseConvolution& coarse_for(const Job& job, ConvolvedImage& result);

    /// Enqueues a job. If checks are due, waits for the first results of a plan and checks them. Other plans replace
    /// wrong results: the planner's own instead of a measured one, then the simplest. Throws what PlanCache::ready()
    /// throws, and WrongResults if no plan is right.
    void launch(Flight& flight, const Job& job);

private:
    /// A part of the mask on the device, identified by its position and size.
    struct UploadedMask {
        Position first;
        Extent size;
        cl::Buffer values;
    };

    [[nodiscard]] bool is_cpu() const { return device_.info().traits.is_cpu; }

    /// Enqueues the convolution of a job by the known plan of its problem, or by one from `source`.
    KnownPlan& launch_with(const PlanSource& source, Flight& flight, const Job& job);
    /// The same for a job at a lower resolution.
    KnownPlan& launch_coarse(const PlanSource& source, Flight& flight, const Job& job);

    /// The mask of an image's results, or of a piece's. Any buffer if there is none.
    [[nodiscard]] cl::Buffer mask_for(const Flight& flight, const Problem& problem);

    /// Uses another plan after a wrong one. Returns what wrong_at_first_use() says of it. `before`: what was wrong with
    /// the first.
    [[nodiscard]] std::string wrong_again(const std::string& before, const PlanSource& source, Flight& flight,
                                          const Job& job);

    /// Compares a result with direct sums, unless the plan has passed before. Empty if the result is right. Otherwise
    /// the error has been reported, and nothing is in flight with that plan.
    [[nodiscard]] std::string wrong_at_first_use(KnownPlan& known, Flight& flight, const Job& job);

    void enqueue(Flight& flight, const std::byte* image, std::size_t bytes, DeviceConvolution& convolution,
                 const PreparedPsf& transfer) const;

    Device& device_;
    const ConvolveSettings& settings_;
    const LaunchResources resources_;
    std::optional<UploadedMask> mask_ = {};
    PlanCache plans_;
    CoarseConvolutions coarse_ones_;
    Flights flights_ = {};  ///< declared after the plans, so destroyed before them
};

}  // namespace clconv
