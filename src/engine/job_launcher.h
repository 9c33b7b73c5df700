// Launches convolutions on one device, each by the plan of its problem, and checks the first results of each plan.
//
// It keeps plans, PSFs and masks on the device, and owns the flights that use them.
#pragma once

#include "base/block_pool.h"
#include "base/image_view.h"
#include "engine/image_problem.h"
#include "engine/plan_cache.h"
#include "passes/levels.h"

#include <memory>
#include <vector>

namespace clconv {

class CoarseConvolution;
class Flights;
struct Flight;

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
    [[nodiscard]] const Problem& planned() const;

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
    ~JobLauncher();
    JobLauncher(const JobLauncher&) = delete;
    JobLauncher& operator=(const JobLauncher&) = delete;

    [[nodiscard]] Flights& flights();

    /// The convolution at the lower resolution that the settings ask for. What making it took is added to `result`.
    [[nodiscard]] CoarseConvolution& coarse_for(const Job& job, ConvolvedImage& result);

    /// Enqueues a job. If checks are due, waits for the first results of a plan and checks them. Other plans replace
    /// wrong results: the planner's own instead of a measured one, then the simplest. Throws what PlanCache::ready()
    /// throws, and WrongResults if no plan is right.
    void launch(Flight& flight, const Job& job);

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace clconv
