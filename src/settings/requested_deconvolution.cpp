// SPDX-License-Identifier: Apache-2.0
#include "settings/requested_deconvolution.h"

#include "base/choice.h"
#include "base/errors.h"
#include "conv/border.h"
#include "engine/deconvolution_work.h"
#include "engine/richardson_lucy_work.h"
#include "settings/number_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace clconv {
namespace {

/// Throws InvalidProblem if an option of rl was given.
void check_direct(const DeconvolveOptions& options)
{
    const auto refuse = [&](const char* name, bool is_given) {
        if (is_given) throw InvalidProblem(fmt::format("{}: only --method rl has it", name));
    };
    refuse("--iterations", options.iterations.has_value());
    refuse("--accelerate", options.accelerate.has_value());
    refuse("--colour luminance", options.colour == ColourPlanes::luminance);
    refuse("--tv", options.tv.has_value());
    refuse("--stop", options.stop.has_value());
    refuse("--background", !options.background.empty());
    refuse("--weight", !options.weight.empty());
    refuse("--start", !options.start.empty());
    refuse("--border masked", options.border == kMasked);
    if (options.border == name_of(Border::renormalize))
        throw InvalidProblem(fmt::format(
            "--border {}: not for an inverse, which reaches everywhere; use another border", options.border));
}

Acceleration acceleration_of(Accelerate word)
{
    switch (word) {
        case Accelerate::none: return Acceleration::none;
        case Accelerate::biggs_andrews: return Acceleration::biggs_andrews;
        case Accelerate::automatic:
        case Accelerate::momentum: break;
    }
    return Acceleration::momentum;
}

/// The weights over the largest: only their ratios matter, and a mask is often 0 and 1 in bytes. Throws
/// InvalidProblem if one is negative, or all are 0.
Mask relative_weights(const std::string& file, Mask mask)
{
    const auto [minimum, maximum] = std::ranges::minmax_element(mask.values);
    if (*minimum < 0) {
        const auto at = static_cast<int>(minimum - mask.values.begin());
        throw InvalidProblem(fmt::format("--weight {}: {:g} at x {}, y {}; weights are numbers from 0 on", file,
                                         *minimum, at % mask.extent.width, at / mask.extent.width));
    }
    if (*maximum == 0)
        throw InvalidProblem(fmt::format("--weight {}: all weights are 0, so no sample would count", file));
    const double unit = *maximum;
    for (float& weight : mask.values) weight = static_cast<float>(weight / unit);
    return mask;
}

std::optional<SampleWeights> weights_of(const std::string& text, const ReadWeights& read)
{
    if (text.empty()) return std::nullopt;
    if (text == "auto") return SampleWeights{true, nullptr};
    const auto mask = std::make_shared<const Mask>(relative_weights(text, read(text)));
    SampleWeights weights{false, mask};
    for (const float weight : mask->values)
        if (weight > 0) weights.smallest = std::min(weights.smallest, static_cast<double>(weight));
    return weights;
}

void put_start(const std::string& text, RichardsonLucy& how)
{
    how.starts_from_image = text == "image";
    if (text.empty()) return;
    how.start = std::nullopt;
    if (text == "flat" || text == "image") return;
    how.start = number_of(text);
    if (!how.start || *how.start <= 0)
        throw InvalidProblem(fmt::format("--start {}: give flat, image, or a number above 0", text));
}

/// A number of at least 0 and at most `maximum`, or the word auto. Throws InvalidProblem.
std::optional<double> number_or_auto(const char* name, const std::string& text, double maximum)
{
    if (text == "auto") return std::nullopt;
    const std::optional<double> value = number_of(text);
    if (!value || *value < 0 || *value > maximum)
        throw InvalidProblem(fmt::format("{}: '{}' is not a number from 0 to {:g}, nor auto", name, text, maximum));
    return value;
}

std::shared_ptr<const Work> direct_work(const DeconvolveOptions& options, Deconvolution method)
{
    check_direct(options);
    DirectDeconvolution how;
    how.is_cut = options.like.has_value();
    const bool is_wiener = method == Deconvolution::wiener && !options.like;
    how.method = is_wiener ? DirectMethod::wiener : DirectMethod::tikhonov;
    if (!is_wiener) {
        how.strength = options.lambda.value_or(how.strength);
    } else if (!options.noise.empty()) {
        const std::optional<double> noise = number_or_auto("--nsr", options.noise, 1e6);
        how.is_estimated = !noise;
        how.strength = noise.value_or(0);
    }
    return deconvolution_work(how);
}

std::shared_ptr<const Work> iterative_work(const DeconvolveOptions& options, const ReadWeights& read)
{
    RichardsonLucy how;
    how.acceleration = acceleration_of(options.accelerate.value_or(Accelerate::automatic));
    how.is_masked = options.border.empty() || options.border == kMasked;
    if (options.like) {
        const char* names[] = {"--accelerate", "--tv", "--stop", "--background", "--weight", "--border", "--colour"};
        const bool given[] = {options.accelerate.has_value(),
                              options.tv.has_value(),
                              options.stop.has_value(),
                              !options.background.empty(),
                              !options.weight.empty(),
                              !options.border.empty(),
                              options.colour != ColourPlanes::channels};
        for (std::size_t i = 0; i < std::size(names); ++i)
            if (given[i]) throw InvalidProblem(fmt::format("{}: not with --like skimage", names[i]));
        how.is_like_skimage = true;
        how.is_masked = false;
        how.acceleration = Acceleration::none;
        how.iterations = 50;
        how.start = 0.5;
    }
    how.iterations = options.iterations.value_or(how.iterations);
    how.by_luminance = options.colour == ColourPlanes::luminance;
    how.total_variation = options.tv.value_or(0);
    how.stop = options.stop.value_or(0);
    how.weights = weights_of(options.weight, read);
    put_start(options.start, how);
    if (!options.background.empty()) {
        const std::optional<double> background = number_or_auto("--background", options.background, 1e9);
        how.finds_background = !background;
        how.background = background.value_or(0);
    }
    return richardson_lucy_work(how);
}

/// What auto stands for.
Deconvolution method_of(const DeconvolveOptions& options)
{
    if (options.method != Deconvolution::automatic) return options.method;
    if (!options.noise.empty()) return Deconvolution::wiener;
    return options.lambda ? Deconvolution::tikhonov : Deconvolution::rl;
}

const char* border_of(const DeconvolveOptions& options, Deconvolution method)
{
    if (!options.border.empty() && options.border != kMasked) return options.border.c_str();
    if (!options.like) return "clamp";
    return method == Deconvolution::rl ? "zero" : "wrap";
}

}  // namespace

