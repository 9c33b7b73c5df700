// A plan bound to a device: convolutions, memory for the images in flight, and the PSFs so far.
#pragma once

#include "engine/convolved_image.h"
#include "opencl/device.h"
#include "opencl/handles.h"
#include "opencl/kernel_source.h"
#include "passes/device_convolution.h"
#include "plan/plan.h"
#include "psf/psf.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace clconv {

/// How many images a plan has memory for. With more, more overlaps; see choose_overlap().
struct Overlap {
    int slots = 1;               ///< images on the device: one being uploaded, one in work, one being downloaded
    int computing = 1;           ///< images whose kernels may overlap, each with intermediates of its own
    bool keeps_spectra = false;  ///< for an image's next PSF: can_keep_spectra()
};

/// Device memory of a plan with one PSF.
[[nodiscard]] std::uint64_t device_bytes(const Plan& plan, const Overlap& overlap);

/// At most `most`, reduced to fit `memory` bytes. Kept spectra are given up first, then overlapping kernels.
[[nodiscard]] Overlap choose_overlap(const Plan& plan, Overlap most, std::uint64_t memory);

/// Bytes of the samples that go in and that come out.
[[nodiscard]] std::uint64_t input_bytes(const Plan& plan);
[[nodiscard]] std::uint64_t output_bytes(const Plan& plan);

/// A PSF, as images use it.
struct UsedPsf {
    const std::shared_ptr<const Psf>& psf;  ///< identified by its address, ...
    int alpha_channel = -1;                 ///< ... and by the channel that is alpha
    const Psf& fitted;                      ///< the same, fitted to the images' channels
};

class PreparedPlan {
public:
    /// Makes the first convolution. The others are made when they are needed. `kernels` must outlive this. Throws
    /// BuildError, DeviceError.
    PreparedPlan(Device& device, const KernelSource& kernels, Plan plan, Overlap overlap);

    [[nodiscard]] const Plan& plan() const { return plan_; }
    /// Bytes with one PSF and all convolutions and slots.
    [[nodiscard]] std::uint64_t bytes() const { return device_bytes(plan_, overlap_); }

    /// The PSF on the device, prepared on the first call. Adds to `result`'s times and spans.
    const PreparedPsf& psf(const UsedPsf& used, ConvolvedImage& result);

    [[nodiscard]] int slots() const { return overlap_.slots; }
    /// Memory of one of slots() images. On a CPU it has no input and output, because the CPU works in the host's
    /// memory.
    [[nodiscard]] const ImageBuffers& slot(int number);
    /// The convolution, and the queues, for the image in a slot.
    [[nodiscard]] DeviceConvolution& convolution_of(int slot);
    [[nodiscard]] const Route& route_of(int slot) const;

private:
    struct PsfEntry {
        std::shared_ptr<const Psf> psf;  ///< held, so that its address is not reused
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
