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
                    "of wiener: the power of the noise over that of the image; less is sharper, and has more noise")
        ->type_name("V")
        ->check(in_range(0, 1e6))
        ->capture_default_str()
        ->group(group);
    list.add_option(Effect::pixels, "--lambda", options.lambda, "of tikhonov: how much roughness counts")
        ->type_name("V")
        ->check(in_range(0, 1e6))
        ->capture_default_str()
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
                    "unit of the samples (integers: 0 to 1); the result is without it; default: 0")
        ->type_name("V")
        ->check(in_range(0, 1e9))
        ->group(group);
}

/// Throws InvalidProblem if an option was given that the method does not have.
void check_method(const DeconvolveOptions& options)
{
    if (options.method == Deconvolution::rl) return;
    const auto refuse = [&](const char* name, bool is_given) {
        if (is_given) throw InvalidProblem(fmt::format("{}: only --method rl has it", name));
    };
    refuse("--iterations", options.iterations.has_value());
    refuse("--accelerate", options.accelerate.has_value());
    refuse("--tv", options.tv.has_value());
    refuse("--stop", options.stop.has_value());
    refuse("--background", options.background.has_value());
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
    if (text.empty() || text == "flat" || text == "image") return;
    how.start = number_of(text);
    if (!how.start || *how.start <= 0)
        throw InvalidProblem(fmt::format("--start {}: give flat, image, or a number above 0", text));
}

std::shared_ptr<const Work> work_of(const DeconvolveOptions& options)
{
    switch (options.method) {
        case Deconvolution::wiener: return deconvolution_work({DirectMethod::wiener, options.noise});
        case Deconvolution::tikhonov: return deconvolution_work({DirectMethod::tikhonov, options.lambda});
        case Deconvolution::rl: break;
    }
    RichardsonLucy how;
    how.iterations = options.iterations.value_or(how.iterations);
    how.acceleration = acceleration_of(options.accelerate.value_or(Accelerate::automatic));
    how.total_variation = options.tv.value_or(0);
    how.stop = options.stop.value_or(0);
    how.weights = weights_of(options.weight);
    put_start(options.start, how);
    how.background = options.background.value_or(how.background);
    how.is_masked = options.border.empty() || options.border == kMasked;
    return richardson_lucy_work(how);
}

}  // namespace

void add_deconvolve_options(OptionList& list, DeconvolveOptions& options)
{
    constexpr const char* group = "The deconvolution (H is the PSF's spectrum)";
    list.add_choice(Effect::pixels, "--method", options.method,
                    "wiener: conj(H) / (|H|^2 + NSR); tikhonov: conj(H) / (|H|^2 + LAMBDA |L|^2) with the Laplacian "
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
    check_method(options);
    run.work = work_of(options);
    // Their weights say that they do not count.
    if (!options.weight.empty()) run.nonfinite = NonFiniteRule::propagate;
    run.problem.border = options.border.empty() || options.border == kMasked ? "clamp" : options.border;
}

}  // namespace clconv
