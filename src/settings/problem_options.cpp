// SPDX-License-Identifier: Apache-2.0
#include "settings/problem_options.h"

#include "base/byte_count.h"
#include "base/choice.h"
#include "plan/plan_tiled.h"
#include "settings/border_option.h"
#include "settings/cache_option.h"
#include "settings/number_option.h"
#include "settings/offered_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clconv {

namespace {

constexpr const char* kModeHelp =
    "extent of the output: same, that of the image; full, every position that the PSF touches; valid, "
    "positions that need no border";

constexpr const char* kOriginHelp =
    "the PSF's sample that lands on the output pixel: center (floor(K/2), also for even sizes), peak, "
    "centroid, or X,Y counted from the upper left sample 0,0";

constexpr const char* kNormalizeHelp =
    "scale of the PSF: sum, each channel's sum becomes 1; sum-all, one scale for all channels; peak, the largest "
    "magnitude becomes 1; none";

constexpr const char* kPrecisionHelp =
    "float; half: computed in float, with spectra stored in half (less memory traffic, errors up to "
    "1e-3); double: everything in double, if the device has it";

constexpr const char* kChannelsHelp =
    "the channels to convolve, by names, globs or /regular expressions/, separated by commas: R,G,B,A "
    "or 'diffuse.*'; the others are copied bit for bit. Default: all except depth, normals, "
    "positions, motion vectors, ids and Cryptomatte, recognised by names and metadata; '*' is all";

/// The rules of all commands.
constexpr const char* kNonFiniteHelp =
    "samples that are NaN or infinite: error, the image fails; zero, they count as 0; ";

constexpr const char* kRadixHelp =
    "FFT radices of both axes: auto, a largest radix (32), or the whole sequence (16,16,4)";

RadixRequest radix_request(const std::string& option, const std::string& of_axis, const std::string& of_both)
{
    if (!of_axis.empty()) return parse_radix(of_axis, option);
    return parse_radix(of_both);
}

MethodOption parse_method(const std::string& text)
{
    if (text == "auto") return {};
    if (text == "none") return {.copies = true};
    return {.method = choice<Method>("--method", text, "auto, none, ")};
}

}  // namespace

void add_channels_option(OptionList& list, std::string& channels, const std::string& group)
{
    list.add_option(Effect::pixels, "--channels", channels, kChannelsHelp)->type_name("LIST")->group(group);
}

void add_nonfinite_option(OptionList& list, NonFiniteRule& rule, const std::string& group)
{
    list.add_choice(Effect::pixels, "--nonfinite", rule,
                    std::string(kNonFiniteHelp) +
                        "interpolate, they count as missing: the sum over the known samples is divided by their weight "
                        "(NaN if it is none), as in astropy; propagate, they are convolved, and with FFTs reach far "
                        "beyond the PSF")
        ->type_name("HOW")
        ->group(group);
}

void add_nonfinite_option_without_gaps(OptionList& list, NonFiniteRule& rule, const std::string& group)
{
    CLI::Option* option = list.add_parsed(
        Effect::pixels, "--nonfinite",
        [&rule](const std::string& text) { rule = choice<NonFiniteRule>("--nonfinite", text); },
        std::string(kNonFiniteHelp) + "propagate, they are worked on, and with FFTs reach far beyond the PSF",
        name_of(rule));
    offer(option, {name_of(NonFiniteRule::error), name_of(NonFiniteRule::zero), name_of(NonFiniteRule::propagate)})
        ->type_name("HOW")
        ->group(group);
}

void add_psf_options(OptionList& list, ProblemOptions& options, const std::string& group)
{
    list.add_option(
            Effect::pixels, "--psf-part", options.psf_part,
            "which image of a PSF file that has several: a page, part or frame counted from 0, a part's name; of "
            "FITS an HDU, by number (the primary one is 0) or EXTNAME, and HDU:N or HDU:all for the planes of "
            "a cube")
        ->type_name("N|NAME")
        ->group(group);
    list.add_option(Effect::pixels, "--psf-origin", options.psf_origin, kOriginHelp)
        ->type_name("ORIGIN")
        ->capture_default_str()
        ->group(group);
    list.add_choice(Effect::pixels, "--normalize", options.normalize, kNormalizeHelp)->type_name("HOW")->group(group);
    list.add_flag(Effect::pixels, "--psf-gray", options.psf_gray, "first average the PSF's channels into one")
        ->group(group);
    list.add_flag(Effect::pixels, "--psf-linear", options.psf_linear, "decode PSF images of integers from sRGB first")
        ->group(group);
    list.add_option(Effect::pixels, "--psf-background", options.psf_background,
                    "subtract V, or with auto the median of the samples around the edge, from each channel of a PSF "
                    "file, and set negative values to 0; integers map to 0..1")
        ->type_name("V|auto")
        ->group(group);
    list.add_option(Effect::pixels, "--psf-clamp", options.psf_clamp,
                    "values of a PSF file above V count as V, so that its core does not hold all the light; integers "
                    "map to 0..1")
        ->type_name("V")
        ->check(in_range(1e-30, 1e30))
        ->group(group);
    list.add_option(Effect::pixels, "--psf-power", options.psf_power,
                    "raise each value of a PSF file to the power of P, for pictures of glares: above 1, tails get "
                    "darker than 8 bits can store")
        ->type_name("P")
        ->check(in_range(0.05, 20))
        ->group(group);
    list.add_option(Effect::pixels, "--psf-crop", options.psf_crop,
                    "trim the PSF around its origin until SHARE of it is left, such as 0.99: the sum of magnitudes")
        ->type_name("SHARE")
        ->check(in_range(0.01, 1))
        ->group(group);
}

