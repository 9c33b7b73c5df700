// SPDX-License-Identifier: Apache-2.0
#include "image_commands/deconvolve_options.h"

#include "base/choice.h"
#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "cli/number_option.h"
#include "conv/border.h"
#include "engine/deconvolution_work.h"
#include "engine/richardson_lucy_work.h"

#include <fmt/format.h>

namespace clconv {
namespace {

/// What lies outside is not known.
constexpr const char* kMasked = "masked";

void add_direct_options(OptionList& list, DeconvolveOptions& options, const char* group)
{
    list.add_option(Effect::pixels, "--nsr", options.noise,
                    "of wiener: the power of the noise over that of the image; less is sharper, and has more noise; "
                    "auto estimates it for each image; default: 0.01")
        ->type_name("V|auto")
        ->group(group);
    list.add_option(Effect::pixels, "--lambda", options.lambda, "of tikhonov: how much roughness counts; default: 0.01")
        ->type_name("V")
        ->check(in_range(0, 1e6))
        ->group(group);
}

void add_iteration_options(OptionList& list, DeconvolveOptions& options, const char* group)
{
    list.add_option(Effect::pixels, "--iterations", options.iterations,
                    fmt::format("of rl: how often the estimate is improved, the same for all images; more is sharper, "
                                "and has more noise; default: {}",
                                RichardsonLucy{}.iterations))
        ->type_name("N")
        ->check(CLI::Range(0, 100000).description(""))
        ->group(group);
    list.add_parsed(
            Effect::pixels, "--accelerate",
            [&options](const std::string& text) { options.accelerate = choice<Accelerate>("--accelerate", text); },
            "of rl: fewer iterations for the same result: none, momentum (a growing share of the last change is added "
            "to each), biggs-andrews (the share follows from the last two changes), or auto, which is momentum",
            "auto")
        ->type_name("HOW")
        ->group(group);
    list.add_option(Effect::pixels, "--tv", options.tv,
                    "of rl: strength of a regularisation by total variation, such as 0.002, which takes grain away "
                    "and keeps edges; default: 0, none")
        ->type_name("V")
        ->check(in_range(0, 0.5))
        ->group(group);
    list.add_option(Effect::pixels, "--stop", options.stop,
                    fmt::format("of rl: end an image's iterations when the residual falls by less than this share in "
                                "each, such as 0.01; looked at every {}; --iterations is the most. Default: 0, never, "
                                "so that all images are treated alike",
                                kStopsEvery))
        ->type_name("V")
        ->check(in_range(0, 1))
        ->group(group);
    list.add_option(Effect::pixels, "--weight", options.weight,
                    "of rl: samples that weigh nothing. auto: those that are not finite, and in images of integers "
                    "those of the largest code, which are clipped; or FILE, an image of the images' size, 0 where "
                    "samples are not known and 1 where they are, besides those that are not finite")
        ->type_name("auto|FILE")
        ->group(group);
    list.add_option(Effect::pixels, "--start", options.start,
                    "of rl: the first estimate: flat, the image's mean everywhere; image; or V everywhere; default: "
                    "flat")
        ->type_name("flat|image|V")
        ->group(group);
    list.add_option(Effect::pixels, "--background", options.background,
                    "of rl: light that is in the image but came through no PSF, such as a detector's offset, in the "
                    "unit of the samples (integers: 0 to 1); the result is without it; auto is the median of an "
                    "image's darkest tenth; default: 0")
        ->type_name("V|auto")
        ->group(group);
    list.add_parsed(
            Effect::pixels, "--like",
            [&options](const std::string& text) { options.like = choice<Like>("--like", text); },
            "the conventions of scikit-image: stored samples, --normalize none, results cut to [-1, 1]; rl with a "
            "border of zeros, 50 iterations from 0.5, and negative samples; wiener is what is tikhonov here, with "
            "--border wrap",
            "")
        ->type_name("skimage")
        ->group(group);
}

/// Throws InvalidProblem if an option of rl was given.
void check_direct(const DeconvolveOptions& options)
{
    const auto refuse = [&](const char* name, bool is_given) {
        if (is_given) throw InvalidProblem(fmt::format("{}: only --method rl has it", name));
    };
    refuse("--iterations", options.iterations.has_value());
    refuse("--accelerate", options.accelerate.has_value());
    refuse("--tv", options.tv.has_value());
    refuse("--stop", options.stop.has_value());
    refuse("--background", !options.background.empty());
    refuse("--weight", !options.weight.empty());
    refuse("--start", !options.start.empty());
    refuse("--border masked", options.border == kMasked);
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

std::optional<SampleWeights> weights_of(const std::string& text)
{
    if (text.empty()) return std::nullopt;
    if (text == "auto") return SampleWeights{true, nullptr};
    try {
        return SampleWeights{false, std::make_shared<const Mask>(isolated_mask(text))};
    } catch (const InputError& error) {
        throw InvalidProblem(fmt::format("--weight {}", error.what()));
    }
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

/// A number of at least 0 and at most `most`, or the word auto. Throws InvalidProblem.
std::optional<double> number_or_auto(const char* name, const std::string& text, double most)
{
    if (text == "auto") return std::nullopt;
    const std::optional<double> value = number_of(text);
    if (!value || *value < 0 || *value > most)
        throw InvalidProblem(fmt::format("{}: '{}' is not a number from 0 to {:g}, nor auto", name, text, most));
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

std::shared_ptr<const Work> iterative_work(const DeconvolveOptions& options)
{
    RichardsonLucy how;
    how.acceleration = acceleration_of(options.accelerate.value_or(Accelerate::automatic));
    how.is_masked = options.border.empty() || options.border == kMasked;
    if (options.like) {
        const char* names[] = {"--accelerate", "--tv", "--stop", "--background", "--weight", "--border"};
        const bool given[] = {options.accelerate.has_value(), options.tv.has_value(),  options.stop.has_value(),
                              !options.background.empty(),    !options.weight.empty(), !options.border.empty()};
        for (std::size_t i = 0; i < std::size(names); ++i)
            if (given[i]) throw InvalidProblem(fmt::format("{}: --like skimage has its own", names[i]));
        how.is_like_skimage = true;
        how.is_masked = false;
        how.acceleration = Acceleration::none;
        how.iterations = 50;
        how.start = 0.5;
    }
    how.iterations = options.iterations.value_or(how.iterations);
    how.total_variation = options.tv.value_or(0);
    how.stop = options.stop.value_or(0);
    how.weights = weights_of(options.weight);
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

void add_deconvolve_options(OptionList& list, DeconvolveOptions& options)
{
    constexpr const char* group = "The deconvolution (H is the PSF's spectrum)";
    list.add_choice(Effect::pixels, "--method", options.method,
                    "auto, which is rl, or the method that --nsr or --lambda belongs to; wiener: conj(H) / (|H|^2 + "
                    "NSR); tikhonov: conj(H) / (|H|^2 + LAMBDA |L|^2) with the Laplacian "
                    "L, which spares smooth areas; or rl: Richardson-Lucy's iterations, for images of few photons, "
                    "whose results are never negative")
        ->type_name("METHOD")
        ->group(group);
    add_direct_options(list, options, group);
    add_iteration_options(list, options, group);
    list.add_option(Effect::pixels, "--border", options.border,
                    "what the image is outside its data: masked, not known (only rl, its default), or one of\n" +
                        borders_help() + "\nDefault of the other methods: clamp")
        ->type_name("MODE")
        ->group(group);
}

void apply(const DeconvolveOptions& options, RunOptions& run)
{
    const Deconvolution method = method_of(options);
    if (method != Deconvolution::wiener && !options.noise.empty())
        throw InvalidProblem("--nsr: only --method wiener has it");
    if (method == Deconvolution::rl && options.lambda) throw InvalidProblem("--lambda: only --method tikhonov has it");
    if (options.method == Deconvolution::automatic) run.note = fmt::format("--method auto is {} here", name_of(method));
    run.work = method == Deconvolution::rl ? iterative_work(options) : direct_work(options, method);
    run.problem.border = border_of(options, method);
    if (options.like) {
        run.problem.linear = false;
        run.problem.normalize = Normalization::none;
    }
    // Their weights say that they do not count.
    if (options.weight != "auto") run.weights = options.weight;
    if (!options.weight.empty()) run.nonfinite = NonFiniteRule::propagate;
}

}  // namespace clconv
