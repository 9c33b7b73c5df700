// SPDX-License-Identifier: Apache-2.0
#include "psf/crop.h"

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

struct Span {
    int first = 0;
    int last = 0;
    [[nodiscard]] int size() const { return last - first + 1; }
};

/// The samples within `half` of the origin.
Span around(int origin, int half, int size) { return {std::max(origin - half, 0), std::min(origin + half, size - 1)}; }

/// One axis while it is trimmed: the light of its lines within the remaining extent of the other axis.
struct CropAxis {
    int origin = 0;
    int size = 0;
    int half = 0;
    std::vector<double> light;

    CropAxis(int its_origin, int its_size)
        : origin(its_origin), size(its_size), half(std::max(its_origin, its_size - 1 - its_origin)), light(its_size)
    {
    }
    [[nodiscard]] Span span() const { return around(origin, half, size); }
    /// The lines that are removed if the half size shrinks by one.
    [[nodiscard]] std::vector<int> outermost() const
    {
        std::vector<int> lines;
        for (const int line : {origin - half, origin + half})
            if (line >= 0 && line < size && (lines.empty() || lines[0] != line)) lines.push_back(line);
        return lines;
    }
    [[nodiscard]] double outermost_light() const
    {
        double sum = 0;
        for (const int line : outermost()) sum += light[line];
        return sum;
    }
};

class Trimmer {
public:
    explicit Trimmer(const Psf& psf)
        : psf_(psf),
          x_(psf.origin.x, psf.extent.width),
          y_(psf.origin.y, psf.extent.height),
          plane_(psf.extent.pixels())
    {
        for (std::size_t i = 0; i < psf.weights.size(); ++i) plane_[i % plane_.size()] += std::abs(psf.weights[i]);
        for (int y = 0; y < psf.extent.height; ++y)
            for (int x = 0; x < psf.extent.width; ++x) {
                x_.light[x] += at(x, y);
                y_.light[y] += at(x, y);
            }
    }

    void trim(double spare)
    {
        while (x_.half > 0 || y_.half > 0) {
            const double columns = x_.outermost_light();
            const double rows = y_.outermost_light();
            const bool alike = x_.half == y_.half && std::abs(columns - rows) <= 1e-9 * std::max(columns, rows);
            if (alike) {
                const double lost = columns + rows - corners();
                if (lost > spare) return;
                spare -= lost;
                drop_columns();
                drop_rows();
            } else {
                const bool drops_columns = y_.half == 0 || (x_.half > 0 && columns <= rows);
                const double lost = drops_columns ? columns : rows;
                if (lost > spare) return;
                spare -= lost;
                drops_columns ? drop_columns() : drop_rows();
            }
        }
    }

    [[nodiscard]] Psf result() const
    {
        const Span columns = x_.span();
        const Span rows = y_.span();
        Psf result{psf_.name, {columns.size(), rows.size()}, psf_.channels, {}, {}};
        result.origin = {psf_.origin.x - columns.first, psf_.origin.y - rows.first};
        for (int c = 0; c < psf_.channels; ++c)
            for (int y = rows.first; y <= rows.last; ++y)
                for (int x = columns.first; x <= columns.last; ++x) result.weights.push_back(psf_.at(x, y, c));
        return result;
    }

private:
    [[nodiscard]] double at(int x, int y) const
    {
        return plane_[static_cast<std::size_t>(y) * static_cast<std::size_t>(psf_.extent.width) +
                      static_cast<std::size_t>(x)];
    }
    /// The light in both the outermost columns and rows.
    [[nodiscard]] double corners() const
    {
        double sum = 0;
        for (const int x : x_.outermost())
            for (const int y : y_.outermost()) sum += at(x, y);
        return sum;
    }
    void drop_columns()
    {
        const Span rows = y_.span();
        for (const int x : x_.outermost())
            for (int y = rows.first; y <= rows.last; ++y) y_.light[y] -= at(x, y);
        --x_.half;
    }
    void drop_rows()
    {
        const Span columns = x_.span();
        for (const int y : y_.outermost())
            for (int x = columns.first; x <= columns.last; ++x) x_.light[x] -= at(x, y);
        --y_.half;
    }

    const Psf& psf_;
    CropAxis x_, y_;
    std::vector<double> plane_;
};

}  // namespace

double sum_of_magnitudes(const Psf& psf)
{
    double sum = 0;
    for (const double weight : psf.weights) sum += std::abs(weight);
    return sum;
}

Psf cropped(const Psf& psf, double kept)
{
    const double all = sum_of_magnitudes(psf);
    if (!(all > kept)) return psf;
    Trimmer trimmer(psf);
    trimmer.trim(all - kept);
    return trimmer.result();
}

}  // namespace clconv
