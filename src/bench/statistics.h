// Median, least and spread of repeated measurements.
#pragma once

#include <vector>

namespace clconv {

struct Spread {
    double median = 0;
    double min = 0;
    double mad = 0;  ///< median of the absolute deviations from the median
};

/// Of at least one value.
[[nodiscard]] Spread spread_of(std::vector<double> values);

}  // namespace clconv
