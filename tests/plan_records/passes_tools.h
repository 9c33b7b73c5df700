// SPDX-License-Identifier: Apache-2.0
// Passes that an imaginary device (plan_records/records_tools.h) was measured with.
#pragma once

#include "plan_records/pass_set.h"
#include "plan_records/records_tools.h"

#include <utility>
#include <vector>

namespace clconv::test {

inline PassRecord a_pass(PassKind kind, std::vector<int> radices, double ns)
{
    LinePass pass;
    pass.kind = kind;
    pass.radices = std::move(radices);
    pass.items = 16;
    pass.lines = 2;
    pass.bundle_columns = 4;
    pass.samples = kind == PassKind::columns ? SampleType::float32 : SampleType::u8;
    return {.pass = pass, .filled = 100, .points = {{10, ns}, {1000, 50 * ns}}};
}

inline PassSet a_set()
{
    return {pass_set_key(kDevice, kKernels),
            {a_pass(PassKind::rows, {16, 8}, 1.5), a_pass(PassKind::columns, {9, 4, 4}, 2.25),
             a_pass(PassKind::rows_back, {8, 16}, 1.0 / 3)}};
}

}  // namespace clconv::test
