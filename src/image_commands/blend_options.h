// How image and result are combined: `clconv run --mix`, --mask and --bias, and all of `clconv bloom`.
#pragma once

#include "batch/psf_set.h"
#include "passes/blending.h"

#include "cli/option_list.h"

#include <optional>
#include <string>
#include <vector>

namespace clconv {

struct RunOptions;

/// As typed.
struct BlendOptions {
    std::optional<double> mix;
    std::string mask;
    double bias = 0;
};

/// As typed.
struct BloomOptions {
    double threshold = 0.8;
    double knee = 0.5;
    double clamp = 0;  ///< 0: no limit
    double intensity = 0.6;
    double scatter = 0.2;
    std::string tint = "1,1,1";
    std::string mix = "add";
    std::string boost = "auto";
    std::string scale = "auto";
    std::string resolution = "1";
    bool usual_glow = false;  ///< no PSF was named
};

void add_mask_option(OptionList& list, BlendOptions& options);
void add_blend_options(OptionList& list, BlendOptions& options);
void add_bloom_options(OptionList& list, BloomOptions& options);

/// Reads the mask. Throws InvalidProblem.
[[nodiscard]] Blending blending_of(const RunOptions& options);

/// The default PSF of a bloom, in words, for images of kBloomReference lines.
inline constexpr const char* kBloomGlow = "glow:270,core=3,exponent=2.4";
inline constexpr int kBloomReference = 1080;

/// How the PSFs of a bloom follow the image's height; nothing if they do not. Throws InvalidProblem.
[[nodiscard]] PsfSet::Fit bloom_fit(const BloomOptions& options);

}  // namespace clconv
