// SPDX-License-Identifier: Apache-2.0
#include "engine/richardson_lucy.h"

#include "base/errors.h"
#include "conv/axis.h"
#include "passes/defines.h"
#include "passes/program_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace clconv {

namespace {

/// Planes of floats, as if no pass took another's work: the data, the ratios and the weights; the estimate, the
/// factors, the shares and what acceleration keeps; what the adjoint divides and folds.
std::uint64_t bytes_of_planes(const Problem& whole, const Problem& estimate, const RichardsonLucy& how)
{
    const Extent extended{estimate.image.width + estimate.psf.width - 1,
                          estimate.image.height + estimate.psf.height - 1};
    const BorderMode& border = mode_of(estimate.border);
    const int accelerated = how.acceleration == Acceleration::none       ? 0
                            : how.acceleration == Acceleration::momentum ? 1
                                                                         : 2;
    std::uint64_t pixels = 2 * whole.image.pixels() + (3 + accelerated) * estimate.image.pixels();
    if (how.weights) pixels += whole.image.pixels();
    if (border.divides_by_coverage) pixels += whole.image.pixels();
    if (!border.is_empty) pixels += extended.pixels() + Extent{estimate.image.width, extended.height}.pixels();
    const std::uint64_t mask = how.weights && how.weights->mask ? whole.image.pixels() : 0;
    return (pixels * static_cast<std::uint64_t>(estimate.channels) + mask) * sizeof(float);
}

/// The problem of the estimate alone.
EstimateProblem convolution_of_estimate(const Problem& whole, const RichardsonLucy& how)
{
    Problem problem = whole;
    problem.input = problem.output = SampleType::float32;
    problem.decode_srgb = problem.encode_srgb = problem.counts_clamped = false;
    problem.blend = {};
    problem.alternates = true;
    problem.layout = Layout::interleaved;
    problem.channels = planes_of(whole, how);
    if (problem.channels == 1) problem.psf_channels = 1;
    if (!how.is_masked) return {problem, {0, 0}};
    problem.border = Border::zero;
    problem.mode = Mode::valid;
    problem.image = {whole.image.width + whole.psf.width - 1, whole.image.height + whole.psf.height - 1};
    return {problem, first_output(problem)};
}

}  // namespace

EstimateProblem estimate_problem(const Problem& whole, const RichardsonLucy& how)
{
    EstimateProblem made = convolution_of_estimate(whole, how);
    made.problem.extra_bytes = bytes_of_planes(whole, made.problem, how);
    return made;
}

int planes_of(const Problem& whole, const RichardsonLucy& how)
{
    return how.by_luminance && whole.channels >= 3 ? 1 : whole.channels;
}

void check_luminance(const Problem& whole, const RichardsonLucy& how, int alpha_channel, const Psf& fitted)
{
    const int channels = whole.channels;
    if (planes_of(whole, how) == channels) return;
    if (!(channels == 3 && alpha_channel < 0) && !(channels == 4 && alpha_channel == 3))
        throw InvalidProblem(
            fmt::format("--colour luminance: the image has {} channels, and is not red, green, blue and perhaps "
                        "alpha; use --channels, or --colour channels",
                        channels));
    if (fitted.channels != 1)
        throw InvalidProblem(
            "--colour luminance: the PSF differs between colours; use --psf-gray, or --colour channels");
}

Problem samples_problem(const Problem& whole)
{
    Problem samples = whole;
    samples.border = Border::zero;
    samples.counts_clamped = is_integer(whole.output);  // estimates overshoot at edges
    return samples;
}

StepShape step_shape(const RichardsonLucy& how) { return {how.weights.has_value(), how.is_like_skimage}; }

IterationKernels iteration_kernels(const RichardsonLucy& how, bool is_chained)
{
    const bool needs_sums = how.acceleration == Acceleration::biggs_andrews, updates = !is_chained && !needs_sums;
    return {.ratio = !is_chained,
            .update = updates && how.acceleration == Acceleration::none,
            .update_ahead = updates && how.acceleration == Acceleration::momentum,
            .biggs_andrews = needs_sums,
            .smooth = how.total_variation > 0};
}

