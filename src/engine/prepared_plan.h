// A plan bound to a device: convolutions, memory for the images that are in flight at a time, the PSFs that came so
// far.
#pragma once

#include "engine/device_convolution.h"
#include "opencl/device.h"
#include "opencl/handles.h"
#include "opencl/kernel_source.h"
#include "plan/plan.h"
#include "psf/psf.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace clconv {

/// How many images a plan has memory for. More overlap better: see choose_overlap().
struct Overlap {
    int slots = 1;               ///< images on the device: one each on its way up, in work, and on its way down
    int computing = 1;           ///< images whose kernels run at a time, each with intermediates of its own
    bool keeps_spectra = false;  ///< for an image's next PSF: can_keep_spectra()
};

/// Device memory of a plan with one PSF.
[[nodiscard]] std::uint64_t device_bytes(const Plan& plan, const Overlap& overlap);

/// At most `most`, and as much of it as `memory` bytes hold; kept spectra are given up first, then images that compute
/// at a time.
[[nodiscard]] Overlap choose_overlap(const Plan& plan, Overlap most, std::uint64_t memory);

/// Bytes of the samples that go in and that come out.
[[nodiscard]] std::uint64_t input_bytes(const Plan& plan);
[[nodiscard]] std::uint64_t output_bytes(const Plan& plan);

/// A PSF as images come with it.
struct UsedPsf {
    const std::shared_ptr<const Psf>& psf;  ///< known again by its address, ...
    int alpha_channel = -1;                 ///< ... and by the channel that is alpha
    const Psf& fitted;                      ///< the same as the images' channels need it
};

class PreparedPlan {
public:
    /// Makes the first convolution; the others are made when they are first needed. `kernels` must outlive this.
    /// Throws BuildError, DeviceError.
    PreparedPlan(Device& device, const KernelSource& kernels, Plan plan, Overlap overlap);

    [[nodiscard]] const Plan& plan() const { return plan_; }
    /// With one PSF, and all convolutions and slots made.
    [[nodiscard]] std::uint64_t bytes() const { return device_bytes(plan_, overlap_); }

    /// A PSF on the device: brought there once. Adds to `times` what it takes.
    const PreparedPsf& psf(const UsedPsf& used, std::vector<StageTime>& times);

    [[nodiscard]] int slots() const { return overlap_.slots; }
    /// Memory of one of slots() images. On a CPU without input and output: it works in the host's.
    [[nodiscard]] const ImageBuffers& slot(int number);
    /// Which convolution, and which queues, are for the image in a slot.
    [[nodiscard]] DeviceConvolution& convolution_of(int slot);
    [[nodiscard]] const Route& route_of(int slot) const;

private:
    struct PsfEntry {
        std::shared_ptr<const Psf> psf;  ///< held, so that its address stays its own
        PreparedPsf prepared;
    };
    [[nodiscard]] ImageBuffers make_slot() const;

    Device& device_;
    const KernelSource& kernels_;
    Plan plan_;
    Overlap overlap_;
    std::deque<DeviceConvolution> convolutions_;
    std::vector<ImageBuffers> slots_;
    std::map<std::pair<const Psf*, int>, PsfEntry> psfs_;
};

}  // namespace clconv
