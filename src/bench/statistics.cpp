// SPDX-License-Identifier: Apache-2.0
#include "bench/statistics.h"

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

double median_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

Spread spread_of(std::vector<double> values)
{
    Spread spread;
    spread.median = median_of(values);
    spread.min = *std::min_element(values.begin(), values.end());
    for (double& value : values) value = std::abs(value - spread.median);
    spread.mad = median_of(std::move(values));
    return spread;
}

double larger_error(double one, double other)
{
    // std::max would take the number: NaN is neither less nor greater.
    return std::isnan(one) || one > other ? one : other;
}

}  // namespace clconv
