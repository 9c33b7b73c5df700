// SPDX-License-Identifier: Apache-2.0
// The variants of the table of decisions, as users force them.
#pragma once

#include "plan/decision_table.h"

#include <string>
#include <vector>

namespace clconv::test {

/// Each with each value that is not the first: "passes=separate".
[[nodiscard]] inline std::vector<std::string> forced_variants()
{
    std::vector<std::string> list;
    for (const DecisionRow& row : decision_rows())
        if (row.variant)
            for (const std::string& value : row.listed())
                if (value != row.fit_value) list.push_back(std::string(row.name) + "=" + value);
    return list;
}

}  // namespace clconv::test
