// SPDX-License-Identifier: Apache-2.0
// Bloom at a half or a quarter of the resolution. The image's highlights are shrunk, any plan convolves a small problem
// of floats, and the result is spread over the image again and blended (kernels/coarse.cl).
//
// The border is applied where the image is shrunk. So it is in the same place as at full resolution, for any extent.
// docs/decisions/030-bloom-resolution.md
#pragma once

#include "engine/image_problem.h"
#include "engine/zero_rule.h"
#include "opencl/kernel.h"
#include "opencl/kernel_source.h"
#include "opencl/recipe.h"
#include "passes/levels.h"
#include "passes/passes.h"
#include "plan/plan.h"
#include "psf/psf.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace clconv {

/// One image's bloom at a lower resolution, as a value.
struct Coarse {
    int factor = 2;
    int lanes = 1;                   ///< kLanes: kernels for CPUs
    Problem whole;                   ///< the image's own, of mode same
    Problem small;                   ///< planar floats, of mode valid
    std::shared_ptr<const Psf> psf;  ///< of `small`
    double misplaced = 0;            ///< ShrunkPsf::misplaced
    std::vector<int> columns, rows;  ///< the source sample of each position; -1 if there is none
    Position first;                  ///< the image's coordinates at position (0, 0)
};

/// `psf`: of `whole`. Throws InvalidProblem as shrunk() does, and TooLarge if the small image is too large.
[[nodiscard]] Coarse coarse(const Problem& whole, const Psf& psf, int factor);

/// Bytes of the image's samples, or of its results, of this type.
[[nodiscard]] std::uint64_t samples_bytes(const Problem& whole, SampleType type);

/// Throws TooLarge if the samples of the image or of its result are more than the device holds in one buffer.
void check_fits(const Problem& whole, const DeviceTraits& traits);

/// The user is warned if at least this share of the light is misplaced.
inline constexpr double kMuchMisplaced = 0.03;

/// Coarse::lanes for such a device.
[[nodiscard]] int coarse_lanes(const Decisions& forced, const DeviceTraits& traits);

/// The program of kernels/coarse.cl.
[[nodiscard]] Recipe coarse_recipe(const Coarse& coarse);

/// The numbers that both kernels read.
[[nodiscard]] LevelScalars coarse_levels(const Coarse& coarse, const ImageLevels& image, const Psf& psf,
                                         const Blending& blending);

/// The rule of exact zeros for an image that is convolved at a lower resolution: results depend on somewhat more than
/// the PSF's extent. `plain`: the rule at full resolution.
[[nodiscard]] ZeroRule coarse_rule(ZeroRule plain, const Coarse& coarse);

/// The two passes, bound to a device.
class CoarsePasses {
public:
    /// Throws BuildError, DeviceError.
    CoarsePasses(Device& device, const KernelSource& kernels, const Coarse& coarse);

    /// From image.input to coarse.small's image.
    void shrink(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& small);
    /// From coarse.small's result to image.output. kBehind floats behind the result may be read.
    void spread(Launcher& launcher, const cl::Buffer& small, const ImageBuffers& image);

    static constexpr int kBehind = 8;

private:
    const Coarse& coarse_;
    Kernel shrink_, spread_;
    cl::Buffer columns_, rows_;
};

}  // namespace clconv
