// SPDX-License-Identifier: Apache-2.0
// Median, minimum and spread of repeated measurements.
#pragma once

#include <vector>

namespace clconv {

struct Spread {
    double median = 0;
    double min = 0;
    double mad = 0;  ///< median of the absolute deviations from the median
};

/// The spread of `values`, of which there is at least one.
[[nodiscard]] Spread spread_of(std::vector<double> values);

}  // namespace clconv
