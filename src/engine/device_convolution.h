// Convolutions between buffers of one device: image, PSF and result are there, and nothing passes through the host.
//
// Iterating methods such as Richardson-Lucy are to be made of it: they convolve an estimate, and what it leaves to
// explain with the PSF turned round, dozens of times, and only the last estimate is downloaded. What a convolution
// writes is the next one's input where the plan's problem has one type for both and mode `same`. Convolver builds on it
// and adds what images need that come from the host and go back there.
//
// Each has intermediates of its own, which its next convolution uses again: one after the other on one queue. Those
// that overlap need a DeviceConvolution each. It never looks at samples, and waits for nothing.
#pragma once

#include "engine/engine.h"

#include <memory>
#include <vector>

namespace clconv {

/// What is known of an image's samples without looking at them.
struct SampleLevels {
    /// [channels], taken from the samples and given back to the results, so that errors are relative to what is left.
    /// Any numbers near the mean will do, and zeros; but with Border::constant they must be the border's values.
    std::vector<float> bias;
    double magnitude = 1;  ///< precision half: no sample is larger than this
};

class DeviceConvolution {
public:
    /// Builds the plan's programs and allocates its intermediates. `kernels` is not kept. `keeps_spectra`: images come
    /// with several PSFs, one after the other, and can_keep_spectra(plan). Throws BuildError, DeviceError.
    DeviceConvolution(Device& device, const KernelSource& kernels, const Plan& plan, bool keeps_spectra = false);

    [[nodiscard]] const Plan& plan() const { return plan_; }

    /// Brings a PSF to the device, transformed, for any number of convolutions by this plan, here and in others of its
    /// kind. `psf`: of the extent, origin and channels of plan().problem. Throws InternalError if it is not,
    /// DeviceError.
    [[nodiscard]] PreparedPsf prepare(Launcher& launcher, const Psf& psf);

    /// What convolve() needs to go from `input` to `output`, once for any number of times: both as plan().problem has
    /// samples, types and layout, and not the same buffer. Throws DeviceError.
    [[nodiscard]] ImageBuffers between(const cl::Buffer& input, const cl::Buffer& output, const PreparedPsf& psf,
                                       const SampleLevels& levels) const;

    /// Enqueues one convolution behind what `launcher` was given before. All buffers are in use until it has finished.
    void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf);

private:
    Device& device_;
    Plan plan_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace clconv
