// SPDX-License-Identifier: Apache-2.0
// An image's result, and how it was made.
#pragma once

#include "base/bytes.h"
#include "base/extent.h"
#include "base/timings.h"

#include <functional>
#include <string>
#include <vector>

namespace clconv {

struct ConvolvedImage {
    Extent extent;
    Bytes samples;                 ///< interleaved, of the requested type
    std::vector<StageTime> times;  ///< build, prepare, upload, each pass by its name, download, launch and wait
    std::string plan;              ///< describe(chosen plan)
    std::string plan_origin = {};  ///< ChosenPlan::origin
    std::string plan_check = {};   ///< of its first result: "passed", "passed before", "undecided", "off"
    std::vector<std::string> warnings = {};  ///< for the user
    std::size_t clamped = 0;                 ///< results that integers clamp by more than a code (engine/clamped.h)
    std::vector<double> residuals = {};      ///< of a deconvolution, before each of its iterations
    std::vector<Span> spans = {};            ///< of device and compiler, and "convolve" from start() to finish()
};

/// Called when an image has had `done` of at most `maximum` iterations.
using TellIterations = std::function<void(int done, int maximum)>;

namespace stage {
/// The host's work on a new plan or PSF, without the building of programs.
inline constexpr std::string_view kPrepare = "prepare";
}  // namespace stage

/// Adds preparing, from `start` until now, to an image's times and spans. `builds`: the programs that were built in it.
inline void add_preparing(ConvolvedImage& image, Clock::time_point start, const std::vector<Span>& builds)
{
    const Clock::time_point end = Clock::now();
    Seconds building{0};
    for (const Span& build : builds) building += build.end - build.start;
    if (!builds.empty()) add_time(image.times, stage::kBuild, building);
    add_time(image.times, stage::kPrepare, end - start - building);
    image.spans.push_back({"preparing", std::string(stage::kPrepare), start, end});
    image.spans.insert(image.spans.end(), builds.begin(), builds.end());
}

}  // namespace clconv
