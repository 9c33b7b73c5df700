// SPDX-License-Identifier: Apache-2.0
// The diffraction of a round aperture that is partly covered by a round obstruction of e times its diameter. With v =
// pi r / (wavelength x f-number),
//     I(v) = I0 / (1 - e^2)^2 (2 J1(v) / v - e^2 2 J1(e v) / (e v))^2,     I0 = pi (1 - e^2) / 4 for r in that unit
// (Born and Wolf, Principles of Optics, sections 8.5.2 and 8.6.2). I0 makes the whole plane 1, by Parseval's theorem.
#include "base/errors.h"
#include "psf/families.h"
#include "psf/optics.h"
#include "psf/radial.h"

#include <cmath>
#include <limits>

namespace clconv {

double spot_scale(const KindArguments& arguments)
{
    const bool by_radius = arguments.is_given("radius");
    const bool optics = arguments.is_given("fnumber") || arguments.is_given("pitch");
    if (by_radius == optics || (optics && !(arguments.is_given("fnumber") && arguments.is_given("pitch"))))
        throw InvalidProblem(
            "give either radius, the first dark ring in pixels, as radius=6, or fnumber and pitch, as "
            "fnumber=8,wavelength=0.55,pitch=4.3");
    if (by_radius) return arguments.number("radius") / kFirstDarkRing;
    const double scale = arguments.number("wavelength") * arguments.number("fnumber") / arguments.number("pitch");
    if (scale < 0.2 || scale > 1000)
        throw InvalidProblem(
            "wavelength x fnumber / pitch must be 0.2 to 1000 pixels; check that wavelength and "
            "pitch are in micrometres");
    return scale;
}

namespace families {
namespace {

/// 2 J1(v) / v, 1 at 0.
double jinc(double v) { return v < 1e-6 ? 1 - v * v / 8 : 2 * ::j1(v) / v; }

class Airy final : public Profile {
public:
    Airy(double scale, double obstruction) : scale_(scale), obstruction_(obstruction) {}

    /// On the mean of the rings, the light beyond v is 2 / (pi v (1 - e)).
    [[nodiscard]] HalfSize reach(double share) const override
    {
        const double v = 2 / (kPi * (1 - share) * (1 - obstruction_));
        const double radius = (v / kPi + 1) * scale_;
        return {radius, radius};
    }

    [[nodiscard]] std::vector<double> integrals(const Frame& frame, int /*channel*/) const override
    {
        const double e2 = obstruction_ * obstruction_;
        const double peak = kPi / (4 * scale_ * scale_ * (1 - e2));
        // For rings much narrower than a pixel, their mean is integrated: 4 (1 + e) / (pi v^3).
        const double many_rings = scale_ < 1 ? 100 * scale_ : std::numeric_limits<double>::infinity();
        const auto density = [&](double r) {
            const double v = kPi * r / scale_;
            if (r > many_rings) return peak * 4 * (1 + obstruction_) / (kPi * v * v * v);
            const double amplitude = jinc(v) - (e2 > 0 ? e2 * jinc(obstruction_ * v) : 0);
            return peak * amplitude * amplitude;
        };
        return radial_integrals(density, {scale_, many_rings}, frame);
    }

private:
    double scale_;  ///< wavelength x f-number, pixels
    double obstruction_;
};

}  // namespace

ProfilePtr airy(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    return std::make_unique<Airy>(spot_scale(arguments), arguments.number("obstruction"));
}

}  // namespace families
}  // namespace clconv
