// SPDX-License-Identifier: Apache-2.0
#include "batch/damage.h"

#include <fmt/format.h>

namespace clconv {

void warn_of_damage(std::vector<Warning>& warnings, const std::filesystem::path& path, const std::string& damage)
{
    if (damage.empty()) return;
    warnings.emplace_back(
        WarningKind::damage,
        fmt::format("{}: is damaged ({}); what can be decoded is used (--damaged keep)", path.string(), damage));
}

}  // namespace clconv
