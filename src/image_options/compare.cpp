// SPDX-License-Identifier: Apache-2.0
// clconv compare: how much images differ, and whether that is within tolerances.
#include "base/process_end.h"
#include "cli/command_line.h"
#include "cli/exit_codes.h"
#include "image_options/commands.h"
#include "image_options/compare_options.h"
#include "image_options/image_module.h"
#include "settings/number_option.h"

#include <CLI/CLI.hpp>

#include <limits>
#include <string>
#include <vector>

namespace clconv {

namespace {

constexpr const char* kCompareAbout =
    "Measure how much two images differ, or the images of two folders, matched by their relative names.\nSamples are "
    "compared as "
    "files store them: codes of integers, straight alpha, every part and channel, in order.\nWith tolerances, the exit "
    "code says whether they hold.";

constexpr const char* kCompareExamples =
    "Examples:\n  clconv compare before.png after.png\n  clconv compare out reference --max 1 --percent 0.1\n  clconv "
    "compare a.exr b.exr --rms 1e-6 --heatmap where.exr --heatmap-on-failure --json\n\nExit codes: 0 within the "
    "tolerances, or none given; 1 a tolerance is exceeded, or sizes, channels, parts or names\ndiffer; 2 usage error; "
    "3 a file cannot be read, or the page or the heatmap not written.";

constexpr double kAny = std::numeric_limits<double>::max();

void add_tolerances(CLI::App& app, Tolerances& tolerances)
{
    const auto add = [&](const char* name, auto& value, const char* help, double minimum = 0, double maximum = kAny) {
        return app.add_option(name, value, help)
            ->type_name("V")
            ->check(in_range(minimum, maximum))
            ->group("Tolerances");
    };
    CLI::Option* max = add("--max", tolerances.max, "maximum difference of two samples");
    add("--rms", tolerances.rms, "maximum root mean square difference");
    add("--psnr", tolerances.psnr, "minimum peak signal-to-noise ratio, in dB: 20 log10(data range / rms)");
    add("--ssim", tolerances.ssim,
        "minimum structural similarity: Gaussian windows of 11x11 inside the image, sigma 1.5, covariance without "
        "Bessel's correction, K1 0.01, K2 0.03, and the mean of the channels",
        -1, 1);
    add("--ulp", tolerances.ulp,
        "maximum distance in representable values of the files' type: units in the last place of floats, codes of "
        "integers")
        ->type_name("N");
    add("--percent", tolerances.percent, "percentage of the samples that may exceed --max", 0, 100)
        ->type_name("P")
        ->needs(max)
        ->capture_default_str();
}

void add_compare_options(CLI::App& app, CompareOptions& options)
{
    app.add_option("A", options.a, "an image, or a folder")->type_name("")->required();
    app.add_option("B", options.b, "what to compare it with")->type_name("")->required();
    add_tolerances(app, options.tolerances);
    OptionList list(app);
    list.add_choice(
            Effect::pixels, "--scale", options.scale,
            "numbers of integers: " + names_text<SampleScale>() + ", where the largest code of 8 and 16 bits is 1")
        ->type_name("SCALE");
    app.add_option(
           "--data-range", options.range,
           "data range of PSNR and SSIM; default: that of the integer type, and for floats the larger of 1 and the "
           "largest magnitude")
        ->type_name("V")
        ->check(in_range(std::numeric_limits<double>::min(), kAny));
    app.add_option("--mask", options.mask,
                   "an image of the same size: pixels where all its channels are 0 do not count")
        ->type_name("FILE");
    CLI::Option* heatmap =
        app.add_option("--heatmap", options.heatmap,
                       "write the largest difference of each pixel's channels; integers: white is the largest one. Of "
                       "folders: a folder of FILE.png. Of several parts: the first that fails, or else the first")
            ->type_name("FILE");
    app.add_flag("--heatmap-on-failure", options.only_on_failure, "write heatmaps only for images that fail")
        ->needs(heatmap);
    app.add_flag("--json", options.json, "print JSON");
    add_page_options(list, options.html, options.max_pictured, "Options");
    add_log_options(list, options.log);
}

}  // namespace

int compare_command(const std::vector<std::string>& arguments)
{
    CLI::App app(kCompareAbout, "clconv compare");
    app.footer(kCompareExamples);
    CompareOptions options;
    add_compare_options(app, options);
    if (!parse(app, arguments)) return all_done;
    return quick_end(image_module().compare(options));
}

}  // namespace clconv
