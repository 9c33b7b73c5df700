// SPDX-License-Identifier: Apache-2.0
// The passes of Richardson-Lucy beside its two convolutions, on a device (kernels/richardson_lucy.cl).
#pragma once

#include "engine/richardson_lucy.h"
#include "opencl/kernel.h"
#include "opencl/kernel_source.h"
#include "passes/launcher.h"
#include "passes/passes.h"

#include <cstdint>
#include <vector>

namespace clconv {

/// Work-groups of the kernels that add up, and so the numbers that they leave: of all samples, or of a plane's.
struct Groups {
    std::size_t count = 1;
    cl_ulong chunk = 0;  ///< samples of a work-group
};
[[nodiscard]] Groups groups_of(std::uint64_t samples);

class RichardsonLucyPasses {
public:
    /// `samples`: samples_problem() of the image. `used`: only these passes may be enqueued, of those that are in it.
    /// Throws BuildError, DeviceError.
    RichardsonLucyPasses(Device& device, const KernelSource& kernels, const Problem& samples,
                         const EstimateProblem& estimate, const RichardsonLucy& how, const IterationKernels& used);

    /// Samples of the data, and of the estimate.
    [[nodiscard]] std::uint64_t data_count() const { return data_count_; }
    [[nodiscard]] std::uint64_t estimate_count() const { return estimate_count_; }
    /// Partial sums of ratio().
    [[nodiscard]] std::size_t data_sums() const { return of_data_.count; }
    /// The same of all planes together: of mean(), and of an update by Biggs and Andrews.
    [[nodiscard]] std::size_t mean_sums() const { return planes() * of_data_plane_.count; }
    [[nodiscard]] std::size_t estimate_sums() const { return planes() * of_estimate_plane_.count; }

    struct Load {
        const ImageBuffers& image;
        const cl::Buffer &data, &known;
        const cl::Buffer* weights = nullptr;  ///< [y][x]; null: 1
        float maximum = 0;                    ///< with weights: samples from here on have none
    };
    /// From image.input to data and their weights.
    void load(Launcher& launcher, const Load& load);
    /// numbers: the mean of each plane of the data. `partial`: room for twice mean_sums().
    void mean(Launcher& launcher, const cl::Buffer& data, const cl::Buffer& known, const cl::Buffer& partial,
              const cl::Buffer& numbers);
    /// A' w to its reciprocal. `minimum`: for each channel.
    void reciprocal(Launcher& launcher, const cl::Buffer& share, const cl::Buffer& minimum);
    struct Start {
        const cl::Buffer &estimate, &share, &data, &numbers;
        float value = -1;  ///< negative: the mean of each plane
        bool is_image = false;
    };
    void start(Launcher& launcher, const Start& start);
    struct Ratio {
        const cl::Buffer &convolved, &data, &known, &partial, &numbers;
        float background = 0;
        std::size_t first = 0;  ///< of the partial sums
    };
    void ratio(Launcher& launcher, const Ratio& ratio);
    /// The estimate `now`, which runs ahead of the one `before` by `momentum`.
    struct RunsAhead {
        const cl::Buffer &now, &before;
        double momentum = 0;
    };
    struct Smooth {
        const cl::Buffer &from, &result;  ///< may be the same
        RunsAhead estimate;
        const cl::Buffer& numbers;
        double strength = 0;
    };
    /// The factor, or the shares, with the regularisation of total variation.
    void smooth(Launcher& launcher, const Smooth& smooth);
    void update(Launcher& launcher, const cl::Buffer& estimate, const cl::Buffer& factor, const cl::Buffer& share);
    /// What an estimate needs that runs ahead.
    struct Ahead {
        const cl::Buffer &estimate, &improved, &factor, &share;
    };
    void update_ahead(Launcher& launcher, const Ahead& ahead, double momentum);
    /// The same by Biggs and Andrews. `change`: the last improvement. `partial`: room for twice estimate_sums().
    struct BiggsAndrews {
        Ahead ahead;
        const cl::Buffer &change, &partial, &numbers;
        bool is_first = false, is_last = false;
    };
    void update_ahead(Launcher& launcher, const BiggsAndrews& by);
    /// From the estimate to image.output.
    void store(Launcher& launcher, const cl::Buffer& estimate, const ImageBuffers& image);

private:
    [[nodiscard]] std::size_t planes() const { return static_cast<std::size_t>(estimate_.problem.channels); }

    Problem samples_;
    EstimateProblem estimate_;
    std::uint64_t data_count_, estimate_count_;
    Groups of_data_, of_data_plane_, of_estimate_plane_;
    Sizes sizes_{};
    Kernel load_, sum_up_, mean_, reciprocal_, start_, ratio_, smooth_, update_, update_ahead_, improve_, momentum_,
        run_ahead_, store_;
};

}  // namespace clconv
