// SPDX-License-Identifier: Apache-2.0
// What was measured of passes on one device, and the time that follows for a number of lines.
#pragma once

#include "plan/line_pass.h"

#include <map>
#include <optional>
#include <vector>

namespace clconv {

/// So many lines took so long.
struct PassPoint {
    double lines = 0;
    double ns = 0;
    friend bool operator==(const PassPoint&, const PassPoint&) = default;
};

/// A pass and its times.
struct PassRecord {
    LinePass pass;
    int filled = 0;                 ///< samples of a line that were loaded, or stored
    std::vector<PassPoint> points;  ///< at least one, ascending in lines
    friend bool operator==(const PassRecord&, const PassRecord&) = default;
};

/// The time of this many lines. One point: `launch_ns` of it, or half of it if that is less, is for any number of
/// lines, and the rest in proportion. Several: straight between them, and on beyond the last two; below the first, no
/// less than in proportion to that.
[[nodiscard]] double ns_for(const std::vector<PassPoint>& points, double lines, double launch_ns = 0);

/// The records of one device, for look-ups.
class PassTimes {
public:
    PassTimes() = default;
    /// Of two records of one pass, the later one counts.
    explicit PassTimes(std::vector<PassRecord> records);

    [[nodiscard]] bool empty() const { return records_.empty(); }
    /// Null if the pass was not measured.
    [[nodiscard]] const PassRecord* find(const LinePass& pass) const;
    [[nodiscard]] const std::map<LinePass, PassRecord>& records() const { return records_; }

private:
    std::map<LinePass, PassRecord> records_;
};

}  // namespace clconv
