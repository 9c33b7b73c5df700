// SPDX-License-Identifier: Apache-2.0
#include "base/transfer.h"

#include "base/light.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace clconv {

namespace {

/// ITU-R BT.2100-3, table 4.
namespace pq {
constexpr double kM1 = 2610.0 / 16384;
constexpr double kM2 = 2523.0 / 4096 * 128;
constexpr double kC1 = 3424.0 / 4096;
constexpr double kC2 = 2413.0 / 4096 * 32;
constexpr double kC3 = 2392.0 / 4096 * 32;
constexpr double kPeak = 10000 / kPqWhite;
}  // namespace pq

/// ITU-R BT.2100-3, table 5.
namespace hlg {
constexpr double kA = 0.17883277;
constexpr double kB = 1 - 4 * kA;
constexpr double kC = 0.559910729529562;        // 0.5 - a ln(4 a)
constexpr double kWhite = 0.26496256042100724;  // of the code 0.75

double decoded(double code) { return code <= 0.5 ? code * code / 3 : (std::exp((code - kC) / kA) + kB) / 12; }
double encoded(double light) { return light <= 1.0 / 12 ? std::sqrt(3 * light) : kA * std::log(12 * light - kB) + kC; }
}  // namespace hlg

}  // namespace

ToneCurve::ToneCurve(const Power& power) : curve_(power) {}

ToneCurve ToneCurve::gamma(double g)
{
    ToneCurve curve{Power{}};
    curve.curve_ = Mirrored{g};
    return curve;
}

ToneCurve ToneCurve::table(std::vector<double> lights)
{
    ToneCurve curve{Power{}};
    curve.curve_ = Sampled{std::move(lights)};
    return curve;
}

ToneCurve ToneCurve::pq()
{
    ToneCurve curve{Power{}};
    curve.curve_ = Pq{};
    return curve;
}

ToneCurve ToneCurve::hlg()
{
    ToneCurve curve{Power{}};
    curve.curve_ = Hlg{};
    return curve;
}

std::optional<ToneCurve::Power> ToneCurve::as_power() const
{
    if (const auto* power = std::get_if<Power>(&curve_)) return *power;
    if (const auto* mirrored = std::get_if<Mirrored>(&curve_)) return Power{.g = mirrored->g};
    return std::nullopt;
}

double ToneCurve::decoded_by(const Mirrored& curve, double code)
{
    return std::copysign(std::pow(std::abs(code), curve.g), code);
}

double ToneCurve::encoded_by(const Mirrored& curve, double light)
{
    return std::copysign(std::pow(std::abs(light), 1 / curve.g), light);
}

double ToneCurve::decoded_by(const Pq&, double code)
{
    constexpr double beyond = 1.5;  // its light becomes infinite at 1.99
    const double root = std::pow(std::min(std::abs(code), beyond), 1 / pq::kM2);
    const double light = std::pow(std::max(root - pq::kC1, 0.0) / (pq::kC2 - pq::kC3 * root), 1 / pq::kM1);
    return std::copysign(pq::kPeak * light, code);
}

double ToneCurve::encoded_by(const Pq&, double light)
{
    const double root = std::pow(std::abs(light) / pq::kPeak, pq::kM1);
    const double black =
        std::pow(pq::kC1, pq::kM2);  // 7e-7, where light is 0; codes below it have no light of their own
    const double code = std::pow((pq::kC1 + pq::kC2 * root) / (1 + pq::kC3 * root), pq::kM2);
    return code > black ? std::copysign(code, light) : 0;
}

double ToneCurve::decoded_by(const Hlg&, double code)
{
    return std::copysign(hlg::decoded(std::abs(code)) / hlg::kWhite, code);
}

double ToneCurve::encoded_by(const Hlg&, double light)
{
    return std::copysign(hlg::encoded(std::abs(light) * hlg::kWhite), light);
}

