// SPDX-License-Identifier: Apache-2.0
// Comparisons: how much images differ, and whether that is within tolerances.
#include "base/errors.h"
#include "base/temporary_file.h"
#include "cli/exit_codes.h"
#include "cli/log_options.h"
#include "cli/standard_output.h"
#include "codecs/image_file.h"
#include "compare/comparison.h"
#include "encoders/write_psf.h"
#include "files/file_identity.h"
#include "files/output_checks.h"
#include "image_commands/commands.h"
#include "image_commands/compared_files.h"
#include "image_commands/comparison_report.h"
#include "image_commands/page_gallery.h"
#include "image_commands/side_files.h"
#include "image_options/compare_options.h"
#include "psf/psf.h"
#include "report/json_values.h"
#include "report/log.h"
#include "report/run_page.h"
#include "report/text_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace clconv {

namespace {

constexpr ExitCode kUnreadable = no_input;

/// The pixels that count. Empty: all.
struct PixelMask {
    Extent extent;
    std::vector<std::uint8_t> pixels;  ///< 1 where a channel of the mask's file is not 0
};

PixelMask mask_of(const std::string& file)
{
    if (file.empty()) return {};
    const std::vector<StoredImage> parts = stored_parts(file);
    if (parts.size() > 1)
        throw InvalidProblem(fmt::format("--mask {}: has {} parts; give an image of one", file, parts.size()));
    const StoredSamples samples = parts.front().samples();
    PixelMask mask{samples.extent, std::vector<std::uint8_t>(samples.extent.pixels())};
    for (std::size_t c = 0; c < samples.channels(); ++c) {
        const std::vector<double> plane = samples.plane(c, SampleScale::codes);
        for (std::size_t i = 0; i < plane.size(); ++i)
            if (plane[i] != 0) mask.pixels[i] = 1;
    }
    if (std::ranges::count(mask.pixels, 1) == 0)
        throw InvalidProblem(fmt::format("--mask {}: is 0 everywhere, so no pixel would count", file));
    return mask;
}

class PairComparer {
public:
    explicit PairComparer(const CompareOptions& options) : options_(options), mask_(mask_of(options.mask))
    {
        rules_.scale = options.scale;
        rules_.threshold = options.tolerances.max.value_or(0);
        rules_.range = options.range;
        rules_.has_heatmap = !options.heatmap.empty();
        rules_.mask = mask_.pixels;
    }

    [[nodiscard]] ComparedPair compared(const FilePair& files) const
    {
        ComparedPair pair{files};
        try {
            const std::vector<StoredImage> a = stored_parts(files.a);
            const std::vector<StoredImage> b = stored_parts(files.b);
            if (a.size() != b.size())
                pair.failures.push_back(fmt::format("numbers of parts differ: {} and {}", a.size(), b.size()));
            for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) pair.parts.push_back(compared(a[i], b[i]));
        } catch (const InputError& error) {
            pair.error = error.what();
        }
        return pair;
    }

private:
    [[nodiscard]] ComparedPart compared(const StoredImage& a, const StoredImage& b) const
    {
        const StoredSamples samples = a.samples();
        if (!options_.mask.empty() && mask_.extent != samples.extent)
            throw InvalidProblem(fmt::format("--mask {}: is {}, and an image is {}; give one of its size",
                                             options_.mask, to_string(mask_.extent), to_string(samples.extent)));
        ComparedPart part{compare(samples, b.samples(), rules_), {}};
        part.failures = failures(part.comparison, options_.tolerances);
        return part;
    }

    const CompareOptions& options_;
    PixelMask mask_;
    CompareRules rules_;
};

/// Differences as an image: as they are in a format of floats, over the largest finite one in one of integers.
Psf heatmap_image(const Comparison& comparison, bool is_scaled)
{
    float largest = 0;
    for (const float value : comparison.heatmap)
        if (std::isfinite(value)) largest = std::max(largest, value);
    Psf image;
    image.extent = comparison.extent;
    for (const float value : comparison.heatmap)
        image.weights.push_back(!is_scaled ? value : largest > 0 ? std::min(value / largest, 1.0F) : value > 0 ? 1 : 0);
    return image;
}

