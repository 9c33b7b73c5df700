// SPDX-License-Identifier: Apache-2.0
#include "psf/coverage.h"

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

/// Twice the area, with the sign of the orientation: the shoelace formula.
double signed_double_area(std::span<const Point> polygon)
{
    double sum = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Point& a = polygon[i];
        const Point& b = polygon[(i + 1) % polygon.size()];
        sum += a.x * b.y - b.x * a.y;
    }
    return sum;
}

/// Sums of rows of pixels. Each row has one more entry than there are columns.
class Rows {
public:
    explicit Rows(const Frame& frame)
        : frame_(frame),
          sums_((static_cast<std::size_t>(frame.extent.width) + 1) * static_cast<std::size_t>(frame.extent.height))
    {
    }

    /// The edge from a to b, in pixels from the frame's upper left corner.
    void add_edge(const Point& a, const Point& b)
    {
        if (a.y == b.y) return;
        const double slope = (b.x - a.x) / (b.y - a.y);
        const auto [top, bottom] = std::minmax({a.y, b.y});
        const double sign = a.y < b.y ? 1 : -1;
        const double first = std::max(top, 0.0);
        const double last = std::min(bottom, static_cast<double>(frame_.extent.height));
        for (int row = static_cast<int>(std::floor(first)); row < last; ++row) {
            const double from = std::max(first, static_cast<double>(row));
            const double to = std::min(last, row + 1.0);
            if (to > from) add_piece(row, sign * (to - from), a.x + (from - a.y) * slope, a.x + (to - a.y) * slope);
        }
    }

    [[nodiscard]] std::vector<double> areas(double sign) const
    {
        constexpr double rounding = 1e-12;
        std::vector<double> result;
        result.reserve(frame_.extent.pixels());
        for (int row = 0; row < frame_.extent.height; ++row) {
            double sum = 0;
            for (int column = 0; column < frame_.extent.width; ++column) {
                sum += sign * sums_[index(row, column)];
                result.push_back(sum < rounding ? 0 : std::min(sum, 1.0));
            }
        }
        return result;
    }

private:
    [[nodiscard]] std::size_t index(int row, int column) const
    {
        return static_cast<std::size_t>(row) * (static_cast<std::size_t>(frame_.extent.width) + 1) +
               static_cast<std::size_t>(column);
    }

    /// A piece of an edge within one row, which covers the heights `height` (with a sign) while x goes from xa to xb.
    void add_piece(int row, double height, double xa, double xb)
    {
        const auto [left, right] = std::minmax({xa, xb});
        const double width = frame_.extent.width;
        if (left >= width) return;  // nothing of the frame is to its right
        if (right <= 0) {
            sums_[index(row, 0)] += height;
            return;
        }
        if (right == left) {
            add_within(row, height, left);
            return;
        }
        const double density = height / (right - left);
        if (left < 0) sums_[index(row, 0)] += density * -left;
        const double end = std::min(right, width);
        for (double from = std::max(left, 0.0); from < end;) {
            const double to = std::min(end, std::floor(from) + 1);
            add_within(row, density * (to - from), (from + to) / 2);
            from = to;
        }
    }

    /// A piece within one pixel, whose mean x is `x`. It adds the part of this pixel to its right, and all of the
    /// pixels further right.
    void add_within(int row, double height, double x)
    {
        const int column = std::min(static_cast<int>(x), frame_.extent.width - 1);
        const double inside = column + 1 - x;
        sums_[index(row, column)] += height * inside;
        sums_[index(row, column + 1)] += height * (1 - inside);
    }

    Frame frame_;
    std::vector<double> sums_;
};

}  // namespace

double area(std::span<const Point> polygon) { return std::abs(signed_double_area(polygon)) / 2; }

std::vector<double> coverage(std::span<const Point> polygon, const Frame& frame)
{
    Rows rows(frame);
    const auto placed = [&](const Point& p) { return Point{p.x + frame.origin.x + 0.5, p.y + frame.origin.y + 0.5}; };
    for (std::size_t i = 0; i < polygon.size(); ++i)
        rows.add_edge(placed(polygon[i]), placed(polygon[(i + 1) % polygon.size()]));
    // If the corners go clockwise on the screen (positive area), the right of a downward edge is outside.
    return rows.areas(signed_double_area(polygon) > 0 ? -1 : 1);
}

}  // namespace clconv
