// SPDX-License-Identifier: Apache-2.0
// A plan bound to a device: convolutions, and the PSFs so far. Memory for images in flight and for intermediates is the
// workspace's, which all plans of a device use.
#pragma once

#include "engine/convolved_image.h"
#include "engine/workspace.h"
#include "opencl/device.h"
#include "opencl/handles.h"
#include "opencl/kernel_source.h"
#include "passes/device_convolution.h"
#include "plan/plan.h"
#include "psf/psf.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace clconv {

/// How many images of a plan may be in flight. With more, more overlaps; see choose_overlap().
struct Overlap {
    int slots = 1;               ///< images on the device: one being uploaded, one in work, one being downloaded
    int computing = 1;           ///< images whose kernels may overlap, each with intermediates of its own
    bool keeps_spectra = false;  ///< for an image's next PSF: can_keep_spectra()
};

/// Device memory of a plan with one PSF.
[[nodiscard]] std::uint64_t device_bytes(const Plan& plan, const Overlap& overlap);
/// The part of it that is the plan's own, and stays: transfers, and what its engines keep. The rest is the workspace's.
[[nodiscard]] std::uint64_t own_bytes(const Plan& plan, const Overlap& overlap, std::size_t psfs);

/// At most `maximum`, reduced to fit `memory` bytes. Kept spectra are given up first, then overlapping kernels.
[[nodiscard]] Overlap choose_overlap(const Plan& plan, Overlap maximum, std::uint64_t memory);

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
    /// Makes the first convolution. The others are made when they are needed. `kernels` and `workspace` must outlive
    /// this. Throws BuildError, DeviceError.
    PreparedPlan(Device& device, const KernelSource& kernels, Workspace& workspace, Plan plan, Overlap overlap);

    [[nodiscard]] const Plan& plan() const { return plan_; }
    /// own_bytes() now.
    [[nodiscard]] std::uint64_t bytes() const { return own_bytes(plan_, overlap_, psfs_.size()); }

    struct Transfer {
        const PreparedPsf& psf;
        std::unique_ptr<Launcher> preparing;  ///< null if it was prepared before; keep it until it has finished
    };
    /// The PSF on the device. The first call enqueues what prepares it, and does not wait.
    [[nodiscard]] Transfer psf(const UsedPsf& used);

    /// Makes a transfer of a PSF and others.
    using MakeTransfer = std::function<PreparedPsf(Launcher&, DeviceConvolution&)>;
    /// The transfer that `make` makes of a PSF, called on the first call with `name`. Otherwise like psf().
    [[nodiscard]] Transfer transfer(const UsedPsf& used, const std::string& name, const MakeTransfer& make);

    [[nodiscard]] std::size_t transfers() const { return psfs_.size(); }
    /// No image in flight may use one.
    void forget_transfers() { psfs_.clear(); }

    [[nodiscard]] int slots() const { return overlap_.slots; }
    /// Memory of one of slots() images. On a CPU it has no input and output, because the CPU works in the host's
    /// memory.
    [[nodiscard]] ImageBuffers slot(int number) const;
    /// The same, for other samples than the plan's.
    [[nodiscard]] ImageBuffers slot(int number, const SlotBytes& bytes) const { return workspace_.slot(number, bytes); }
    /// The convolution, and the queues, for the image in a slot.
    [[nodiscard]] DeviceConvolution& convolution_of(int slot);
    [[nodiscard]] const Route& route_of(int slot) const;

    /// The number of the convolution, and of its queues, for the image in a slot.
    [[nodiscard]] int engine_of(int slot) const { return slot % overlap_.computing; }
    /// The memory behind all convolutions on an engine's queues.
    [[nodiscard]] Workspace& workspace() const { return workspace_; }
    /// What a work keeps with the plan for each engine and each `kind` of its own: the plan does not tell apart what
    /// only the work's other kernels depend on. Null at first.
    [[nodiscard]] std::shared_ptr<void>& of_work(int engine, const std::string& kind)
    {
        return of_work_[{engine, kind}];
    }

private:
    struct PsfEntry {
        std::shared_ptr<const Psf> psf;  ///< held, so that its address is not reused
        PreparedPsf prepared;
    };
    [[nodiscard]] DeviceConvolution& add_convolution();

    Device& device_;
    const KernelSource& kernels_;
    Workspace& workspace_;
    Plan plan_;
    Overlap overlap_;
    std::deque<DeviceConvolution> convolutions_;
    std::map<std::tuple<const Psf*, int, std::string>, PsfEntry> psfs_;
    std::map<std::pair<int, std::string>, std::shared_ptr<void>> of_work_;
};

}  // namespace clconv