/// Throws InvalidProblem.
void check_replaces_none(const std::filesystem::path& heatmap, std::initializer_list<std::filesystem::path> images)
{
    for (const std::filesystem::path& image : images)
        if (!image.empty() && file_identity(image) == file_identity(heatmap))
            throw InvalidProblem(fmt::format("--heatmap {}: would replace an image; choose another", heatmap.string()));
}

/// Throws InvalidProblem, InputError.
void write_heatmap(const ComparedPair& pair, const std::filesystem::path& file, const std::filesystem::path& mask,
                   bool only_on_failure)
{
    const auto failed =
        std::ranges::find_if(pair.parts, [](const ComparedPart& part) { return !part.failures.empty(); });
    if (pair.parts.empty() || (only_on_failure && failed == pair.parts.end())) return;
    const Comparison& shown = (failed == pair.parts.end() ? pair.parts.front() : *failed).comparison;
    if (shown.heatmap.empty()) return;
    check_replaces_none(file, {pair.files.a, pair.files.b, mask});
    if (const std::error_code failure = make_folder_of(file))
        throw InputError(fmt::format("--heatmap {}: cannot be written: {}", file.string(), failure.message()));
    write_psf(file, heatmap_image(shown, is_integer(writable_type(file, SampleType::float32))));
}

std::filesystem::path heatmap_of(const CompareOptions& options, const PairedFiles& files, const FilePair& pair)
{
    if (!files.are_folders) return options.heatmap;
    return std::filesystem::path(options.heatmap) / (pair.name + ".png");
}

void check_heatmap(const CompareOptions& options, const PairedFiles& files)
{
    if (options.heatmap.empty()) return;
    std::error_code failure;
    if (files.are_folders) {
        if (std::filesystem::exists(options.heatmap, failure) &&
            !std::filesystem::is_directory(options.heatmap, failure))
            throw InvalidProblem(
                fmt::format("--heatmap {}: is a file; give a folder for the heatmaps of folders", options.heatmap));
        return;
    }
    check_replaces_none(options.heatmap, {options.a, options.b, options.mask});
    if (!can_be_written(options.heatmap))
        throw InvalidProblem(fmt::format(
            "--heatmap {}: this extension belongs to no format that can be written; use png or exr", options.heatmap));
    check_folder_of(options.heatmap, "--heatmap");
}

/// Throws InputError.
void write_page(const CompareOptions& options, const CompareReport& report)
{
    if (options.html.empty()) return;
    nlohmann::ordered_json json = json_of_report(report);
    const PageGallery gallery = gallery_of(pictured_files(json), options.max_pictured);
    write_text_file(options.html, report_page(std::move(json), gallery));
}

/// Throws InvalidProblem, InputError.
CompareReport compared_files(const CompareOptions& options, Messages& messages)
{
    const PairedFiles files = paired_files(options.a, options.b, messages);
    check_heatmap(options, files);
    const PairComparer comparer(options);
    CompareReport report{files.only_in_a, files.only_in_b, {}, options.tolerances};
    for (const FilePair& pair : files.pairs) {
        ComparedPair compared = comparer.compared(pair);
        if (!compared.error.empty()) messages.message(Level::error, compared.error);
        if (!options.heatmap.empty())
            write_heatmap(compared, heatmap_of(options, files, pair), options.mask, options.only_on_failure);
        for (ComparedPart& part : compared.parts) part.comparison.heatmap = {};
        report.pairs.push_back(std::move(compared));
    }
    return report;
}

}  // namespace

int compare(const CompareOptions& options)
{
    for (const auto& [option, file] : {std::pair("--html", options.html), std::pair("--log-file", options.log.file)})
        check_side_file(option, file, {options.a, options.b, options.mask});
    Log log(log_options(options.log), nullptr);
    try {
        const CompareReport report = compared_files(options, log);
        write_page(options, report);
        print(options.json ? json_text(json_of_report(report), 2) + "\n" : text_of_report(report));
        if (report.has_unreadable()) return kUnreadable;
        return report.has_failed() ? some_failed : all_done;
    } catch (const InputError& error) {
        log.message(Level::error, error.what());
        return kUnreadable;
    }
}

}  // namespace clconv
