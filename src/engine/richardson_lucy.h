// SPDX-License-Identifier: Apache-2.0
// Richardson-Lucy deconvolution as values: the request, and which convolution is planned for an image.
// docs/deconvolution.md has the formulas.
#pragma once

#include "base/device_traits.h"
#include "base/names.h"
#include "conv/problem.h"
#include "opencl/recipe.h"
#include "passes/blending.h"
#include "passes/levels.h"
#include "passes/recipes.h"
#include "passes/sizes.h"
#include "psf/psf.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// How the estimate runs ahead of its iterations.
enum class Acceleration {
    none,
    momentum,       ///< by momentum_after() of its last change
    biggs_andrews,  ///< by a share of it that the last two improvements decide
};
template <>
inline constexpr auto kNames<Acceleration> = std::to_array<Named<Acceleration>>({
    {"none", Acceleration::none},
    {"momentum", Acceleration::momentum},
    {"biggs-andrews", Acceleration::biggs_andrews},
});

/// Which samples of an image count.
struct SampleWeights {
    bool is_automatic = false;         ///< neither what is not finite, nor the largest code of integers
    std::shared_ptr<const Mask> mask;  ///< the weight of each pixel, besides, 0..1; may be null
    double smallest = 1;               ///< of the mask's weights above 0
};

/// Smaller weights, of the largest, drown in the rounding of sums over the larger ones beside them.
inline constexpr double kMinSampleWeight = 1e-4;

struct RichardsonLucy {
    int iterations = 20;
    Acceleration acceleration = Acceleration::momentum;
    /// The iterations end when the residual falls by less than this share of itself in an iteration, looked at every
    /// kStopsEvery; 0: never.
    double stop = 0;
    double total_variation = 0;                 ///< the strength of its regularisation
    std::optional<double> start = {};           ///< the first estimate; none: the image's mean, ...
    bool starts_from_image = false;             ///< ... or the image
    std::optional<SampleWeights> weights = {};  ///< none: all samples count alike
    /// True: nothing is known of what lies outside of the image, so the estimate is as large as what the PSF brings
    /// into the image. False: the image continues as the problem's border says.
    bool is_masked = true;
    /// Images of three colours, or of these and alpha: only their luminance is worked on, and colours follow it.
    bool by_luminance = false;
    double background = 0;          ///< added to the model of the data, in their unit
    bool finds_background = false;  ///< it is ImageStatistics::dark of each image instead
    /// As in scikit-image: negative samples stay, nothing is divided by A' w, 1e-12 is added to the model instead of a
    /// floor, and results that are floats are cut to [-1, 1]. For a border of zeros, and PSFs of odd sizes.
    bool is_like_skimage = false;
};

/// The convolution from an estimate to the data that it would give, in floats.
struct EstimateProblem {
    Problem problem;
    Position from;  ///< the image's first pixel in the estimate
};
/// `whole`: of the image.
[[nodiscard]] EstimateProblem estimate_problem(const Problem& whole, const RichardsonLucy& how);

/// Planes of the data and of the estimate: one for each channel, or that of the luminance.
[[nodiscard]] int planes_of(const Problem& whole, const RichardsonLucy& how);

/// Throws InvalidProblem if the luminance is wanted, and the image has none or the PSF differs between its colours.
/// `alpha_channel`: of the image, negative if it has none. `fitted`: the PSF, fitted to its channels.
void check_luminance(const Problem& whole, const RichardsonLucy& how, int alpha_channel, const Psf& fitted);

/// How the image becomes data, and the estimate the result, without the convolution.
[[nodiscard]] Problem samples_problem(const Problem& whole);

[[nodiscard]] StepShape step_shape(const RichardsonLucy& how);

/// Kernels of kernels/richardson_lucy.cl that only some iterations use.
struct IterationKernels {
    bool ratio = false;
    bool update = false;
    bool update_ahead = false;
    bool biggs_andrews = false;
    bool smooth = false;
};
/// `is_chained`: rows have the ratios, and updates that need no sums (passes/convolution_chain.h).
[[nodiscard]] IterationKernels iteration_kernels(const RichardsonLucy& how, bool is_chained);

/// The program of kernels/richardson_lucy.cl, for images of samples_problem().
[[nodiscard]] Recipe richardson_lucy_recipe(const Problem& samples, const RichardsonLucy& how,
                                            const IterationKernels& kernels, const DeviceTraits& traits);

/// The numbers that its kernels read of an image.
[[nodiscard]] LevelScalars richardson_lucy_levels(const Problem& samples, const ImageLevels& image,
                                                  const Blending& blending);

/// The shares of red, green and blue in the luminance, as kernels/richardson_lucy.cl has them.
inline constexpr std::array<float, 3> kLuminance{0.2126F, 0.7152F, 0.0722F};

inline constexpr int kStopsEvery = 5;

/// The halo of parts (plan/overlapping_parts.h) over the PSF's size. docs/deconvolution.md has what it leaves of seams.
inline constexpr int kHaloOfParts = 3;

/// What about a PSF makes the result unlike the image. `sum`: of its weights, in the first channel.
[[nodiscard]] std::vector<std::string> psf_warnings(const Psf& psf, double sum, bool is_like_skimage);

/// A warning if the residuals of an image's iterations show that these diverge, or that they have gone on to fit noise:
/// the discrepancy principle. `of_noise`: the residual of the true image, about its noise's variance over twice its
/// mean. `rounding`: residuals below it say nothing.
[[nodiscard]] std::optional<std::string> judged(const std::vector<double>& residuals, double of_noise, double rounding);

/// Whether the residuals so far say that the iterations are enough, under RichardsonLucy::stop.
[[nodiscard]] bool is_enough(const std::vector<double>& residuals, double stop);

/// The momentum after iteration `k`, counted from 1.
[[nodiscard]] double momentum_after(int k);
inline constexpr double kMaxMomentum = 0.99;

/// A' w counts as nothing below this share of the PSF's sum.
[[nodiscard]] double min_share(const RichardsonLucy& how);

}  // namespace clconv
