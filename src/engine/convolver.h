// Convolves images on one device: the whole engine behind three functions.
//
// Keeps programs, plans, transfers and device memory, so that the second image of the same size, type and PSF only
// computes. A GPU uploads one image while it computes another and downloads a third; a CPU works where the image lies.
// Not thread-safe: one Convolver a thread. An image's result never depends on the images before it.
#pragma once

#include "base/block_pool.h"
#include "base/bytes.h"
#include "base/image_view.h"
#include "base/timings.h"
#include "engine/banded_convolution.h"
#include "engine/convolved_image.h"
#include "engine/image_problem.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "psf/psf.h"

#include <memory>
#include <vector>

namespace clconv {

/// What a Convolver may take for itself.
struct ConvolverResources {
    Allocate host_memory = [](std::size_t size) { return Bytes(size); };  ///< for results; see base/block_pool.h
    bool frugal = false;  ///< one image and one plan at a time: the least device memory that works
};

class Convolver {
public:
    using Output = ConvolvedImage;

    Convolver(std::shared_ptr<Device> device, KernelSource kernels, ConvolveSettings settings,
              ConvolverResources resources = {});
    ~Convolver();
    Convolver(Convolver&&) noexcept;
    Convolver& operator=(Convolver&&) noexcept;

    /// Images that may be started and not yet finished: more than one, so that copies and kernels overlap.
    [[nodiscard]] std::size_t capacity() const;

    /// Begins with one image and returns before it is done; one that does not fit the device is convolved in pieces and
    /// done on return. `image.samples` must stay as they are until finish() has
    /// returned its result. `psf` is normalised and has its origin; it is known again by its address. Throws
    /// InvalidProblem (this image and this PSF do not fit), BuildError, DeviceError; then nothing was started. The
    /// first result of a plan is waited for and checked if the settings want that; one that is wrong is replaced by
    /// another plan's; if that is wrong too, throws WrongResults.
    void start(const ImageView& image, int alpha_channel, const std::shared_ptr<const Psf>& psf, SampleType output);

    /// Waits for the image that was started first and has not been finished. Throws DeviceError; the image is lost
    /// then, and so are probably those behind it.
    [[nodiscard]] Output finish();

    /// Both in one. Nothing else may be in flight.
    [[nodiscard]] Output convolve(const ImageView& image, int alpha_channel, const std::shared_ptr<const Psf>& psf,
                                  SampleType output);

    /// What is needed to convolve an image band by band, of which the host holds at most `host_limit` bytes at a time.
    /// `image`: its extent, channels and type; samples are not looked at. `sample`: any of its rows, the same each
    /// time, for bias_of(). Throws InvalidProblem; TooLarge if no pieces fit.
    [[nodiscard]] BandedConvolution banded(const ImageView& image, int alpha_channel,
                                           const std::shared_ptr<const Psf>& psf, SampleType output,
                                           const ImageView& sample, std::uint64_t host_limit);

    /// Convolves one band, whose new rows go to `result`; see banded_convolution.h. `image`, `alpha_channel`, `psf`:
    /// those that `banded` was made of. Adds to `times`. Throws BuildError, DeviceError.
    /// Returns how many results integers have clamped by more than a code, at cuts perhaps twice.
    std::size_t convolve_band(const BandedConvolution& banded, int band, const ImageRows& image, int alpha_channel,
                              const std::shared_ptr<const Psf>& psf, std::byte* result, std::vector<StageTime>& times);

    /// The device this one computes on.
    [[nodiscard]] const Device& device() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace clconv
