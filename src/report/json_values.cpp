// SPDX-License-Identifier: Apache-2.0
#include "report/json_values.h"

#include "base/errors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clconv {

using nlohmann::ordered_json;

namespace {

ordered_json text_or_null(const std::string& text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

ordered_json messages_json(const std::vector<Warning>& warnings)
{
    ordered_json messages = ordered_json::array();
    for (const Warning& warning : warnings) messages.push_back(warning.message);
    return messages;
}

ordered_json details_json(const std::vector<Warning>& warnings)
{
    ordered_json details = ordered_json::array();
    for (const Warning& warning : warnings)
        details.push_back({{"kind", name_of(warning.kind)},
                           {"from", text_or_null(warning.from)},
                           {"to", text_or_null(warning.to)},
                           {"message", warning.message}});
    return details;
}

}  // namespace

ordered_json stages_json(const std::vector<StageTime>& times)
{
    ordered_json stages = ordered_json::object();
    for (const StageTime& entry : times) stages[entry.stage] = entry.time.count();
    return stages;
}

ordered_json item_json(const ItemInfo& item, const ItemResult& result, const std::vector<RunDevice>& devices)
{
    ordered_json value{{"index", item.index},
                       {"input", item.input.string()},
                       {"output", item.output.string()},
                       {"psf", item.psf},
                       {"status", name_of(result.status)},
                       {"error", text_or_null(result.error)},
                       {"warnings", messages_json(result.warnings)},
                       {"warning_details", details_json(result.warnings)},
                       {"width", nullptr},
                       {"height", nullptr},
                       {"channels", nullptr},
                       {"type", nullptr},
                       {"part", nullptr},
                       {"parts", nullptr},
                       {"copied_channels", result.copied_channels}};

    if (item.part) value["part"] = *item.part;
    if (result.parts > 0) value["parts"] = result.parts;
    if (result.image) {
        value["width"] = result.image->extent.width;
        value["height"] = result.image->extent.height;
        value["channels"] = result.image->channels;
        value["type"] = name_of(result.image->type);
    }
    value["output_type"] = result.output_type ? ordered_json(name_of(*result.output_type)) : ordered_json(nullptr);
    value["transfer"] = text_or_null(result.transfer);
    value["output_transfer"] = text_or_null(result.output_transfer);
    value["pixels"] = result.pixels;
    value["overflowed"] = result.overflowed;
    value["plan"] = text_or_null(result.plan);
    value["plan_origin"] = text_or_null(result.plan_origin);
    value["plan_check"] = text_or_null(result.plan_check);
    if (!result.residuals.empty()) {
        value["iterations"] = result.residuals.size();
        value["residuals"] = result.residuals;
    }
    value["copy_of"] = text_or_null(result.copy_of.string());
    const bool on_device =
        result.device && *result.device < devices.size();  // --method none has a worker and no device
    const RunDevice* const device = on_device ? &devices[*result.device] : nullptr;
    value["device"] = device ? ordered_json(device->name) : nullptr;
    value["device_index"] = device ? ordered_json(device->index) : nullptr;
    value["worker"] = device ? ordered_json(*result.device) : nullptr;
    value["stages"] = stages_json(result.times);
    value["finished_seconds"] =
        result.status == ItemStatus::not_started ? ordered_json(nullptr) : ordered_json(result.finished.count());
    return value;
}

ordered_json counts_json(const Tally& tally)
{
    return {{"total", tally.total},
            {"done", tally.done},
            {"failed", tally.failed},
            {"skipped", tally.skipped},
            {"not_started", tally.not_started()}};
}

ordered_json run_json(const RunInfo& run)
{
    ordered_json options = ordered_json::object();
    for (const auto& [name, value] : run.options) options[name] = value;
    ordered_json devices = ordered_json::array();
    for (const RunDevice& device : run.devices)
        devices.push_back(
            {{"index", device.index}, {"platform", device.platform}, {"name", device.name}, {"driver", device.driver}});
    ordered_json first = devices.empty() ? ordered_json(nullptr) : devices.front();
    return {{"version", run.version},
            {"libraries", run.libraries},
            {"command", run.command},
            {"options", std::move(options)},
            {"shard",
             {{"index", run.shard.index},
              {"count", run.shard.count},
              {"items", run.shard.items},
              {"list", text_or_null(run.shard.list)}}},
            {"device", std::move(first)},
            {"devices", std::move(devices)}};
}

std::string json_text(const ordered_json& value, int indent)
{
    return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json parsed_json(const std::string& name, const std::string& text)
{
    constexpr int deepest = 100;
    const auto check_depth = [&](int depth, ordered_json::parse_event_t /*event*/, ordered_json& /*value*/) {
        if (depth > deepest) throw InputError(fmt::format("{}: is nested more than {} deep", name, deepest));
        return true;
    };
    return ordered_json::parse(text, check_depth, false);
}

}  // namespace clconv
