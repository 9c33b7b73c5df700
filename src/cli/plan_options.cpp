#include "cli/plan_options.h"

#include "base/errors.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>

namespace clconv {

namespace {

int positive_number(std::string_view text)
{
    int number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc{} && end == text.data() + text.size() && number > 0 ? number : 0;
}

}  // namespace

Extent parse_extent(const std::string& option, const std::string& text, bool square)
{
    const std::size_t cross = text.find('x');
    Extent extent;
    extent.width = positive_number(std::string_view(text).substr(0, cross));
    if (cross != std::string::npos)
        extent.height = positive_number(std::string_view(text).substr(cross + 1));
    else if (square)
        extent.height = extent.width;
    if (extent.width > 0 && extent.height > 0) return extent;
    throw InvalidProblem(
        fmt::format("{} {}: no size in pixels; give {}", option, text,
                    square ? "WIDTHxHEIGHT or one number, such as 15x31 or 15" : "WIDTHxHEIGHT, such as 3840x2160"));
}

void add_plan_options(CLI::App& app, PlanOptions& options)
{
    constexpr const char* for_image = "Plan for an image";
    app.add_option("INPUT", options.input, "an image file")->type_name("")->group(for_image);
    app.add_option("--psf", options.psf, "the PSF: an image, or text (rows of numbers, # comments)")
        ->type_name("PSF")
        ->group(for_image);

    constexpr const char* for_sizes = "Plan for sizes";
    app.add_option("--size", options.size, "the image's size in pixels")->type_name("WxH")->group(for_sizes);
    app.add_option("--channels", options.channels, "the image's channels")
        ->type_name("C")
        ->check(CLI::Validator(CLI::PositiveNumber).description(""))
        ->capture_default_str()
        ->group(for_sizes);
    app.add_option("--psf-size", options.psf_size, "the PSF's size in pixels")->type_name("K[xK]")->group(for_sizes);
    app.add_option("--psf-channels", options.psf_channels, "the PSF's channels: 1, or as many as the image has")
        ->type_name("C")
        ->check(CLI::Validator(CLI::PositiveNumber).description(""))
        ->capture_default_str()
        ->group(for_sizes);
    app.add_option("--type", options.type, "the image's samples: u8, u16, half or float")
        ->type_name("TYPE")
        ->capture_default_str()
        ->group(for_sizes);
    app.add_option("--depth", options.depth, "the output's samples: same, u8, u16, half or float")
        ->type_name("TYPE")
        ->capture_default_str();

    add_problem_options(app, options.problem);
}

}  // namespace clconv
