// SPDX-License-Identifier: Apache-2.0
// Median, minimum and spread of repeated measurements, and the larger of errors.
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

/// The larger of two errors; NaN, which no tolerance allows, if either is NaN.
[[nodiscard]] double larger_error(double one, double other);

}  // namespace clconv