RequestedDeconvolution requested_deconvolution(const DeconvolveOptions& options, ProblemOptions problem,
                                               const ReadWeights& read)
{
    if (problem.precision == Precision::half)
        throw InvalidProblem("--precision half: has too little range for deconvolution; use float or double");
    const Deconvolution method = method_of(options);
    if (method != Deconvolution::wiener && !options.noise.empty())
        throw InvalidProblem("--nsr: only --method wiener has it");
    if (options.like && !options.noise.empty())
        throw InvalidProblem("--nsr: not with --like skimage, whose wiener has --lambda");
    const bool is_skimage = method == Deconvolution::wiener && options.like;
    if (method != Deconvolution::tikhonov && options.lambda && !is_skimage)
        throw InvalidProblem("--lambda: only --method tikhonov has it");
    RequestedDeconvolution requested;
    if (options.method == Deconvolution::automatic)
        requested.note = fmt::format("--method auto is {} here", name_of(method));
    requested.work = method == Deconvolution::rl ? iterative_work(options, read) : direct_work(options, method);
    requested.problem = std::move(problem);
    requested.problem.border = border_of(options, method);
    if (options.like) {
        requested.problem.linear = false;
        requested.problem.normalize = Normalization::none;
    }
    return requested;
}

}  // namespace clconv
