// SPDX-License-Identifier: Apache-2.0
#include "selftest/selftest.h"

#include "bench/statistics.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clconv {

std::string selftest_table(const DeviceInfo& device, const std::vector<SelftestResult>& results,
                           std::string_view suspect)
{
    struct Group {
        std::string name;
        int cases = 0;
        int wrong = 0;
        double worst = 0;  ///< error over the allowed error
    };
    std::vector<Group> groups;
    std::string failures;
    for (const SelftestResult& result : results) {
        if (groups.empty() || groups.back().name != result.group) groups.push_back({result.group});
        Group& group = groups.back();
        ++group.cases;
        group.wrong += !result.right;
        if (result.allowed > 0) group.worst = larger_error(group.worst, result.error / result.allowed);
        if (result.right) continue;
        failures += fmt::format("  WRONG {} {}: ", result.group, result.name);
        failures += result.remark.empty()
                        ? fmt::format("relative error {:.2e}, allowed {:.2e}\n", result.error, result.allowed)
                        : result.remark + "\n";
    }
    std::string text =
        fmt::format("{} {} ({}, driver {})\n", device.index, device.name, device.platform, device.driver);
    text += fmt::format("  {:<10}{:>7}{:>7}{:>24}\n", "what", "cases", "wrong", "largest error/allowed");
    int wrong = 0;
    for (const Group& group : groups) {
        text += fmt::format("  {:<10}{:>7}{:>7}{:>24.2f}\n", group.name, group.cases, group.wrong, group.worst);
        wrong += group.wrong;
    }
    text += failures;
    return text + (wrong == 0
                       ? fmt::format("right: all {} cases\n", results.size())
                       : fmt::format("WRONG: {} of {} cases; do not trust {}\n", wrong, results.size(), suspect));
}

std::string selftest_json(const DeviceInfo& device, const std::vector<SelftestResult>& results)
{
    nlohmann::ordered_json json{{"device", device.name}, {"driver", device.driver}, {"right", all_right(results)}};
    json["cases"] = nlohmann::ordered_json::array();
    for (const SelftestResult& result : results)
        json["cases"].push_back({{"group", result.group},
                                 {"name", result.name},
                                 {"right", result.right},
                                 {"relative_error", result.error},
                                 {"allowed", result.allowed},
                                 {"remark", result.remark}});
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace clconv
