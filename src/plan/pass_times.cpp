// SPDX-License-Identifier: Apache-2.0
#include "plan/pass_times.h"

#include <algorithm>
#include <utility>

namespace clconv {

double ns_for(const std::vector<PassPoint>& points, double lines, double launch_ns)
{
    const PassPoint& first = points.front();
    const double in_proportion = first.ns * lines / first.lines;
    if (points.size() == 1) {
        const double launch = std::min(launch_ns, first.ns / 2);
        return launch + (first.ns - launch) * lines / first.lines;
    }
    std::size_t end = 1;
    while (end + 1 < points.size() && points[end].lines < lines) ++end;
    const PassPoint& below = points[end - 1];
    const PassPoint& above = points[end];
    const double slope = (above.ns - below.ns) / (above.lines - below.lines);
    const double straight = below.ns + slope * (lines - below.lines);
    return lines < first.lines ? std::max(straight, in_proportion) : std::max(straight, below.ns);
}

PassTimes::PassTimes(std::vector<PassRecord> records)
{
    for (PassRecord& record : records) {
        LinePass pass = record.pass;
        records_.insert_or_assign(std::move(pass), std::move(record));
    }
}

const PassRecord* PassTimes::find(const LinePass& pass) const
{
    const auto found = records_.find(pass);
    return found == records_.end() ? nullptr : &found->second;
}

}  // namespace clconv
