// SPDX-License-Identifier: Apache-2.0
#include "plan_records/pass_set.h"

#include "fft/factorize.h"
#include "fft/lane_line.h"
#include "fft/radix.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace clconv {

namespace {

using nlohmann::ordered_json;

constexpr int kSetVersion = 1;
constexpr std::size_t kMaxPoints = 16;
constexpr std::size_t kMaxPassStages = 16;
constexpr double kMaxPassLines = 1e9;
constexpr double kMaxPassNs = 1e15;
constexpr double kMaxCopyGbS = 1e6;
constexpr std::size_t kMaxSetBytes = 16 << 20;  // a file; a pass takes some 250

ordered_json pass_json(const PassRecord& record)
{
    const LinePass& pass = record.pass;
    ordered_json points = ordered_json::array();
    for (const PassPoint& point : record.points) points.push_back({point.lines, point.ns});
    ordered_json json{{"pass", name_of(pass.kind)},
                      {"radices", pass.radices},
                      {"lanes", pass.lanes},
                      {"items", pass.items},
                      {"lines", pass.lines},
                      {"exchange", name_of(pass.exchange)},
                      {"bundle_columns", pass.bundle_columns},
                      {"rows_together", pass.rows_together},
                      {"precision", name_of(pass.precision)},
                      {"samples", name_of(pass.samples)},
                      {"layout", name_of(pass.layout)},
                      {"filled", record.filled},
                      {"lines_ns", points}};
    if (pass.channels > 1) json["channels"] = pass.channels;
    return json;
}

template <HasNames Value>
bool read_name(const ordered_json& json, const char* field, Value& value)
{
    const auto named = value_named<Value>(json.at(field).get_ref<const std::string&>());
    if (named) value = *named;
    return named.has_value();
}

/// A whole number from 1 to `maximum`; 0 if it is none.
int count_of(const ordered_json& json, const char* field, int maximum)
{
    const ordered_json& value = json.at(field);
    if (!value.is_number_unsigned()) return 0;
    const auto number = value.get<std::uint64_t>();
    return number <= static_cast<std::uint64_t>(maximum) ? static_cast<int>(number) : 0;
}

bool read_radices(const ordered_json& json, std::vector<int>& radices)
{
    if (!json.is_array() || json.empty() || json.size() > kMaxPassStages) return false;
    for (const ordered_json& radix : json) {
        if (!radix.is_number_unsigned() || radix.get<std::uint64_t>() > 32) return false;
        radices.push_back(radix.get<int>());
        if (!supported_radix(radices.back())) return false;
    }
    return line_length(radices) <= kMaxLine;
}

bool read_points(const ordered_json& json, std::vector<PassPoint>& points)
{
    if (!json.is_array() || json.empty() || json.size() > kMaxPoints) return false;
    for (const ordered_json& entry : json) {
        if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number() || !entry[1].is_number()) return false;
        const PassPoint point{entry[0].get<double>(), entry[1].get<double>()};
        if (!(point.lines > 0 && point.lines <= kMaxPassLines && point.ns > 0 && point.ns <= kMaxPassNs)) return false;
        if (!points.empty() && !(points.back().lines < point.lines)) return false;
        points.push_back(point);
    }
    return true;
}

/// Nothing for a pass that makes no sense. Throws nlohmann's exceptions for fields that are missing or of another type.
std::optional<PassRecord> pass_of(const ordered_json& json)
{
    constexpr int maximum = 4096;
    PassRecord record;
    LinePass& pass = record.pass;
    if (!read_name(json, "pass", pass.kind) || !read_radices(json.at("radices"), pass.radices)) return std::nullopt;
    if (!read_name(json, "exchange", pass.exchange) || !read_name(json, "precision", pass.precision) ||
        !read_name(json, "samples", pass.samples) || !read_name(json, "layout", pass.layout))
        return std::nullopt;
    pass.lanes = count_of(json, "lanes", kWideLanes);
    pass.items = count_of(json, "items", maximum);
    pass.lines = count_of(json, "lines", maximum);
    pass.bundle_columns = count_of(json, "bundle_columns", maximum);
    pass.rows_together = count_of(json, "rows_together", maximum);
    if (json.contains("channels")) pass.channels = count_of(json, "channels", maximum);
    record.filled = count_of(json, "filled", kMaxLine);
    if (std::ranges::find(kLaneCounts, pass.lanes) == std::end(kLaneCounts)) return std::nullopt;
    for (const int count :
         {pass.items, pass.lines, pass.channels, pass.bundle_columns, pass.rows_together, record.filled})
        if (count == 0) return std::nullopt;
    if (std::int64_t{pass.items} * pass.lines * pass.channels > maximum ||
        !read_points(json.at("lines_ns"), record.points))
        return std::nullopt;
    return record;
}

