// SPDX-License-Identifier: Apache-2.0
// The iterations of Richardson-Lucy for the images of one plan and queue: what is enqueued for each of them.
//
// Where a plan allows it, ratios and updates are merged into the rows of the convolutions (passes/convolution_chain.h).
// Otherwise, and for what needs the whole estimate at once, they are passes of their own.
#pragma once

#include "engine/richardson_lucy_passes.h"
#include "passes/adjoint_convolution.h"
#include "passes/convolution_chain.h"
#include "passes/device_convolution.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace clconv {

/// The memory of one image's iterations. Some may be the same, because one is not needed when the other is.
struct RichardsonLucyPlanes {
    cl::Buffer data, estimate, share, numbers, sums;
    cl::Buffer known = {};     ///< the weights; without RichardsonLucy::weights only until the first estimate
    cl::Buffer ratio = {};     ///< results of the convolution, the chain's only to check them
    cl::Buffer factor = {};    ///< stores_factors()
    cl::Buffer improved = {};  ///< with acceleration: the estimate before it ran ahead; takes_turns(): another estimate
    cl::Buffer change = {}, partial = {};  ///< Biggs-Andrews
};

class RichardsonLucyLoop {
public:
    /// For images of `samples`, by `plan` of their `estimate`. Throws as adjoint_of(), BuildError, DeviceError.
    RichardsonLucyLoop(Device& device, const KernelSource& kernels, const Plan& plan, const Problem& samples,
                       const EstimateProblem& estimate, const RichardsonLucy& how,
                       const std::shared_ptr<Scratch>& scratch);

    [[nodiscard]] AdjointConvolution& adjoint() { return adjoint_; }
    [[nodiscard]] RichardsonLucyPasses& passes() { return passes_; }
    [[nodiscard]] const RichardsonLucyPasses& passes() const { return passes_; }

    /// Whether results of the convolutions are stored before they are used.
    [[nodiscard]] bool stores_ratios() const { return !chain_; }
    [[nodiscard]] bool stores_factors() const { return !merges_updates() || how_.total_variation > 0; }
    /// Numbers of an iteration whose sum is the I-divergence.
    [[nodiscard]] std::size_t sums() const { return chain_ ? chain_->sums() : passes_.data_sums(); }

    /// Transfers of the convolution and of its adjoint.
    struct Transfers {
        const PreparedPsf &there, &back;
    };
    /// Before the first iteration of an image. `outside`: [channels], what the border has outside of the estimate.
    void begin(DeviceConvolution& convolution, const RichardsonLucyPlanes& planes, const PreparedPsf& transfer,
               const std::vector<double>& outside);
    /// Where in the iterations an update is.
    struct Iteration {
        int number = 0;  ///< from 0
        bool is_last = false;
        float background = 0;
    };
    /// The estimate to ratios, and the iteration's part of planes.sums.
    void to_ratios(Launcher& launcher, DeviceConvolution& convolution, const Transfers& transfers,
                   const RichardsonLucyPlanes& planes, const Iteration& iteration);
    /// Ratios to the next estimate, estimate_after(iteration.number + 1).
    void to_estimate(Launcher& launcher, const Transfers& transfers, const RichardsonLucyPlanes& planes,
                     const Iteration& iteration);
    /// Where the estimate is after so many iterations; if it runs ahead, without that.
    [[nodiscard]] const cl::Buffer& estimate_after(int iterations, const RichardsonLucyPlanes& planes) const
    {
        return takes_turns() && iterations % 2 == 1 ? planes.improved : planes.estimate;
    }
    /// The convolution of planes.estimate to planes.ratio, by itself.
    void convolve(Launcher& launcher, DeviceConvolution& convolution, const PreparedPsf& transfer)
    {
        convolution.convolve(launcher, *forward_, transfer);
    }

private:
    /// Biggs-Andrews needs sums over the whole estimate before the next one is known.
    [[nodiscard]] bool merges_updates() const { return chain_ && how_.acceleration != Acceleration::biggs_andrews; }
    /// Whether planes.estimate and planes.improved are the last two estimates in turns: with momentum, the estimate
    /// that runs ahead follows from them, and is not stored.
    [[nodiscard]] bool takes_turns() const { return merges_updates() && how_.acceleration == Acceleration::momentum; }
    void to_factors(Launcher& launcher, const Transfers& transfers, const RichardsonLucyPlanes& planes);
    void update(Launcher& launcher, const RichardsonLucyPlanes& planes, const Iteration& iteration);

    RichardsonLucy how_;
    AdjointConvolution adjoint_;
    RichardsonLucyPasses passes_;
    std::optional<ConvolutionChain> chain_;
    Region even_;
    std::vector<double> outside_;          ///< of `forward_`
    std::vector<double> sums_;             ///< of the PSF, for `forward_`
    std::optional<ImageBuffers> forward_;  ///< of the convolution
};

/// The programs of the iterations, besides those of `plan`.
[[nodiscard]] std::vector<Recipe> richardson_lucy_recipes(const Plan& plan, const Problem& samples,
                                                          const RichardsonLucy& how, const DeviceTraits& traits);

}  // namespace clconv
