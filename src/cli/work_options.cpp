// SPDX-License-Identifier: Apache-2.0
#include "cli/work_options.h"

#include "base/choice.h"
#include "base/parse_extent.h"
#include "bench/suites.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace clconv {
namespace {

/// The problem without its sizes.
Problem work_without_sizes(const WorkOptions& options)
{
    Problem work;
    work.channels = options.channels;
    work.border = choice("--border", options.border, border_named(options.border), names_text<Border>());
    work.mode = choice<Mode>("--mode", options.mode);
    work.input = work.output = choice<SampleType>("--type", options.type);
    work.layout = choice<Layout>("--layout", options.layout);
    work.precision = choice<Precision>("--precision", options.precision);
    return work;
}

}  // namespace

void add_work_options(CLI::App& app, WorkOptions& options, const std::string& group, const std::string& border)
{
    app.add_option("--size", options.sizes,
                   fmt::format("image size, repeatable (default{}: {})", options.default_when,
                               fmt::join(options.default_sizes, ", ")))
        ->type_name("WxH")
        ->group(group);
    app.add_option("--suite", options.suite, "standard: seven sizes up to 8K RGB; planes: ten sizes of one channel")
        ->type_name("NAME")
        ->excludes("--size")
        ->group(group);
    app.add_option("--channels", options.channels, "channels of the images")
        ->type_name("C")
        ->check(CLI::Validator(CLI::Range(1, 64)).description(""))
        ->capture_default_str()
        ->group(group);
    app.add_option("--psf-size", options.psf_sizes, fmt::format("PSF size, repeatable (default: {})", kDefaultPsfSide))
        ->type_name("K[xK]")
        ->group(group);
    const auto choice = [&](const char* name, std::string& value, const std::string& about, const char* type) {
        app.add_option(name, value, about)->type_name(type)->capture_default_str()->group(group);
    };
    choice("--type", options.type, "samples in and out: u8, u16, half or float", "TYPE");
    choice("--layout", options.layout, "interleaved samples, as in files, or planar", "LAYOUT");
    choice("--border", options.border, border, "MODE");
    choice("--mode", options.mode, "same, full or valid", "MODE");
    choice("--precision", options.precision, "float, half (spectra stored in half) or double", "P");
}

void add_device_options(CLI::App& app, std::string& device, std::string& kernel_dir, const std::string& group)
{
    app.add_option("--device", device, "OpenCL device: P:D, gpu, cpu, or a part of its name")
        ->type_name("SEL")
        ->envname("CLCONV_DEVICE")
        ->group(group);
    app.add_option("--kernel-dir", kernel_dir, "kernels from this folder instead of the built-in ones")
        ->type_name("DIR")
        ->group(group);
}

std::vector<Problem> problems_of(const WorkOptions& options)
{
    const Problem work = work_without_sizes(options);
    if (options.suite == "standard") return standard_suite(work);
    if (options.suite == "planes") return plane_suite(work);
    if (!options.suite.empty())
        throw InvalidProblem(fmt::format("--suite {}: no such suite; use standard or planes", options.suite));
    const std::vector<std::string> psfs =
        options.psf_sizes.empty() ? std::vector<std::string>{fmt::to_string(kDefaultPsfSide)} : options.psf_sizes;
    std::vector<Problem> problems;
    for (const std::string& size : options.sizes.empty() ? options.default_sizes : options.sizes)
        for (const std::string& psf : psfs)
            problems.push_back(resized(work, parse_extent("--size", size, Square::no), options.channels,
                                       parse_extent("--psf-size", psf, Square::yes)));
    return problems;
}

}  // namespace clconv
