// The reports of a batch's shards put together: `clconv merge-reports`.
//
// Pure: JSON in, JSON out. What it promises is worth as much as its refusals: every shard is there once, all are of one
// version, one set of options and one list of items, and every item has its entry.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace clconv {

struct NamedReport {
    std::string name;  ///< for messages: the file's
    std::string text;  ///< as RunReport::text() gives it
};

/// One report of the whole: items in their order, counts and stages summed, the longest wall time, the exit code of the
/// shard that ended worst, and an entry a shard. Throws InputError that names the reports and what is wrong: no
/// report, a missing shard, one that is there twice, versions, options or lists that differ, items that lack.
/// `without_effect`: the options that shards may differ in, as "--jobs"; those that are unknown count.
[[nodiscard]] nlohmann::ordered_json merged_report(const std::vector<NamedReport>& reports,
                                                   const std::set<std::string, std::less<>>& without_effect);

}  // namespace clconv
