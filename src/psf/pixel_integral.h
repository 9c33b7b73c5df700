// SPDX-License-Identifier: Apache-2.0
// Integrals of a density over pixels, so that PSFs narrower than a pixel are correct.
//
// Gauss-Legendre rules of growing order on a square. The square is cut into four if two orders disagree. A quadrature
// library would do the same; this is for squares and smooth densities only.
#pragma once

#include <array>
#include <cmath>

namespace clconv {

/// A square in the plane.
struct Cell {
    double x = 0;  ///< of its centre
    double y = 0;
    double side = 1;
};

namespace quadrature {

/// Nodes and weights on [-1/2, 1/2]; Abramowitz and Stegun, table 25.4.
template <int order>
struct Rule;
template <>
struct Rule<2> {
    static constexpr std::array<double, 2> kNodes = {-0.28867513459481287, 0.28867513459481287};
    static constexpr std::array<double, 2> kWeights = {0.5, 0.5};
};
template <>
struct Rule<3> {
    static constexpr std::array<double, 3> kNodes = {-0.3872983346207417, 0, 0.3872983346207417};
    static constexpr std::array<double, 3> kWeights = {5.0 / 18, 8.0 / 18, 5.0 / 18};
};
template <>
struct Rule<5> {
    static constexpr std::array<double, 5> kNodes = {-0.4530899229693320, -0.2692346550528415, 0, 0.2692346550528415,
                                                     0.4530899229693320};
    static constexpr std::array<double, 5> kWeights = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444,
                                                       0.2393143352496832, 0.1184634425280945};
};

template <int order, class Density>
double estimate(const Density& density, const Cell& cell)
{
    using R = Rule<order>;
    double total = 0;
    for (int j = 0; j < order; ++j)
        for (int i = 0; i < order; ++i)
            total += R::kWeights[j] * R::kWeights[i] *
                     density(cell.x + cell.side * R::kNodes[i], cell.y + cell.side * R::kNodes[j]);
    return total * cell.side * cell.side;
}

/// Densities integrate to 1 over the plane. A pixel with less than this affects no sum and no moment.
inline constexpr double kNothing = 1e-13;
inline constexpr double kRelative = 1e-8;
/// The maximum number of cuts of a cell into four. Only a density with a kink or a pole at one point needs as many.
inline constexpr int kMaxCuts = 14;

inline bool agree(double coarse, double fine)
{
    return std::abs(coarse - fine) <= kRelative * std::abs(fine) + kNothing;
}

template <class Density>
double refined(const Density& density, const Cell& cell, int cuts)
{
    const double fine = estimate<5>(density, cell);
    if (cuts == 0 || agree(estimate<3>(density, cell), fine)) return fine;
    double total = 0;
    for (const double dy : {-0.25, 0.25})
        for (const double dx : {-0.25, 0.25})
            total += refined(density, {cell.x + dx * cell.side, cell.y + dy * cell.side, cell.side / 2}, cuts - 1);
    return total;
}

}  // namespace quadrature

/// The integral of density(x, y), which integrates to 1 over the plane, over the pixel around (x, y). `detail`: the
/// size of the smallest feature there, in pixels. The pixel is first cut into parts of at most this size, so that no
/// feature is missed.
template <class Density>
[[nodiscard]] double pixel_integral(const Density& density, double x, double y, double detail)
{
    const int parts = detail >= 1 ? 1 : static_cast<int>(std::ceil(1 / detail));
    if (parts == 1) {
        const double fine = quadrature::estimate<3>(density, {x, y, 1});
        if (quadrature::agree(quadrature::estimate<2>(density, {x, y, 1}), fine)) return fine;
    }
    const double side = 1.0 / parts;
    double total = 0;
    for (int j = 0; j < parts; ++j)
        for (int i = 0; i < parts; ++i)
            total += quadrature::refined(density, {x + (i + 0.5) * side - 0.5, y + (j + 0.5) * side - 0.5, side},
                                         quadrature::kMaxCuts);
    return total;
}

/// The integral of f over [from, to], by Gauss-Legendre of order 5 in `panels` equal parts.
template <class Function>
[[nodiscard]] double line_integral(const Function& f, double from, double to, int panels)
{
    using R = quadrature::Rule<5>;
    const double step = (to - from) / panels;
    double total = 0;
    for (int panel = 0; panel < panels; ++panel)
        for (int i = 0; i < 5; ++i) total += R::kWeights[i] * f(from + (panel + 0.5 + R::kNodes[i]) * step);
    return total * step;
}

}  // namespace clconv