PassSet set_of(const ordered_json& json)
{
    PassSet set;
    json.at("platform").get_to(set.key.platform);
    json.at("device").get_to(set.key.device);
    json.at("driver").get_to(set.key.driver);
    json.at("kernels").get_to(set.key.kernels);
    if (json.at("compute_units").is_number_unsigned()) json.at("compute_units").get_to(set.key.compute_units);
    if (const auto copy = json.find("copy_gb_s"); copy != json.end() && copy->is_number()) {
        const auto gb_s = copy->get<double>();
        if (gb_s > 0 && gb_s <= kMaxCopyGbS) set.copy_gb_s = gb_s;
    }
    for (const ordered_json& entry : json.at("passes")) {
        if (set.passes.size() == kMaxPasses) break;
        try {
            if (auto pass = pass_of(entry)) set.passes.push_back(*std::move(pass));
        } catch (const ordered_json::exception&) {
            continue;
        }
    }
    return set;
}

std::optional<PassSet> parsed_set(const ordered_json& json)
{
    if (!json.is_object()) return std::nullopt;
    const auto version = json.find("clconv_passes");
    if (version == json.end() || *version != kSetVersion || !json.contains("passes") || !json["passes"].is_array())
        return std::nullopt;
    try {
        return set_of(json);
    } catch (const ordered_json::exception&) {
        return std::nullopt;
    }
}

std::string one_line(const ordered_json& json)
{
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

PassSetKey pass_set_key(const DeviceInfo& device, std::string_view kernels)
{
    return {device.platform, device.name, device.compute_units, device.driver, std::string(kernels)};
}

std::string pass_set_text(const PassSet& set)
{
    const PassSetKey& key = set.key;
    std::string text = fmt::format(
        "{{\"clconv_passes\": {}, \"platform\": {}, \"device\": {}, \"compute_units\": {}, \"driver\": {}, "
        "\"kernels\": {}, {}\"passes\": [",
        kSetVersion, one_line(key.platform), one_line(key.device), key.compute_units, one_line(key.driver),
        one_line(key.kernels), set.copy_gb_s > 0 ? fmt::format("\"copy_gb_s\": {}, ", set.copy_gb_s) : "");
    for (const PassRecord& pass : set.passes)
        text += fmt::format("{}\n  {}", &pass == set.passes.data() ? "" : ",", one_line(pass_json(pass)));
    return text + "\n]}\n";
}

std::optional<PassSet> parse_pass_set(std::string_view text)
{
    if (text.size() > kMaxSetBytes) return std::nullopt;
    return parsed_set(ordered_json::parse(text, nullptr, /*allow_exceptions=*/false));
}

std::string export_text(const std::vector<Record>& records, const std::vector<PassSet>& sets)
{
    std::string text = records_text(records);
    if (sets.empty()) return text;
    text.erase(text.rfind('}'));
    text.erase(text.find_last_not_of('\n') + 1);
    for (const PassSet& set : sets)
        text += fmt::format("{}{}", &set == sets.data() ? ",\n  \"passes\": [\n" : ",\n", pass_set_text(set));
    return text + "]}\n";
}

std::vector<PassSet> parse_exported_passes(std::string_view text)
{
    std::vector<PassSet> sets;
    if (text.size() > kMaxSetBytes) return sets;
    const ordered_json json = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("passes") || !json["passes"].is_array()) return sets;
    for (const ordered_json& entry : json["passes"])
        if (auto set = parsed_set(entry)) sets.push_back(*std::move(set));
    return sets;
}

PassSet merged(const std::vector<PassSet>& known, const PassSet& set)
{
    const auto same = std::find_if(known.begin(), known.end(), [&](const PassSet& old) { return old.key == set.key; });
    if (same == known.end()) return set;
    PassSet all = *same;
    if (set.copy_gb_s > 0) all.copy_gb_s = set.copy_gb_s;
    for (const PassRecord& pass : set.passes) add_pass(all, pass);
    return all;
}

bool about_as_many(double lines, double others) { return lines <= 3 * others && others <= 3 * lines; }

void add_points(PassSet& set, const LinePass& pass, int filled, const std::vector<PassPoint>& points)
{
    const auto known = std::find_if(set.passes.begin(), set.passes.end(),
                                    [&](const PassRecord& old) { return old.pass == pass && old.filled == filled; });
    PassRecord record{pass, filled, points};
    if (known != set.passes.end()) {
        record.points = with_points_outside(known->points, points);
        if (record.points.size() > kMaxPoints) return;
    }
    if (!record.points.empty()) add_pass(set, std::move(record));
}

void add_pass(PassSet& set, PassRecord pass)
{
    const auto known = std::find_if(set.passes.begin(), set.passes.end(),
                                    [&](const PassRecord& record) { return record.pass == pass.pass; });
    if (known == set.passes.end())
        set.passes.push_back(std::move(pass));
    else
        *known = std::move(pass);
}

}  // namespace clconv
