// SPDX-License-Identifier: Apache-2.0
// Convolutions at a lower resolution on a device: image to small image, any plan, small result to result.
#pragma once

#include "engine/coarse.h"
#include "engine/first_use.h"
#include "engine/flights.h"
#include "engine/prepared_plan.h"

#include <functional>
#include <list>
#include <string>
#include <vector>

namespace clconv {

/// The small convolution of one image, between the passes that shrink and spread.
struct CoarseFlight {
    ImageBuffers buffers;
    LevelScalars levels;
    Bytes image, result;  ///< of the small problem, if it is checked
};

class CoarseConvolution {
public:
    /// `whole_psf`: of coarse.whole. Throws TooLarge if the image's own samples do not fit the device, BuildError,
    /// DeviceError.
    CoarseConvolution(Device& device, const KernelSource& kernels, Coarse coarse, const Psf& whole_psf);

    [[nodiscard]] const Coarse& coarse() const { return coarse_; }
    /// The PSF of the small problem.
    [[nodiscard]] UsedPsf psf() const { return {coarse_.psf, -1, *coarse_.psf}; }
    [[nodiscard]] std::string text() const;
    /// A warning if the PSF is too narrow.
    [[nodiscard]] std::vector<std::string> warnings() const;
    [[nodiscard]] std::uint64_t output_bytes() const;

    /// One image.
    struct Image {
        const ImageView& view;
        ImageLevels levels;  ///< all but the magnitude
        const Blending& blending;
        bool is_checked = false;  ///< compare() will follow
    };
    /// Enqueues everything of an image, from its samples to flight.result. `plan`: of coarse().small. Returns what the
    /// flight holds until it is settled.
    std::shared_ptr<CoarseFlight> enqueue(Flight& flight, PreparedPlan& plan, const PreparedPsf& transfer,
                                          const Image& taken);

    /// Compares the small convolution of a settled flight with direct sums.
    [[nodiscard]] PlanCheck::Finding compare(PlanCheck& check, const CoarseFlight& flight) const;

private:
    /// The memory of the image's slot, and what flight.levels and flight.buffers have already.
    void give_buffers(Flight& flight, const PreparedPlan& plan, const ImageView& view) const;
    /// The memory of the small image and its result, in the same slot.
    [[nodiscard]] ImageBuffers small_buffers(const Flight& flight, const PreparedPlan& plan) const;

    Device& device_;
    Psf whole_psf_;
    Coarse coarse_;
    CoarsePasses passes_;
    cl::Buffer weight_;
};

/// The most recently used convolutions.
class CoarseConvolutions {
public:
    /// Both must outlive it.
    CoarseConvolutions(Device& device, const KernelSource& kernels) : device_(device), kernels_(kernels) {}

    struct Key {
        const Problem& whole;
        UsedPsf psf;
        int factor;
        int lanes;
    };
    /// Throws as the constructor of CoarseConvolution does. `before_one_goes` waits for everything that uses the memory
    /// of one that is removed. A new one is a part of `result`'s building.
    CoarseConvolution& of(const Key& key, const std::function<void()>& before_one_goes, ConvolvedImage& result);

private:
    struct Known {
        std::string problem;
        std::shared_ptr<const Psf> psf;  ///< held, so that its address is not reused
        int alpha_channel = -1;
        std::unique_ptr<CoarseConvolution> convolution;
    };
    Device& device_;
    const KernelSource& kernels_;
    std::list<Known> known_;  ///< the most recently used first
};

}  // namespace clconv
