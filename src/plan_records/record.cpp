// SPDX-License-Identifier: Apache-2.0
#include "plan_records/record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clconv {
namespace {

using nlohmann::ordered_json;

constexpr int kVersion = 1;

ordered_json json_of(const Record& record)
{
    const RecordKey& key = record.key;
    return {{"clconv_tuning", kVersion},
            {"platform", key.platform},
            {"device", key.device},
            {"compute_units", key.compute_units},
            {"driver", key.driver},
            {"kernels", key.kernels},
            {"problem", key.problem},
            {"forced", key.forced},
            {"similar", record.similar},
            {"decisions", record.decisions},
            {"plan", record.plan},
            {"ms", record.ms},
            {"heuristic_ms", record.heuristic_ms}};
}

bool has_sane_numbers(const ordered_json& json)
{
    for (const char* time : {"ms", "heuristic_ms"})
        if (!json.at(time).is_number() || !(json.at(time).get<double>() >= 0)) return false;
    return json.at("compute_units").is_number_unsigned();
}

/// Throws nlohmann's exceptions for fields that are missing or of another type.
Record record_of(const ordered_json& json)
{
    Record record;
    json.at("platform").get_to(record.key.platform);
    json.at("device").get_to(record.key.device);
    json.at("compute_units").get_to(record.key.compute_units);
    json.at("driver").get_to(record.key.driver);
    json.at("kernels").get_to(record.key.kernels);
    json.at("problem").get_to(record.key.problem);
    json.at("forced").get_to(record.key.forced);
    json.at("similar").get_to(record.similar);
    json.at("decisions").get_to(record.decisions);
    json.at("plan").get_to(record.plan);
    json.at("ms").get_to(record.ms);
    json.at("heuristic_ms").get_to(record.heuristic_ms);
    return record;
}

bool of_this_version(const ordered_json& json)
{
    const auto version = json.find("clconv_tuning");
    return version != json.end() && *version == kVersion;
}

std::optional<Record> parsed(const ordered_json& json)
{
    if (!json.is_object() || !of_this_version(json)) return std::nullopt;
    try {
        if (!has_sane_numbers(json)) return std::nullopt;
        return record_of(json);
    } catch (const ordered_json::exception&) {
        return std::nullopt;
    }
}

ordered_json record_json(std::string_view text)
{
    return ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::string dumped(const ordered_json& json)
{
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

RecordKey record_key(const DeviceInfo& device, std::string_view kernels, const Problem& problem,
                     std::vector<std::string> forced)
{
    std::erase_if(forced, [](const std::string& decision) { return decision.starts_with("programs="); });
    return {device.platform,      device.name,    device.compute_units, device.driver,
            std::string(kernels), token(problem), std::move(forced)};
}

std::string similar_token(const Problem& p, Extent padded)
{
    std::string text = fmt::format("{}x{} {}>{} x{} {} {}", to_string(padded), p.channels, name_of(p.input),
                                   name_of(p.output), p.psf_channels, name_of(p.mode), name_of(p.layout));
    if (p.precision != Precision::float32) text += fmt::format(" in {}", name_of(p.precision));
    return text;
}

std::string record_text(const Record& record) { return dumped(json_of(record)); }

std::optional<Record> parse_record(std::string_view text) { return parsed(record_json(text)); }

std::string records_text(const std::vector<Record>& records)
{
    ordered_json json{{"clconv_tuning", kVersion}, {"records", ordered_json::array()}};
    for (const Record& record : records) json["records"].push_back(json_of(record));
    return dumped(json);
}

std::optional<std::vector<Record>> parse_records(std::string_view text)
{
    const ordered_json json = record_json(text);
    if (!json.is_object() || !of_this_version(json) || !json.contains("records") || !json["records"].is_array())
        return std::nullopt;
    std::vector<Record> records;
    for (const ordered_json& entry : json["records"])
        if (auto record = parsed(entry)) records.push_back(std::move(*record));
    return records;
}

}  // namespace clconv
