// An image's result, and how it was made.
#pragma once

#include "base/bytes.h"
#include "base/extent.h"
#include "base/timings.h"

#include <string>
#include <vector>

namespace clconv {

struct ConvolvedImage {
    Extent extent;
    Bytes samples;                           ///< interleaved, of the type asked for
    std::vector<StageTime> times;            ///< build, upload, each pass by its name, download, launch and wait
    std::string plan;                        ///< describe(chosen plan)
    std::string plan_origin = {};            ///< ChosenPlan::origin
    std::string plan_check = {};             ///< of its first result: "passed", "passed before", "undecided", "off"
    std::vector<std::string> warnings = {};  ///< for the user
    std::size_t clamped = 0;                 ///< results that integers clamp by more than a code (engine/clamped.h)
    std::vector<Span> spans = {};            ///< of device and compiler, and "convolve" from start() to finish()
};

/// Adds the building of programs, from `start` until now, to an image's times and spans.
inline void add_build(ConvolvedImage& image, Clock::time_point start)
{
    const Clock::time_point end = Clock::now();
    add_time(image.times, stage::kBuild, end - start);
    image.spans.push_back({"compiler", std::string(stage::kBuild), start, end});
}

}  // namespace clconv
