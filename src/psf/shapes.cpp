// SPDX-License-Identifier: Apache-2.0
// PSFs of uniform brightness inside an outline: box, disc, polygon, motion. The weight of a pixel is its area inside,
// over the whole area. Curves are polygons with so many corners that none shows, scaled to the curve's own area.
#include "psf/shapes.h"

#include "psf/families.h"

#include <algorithm>
#include <cmath>

namespace clconv {

std::vector<Point> regular_outline(const BladedShape& shape)
{
    // A chord of angle t is r t^2 / 8 inside its arc. The limit is a millionth of a pixel, which a float cannot
    // distinguish.
    const double max_step = std::min(0.004, std::sqrt(8e-6 / shape.radius));
    const double sector = 2 * kPi / shape.blades;
    const int steps = shape.round > 0 ? static_cast<int>(std::ceil(sector / max_step)) : 1;
    std::vector<Point> outline;
    for (int blade = 0; blade < shape.blades; ++blade)
        for (int step = 0; step < steps; ++step) {
            const double within = sector * step / steps;
            const double straight = std::cos(sector / 2) / std::cos(within - sector / 2);
            const double r = shape.radius * (straight + shape.round * (1 - straight));
            const double angle = radians(shape.rotation) + blade * sector + within;
            outline.push_back({r * std::cos(angle), r * std::sin(angle)});
        }
    return outline;
}

std::vector<Point> circle_outline(double radius)
{
    std::vector<Point> outline = regular_outline({radius, 4, 0, 1});
    const double larger = std::sqrt(kPi * radius * radius / area(outline));
    for (Point& corner : outline) corner = {corner.x * larger, corner.y * larger};
    return outline;
}

namespace {

class EvenShape final : public Profile {
public:
    /// `hole`: the outline of the part inside that is dark, if any.
    explicit EvenShape(std::vector<Point> outline, std::vector<Point> hole = {})
        : outline_(std::move(outline)), hole_(std::move(hole))
    {
    }

    [[nodiscard]] HalfSize reach(double /*share*/) const override
    {
        HalfSize half;
        for (const Point& corner : outline_)
            half = {std::max(half.x, std::abs(corner.x)), std::max(half.y, std::abs(corner.y))};
        // Rounding, or a chord's corner, must not add a row of zeros.
        constexpr double nothing = 1e-5;
        return {half.x - nothing, half.y - nothing};
    }

    [[nodiscard]] std::vector<double> integrals(const Frame& frame, int /*channel*/) const override
    {
        std::vector<double> result = coverage(outline_, frame);
        double bright = area(outline_);
        if (!hole_.empty()) {
            const auto without = [](double all, double dark) { return std::max(all - dark, 0.0); };
            std::ranges::transform(result, coverage(hole_, frame), result.begin(), without);
            bright -= area(hole_);
        }
        for (double& value : result) value /= bright;
        return result;
    }

private:
    std::vector<Point> outline_;
    std::vector<Point> hole_;
};

/// A rectangle around the centre. `angle` is that of its width.
ProfilePtr rectangle(double width, double height, double angle)
{
    std::vector<Point> outline;
    const double c = std::cos(radians(angle));
    const double s = std::sin(radians(angle));
    for (const auto& [u, v] : {Point{-1, -1}, Point{1, -1}, Point{1, 1}, Point{-1, 1}}) {
        const double x = u * width / 2;
        const double y = v * height / 2;
        outline.push_back({x * c - y * s, x * s + y * c});
    }
    return std::make_unique<EvenShape>(std::move(outline));
}

}  // namespace

namespace families {

ProfilePtr box(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    const double width = arguments.number("width");
    return rectangle(width, arguments.is_given("height") ? arguments.number("height") : width,
                     arguments.number("angle"));
}

ProfilePtr disc(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    const double radius = arguments.number("radius");
    const double hole = radius * arguments.number("obstruction");
    return std::make_unique<EvenShape>(circle_outline(radius), hole > 0 ? circle_outline(hole) : std::vector<Point>());
}

ProfilePtr polygon(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    return std::make_unique<EvenShape>(regular_outline(bladed_shape(arguments, arguments.number("radius"))));
}

ProfilePtr motion(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    return rectangle(arguments.number("length"), arguments.number("width"), arguments.number("angle"));
}

}  // namespace families

BladedShape bladed_shape(const KindArguments& arguments, double radius)
{
    return {radius, static_cast<int>(arguments.number("blades")), arguments.number("rotation"),
            arguments.number("round")};
}

}  // namespace clconv
