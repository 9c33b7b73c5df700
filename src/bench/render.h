// SPDX-License-Identifier: Apache-2.0
// Measurements as a table and as JSON.
#pragma once

#include "bench/measure.h"

#include <algorithm>
#include <string>
#include <vector>

namespace clconv {

struct BenchReport {
    DeviceInfo device;
    double copy_gb_s = 0;
    std::string deviations;  ///< from the defaults of clconv run; empty if there are none
    std::vector<Measurement> cases;

    [[nodiscard]] bool all_right() const { return std::ranges::all_of(cases, &Measurement::right); }
};

/// Time to move the bytes of all passes at the copy bandwidth.
[[nodiscard]] double floor_ms(const Measurement& measurement, double copy_gb_s);

[[nodiscard]] std::string render_table(const BenchReport& report);
[[nodiscard]] std::string render_json(const BenchReport& report);

}  // namespace clconv