Recipe richardson_lucy_recipe(const Problem& samples, const RichardsonLucy& how, const IterationKernels& kernels,
                              const DeviceTraits& traits)
{
    Defines defines;
    defines.add_lines(precision_define(samples.precision))
        .add_lines(input_defines(samples))
        .add_lines(output_defines(samples));
    defines.add_lines(step_defines(step_shape(how)));
    const bool by_luminance = planes_of(samples, how) != samples.channels;
    if (by_luminance) defines.add("LUMINANCE", 1);
    if (!traits.is_cpu) defines.add("INTERLEAVED_ITEMS", 1);
    std::string words;
    const auto add = [&](bool has, const char* define, const char* word) {
        defines.add(define, has ? 1 : 0);
        if (has) words += word;
    };
    add(kernels.ratio, "HAS_RATIO", "-ratio");
    add(kernels.update, "HAS_UPDATE", "-update");
    add(kernels.update_ahead, "HAS_UPDATE_AHEAD", "-ahead");
    add(kernels.biggs_andrews, "HAS_BIGGS_ANDREWS", "-biggs-andrews");
    add(kernels.smooth, "HAS_SMOOTH", "-smooth");
    return {std::string(by_luminance ? "richardson-lucy-luminance" : "richardson-lucy") + words +
                step_words(step_shape(how)) + sample_words(samples, SampleUse::both),
            "richardson_lucy.cl", defines.text(), ""};
}

LevelScalars richardson_lucy_levels(const Problem& samples, const ImageLevels& image, const Blending& blending)
{
    const std::size_t channels = image.bias.size();
    SimpleLevels levels;
    levels.subtracted.assign(channels, 0.0);
    levels.restored.assign(channels, 0.0);
    levels.scales.assign(channels, 1.0);
    levels.minimum.assign(channels, kNoMinimum);
    return with_blend(std::move(levels), samples, image, blending);
}

std::vector<std::string> psf_warnings(const Psf& psf, double sum, bool is_like_skimage)
{
    std::vector<std::string> found;
    double negative = 0, all_of_them = 0;
    for (const double weight : psf.weights) {
        negative += std::max(0.0, -weight);
        all_of_them += std::abs(weight);
    }
    if (negative > 1e-3 * all_of_them)
        found.push_back(fmt::format(
            "{:.1f} % of PSF {} is negative, which Richardson-Lucy does not expect: see --psf-background auto",
            100 * negative / all_of_them, psf.name));
    if (std::abs(sum - 1) <= 0.01 || is_like_skimage) return found;
    found.push_back(sum == 0
                        ? fmt::format("PSF {} sums to 0, so the image's mean says nothing about the result's", psf.name)
                        : fmt::format("PSF {} sums to {:.3g}, so the result is {:.3g} times as bright: see --normalize",
                                      psf.name, sum, 1 / sum));
    return found;
}

std::optional<std::string> judged(const std::vector<double>& residuals, double of_noise, double rounding)
{
    const auto is_rounding = [&](double now) { return std::abs(now) < rounding; };
    if (std::ranges::all_of(residuals, is_rounding)) return std::nullopt;
    if (!(residuals.back() <= residuals.front()))
        return "the residual has risen: the iterations diverge, so PSF, --border or --background do not fit";
    constexpr double certain = 0.7;  // the noise is an estimate
    const auto beyond = std::ranges::find_if(residuals, [&](double now) { return now < certain * of_noise; });
    if (beyond == residuals.end()) return std::nullopt;
    return fmt::format(
        "after {} of {} iterations the residual is less than the image's noise makes likely, so the "
        "others add noise rather than detail; see --iterations, --stop and --tv",
        beyond - residuals.begin(), residuals.size());
}

bool is_enough(const std::vector<double>& residuals, double stop)
{
    if (stop <= 0 || residuals.size() <= kStopsEvery) return false;
    const double now = residuals.back(), before = residuals[residuals.size() - 1 - kStopsEvery];
    return before - now < stop * kStopsEvery * before;
}

double momentum_after(int k) { return std::min(static_cast<double>(k) / (k + 3), kMaxMomentum); }

double min_share(const RichardsonLucy& how)
{
    if (!how.is_masked && !how.weights) return kMinSampleWeight;
    return std::max(kMinSampleWeight, how.weights ? 0.01 * how.weights->smallest : 0.01);
}

}  // namespace clconv
