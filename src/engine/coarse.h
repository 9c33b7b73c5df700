// Bloom at a half or a quarter of the resolution: the image's highlights are shrunk, a small problem of floats is
// convolved by any plan, and the result is spread over the image again where it is blended (kernels/coarse.cl).
//
// The border is applied where the image is shrunk, so that it lies where it does at full resolution, whatever the
// extent is.
#pragma once

#include "engine/image_problem.h"
#include "engine/levels.h"
#include "engine/passes.h"
#include "opencl/kernel.h"
#include "opencl/kernel_source.h"
#include "opencl/recipe.h"
#include "plan/plan.h"
#include "psf/psf.h"

#include <memory>
#include <vector>

namespace clconv {

/// One image's bloom at a lower resolution, as a value.
struct Coarse {
    int factor = 2;
    int lanes = 1;                   ///< 8: kernels for CPUs
    Problem whole;                   ///< the image's own, of mode same
    Problem small;                   ///< planar floats, of mode valid
    std::shared_ptr<const Psf> psf;  ///< of `small`
    double misplaced = 0;            ///< ShrunkPsf::misplaced
    std::vector<int> columns, rows;  ///< the sample at each position that is shrunk; -1 where there is none
    Position first;                  ///< the image's coordinates at position (0, 0)
};

/// `psf`: of `whole`. Throws InvalidProblem as shrunk(), TooLarge where the small image is.
[[nodiscard]] Coarse coarse(const Problem& whole, const Psf& psf, int factor);

/// What is planned for an image: problem_of() it, or the small problem where the settings ask for a lower resolution.
[[nodiscard]] Problem planned_problem(const ImageView& image, int alpha_channel, const Psf& psf,
                                      const ConvolveSettings& settings, SampleType output);

/// A share of misplaced light from which on a user should know of it.
inline constexpr double kMuchMisplaced = 0.03;

/// The program of kernels/coarse.cl.
[[nodiscard]] Recipe coarse_recipe(const Coarse& coarse);

/// The numbers that both kernels read.
[[nodiscard]] LevelScalars coarse_levels(const Coarse& coarse, const ImageLevels& image, const Psf& psf,
                                         const Blending& blending);

/// The two passes, bound to a device.
class CoarsePasses {
public:
    /// Throws BuildError, DeviceError.
    CoarsePasses(Device& device, const KernelSource& kernels, const Coarse& coarse);

    /// From image.input to coarse.small's image.
    void shrink(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& small);
    /// From coarse.small's result, with kBehind floats behind it that may be read, to image.output.
    void spread(Launcher& launcher, const cl::Buffer& small, const ImageBuffers& image);

    static constexpr int kBehind = 8;

private:
    const Coarse& coarse_;
    Kernel shrink_, spread_;
    cl::Buffer columns_, rows_;
};

}  // namespace clconv
