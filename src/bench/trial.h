// SPDX-License-Identifier: Apache-2.0
// A plan on trial: bound to a device with random work, checked, and timed any number of times.
#pragma once

#include "bench/random_work.h"
#include "opencl/device.h"
#include "opencl/guard_bands.h"
#include "opencl/kernel_source.h"
#include "passes/device_convolution.h"

#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// An image and its result on a device, both with guard bands. The plans that are tried share them.
class WorkOnDevice {
public:
    /// `images`: this many times the same one.
    WorkOnDevice(Device& device, const Problem& problem, int images = 1);

    [[nodiscard]] Device& device() const { return device_; }
    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] const RandomWork& work() const { return work_; }
    [[nodiscard]] const ImageBuffers& image() const { return image_; }
    [[nodiscard]] int images() const { return image_.images; }
    [[nodiscard]] const ReferenceSamples& reference() const { return reference_; }
    [[nodiscard]] GuardBands& bands() { return bands_; }
    /// All trials read their results into this, because new memory for each takes longer than to read.
    [[nodiscard]] Bytes& result() { return result_; }

private:
    Device& device_;
    Problem problem_;
    RandomWork work_;
    ReferenceSamples reference_;
    Bytes result_;
    GuardBands bands_;
    ImageBuffers image_;
};

/// The time of a pass.
struct PassTime {
    std::string name;
    double ms = 0;     ///< median over single launches, by the device's clock
    double share = 1;  ///< of its work-groups
};

class Trial {
public:
    /// Builds the plan's programs, prepares the PSF and convolves once, so that compilers finish what they postpone.
    /// May be called in several threads. `work` must outlive it. Throws BuildError, DeviceError.
    Trial(WorkOnDevice& work, const KernelSource& kernels, const Plan& plan);

    /// Enqueues the work's images. They are done when the launcher has finished.
    void enqueue(Launcher& launcher) { convolution_->convolve(launcher, image_, psf_); }

    /// Wall time of an image, when the work's are enqueued `times` times, back to back.
    [[nodiscard]] double series_ms(int times);

    /// How often they are enqueued in a series of some milliseconds, so that launches and waiting do not count.
    [[nodiscard]] int times_a_series();

    /// Times of an image. `share`: of the work-groups, as of Launcher::only_first().
    [[nodiscard]] std::vector<PassTime> pass_times(int repeat, double share = 1);

    /// The launches of enqueue().
    [[nodiscard]] std::size_t launches();

    /// Convolves and compares the last image's result: relative L2 error. No other trial of the same work may run at
    /// the same time.
    [[nodiscard]] double relative_error();

    /// The largest relative L2 error of a correct result: rounding of the arithmetic and of the output's type.
    [[nodiscard]] double allowed_error() const;

    /// False if anything wrote beyond the end of this plan's buffers, or of the work's, since this trial began.
    [[nodiscard]] bool stayed_inside() const;

private:
    WorkOnDevice& work_;
    Plan plan_;
    GuardBands bands_;
    std::optional<DeviceConvolution> convolution_;  ///< its buffers are watched by bands_
    PreparedPsf psf_;
    ImageBuffers image_;
};

}  // namespace clconv
