// SPDX-License-Identifier: Apache-2.0
#include "report/run_report.h"

#include "report/json_values.h"
#include "report/tally.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace clconv {

void RunReport::run_started(const RunInfo& run)
{
    run_ = run;
    results_.assign(run.items.size(), {});
}

void RunReport::item_finished(const ItemInfo& item, const ItemResult& result)
{
    // The indices of a shard have gaps.
    const auto place = std::ranges::lower_bound(run_.items, item.index, {}, &ItemInfo::index);
    if (place == run_.items.end() || place->index != item.index) return;
    results_[static_cast<std::size_t>(place - run_.items.begin())] = result;
}

void RunReport::run_finished(const RunResult& result) { end_ = result; }

nlohmann::ordered_json RunReport::json() const
{
    Tally tally;
    tally.total = results_.size();
    nlohmann::ordered_json items = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < results_.size(); ++i) {
        add(tally, results_[i]);
        items.push_back(item_json(run_.items[i], results_[i], run_.devices));
    }
    nlohmann::ordered_json report = run_json(run_);
    report["exit_code"] = end_.exit_code;
    report["signal"] = end_.signal != 0 ? nlohmann::ordered_json(end_.signal) : nlohmann::ordered_json(nullptr);
    report["error"] = end_.error.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(end_.error);
    report["wall_seconds"] = end_.wall.count();
    report["opening_seconds"] = run_.opening.count();
    report["counts"] = counts_json(tally);
    report["stages"] = stages_json(tally.stages);
    report["items"] = std::move(items);
    return report;
}

std::string RunReport::text() const { return json_text(json(), 2) + "\n"; }

}  // namespace clconv
