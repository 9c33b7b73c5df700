// SPDX-License-Identifier: Apache-2.0
// Convolves images on one device: the whole engine behind a few functions.
//
// It keeps programs, plans, transfers and device memory, so that a second image of the same size, type and PSF needs
// only computing. A GPU uploads one image while it computes another and downloads a third. A CPU works in the image's
// own memory. Not thread-safe: use one Convolver a thread. An image's result never depends on the images before it.
#pragma once

#include "base/block_pool.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/image_view.h"
#include "base/timings.h"
#include "engine/banded_convolution.h"
#include "engine/convolved_image.h"
#include "engine/image_problem.h"
#include "engine/zero_rule.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "psf/psf.h"

#include <memory>
#include <vector>

namespace clconv {

class JobLauncher;

/// Resources that a Convolver may use.
struct ConvolverResources {
    Allocate host_memory = [](std::size_t size) { return Bytes(size); };  ///< for results; see base/block_pool.h
    bool frugal = false;  ///< one image and one plan at a time: the minimum of device memory
};

class Convolver {
public:
    using Output = ConvolvedImage;

    Convolver(std::shared_ptr<Device> device, KernelSource kernels, ConvolveSettings settings,
              ConvolverResources resources = {});
    ~Convolver();
    Convolver(const Convolver&) = delete;
    Convolver& operator=(const Convolver&) = delete;

    /// Images that may be started before the first is finished. More than one, so that copies and kernels overlap.
    /// Small images share launches on a GPU (shared_launch.h); then this number grows while they are started.
    [[nodiscard]] std::size_t capacity() const;

    /// Starts one image and returns before it is done. An image that does not fit the device is convolved in pieces,
    /// and is done on return. `image.samples` must not change until finish() has returned its result. `psf` is
    /// normalised and has its origin; it is identified by its address. If the settings require checks, start() waits
    /// for the first result of a plan and checks it. Another plan replaces a wrong result. Throws InvalidProblem (this
    /// image and this PSF do not fit), BuildError, DeviceError, and WrongResults if the other plan is wrong too. After
    /// an exception nothing is started. `tell` is called until the image is finished, if its work is one of iterations.
    void start(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output,
               TellIterations tell = {});

    /// Waits for the oldest unfinished image. Throws DeviceError: then the image is lost, and probably those after it
    /// too.
    [[nodiscard]] Output finish();

    /// start() and finish() in one. Nothing else may be in flight.
    [[nodiscard]] Output convolve(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output);

    /// Prepares to convolve an image band by band, with at most `host_limit` bytes of it on the host at a time.
    /// `image`: its extent, channels and type; its samples are not read. `sample`: some of its rows, the same each
    /// time, for bias_of(). Throws InvalidProblem; TooLarge if no pieces fit.
    [[nodiscard]] BandedConvolution banded(const ImageView& image, const std::shared_ptr<const Psf>& psf,
                                           SampleType output, const ImageView& sample, std::uint64_t host_limit);

    /// Convolves one band, whose new rows go to `result`; see banded_convolution.h. `rows`: of the image
    /// of banded(). Adds to `times`. Throws BuildError, DeviceError. Returns how many results integers have
    /// clamped by more than a code, at cuts perhaps twice.
    std::size_t convolve_band(const BandedConvolution& banded, int band, const ImageRows& rows, std::byte* result,
                              std::vector<StageTime>& times);

    /// The device that it computes on.
    [[nodiscard]] const Device& device() const { return *device_; }

private:
    [[nodiscard]] const Psf& fit(const std::shared_ptr<const Psf>& psf, const ImageView& image);
    void start_image(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output,
                     TellIterations tell);
    [[nodiscard]] Output finish_image();
    [[nodiscard]] std::size_t convolve_pieces(const BandedConvolution& banded, int band, const ImageRows& rows,
                                              std::byte* result, std::vector<StageTime>& times);
    [[nodiscard]] Output convolve_in_pieces(const ImageView& image, const std::shared_ptr<const Psf>& psf,
                                            SampleType output);
    /// The work by pieces of plain convolutions, if that is right.
    [[nodiscard]] Output cut_to_pieces(const ImageView& image, const std::shared_ptr<const Psf>& psf,
                                       SampleType output);
    /// The work on overlapping parts, one after the other.
    [[nodiscard]] Output work_on_parts(const ImageView& image, const std::shared_ptr<const Psf>& psf, SampleType output,
                                       Extent halo, const TellIterations& tell);
    /// Whether the device can hold what the work needs.
    [[nodiscard]] bool fits(const Problem& problem, const Psf& fitted) const;
    [[nodiscard]] ZeroRule zero_rule(const Problem& problem, const ImageView& image, const Psf& fitted);

    std::shared_ptr<Device> device_;
    KernelSource kernels_;
    ConvolveSettings settings_;
    ConvolverResources resources_;
    FittedPsfs fitted_psfs_;
    std::unique_ptr<JobLauncher> launcher_;
    Clock::time_point last_finish_ = {};
};

}  // namespace clconv