double ToneCurve::decoded_by(const Power& curve, double code)
{
    if (code < curve.d) return curve.c * code + curve.f;
    return std::pow(std::max(curve.a * code + curve.b, 0.0), curve.g) + curve.e;
}

double ToneCurve::encoded_by(const Power& curve, double light)
{
    // Rounded parameters leave a step at the knee. Where the step falls, two codes have the same light; the first is
    // used.
    const double knee = decoded_by(curve, curve.d);
    const double foot = curve.d > 0 ? curve.c * curve.d + curve.f : knee;
    if (light > std::max(knee, foot))
        return std::max((std::pow(std::max(light - curve.e, 0.0), 1 / curve.g) - curve.b) / curve.a, curve.d);
    if (curve.d <= 0) return curve.d;
    if (curve.c > 0) return std::min((light - curve.f) / curve.c, curve.d);  // lights within a rising step have no code
    return light > foot ? curve.d : 0;
}

double ToneCurve::decoded_by(const Sampled& curve, double code)
{
    const std::vector<double>& lights = curve.lights;
    const double last = static_cast<double>(lights.size()) - 1;
    const double at = code * last;
    const auto first = static_cast<std::size_t>(std::clamp(std::floor(at), 0.0, last - 1));
    return lights[first] + (at - static_cast<double>(first)) * (lights[first + 1] - lights[first]);
}

double ToneCurve::encoded_by(const Sampled& curve, double light)
{
    const std::vector<double>& lights = curve.lights;
    const auto last = lights.size() - 1;
    if (!(light > lights.front())) return 0;  // NaN too
    if (light >= lights.back()) return 1;
    const auto above = static_cast<std::size_t>(std::lower_bound(lights.begin(), lights.end(), light) - lights.begin());
    const double step = lights[above] - lights[above - 1];
    return (static_cast<double>(above - 1) + (light - lights[above - 1]) / step) / static_cast<double>(last);
}

double ToneCurve::decoded(double code) const
{
    return std::visit([code](const auto& curve) { return decoded_by(curve, code); }, curve_);
}

double ToneCurve::encoded(double light) const
{
    return std::visit([light](const auto& curve) { return encoded_by(curve, light); }, curve_);
}

bool ToneCurve::is_sound() const
{
    constexpr int steps = 4096;
    constexpr double min_rise = 1e-3;
    constexpr double rounding = 1e-4;  // in BT.709's parameters, whose two parts do not meet
    constexpr double darkest = -1;
    constexpr double brightest = 16;
    const double black = decoded(0);
    double highest = black;
    for (int step = 0; step <= steps; ++step) {
        const double light = decoded(static_cast<double>(step) / steps);
        if (!(light >= darkest && light <= brightest) || light < highest - rounding) return false;
        highest = std::max(highest, light);
    }
    if (const auto* sampled = std::get_if<Sampled>(&curve_); sampled && !std::ranges::is_sorted(sampled->lights))
        return false;
    return highest - black >= min_rise;
}

double Transfer::decoded(double code, std::size_t colour) const
{
    if (shape == Shape::linear) return code;
    if (shape == Shape::srgb) return srgb_decoded(code);
    return curves[std::min(colour, curves.size() - 1)].decoded(code);
}

double Transfer::encoded(double light, std::size_t colour) const
{
    if (shape == Shape::linear) return light;
    if (shape == Shape::srgb) return srgb_encoded(light);
    return curves[std::min(colour, curves.size() - 1)].encoded(light);
}

std::shared_ptr<const Transfer> linear_transfer()
{
    static const auto kLinear = std::make_shared<const Transfer>(Transfer{.name = "linear"});
    return kLinear;
}

std::shared_ptr<const Transfer> srgb_transfer()
{
    static const auto kSrgb =
        std::make_shared<const Transfer>(Transfer{.name = "sRGB", .shape = Transfer::Shape::srgb});
    return kSrgb;
}

}  // namespace clconv
