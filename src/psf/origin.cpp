// SPDX-License-Identifier: Apache-2.0
#include "psf/origin.h"

#include "base/errors.h"
#include "base/parse_number.h"

#include <cmath>
#include <optional>

namespace clconv {
namespace {

std::optional<Position> parse_position(std::string_view text)
{
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const std::optional<int> x = parse_number<int>(text.substr(0, comma));
    const std::optional<int> y = parse_number<int>(text.substr(comma + 1));
    if (!x || !y) return std::nullopt;
    return Position{*x, *y};
}

double sum_of_channels(const Psf& psf, int x, int y)
{
    double total = 0;
    for (int channel = 0; channel < psf.channels; ++channel) total += psf.at(x, y, channel);
    return total;
}

/// For even sizes, the sample after the middle, in the direction in which the file counts rows.
Position center_of(const Psf& psf)
{
    const int row = psf.extent.height / 2;
    return {psf.extent.width / 2, psf.is_bottom_up ? psf.extent.height - 1 - row : row};
}

Position peak_of(const Psf& psf)
{
    Position best;
    for (int y = 0; y < psf.extent.height; ++y)
        for (int x = 0; x < psf.extent.width; ++x)
            if (sum_of_channels(psf, x, y) > sum_of_channels(psf, best.x, best.y)) best = {x, y};
    return best;
}

Position nearest_sample(Centroid centre)
{
    return {static_cast<int>(std::lround(centre.x)), static_cast<int>(std::lround(centre.y))};
}

void check_inside(const Psf& psf, Position position)
{
    const bool inside =
        position.x >= 0 && position.x < psf.extent.width && position.y >= 0 && position.y < psf.extent.height;
    if (inside) return;
    throw InvalidProblem("PSF " + psf.name + ": the origin " + std::to_string(position.x) + "," +
                         std::to_string(position.y) + " lies outside its " + to_string(psf.extent) +
                         " samples; use --psf-origin with x from 0 to " + std::to_string(psf.extent.width - 1) +
                         " and y from 0 to " + std::to_string(psf.extent.height - 1));
}

}  // namespace

OriginRule parse_origin(std::string_view text)
{
    using Kind = OriginRule::Kind;
    if (text == "center") return {Kind::center, {}};
    if (text == "peak") return {Kind::peak, {}};
    if (text == "centroid") return {Kind::centroid, {}};
    if (const std::optional<Position> position = parse_position(text)) return {Kind::fixed, *position};
    throw InvalidProblem("--psf-origin '" + std::string(text) +
                         "' is not an origin; use center, peak, centroid or X,Y (like 7,7)");
}

Position origin_of(const Psf& psf, const OriginRule& rule)
{
    switch (rule.kind) {
        case OriginRule::Kind::center: return center_of(psf);
        case OriginRule::Kind::peak: return peak_of(psf);
        case OriginRule::Kind::centroid: return nearest_sample(centroid(psf));
        case OriginRule::Kind::fixed: check_inside(psf, rule.position); return rule.position;
    }
    throw InternalError("an origin rule without a meaning");
}

Centroid centroid(const Psf& psf)
{
    double mass = 0;
    Centroid moment;
    for (int channel = 0; channel < psf.channels; ++channel)
        for (int y = 0; y < psf.extent.height; ++y)
            for (int x = 0; x < psf.extent.width; ++x) {
                const double weight = std::abs(psf.at(x, y, channel));
                mass += weight;
                moment.x += weight * x;
                moment.y += weight * y;
            }
    if (mass == 0) return {(psf.extent.width - 1) / 2.0, (psf.extent.height - 1) / 2.0};
    return {moment.x / mass, moment.y / mass};
}

}  // namespace clconv
