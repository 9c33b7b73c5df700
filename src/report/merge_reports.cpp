// SPDX-License-Identifier: Apache-2.0
#include "report/merge_reports.h"

#include "base/errors.h"
#include "report/json_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

namespace clconv {

using nlohmann::ordered_json;

namespace {

/// One report, with its values that are used often.
struct Part {
    std::string name;
    ordered_json report;
    std::size_t index = 0;
    std::size_t count = 1;
    std::size_t items = 0;                            ///< of all shards
    std::map<std::string, std::string> options = {};  ///< those that may change pixels
};

using OptionSet = std::set<std::string, std::less<>>;

std::map<std::string, std::string> pixel_options(const ordered_json& report, const OptionSet& without_effect)
{
    std::map<std::string, std::string> options;
    for (const auto& [name, value] : report.at("options").items())
        if (!without_effect.contains(name)) options[name] = value.is_string() ? value.get<std::string>() : value.dump();
    return options;
}

/// Numbers of shards, items and exit codes fit 32 bits. Throws as json::at() does.
std::size_t counted(const ordered_json& value)
{
    constexpr std::size_t maximum = std::numeric_limits<std::int32_t>::max();
    if (value.is_number_unsigned() && value.get<std::size_t>() <= maximum) return value.get<std::size_t>();
    throw ordered_json::other_error::create(
        501, fmt::format("{} is not a whole number up to {}", value.dump(), maximum), &value);
}

Part parsed(const NamedReport& file, const OptionSet& without_effect)
{
    const auto refuse = [&](const std::string& why) { return InputError(fmt::format("{}: {}", file.name, why)); };
    Part part{file.name, parsed_json(file.name, file.text)};
    try {
        if (part.report.is_discarded()) throw refuse("is not JSON; give the files that clconv run --report wrote");
        const ordered_json& shard = part.report.at("shard");
        if (shard.at("list").is_null())
            throw refuse(
                fmt::format("is of a run that ended before its first image: {}", part.report.at("error").dump()));
        part.index = counted(shard.at("index"));
        part.count = counted(shard.at("count"));
        part.items = counted(shard.at("items"));
        for (const char* field : {"version", "options", "items", "stages", "wall_seconds", "exit_code"})
            (void)part.report.at(field);
        part.options = pixel_options(part.report, without_effect);
    } catch (const ordered_json::exception& error) {
        throw refuse(fmt::format("is not a report of clconv run: {}", error.what()));
    }
    return part;
}

[[noreturn]] void mismatch(const Part& a, const Part& b, const std::string& what, const std::string& of_a,
                           const std::string& of_b)
{
    throw InputError(fmt::format("{} and {} are not of one batch: {} is {} in the first and {} in the second", a.name,
                                 b.name, what, of_a, of_b));
}

void check_same_options(const Part& a, const Part& b)
{
    const auto value = [](const auto& options, const std::string& name) {
        const auto found = options.find(name);
        return found == options.end() ? std::string("not given") : found->second;
    };
    for (const auto* options : {&a.options, &b.options})
        for (const auto& [name, ignored] : *options)
            if (value(a.options, name) != value(b.options, name))
                mismatch(a, b, name, value(a.options, name), value(b.options, name));
}

void check_same_batch(const Part& a, const Part& b)
{
    if (a.report["version"] != b.report["version"])
        mismatch(a, b, "the version of clconv", a.report["version"].dump(), b.report["version"].dump());
    if (a.count != b.count) mismatch(a, b, "the number of shards", std::to_string(a.count), std::to_string(b.count));
    check_same_options(a, b);
    if (a.items != b.items) mismatch(a, b, "the number of items", std::to_string(a.items), std::to_string(b.items));
    if (a.report["shard"]["list"] != b.report["shard"]["list"])
        throw InputError(
            fmt::format("{} and {} are not of one batch: the names of their inputs or outputs differ, or their PSFs",
                        a.name, b.name));
}

/// `parts` are sorted by shard.
void check_each_shard_once(const std::vector<Part>& parts)
{
    const auto twice = std::ranges::adjacent_find(parts, {}, &Part::index);
    if (twice != parts.end())
        throw InputError(fmt::format("{} and {} are both of shard {}/{}; give the report of each shard once",
                                     twice->name, std::next(twice)->name, twice->index, twice->count));
    const std::size_t count = parts.front().count;
    if (parts.size() == count) return;
    std::set<std::size_t> present;
    for (const Part& part : parts) present.insert(part.index);
    constexpr std::size_t max_named = 10;
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < count && missing.size() < max_named; ++i)
        if (!present.contains(i)) missing.push_back(fmt::format("{}/{}", i, count));
    throw InputError(fmt::format("{} of {} shards missing: {}{}; run them, or give their reports, too",
                                 count - parts.size(), count, fmt::join(missing, ", "),
                                 count - parts.size() > max_named ? ", ..." : ""));
}

/// A shard's report must have the items of its number, in order.
void check_items(const Part& part)
{
    std::size_t expected = part.index;
    for (const ordered_json& item : part.report["items"]) {
        if (item.at("index") != expected)
            throw InputError(fmt::format("{}: has item {} where item {} of shard {}/{} is due", part.name,
                                         item.at("index").dump(), expected, part.index, part.count));
        expected += part.count;
    }
    if (expected < part.items)
        throw InputError(
            fmt::format("{}: item {} of shard {}/{} is missing", part.name, expected, part.index, part.count));
}

ordered_json shard_entry(const Part& part)
{
    ordered_json entry{{"index", part.index}, {"report", part.name}};
    for (const char* field : {"command", "device", "exit_code", "signal", "error", "wall_seconds", "counts"})
        entry[field] = part.report.value(field, ordered_json(nullptr));
    return entry;
}

void add_numbers(ordered_json& sum, const ordered_json& more)
{
    for (const auto& [name, value] : more.items())
        sum[name] = sum.contains(name) ? ordered_json(sum[name].get<double>() + value.get<double>()) : value;
}

ordered_json put_together(const std::vector<Part>& parts)
{
    const Part& first = parts.front();
    std::map<std::size_t, const ordered_json*> items;
    std::map<std::string, std::size_t> counts;
    ordered_json stages = ordered_json::object();
    ordered_json shards = ordered_json::array();
    double wall = 0;
    int exit_code = 0;
    bool one_device = true;
    for (const Part& part : parts) {
        for (const ordered_json& item : part.report["items"]) {
            items[counted(item.at("index"))] = &item;
            ++counts[item.at("status").get<std::string>()];
        }
        add_numbers(stages, part.report["stages"]);
        shards.push_back(shard_entry(part));
        wall = std::max(wall, part.report["wall_seconds"].get<double>());
        exit_code = std::max(exit_code, static_cast<int>(counted(part.report["exit_code"])));
        one_device =
            one_device && part.report.value("device", ordered_json()) == first.report.value("device", ordered_json());
    }
    ordered_json merged{
        {"version", first.report["version"]},
        {"libraries", first.report.value("libraries", ordered_json(nullptr))},
        {"command", nullptr},
        {"options", ordered_json(first.options)},
        {"shard", {{"index", 0}, {"count", 1}, {"items", first.items}, {"list", first.report["shard"]["list"]}}},
        {"device", one_device ? first.report.value("device", ordered_json(nullptr)) : ordered_json(nullptr)},
        {"exit_code", exit_code},
        {"signal", nullptr},
        {"error", nullptr},
        {"wall_seconds", wall}};
    merged["counts"] = {{"total", first.items},
                        {"done", counts["done"]},
                        {"failed", counts["failed"]},
                        {"skipped", counts["skipped"]},
                        {"not_started", counts["not_started"]}};
    merged["stages"] = std::move(stages);
    merged["shards"] = std::move(shards);
    merged["items"] = ordered_json::array();
    for (const auto& [index, item] : items) merged["items"].push_back(*item);
    return merged;
}

}  // namespace

ordered_json merged_report(const std::vector<NamedReport>& reports, const OptionSet& without_effect)
{
    if (reports.empty()) throw InputError("no report was given");
    std::vector<Part> parts;
    parts.reserve(reports.size());
    for (const NamedReport& report : reports) parts.push_back(parsed(report, without_effect));
    for (const Part& part : parts) check_same_batch(parts.front(), part);
    std::ranges::stable_sort(parts, {}, &Part::index);
    check_each_shard_once(parts);
    try {
        for (const Part& part : parts) check_items(part);
        return put_together(parts);
    } catch (const ordered_json::exception& error) {
        throw InputError(fmt::format("the reports cannot be merged: {}", error.what()));
    }
}

}  // namespace clconv
