// A plan bound to a device: engines, memory for the images that are in flight at a time, the PSFs that came so far.
#pragma once

#include "conv/plan.h"
#include "engine/engine.h"
#include "opencl/device.h"
#include "opencl/handles.h"
#include "opencl/kernel_source.h"
#include "psf/psf.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace clconv {

/// How many images a plan has memory for. More overlap better: see choose_overlap().
struct Overlap {
    int slots = 1;    ///< images on the device: one each on its way up, in work, and on its way down
    int engines = 1;  ///< images whose kernels run at a time, each with its intermediates
};

/// Device memory of a plan with one PSF.
[[nodiscard]] std::uint64_t device_bytes(const Plan& plan, const Overlap& overlap);

/// At most `most`, and as much of it as `memory` bytes hold; engines are given up first.
[[nodiscard]] Overlap choose_overlap(const Plan& plan, Overlap most, std::uint64_t memory);

/// Bytes of the samples that go in and that come out.
[[nodiscard]] std::uint64_t input_bytes(const Plan& plan);
[[nodiscard]] std::uint64_t output_bytes(const Plan& plan);

class PreparedPlan {
public:
    /// Builds the first engine; the others are made when they are first needed. `kernels` must outlive this.
    /// Throws BuildError, DeviceError.
    PreparedPlan(Device& device, const KernelSource& kernels, Plan plan, Overlap overlap);

    [[nodiscard]] const Plan& plan() const { return plan_; }
    /// With one PSF, and all engines and slots made.
    [[nodiscard]] std::uint64_t bytes() const { return device_bytes(plan_, overlap_); }

    /// What the engine makes of a PSF, once. `fitted`: the PSF as the plan's images need it; `psf` and `alpha_channel`
    /// know it again. Adds to `times` what it takes.
    const PreparedPsf& psf(const std::shared_ptr<const Psf>& psf, int alpha_channel, const Psf& fitted,
                           std::vector<StageTime>& times);

    [[nodiscard]] int slots() const { return overlap_.slots; }
    /// Memory of one of slots() images. On a CPU without input and output: it works in the host's.
    [[nodiscard]] const ImageBuffers& slot(int number);
    /// Which engine, and which queues, are for the image in a slot.
    [[nodiscard]] Engine& engine_of(int slot);
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
    std::vector<std::unique_ptr<Engine>> engines_;
    std::vector<ImageBuffers> slots_;
    std::map<std::pair<const Psf*, int>, PsfEntry> psfs_;
};

}  // namespace clconv