namespace {

void add_result_options(OptionList& list, ProblemOptions& options)
{
    constexpr const char* what = "What is computed";
    list.add_option(Effect::pixels, "--border", options.border,
                    "the values of the image outside its data, one of\n" + borders_help())
        ->type_name("MODE")
        ->capture_default_str()
        ->group(what);
    list.add_choice(Effect::pixels, "--mode", options.mode, kModeHelp)->type_name("MODE")->group(what);
    list.add_flag(Effect::pixels, "--correlate", options.correlate,
                  "correlate instead of convolving: the PSF is not rotated by 180 degrees")
        ->group(what);
    add_psf_options(list, options, what);
    list.add_choice(Effect::pixels, "--psf-orientation", options.psf_orientation,
                    "for images with an Orientation tag: viewed, the PSF applies to the image as displayed and is "
                    "rotated or mirrored to match the stored pixels; stored, it applies to the stored pixels. Pixels "
                    "and tag stay "
                    "in both cases")
        ->type_name("HOW")
        ->group(what);
    list.add_flag(Effect::pixels, "--linear", options.linear,
                  "convolve in linear light: codes are decoded by the curves of the file's ICC profile, its gamma "
                  "or sRGB's, and results are encoded again by those of the output. Floats are linear, also in "
                  "outputs; integers of linear inputs become sRGB")
        ->group(what);
    list.add_choice(Effect::pixels, "--precision", options.precision, kPrecisionHelp)->type_name("P")->group(what);
}

void add_engine_options(OptionList& list, ProblemOptions& options)
{
    constexpr const char* how = "How it is computed (the result stays the same)";
    list.add_option(
            Effect::none, "--device", options.device,
            "OpenCL device: its index P:D as clconv devices lists it, a type (gpu, cpu), a part of its name, or "
            "all; repeatable. Several devices share the images of a run. Default: the best, GPU before CPU")
        ->type_name("SEL")
        ->envname("CLCONV_DEVICE")
        ->allow_extra_args(false)
        ->group(how);
    list.add_option(Effect::none, "--device-memory", options.device_memory,
                    "limit for the memory used on each device, such as 512M or 2G; images that need more are cut into "
                    "pieces; default: all of it")
        ->type_name("SIZE")
        ->group(how);
    CLI::Option* method = list.add_parsed(
        Effect::pixels, "--method", [&options](const std::string& text) { options.method = parse_method(text); },
        "auto, fft, tiled (small PSFs, in one launch) or direct (the plain sum, for the smallest PSFs); "
        "run also has none: outputs are the inputs, decoded and encoded without a device, which shows "
        "what that costs",
        "auto");
    offer(method, with_names<Method>({"auto", "none"}))->type_name("METHOD")->group(how);
    list.add_option(Effect::pixels, "--radix", options.radix, kRadixHelp)
        ->type_name("R")
        ->capture_default_str()
        ->group(how);
    list.add_option(Effect::pixels, "--radix-x", options.radix_x, "the same for rows only")->type_name("R")->group(how);
    list.add_option(Effect::pixels, "--radix-y", options.radix_y, "the same for columns only")
        ->type_name("R")
        ->group(how);
    list.add_choice(Effect::none, "--tuning", options.tuning,
                    "auto, use the records of clconv tune; off, plan without records; measure, first measure sizes "
                    "without a record, some seconds each")
        ->type_name("HOW")
        ->group(how);
    list.add_option(Effect::pixels, "--decide", options.decisions,
                    fmt::format("force a decision of the plan, repeatable: {}", fmt::join(decision_keys(), ", ")))
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->group(how);
    add_cache_option(list, options.no_cache);
}

}  // namespace

void add_problem_options(OptionList& list, ProblemOptions& options)
{
    add_result_options(list, options);
    add_engine_options(list, options);
}

ConvolveSettings convolve_settings(const ProblemOptions& options)
{
    ConvolveSettings settings;
    BorderOption border = parse_border(options.border);
    settings.border = border.mode;
    settings.border_value = std::move(border.value);
    settings.mode = options.mode;
    settings.correlate = options.correlate;
    settings.precision = options.precision;
    Decisions& decisions = settings.decisions;
    if (options.method.copies) throw InvalidProblem("--method none: only clconv run makes copies");
    decisions.method = options.method.method;
    decisions.radix_x = radix_request("--radix-x", options.radix_x, options.radix);
    decisions.radix_y = radix_request("--radix-y", options.radix_y, options.radix);
    decide_once(decisions, options.decisions);
    check_tile_precision(settings.precision, decisions);
    return settings;
}

std::uint64_t device_memory(const ProblemOptions& options)
{
    return options.device_memory.empty() ? kNoLimit : parse_byte_count("--device-memory", options.device_memory);
}

PsfSettings psf_settings(const ProblemOptions& options)
{
    PsfSettings settings;
    settings.part = options.psf_part;
    settings.linear = options.psf_linear;
    if (!options.psf_background.empty()) settings.background = parse_background(options.psf_background);
    settings.clamp = options.psf_clamp;
    settings.power = options.psf_power;
    settings.crop = options.psf_crop;
    settings.gray = options.psf_gray;
    settings.normalization = options.normalize;
    settings.origin = parse_origin(options.psf_origin);
    return settings;
}

}  // namespace clconv
