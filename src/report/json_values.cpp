#include "report/json_values.h"

#include <nlohmann/json.hpp>

namespace clconv {

using nlohmann::ordered_json;

namespace {

ordered_json text_or_null(const std::string& text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

}  // namespace

ordered_json stages_json(const std::vector<StageTime>& times)
{
    ordered_json stages = ordered_json::object();
    for (const StageTime& entry : times) stages[entry.stage] = entry.time.count();
    return stages;
}

ordered_json item_json(const ItemInfo& item, const ItemResult& result, const std::string& device)
{
    ordered_json value{{"index", item.index},
                       {"input", item.input.string()},
                       {"output", item.output.string()},
                       {"psf", item.psf},
                       {"status", name_of(result.status)},
                       {"error", text_or_null(result.error)},
                       {"width", nullptr},
                       {"height", nullptr},
                       {"channels", nullptr},
                       {"type", nullptr}};
    if (result.image) {
        value["width"] = result.image->extent.width;
        value["height"] = result.image->extent.height;
        value["channels"] = result.image->channels;
        value["type"] = name_of(result.image->type);
    }
    value["plan"] = text_or_null(result.plan);
    value["device"] = text_or_null(device);
    value["stages"] = stages_json(result.times);
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
    ordered_json device = nullptr;
    if (!run.device.name.empty())
        device = {{"index", run.device.index},
                  {"platform", run.device.platform},
                  {"name", run.device.name},
                  {"driver", run.device.driver}};
    return {{"version", run.version},
            {"libraries", run.libraries},
            {"command", run.command},
            {"options", std::move(options)},
            {"device", std::move(device)}};
}

std::string json_text(const ordered_json& value, int indent)
{
    return value.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace clconv
