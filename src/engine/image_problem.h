// What an image and a PSF are to the engine: a problem, the PSF as the image's channels need it, the bias.
#pragma once

#include "base/image_view.h"
#include "engine/blending.h"
#include "engine/first_use.h"
#include "engine/plan_source.h"
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
    std::vector<double> border_value;  ///< for Border::constant: one value, or one a channel
    Mode mode = Mode::same;
    bool correlate = false;
    Decisions decisions;  ///< what the user forces; everything else is `plans`' to choose
    PlanSource plans = heuristic_plan;
    Precision precision = Precision::float32;
    FirstUse first_use = {};
    Blending blending = {};
    int shrink = 1;             ///< with highlights: convolved at 1, 1 / 2 or 1 / 4 of the resolution (engine/coarse.h)
    bool several_psfs = false;  ///< each image comes with several, one after the other
};

/// The problem that an image and a PSF make. `alpha_channel` -1: none. Throws InvalidProblem: a PSF with neither one
/// channel nor as many as the image has colours, border values that are neither one nor one a channel.
[[nodiscard]] Problem problem_of(const ImageView& image, int alpha_channel, const Psf& psf,
                                 const ConvolveSettings& settings, SampleType output);

/// The same for a PSF that is fitted to the image already. `support`: its.
[[nodiscard]] Problem fitted_problem(const ImageView& image, const Psf& psf, const PsfSupport& support,
                                     const ConvolveSettings& settings, SampleType output);

/// bias_of() the image, in float; of highlights, that of what they are.
[[nodiscard]] std::vector<float> bias_in_float(const ImageView& image, int alpha_channel,
                                               const ConvolveSettings& settings);

/// What stands outside the image where its border is empty: what bias_in_float() is made of.
[[nodiscard]] std::vector<float> outside_of(const ImageView& image, int alpha_channel,
                                            const ConvolveSettings& settings);

/// PSFs as images need them: matched to their channels, turned for correlation. Those made last are kept.
class FittedPsfs {
public:
    /// `psf` is known again by its address. The result lives until some dozen others were made.
    const Psf& fit(const std::shared_ptr<const Psf>& psf, int channels, int alpha_channel, bool correlate);

    /// Of what fit() has returned.
    [[nodiscard]] std::shared_ptr<const PsfSupport> support(const Psf& fitted);

private:
    struct Fitted {
        std::shared_ptr<const Psf> original;  ///< held, so that its address stays its own
        int channels = 0;
        int alpha_channel = -1;
        bool correlate = false;
        Psf psf;
        std::shared_ptr<const PsfSupport> support = {};  ///< once it was asked for
    };
    std::list<Fitted> known_;
};

}  // namespace clconv
