// SPDX-License-Identifier: Apache-2.0
// The events' values as JSON: one form for the report and for the event stream.
#pragma once

#include "report/events.h"
#include "report/tally.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace clconv {

/// An item and its result, on one of `devices`. Values that are not known (the size of an image that could not be read)
/// are null.
[[nodiscard]] nlohmann::ordered_json item_json(const ItemInfo& item, const ItemResult& result,
                                               const std::vector<RunDevice>& devices);

/// Stage -> seconds.
[[nodiscard]] nlohmann::ordered_json stages_json(const std::vector<StageTime>& times);

[[nodiscard]] nlohmann::ordered_json counts_json(const Tally& tally);

/// Version, command, options, shard and devices; not the items.
[[nodiscard]] nlohmann::ordered_json run_json(const RunInfo& run);

/// The value as text. Bytes of file names that are not UTF-8 become replacement characters. `indent` -1: one line.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value, int indent);

/// JSON from a file, whose name is for messages; discarded if it is none. Throws InputError if it is nested too deeply:
/// copies and dumps recurse, and a file of a million brackets would use up the stack.
[[nodiscard]] nlohmann::ordered_json parsed_json(const std::string& name, const std::string& text);

}  // namespace clconv
