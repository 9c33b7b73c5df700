// SPDX-License-Identifier: Apache-2.0
// The passes of the FFT method, each with two residences.
#pragma once

#include "base/ceil_div.h"
#include "conv/placement.h"
#include "opencl/kernel_source.h"
#include "opencl/program.h"
#include "opencl/scratch.h"
#include "passes/launcher.h"
#include "passes/recipes.h"
#include "plan/plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace clconv {

/// An image on the device, its result, and the other buffers that the row passes read. Or several images of the same
/// sizes, one behind another in the first four buffers, where can_share_launches() (passes/engine.h).
struct ImageBuffers {
    cl::Buffer input;  ///< samples as in ImageView
    cl::Buffer output;
    cl::Buffer bias;     ///< subtracted on load: LevelScalars (passes/levels.h)
    cl::Buffer restore;  ///< added to the result: LevelScalars
    int images = 1;
    cl::Buffer weight;           ///< renormalize: [psf channels][output] scalars; else none (PreparedPsf::weight)
    cl::Buffer mask = {};        ///< a masked blend: [output] scalars; else none
    std::uint64_t image_id = 0;  ///< ImageView::id
};

/// What a launch of columns has: FftPlan::planes planes from `first` on, of each of `images` images.
struct Planes {
    int first = 0;
    int images = 1;
};

/// A placed PSF on the device.
struct PsfBuffers {
    PsfBuffers(Device& device, const PlacedPsf& psf, Precision precision);
    int width, height, channels;
    cl::Buffer weights;
    cl::Buffer columns;
    cl::Buffer rows;
};

/// The context from which every pass is made.
struct PassContext {
    Device& device;
    const KernelSource& kernels;
    const Plan& plan;
    bool keeps_spectra = false;             ///< for images with several PSFs; see can_keep_spectra()
    std::shared_ptr<Scratch> scratch = {};  ///< for intermediates
};

/// Passes refer to their own plan, so they are not copied.
class RowPass {
public:
    RowPass() = default;
    RowPass(const RowPass&) = delete;
    RowPass& operator=(const RowPass&) = delete;
    virtual ~RowPass() = default;
    /// Planes first_plane .. first_plane + fft.planes - 1 (channels, or pairs of them) to `spectra`.
    virtual void forward(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& spectra, int first_plane) = 0;
    /// A plane of a PSF (a channel, or a pair of them) to the place of an image's first plane in `spectra`.
    virtual void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra, int plane) = 0;
    virtual void inverse(Launcher& launcher, const cl::Buffer& spectra, const ImageBuffers& image, int first_plane) = 0;
};

class ColumnPass {
public:
    ColumnPass() = default;
    ColumnPass(const ColumnPass&) = delete;
    ColumnPass& operator=(const ColumnPass&) = delete;
    virtual ~ColumnPass() = default;
    /// From `source` to `spectra`. They are different buffers if columns that work-groups share are in parts; and they
    /// may be if can_keep_spectra(). `transfer`: of all planes of the PSF, from psf_forward().
    virtual void convolve(Launcher& launcher, const cl::Buffer& source, const cl::Buffer& spectra,
                          const cl::Buffer& transfer, const Planes& planes) = 0;
    virtual void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf,
                             const cl::Buffer& transfer, int plane) = 0;
};

/// A rectangle of samples.
struct Region {
    Position first;
    Extent extent;
};

/// A step of Richardson-Lucy between two convolutions (kernels/rows_step.cl): to the ratios of data to results, or to
/// the next estimate. Planes of interleaved floats.
struct RowStep {
    const cl::Buffer& samples;  ///< the data, or the estimate, which becomes the next one unless it runs ahead
    const cl::Buffer& weights;  ///< of the data, or the estimate's shares
    const cl::Buffer& before;   ///< runs_ahead: the estimate before `samples`, which becomes the next one
    const cl::Buffer& partial;  ///< ratios: groups() numbers from `first` on, whose sum is the I-divergence
    const cl::Buffer& numbers;  ///< [channel], the means of the data
    const cl::Buffer& restore;  ///< ImageBuffers::restore
    Region even = {};           ///< where the shares are equal, and need not all be read
    float background = 0;
    bool runs_ahead = false;
    double past_momentum = 0, momentum = 0;  ///< of `samples`, and of the next estimate
    std::size_t first = 0;
};
/// As the kernels take it: first column, columns, first row, rows.
[[nodiscard]] inline cl_int4 in_vector(const Region& region)
{
    return {{region.first.x, region.extent.width, region.first.y, region.extent.height}};
}

/// Both steps, in rows: from the spectra behind one column pass to those before the next, in place.
class StepPass {
public:
    StepPass() = default;
    StepPass(const StepPass&) = delete;
    StepPass& operator=(const StepPass&) = delete;
    virtual ~StepPass() = default;
    virtual void to_ratios(Launcher& launcher, const cl::Buffer& spectra, const RowStep& step) = 0;
    virtual void to_estimate(Launcher& launcher, const cl::Buffer& spectra, const RowStep& step) = 0;
    /// Numbers that a step to ratios leaves.
    [[nodiscard]] virtual std::size_t groups() const = 0;
};

/// Builds the programs of a pass. Throws BuildError, DeviceError.
[[nodiscard]] std::unique_ptr<RowPass> make_local_rows(const PassContext& context);
[[nodiscard]] std::unique_ptr<RowPass> make_lane_rows(const PassContext& context);
[[nodiscard]] std::unique_ptr<ColumnPass> make_lane_columns(const PassContext& context);
[[nodiscard]] std::unique_ptr<RowPass> make_global_rows(const PassContext& context);
[[nodiscard]] std::unique_ptr<ColumnPass> make_local_columns(const PassContext& context);
[[nodiscard]] std::unique_ptr<ColumnPass> make_global_columns(const PassContext& context);
/// Between the convolution by the context's plan and its adjoint `back`.
[[nodiscard]] std::unique_ptr<StepPass> make_local_step(const PassContext& context, const Plan& back,
                                                        const StepShape& shape);
[[nodiscard]] std::unique_ptr<StepPass> make_lane_step(const PassContext& context, const Plan& back,
                                                       const StepShape& shape);

/// Packs of `rows` rows in these spectra.
[[nodiscard]] inline int packs_of(const Spectrum& spectrum, int rows) { return ceil_div(rows, spectrum.rows_together); }

}  // namespace clconv
