// SPDX-License-Identifier: Apache-2.0
// Converts an image and a PSF to the engine's values: a problem, the PSF for the image's channels, and the bias.
#pragma once

#include "base/image_view.h"
#include "engine/first_use.h"
#include "engine/plan_source.h"
#include "engine/work.h"
#include "passes/blending.h"
#include "plan/plan.h"
#include "psf/psf.h"
#include "psf/support.h"

#include <list>
#include <memory>
#include <vector>

namespace clconv {

/// What to compute with every image, and how.
struct ConvolveSettings {
    Border border = Border::clamp;
    std::vector<double> border_value;  ///< if the border needs_value: one, or one a channel
    Mode mode = Mode::same;
    bool correlate = false;
    Decisions decisions;  ///< those that the user forces; `plans` chooses everything else
    PlanSource plans = heuristic_plan;
    Precision precision = Precision::float32;
    FirstUse first_use = {};
    Blending blending = {};
    std::shared_ptr<const Work> work = plain_work();
    bool several_psfs = false;  ///< whether each image is convolved with several PSFs
};

/// The problem of an image and a PSF. Throws InvalidProblem: a PSF with neither one channel
/// nor as many as the image has colours, or border values that are neither one nor one for each channel.
[[nodiscard]] Problem problem_of(const ImageView& image, const Psf& psf, const ConvolveSettings& settings,
                                 SampleType output);

/// The same for a PSF that is already fitted to the image. `support`: the PSF's.
[[nodiscard]] Problem fitted_problem(const ImageView& image, const Psf& psf, const PsfSupport& support,
                                     const ConvolveSettings& settings, SampleType output);

/// What the settings' work needs for images of `whole`, with a PSF that is not yet fitted to them. Throws as
/// Work::needs().
[[nodiscard]] WorkNeeds work_needs(const Problem& whole, const Psf& psf, const Channels& channels,
                                   const ConvolveSettings& settings, const DeviceTraits& traits);

/// bias_of() the image, or of its highlights if these are convolved, in the precision of the sums.
[[nodiscard]] std::vector<double> subtracted_from(const ImageView& image, const ConvolveSettings& settings);

/// The value where the border has gaps (conv/border.h), in the same precision.
[[nodiscard]] std::vector<double> outside_of(const ImageView& image, const ConvolveSettings& settings);

/// PSFs for images: matched to their channels, and rotated for correlation. The latest ones are kept.
class FittedPsfs {
public:
    /// `psf` is identified by its address. The result lives until 32 others have been made.
    const Psf& fit(const std::shared_ptr<const Psf>& psf, const Channels& channels, bool correlate);

    /// The support of a PSF that fit() has returned.
    [[nodiscard]] std::shared_ptr<const PsfSupport> support(const Psf& fitted);

private:
    struct Fitted {
        std::shared_ptr<const Psf> original;  ///< held, so that its address is not reused
        Channels channels;
        bool correlate = false;
        Psf psf;
        std::shared_ptr<const PsfSupport> support = {};  ///< null until it is first needed
    };
    std::list<Fitted> known_;
};

}  // namespace clconv
