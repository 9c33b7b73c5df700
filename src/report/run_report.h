// SPDX-License-Identifier: Apache-2.0
// The JSON report of a whole run: `--report FILE.json`.
#pragma once

#include "report/events.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace clconv {

/// Collects events. The report has one entry for each item, in the items' order, including items that never started.
class RunReport final : public Sink {
public:
    void run_started(const RunInfo& run) override;
    void item_finished(const ItemInfo& item, const ItemResult& result) override;
    void run_finished(const RunResult& result) override;

    /// The report; valid at any moment.
    [[nodiscard]] nlohmann::ordered_json json() const;
    /// As the file has it.
    [[nodiscard]] std::string text() const;

private:
    RunInfo run_;
    std::vector<ItemResult> results_;  ///< as run_.items
    RunResult end_;
};

}  // namespace clconv
