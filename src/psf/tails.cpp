// SPDX-License-Identifier: Apache-2.0
// Radial PSFs whose light falls off as a power law: moffat, lorentzian, glow. Also the ring of a halo.
#include "psf/families.h"
#include "psf/radial.h"

#include <algorithm>
#include <cmath>

namespace clconv::families {
namespace {

/// (b - 1) / (pi a^2) (1 + (r / a)^2)^-b, of full width at half maximum 2 a sqrt(2^(1/b) - 1) (Moffat 1969, Astronomy
/// and Astrophysics 3, 455). The light within r is 1 - (1 + (r / a)^2)^(1 - b). With b = 3/2 it is the Lorentzian
/// (Cauchy distribution) of the plane, a / (2 pi (r^2 + a^2)^(3/2)), whose projection on any axis is a / (pi (x^2 +
/// a^2)).
class Moffat final : public Profile {
public:
    Moffat(double alpha, double beta) : alpha_(alpha), beta_(beta) {}

    [[nodiscard]] HalfSize reach(double share) const override
    {
        const double radius = alpha_ * std::sqrt(std::pow(1 - share, 1 / (1 - beta_)) - 1);
        return {radius, radius};
    }

    [[nodiscard]] std::vector<double> integrals(const Frame& frame, int /*channel*/) const override
    {
        const double peak = (beta_ - 1) / (kPi * alpha_ * alpha_);
        const auto density = [&](double r) {
            const double t = r / alpha_;
            return peak * std::pow(1 + t * t, -beta_);
        };
        return radial_integrals(density, {alpha_, 4 * alpha_ + 1}, frame);
    }

private:
    double alpha_, beta_;
};

/// (1 + (r / core)^2)^(-n / 2) (1 - (r / radius)^2)^2 up to the radius, 0 beyond: uniform in the core, a power law of
/// exponent n outside, and a cut-off without an edge.
class Glow final : public Profile {
public:
    Glow(double radius, double core, double exponent) : radius_(radius), core_(core), exponent_(exponent)
    {
        // The integral over the plane, with s = ln(1 + (r / core)^2), along which the integrand is smooth.
        const double end = std::log1p(radius * radius / (core * core));
        const auto ring = [&](double s) {
            const double r = core_ * std::sqrt(std::expm1(s));
            return kPi * core_ * core_ * std::exp(s) * shape(std::min(r, radius_));
        };
        constexpr int panels = 200;
        norm_ = 1 / line_integral(ring, 0, end, panels);
    }

    [[nodiscard]] HalfSize reach(double /*share*/) const override { return {radius_, radius_}; }

    [[nodiscard]] std::vector<double> integrals(const Frame& frame, int /*channel*/) const override
    {
        const auto density = [&](double r) { return r < radius_ ? norm_ * shape(r) : 0; };
        return radial_integrals(density, {std::min(core_, radius_ / 2), 4 * core_ + 1}, frame);
    }

private:
    [[nodiscard]] double shape(double r) const
    {
        const double t = r / core_;
        const double edge = 1 - r * r / (radius_ * radius_);
        return std::pow(1 + t * t, -exponent_ / 2) * edge * edge;
    }

    double radius_, core_, exponent_;
    double norm_ = 1;
};

/// exp(-(r - radius)^2 / (2 s^2)), s from its width at half maximum.
class Halo final : public Profile {
public:
    Halo(double radius, double sigma) : radius_(radius), sigma_(sigma) {}

    /// A bound: a ring has less light beyond k sigmas than a Gaussian has.
    [[nodiscard]] HalfSize reach(double share) const override
    {
        const double far = radius_ + sigma_ * (1 + std::sqrt(-2 * std::log(1 - share)));
        return {far, far};
    }

    [[nodiscard]] std::vector<double> integrals(const Frame& frame, int /*channel*/) const override
    {
        const double ratio = radius_ / sigma_;
        const double whole =
            2 * kPi * sigma_ * sigma_ *
            (std::exp(-ratio * ratio / 2) + ratio * std::sqrt(kPi / 2) * std::erfc(-ratio / std::sqrt(2.0)));
        const auto density = [&](double r) {
            const double t = (r - radius_) / sigma_;
            return std::exp(-t * t / 2) / whole;
        };
        return radial_integrals(density, {2 * sigma_, radius_ + 9 * sigma_, radius_ - 9 * sigma_}, frame);
    }

private:
    double radius_, sigma_;
};

}  // namespace

ProfilePtr moffat(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    const double beta = arguments.number("beta");
    const double alpha = arguments.number("fwhm") / (2 * std::sqrt(std::exp2(1 / beta) - 1));
    return std::make_unique<Moffat>(alpha, beta);
}

ProfilePtr lorentzian(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    return std::make_unique<Moffat>(arguments.number("gamma"), 1.5);
}

ProfilePtr glow(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    return std::make_unique<Glow>(arguments.number("radius"), arguments.number("core"), arguments.number("exponent"));
}

ProfilePtr halo(const KindArguments& arguments, const ReadPsfFile& /*read*/)
{
    const double radius = arguments.number("radius");
    const double width = arguments.is_given("width") ? arguments.number("width") : radius / 10;
    return std::make_unique<Halo>(radius, width / kFwhmOfSigma);
}

}  // namespace clconv::families
