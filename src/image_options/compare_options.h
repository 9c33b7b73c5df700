// SPDX-License-Identifier: Apache-2.0
// The options of `clconv compare`.
#pragma once

#include "cli/log_options.h"
#include "compare/comparison.h"
#include "image_options/page_options.h"

#include <cstddef>
#include <optional>
#include <string>

namespace clconv {

struct CompareOptions {
    std::string a;
    std::string b;
    Tolerances tolerances;
    SampleScale scale = SampleScale::codes;
    std::optional<double> range;
    std::string mask;
    std::string heatmap;
    bool only_on_failure = false;
    bool json = false;
    std::string html;
    std::size_t max_pictured = kMaxPictured;
    LogChoice log;
};

}  // namespace clconv
