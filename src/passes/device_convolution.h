// SPDX-License-Identifier: Apache-2.0
// Convolutions between buffers of one device: image, PSF and result are there, and nothing passes through the host.
//
// It is meant for iterative methods such as Richardson-Lucy. These convolve an estimate with the PSF, bring a ratio
// back by the adjoint (adjoint_convolution.h), dozens of times, and download only the last estimate. The output of one
// convolution can be the input of the next if the plan's problem has one type for both and mode `same`. Convolver
// builds on it and adds the way of images from the host and back.
//
// Each object has intermediates of its own, which its next convolution reuses, or shares them with others. So its
// convolutions, and those of objects with the same intermediates, must follow one another on one queue, and overlapping
// ones need one object each. It never reads samples on the host, and never waits.
#pragma once

#include "passes/engine.h"

#include <memory>
#include <vector>

namespace clconv {

/// What is known about an image's samples without reading them.
struct SampleLevels {
    /// [channels], subtracted from the samples and added back to the results, so that errors are relative to the
    /// remaining detail. Any numbers near the mean work, and so do zeros. But if the border has
    /// a value of its own (conv/border.h), they must be that value.
    std::vector<double> bias;
    double magnitude = 1;  ///< precision half: no sample is larger than this
};

class DeviceConvolution {
public:
    /// Builds the plan's programs. `kernels` is not kept. `keeps_spectra`: images have several PSFs; requires
    /// can_keep_spectra(plan). `scratch`: for intermediates; none: its own. Throws BuildError, DeviceError.
    DeviceConvolution(Device& device, const KernelSource& kernels, const Plan& plan, bool keeps_spectra = false,
                      std::shared_ptr<Scratch> scratch = nullptr);

    [[nodiscard]] const Plan& plan() const { return plan_; }

    /// Transforms a PSF on the device, for any number of convolutions by this plan, in this object and in others like
    /// it. `psf`: of the extent, origin and channels of plan().problem. Throws InternalError if it is not, DeviceError.
    /// Does not wait: other launchers may use the result at once (PreparedPsf::ready).
    [[nodiscard]] PreparedPsf prepare(Launcher& launcher, const Psf& psf);

    /// Prepares convolve() from `input` to `output`, for any number of times. Both have the samples, types and layout
    /// of plan().problem, and are different buffers. `images`: how many they have, one behind another, all with these
    /// levels; more than one only if can_share_launches(plan()). Throws DeviceError.
    [[nodiscard]] ImageBuffers between(const cl::Buffer& input, const cl::Buffer& output, const PreparedPsf& psf,
                                       const SampleLevels& levels, int images = 1) const;

    /// Enqueues one convolution behind earlier commands of `launcher`. All buffers are in use until it has finished.
    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf);

private:
    Device& device_;
    Plan plan_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace clconv
