// SPDX-License-Identifier: Apache-2.0
// Merges the reports of a batch's shards: `clconv merge-reports`.
//
// Pure: JSON in, JSON out. It refuses reports that do not make a whole: every shard must be there once, all must have
// the same version, options and list of items, and every item must have an entry.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace clconv {

struct NamedReport {
    std::string name;  ///< the file's, for messages
    std::string text;  ///< as RunReport::text() gives it
};

/// One report of the whole: items in order, counts and stages summed, the longest wall time, the worst exit code of the
/// shards, and an entry for each shard. Throws InputError that names the reports and the problem: no report, a missing
/// or repeated shard, different versions, options or lists, or missing items. `without_effect`: the options in which
/// shards may differ, such as "--jobs". Unknown options must agree.
[[nodiscard]] nlohmann::ordered_json merged_report(const std::vector<NamedReport>& reports,
                                                   const std::set<std::string, std::less<>>& without_effect);

}  // namespace clconv
