// SPDX-License-Identifier: Apache-2.0
#include "image_commands/comparison_report.h"

#include "base/printable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

using Json = nlohmann::ordered_json;

Json number_json(double value)
{
    if (std::isfinite(value)) return value;
    return fmt::format("{}", value);
}

Json number_json(const std::optional<double>& value) { return value ? number_json(*value) : Json(nullptr); }

std::string channel_name(const Comparison& comparison, int channel)
{
    return comparison.channels[static_cast<std::size_t>(channel)];
}

Json largest_json(const Comparison& comparison)
{
    if (!comparison.differences.largest) return nullptr;
    const LargestDifference& largest = *comparison.differences.largest;
    return {{"value", number_json(largest.value)},
            {"x", largest.place.x},
            {"y", largest.place.y},
            {"channel", largest.channel},
            {"channel_name", channel_name(comparison, largest.channel)},
            {"a", number_json(largest.a)},
            {"b", number_json(largest.b)}};
}

Json part_json(const ComparedPart& part)
{
    const Comparison& found = part.comparison;
    if (!found.mismatch.empty()) return {{"failures", part.failures}};
    const Differences& sums = found.differences;
    return {{"width", found.extent.width},
            {"height", found.extent.height},
            {"channels", found.channels},
            {"samples", sums.samples},
            {"differing", sums.differing},
            {"exceeding", sums.exceeding},
            {"exceeding_percent", sums.percent()},
            {"max", number_json(sums.largest ? sums.largest->value : 0)},
            {"largest", largest_json(found)},
            {"mean", sums.mean()},
            {"rms", sums.rms()},
            {"data_range", found.range},
            {"psnr", number_json(found.psnr)},
            {"ssim", number_json(found.ssim)},
            {"ulp", number_json(found.ulp)},
            {"nonfinite_a", sums.nonfinite_a},
            {"nonfinite_b", sums.nonfinite_b},
            {"note", found.note.empty() ? Json(nullptr) : Json(found.note)},
            {"failures", part.failures}};
}

Json pair_json(const ComparedPair& pair)
{
    Json json = {{"name", pair.files.name}, {"a", pair.files.a.string()}, {"b", pair.files.b.string()}};
    if (!pair.error.empty()) {
        json["error"] = pair.error;
        return json;
    }
    json["within"] = !pair.has_failed();
    json["failures"] = pair.failures;
    json["parts"] = Json::array();
    for (const ComparedPart& part : pair.parts) json["parts"].push_back(part_json(part));
    return json;
}

/// Those that are given.
Json tolerances_json(const Tolerances& tolerances)
{
    Json json = Json::object();
    for (const auto& [name, value] :
         {std::pair("max", tolerances.max), std::pair("rms", tolerances.rms), std::pair("psnr", tolerances.psnr),
          std::pair("ssim", tolerances.ssim), std::pair("ulp", tolerances.ulp)})
        if (value) json[name] = number_json(*value);
    if (tolerances.percent > 0) json["percent"] = tolerances.percent;
    return json;
}

std::string line(std::string_view name, const std::string& value) { return fmt::format("  {:<20}{}\n", name, value); }

std::string largest_text(const Comparison& found)
{
    if (!found.differences.largest) return "none: all samples are equal";
    const LargestDifference& largest = *found.differences.largest;
    return fmt::format("{:.9g} at x {}, y {}, channel {}: {:.9g} and {:.9g}", largest.value, largest.place.x,
                       largest.place.y, channel_name(found, largest.channel), largest.a, largest.b);
}

std::string numbers_text(const Comparison& found, const std::optional<double>& max)
{
    const Differences& sums = found.differences;
    std::string text = line("largest difference", largest_text(found));
    text += line("differing samples", fmt::format("{} of {}", sums.differing, sums.samples));
    if (max)
        text += line(fmt::format("above {:g}", *max), fmt::format("{} ({:.6g} %)", sums.exceeding, sums.percent()));
    text += line("mean, rms", fmt::format("{:.9g}, {:.9g}", sums.mean(), sums.rms()));
    text += line("PSNR", fmt::format("{:.9g} dB (data range {:g})", found.psnr, found.range));
    text += line("SSIM", found.ssim ? fmt::format("{:.9g}", *found.ssim) : "not known");
    if (found.ulp) text += line("largest distance", fmt::format("{:.9g} representable values", *found.ulp));
    if (sums.nonfinite_a + sums.nonfinite_b > 0)
        text += line("not finite", fmt::format("{} and {}", sums.nonfinite_a, sums.nonfinite_b));
    if (!found.note.empty()) text += line("note", found.note);
    return text;
}

std::string failure_lines(const std::vector<std::string>& failures)
{
    std::string text;
    for (const std::string& failure : failures) text += line("FAILED", failure);
    return text;
}

std::string pair_text(const ComparedPair& pair, const std::optional<double>& max)
{
    std::string text = fmt::format("{} and {}\n", pair.files.a.string(), pair.files.b.string());
    if (!pair.error.empty()) return text + line("ERROR", pair.error);
    for (std::size_t i = 0; i < pair.parts.size(); ++i) {
        const ComparedPart& part = pair.parts[i];
        if (pair.parts.size() > 1) text += fmt::format("  part {}\n", i);
        const Comparison& found = part.comparison;
        if (found.mismatch.empty()) {
            text +=
                line("size, channels", fmt::format("{}, {}", to_string(found.extent), fmt::join(found.channels, " ")));
            text += numbers_text(found, max);
        }
        text += failure_lines(part.failures);
    }
    return text + failure_lines(pair.failures);
}

}  // namespace

bool ComparedPair::has_failed() const
{
    return !failures.empty() ||
           std::ranges::any_of(parts, [](const ComparedPart& part) { return !part.failures.empty(); });
}

bool CompareReport::has_unreadable() const
{
    return std::ranges::any_of(pairs, [](const ComparedPair& pair) { return !pair.error.empty(); });
}

bool CompareReport::has_failed() const
{
    return !only_in_a.empty() || !only_in_b.empty() || std::ranges::any_of(pairs, &ComparedPair::has_failed);
}

std::string text_of_report(const CompareReport& report)
{
    std::string text;
    for (const ComparedPair& pair : report.pairs) text += pair_text(pair, report.tolerances.max);
    for (const std::string& name : report.only_in_a) text += fmt::format("{}: only in the first folder\n", name);
    for (const std::string& name : report.only_in_b) text += fmt::format("{}: only in the second folder\n", name);
    return printable(text);
}

Json json_of_report(const CompareReport& report)
{
    Json pairs = Json::array();
    for (const ComparedPair& pair : report.pairs) pairs.push_back(pair_json(pair));
    return {{"within", !report.has_failed() && !report.has_unreadable()},
            {"tolerances", tolerances_json(report.tolerances)},
            {"pairs", pairs},
            {"only_in_a", report.only_in_a},
            {"only_in_b", report.only_in_b}};
}

}  // namespace clconv
