// SPDX-License-Identifier: Apache-2.0
#include "plan/pass_times.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace clconv {

double ns_for(const std::vector<PassPoint>& points, double lines, double launch_ns)
{
    const PassPoint& first = points.front();
    const double launch = std::min(launch_ns, first.ns / 2);
    const double from_first = launch + (first.ns - launch) * lines / first.lines;
    if (points.size() == 1 || (lines < first.lines && launch > 0)) return from_first;
    std::size_t end = 1;
    while (end + 1 < points.size() && points[end].lines < lines) ++end;
    const PassPoint& below = points[end - 1];
    const PassPoint& above = points[end];
    const double slope = (above.ns - below.ns) / (above.lines - below.lines);
    const double straight = below.ns + slope * (lines - below.lines);
    return std::max(straight, lines < first.lines ? from_first : below.ns);
}

std::vector<PassPoint> with_points_outside(const std::vector<PassPoint>& known, const std::vector<PassPoint>& others)
{
    constexpr double apart = 1.2;
    const double minimum = known.front().lines / apart, maximum = known.back().lines * apart;
    std::vector<PassPoint> all = known;
    std::ranges::copy_if(others, std::back_inserter(all),
                         [&](const PassPoint& point) { return point.lines < minimum || point.lines > maximum; });
    std::ranges::sort(all, {}, &PassPoint::lines);
    return all;
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
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

namespace {

/// What the times of each kind of pass are here, over those of the related device.
std::map<PassKind, double> own_over_related(const std::vector<PassRecord>& own, const PassTimes& related)
{
    std::map<PassKind, std::vector<double>> ratios;
    for (const PassRecord& here : own) {
        const PassRecord* there = related.find(here.pass);
        if (!there) continue;
        for (const PassPoint& point : here.points)
            if (point.lines >= there->points.front().lines && point.lines <= there->points.back().lines)
                ratios[here.pass.kind].push_back(point.ns / ns_for(there->points, point.lines));
    }
    std::map<PassKind, double> medians;
    for (const auto& [kind, values] : ratios) medians[kind] = median(values);
    return medians;
}

}  // namespace

std::vector<PassRecord> completed(std::vector<PassRecord> own, const std::vector<PassRecord>& related)
{
    std::map<LinePass, std::size_t> known;
    for (std::size_t i = 0; i < own.size(); ++i) known[own[i].pass] = i;
    const std::map<PassKind, double> scales = own_over_related(own, PassTimes(related));
    for (PassRecord record : related) {
        const auto scale = scales.find(record.pass.kind);
        if (scale == scales.end() && !known.empty()) continue;
        if (scale != scales.end())
            for (PassPoint& point : record.points) point.ns *= scale->second;
        if (const auto here = known.find(record.pass); here != known.end()) {
            std::vector<PassPoint>& points = own[here->second].points;
            points = with_points_outside(points, record.points);
            continue;
        }
        record.related = true;
        own.push_back(std::move(record));
    }
    return own;
}

}  // namespace clconv
