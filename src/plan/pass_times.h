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
    bool related = false;           ///< measured on a related device, see completed()
    friend bool operator==(const PassRecord&, const PassRecord&) = default;
};

/// The time of this many lines. Of the first point, `launch_ns`, or half of it if that is less, is for any number of
/// lines, and the rest in proportion: so for fewer lines, and if there is no other point. Else straight between two
/// points, and on beyond the last two. A launch that is 0 is not known: then fewer lines take what the first two points
/// say, and no less than in proportion to the first.
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

/// The points of a pass, and of `others` those with clearly fewer lines than the first or more than the last;
/// ascending.
[[nodiscard]] std::vector<PassPoint> with_points_outside(const std::vector<PassPoint>& known,
                                                         const std::vector<PassPoint>& others);

/// Of at least one value; of an even number of them, the upper one of the two in the middle.
[[nodiscard]] double median(std::vector<double> values);

/// Passes of one device, and those of a related device that are not among them, or have more or fewer lines. Times of
/// these are multiplied by the median of own over related times of passes that both have, for each kind of pass.
/// Without own passes they stay as they are. Related passes of a kind that the two do not have in common are left out.
[[nodiscard]] std::vector<PassRecord> completed(std::vector<PassRecord> own, const std::vector<PassRecord>& related);

}  // namespace clconv
