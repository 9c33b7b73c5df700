// SPDX-License-Identifier: Apache-2.0
// A plan bound to a device: programs built, memory allocated, ready for any number of images and PSFs.
#pragma once

#include "opencl/kernel_source.h"
#include "opencl/moment.h"
#include "passes/launcher.h"
#include "passes/passes.h"
#include "plan/plan.h"
#include "psf/psf.h"

#include <memory>
#include <vector>

namespace clconv {

/// A PSF, prepared once for an engine.
struct PreparedPsf {
    cl::Buffer transfer;              ///< fft: the PSF's spectrum; direct: its weights, rotated by 180 degrees
    cl::Buffer weight;                ///< renormalize: the convolved coverage; else none
    std::vector<double> sums;         ///< [psf channels], of the weights
    std::vector<double> scales = {};  ///< fft: [psf channels], scales in `transfer`: 1, except for half's range
    bool is_inverse = false;          ///< results are darker by the noise; alpha keeps its mean
    Moment ready = {};                ///< after it, other queues may use the buffers
};

/// The buffers and programs of a plan, which it owns. Not copied, because parts of it refer to that plan.
class Engine {
public:
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    /// `psf`: as many channels as plan.problem.psf_channels. Enqueues the work; `launcher` has the times.
    [[nodiscard]] virtual PreparedPsf prepare(Launcher& launcher, const Psf& psf) = 0;

    /// Enqueues the convolution of one image. On the device, it writes only to the result and to the engine's own
    /// memory.
    virtual void convolve(Launcher& launcher, const ImageBuffers& image, const PreparedPsf& psf) = 0;
};

/// Whether an engine can keep the spectra of an image's rows for the image's next PSF: all planes of an image fit its
/// memory at once, and its columns need not be convolved in place. docs/decisions/031-row-spectra-for-several-psfs.md
[[nodiscard]] bool can_keep_spectra(const Plan& plan);

/// Whether one launch may have several images of the plan's problem: where work-groups share tiles, or lines up to
/// kMaxSharedLength. They have one mask, if results are blended by a mask.
[[nodiscard]] bool can_share_launches(const Plan& plan);

/// The engine of the plan's method. Throws BuildError, DeviceError.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const PassContext& context);

/// The sum of each of a PSF's channels.
[[nodiscard]] std::vector<double> sums_of(const Psf& psf);

/// The buffer of PreparedPsf::weight, or none. See passes/coverage.h.
[[nodiscard]] cl::Buffer coverage_buffer(Device& device, const Plan& plan, const Psf& psf);

}  // namespace clconv
