// Convolves images on one device: the whole engine behind one function.
//
// Keeps programs, plans and transfers, so that the second image of the same size, type and PSF only computes.
// Not thread-safe: one Convolver a thread. An image's result never depends on the images before it.
#pragma once

#include "base/bytes.h"
#include "base/image_view.h"
#include "base/timings.h"
#include "conv/plan.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "psf/psf.h"

#include <memory>
#include <vector>

namespace clconv {

/// What to compute with every image, and how.
struct ConvolveSettings {
    Border border = Border::clamp;
    std::vector<double> border_value;  ///< for Border::constant: one value, or one a channel
    Mode mode = Mode::same;
    bool correlate = false;
    Decisions decisions;  ///< what the user forces; everything else is the planner's
};

/// The problem that an image and a PSF make. `alpha_channel` -1: none. Throws InvalidProblem: a PSF with neither one
/// channel nor as many as the image has colours, border values that are neither one nor one a channel.
[[nodiscard]] Problem problem_of(const ImageView& image, int alpha_channel, const Psf& psf,
                                 const ConvolveSettings& settings, SampleType output);

class Convolver {
public:
    struct Output {
        Extent extent;
        Bytes samples;                 ///< interleaved, of the type asked for
        std::vector<StageTime> times;  ///< build, upload, each pass by its name, download, launch and wait
        std::string plan;              ///< describe(plan)
    };

    Convolver(std::shared_ptr<Device> device, KernelSource kernels, ConvolveSettings settings);
    ~Convolver();
    Convolver(Convolver&&) noexcept;
    Convolver& operator=(Convolver&&) noexcept;

    /// Convolves. `psf` is normalised and has its origin; it is known again by its address. Throws InvalidProblem
    /// (this image and this PSF do not fit), BuildError, DeviceError.
    [[nodiscard]] Output convolve(const ImageView& image, int alpha_channel, const std::shared_ptr<const Psf>& psf,
                                  SampleType output);

    /// The device this one computes on.
    [[nodiscard]] const Device& device() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace clconv
