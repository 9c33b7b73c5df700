// SPDX-License-Identifier: Apache-2.0
// Reports of shards, put together: refused, or a report that can be put together once more.
#include "report/merge_reports.h"

#include "base/errors.h"
#include "promise.h"

#include <nlohmann/json.hpp>

using namespace clconv;

/// The input is the reports, with a byte 0 between two.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::vector<NamedReport> reports;
    std::string_view rest = hostile::text_of(data, size);
    for (bool more = true; more;) {
        const std::size_t end = rest.find('\0');
        reports.push_back({std::to_string(reports.size()), std::string(rest.substr(0, end))});
        more = end != std::string_view::npos;
        if (more) rest.remove_prefix(end + 1);
    }
    try {
        const nlohmann::ordered_json merged = merged_report(reports, {});
        const std::string text = merged.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        hostile::promise(merged_report({{"merged", text}}, {})["items"] == merged["items"],
                         "a merged report is one of a single shard");
    } catch (const InputError&) {
    }
    return 0;
}
