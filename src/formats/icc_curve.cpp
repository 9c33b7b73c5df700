// SPDX-License-Identifier: Apache-2.0
#include "formats/icc_curve.h"

#include <lcms2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace clconv::oiio {
namespace {

/// The largest embedded profiles, of printers, have about 4 MB; those with curves have a few KB.
constexpr std::size_t kMaxProfileBytes = std::size_t{32} << 20U;

struct CloseContext {
    void operator()(cmsContext context) const { cmsDeleteContext(context); }
};
struct CloseProfile {
    void operator()(cmsHPROFILE profile) const { cmsCloseProfile(profile); }
};
struct FreeCurve {
    void operator()(cmsToneCurve* curve) const { cmsFreeToneCurve(curve); }
};
struct FreeText {
    void operator()(cmsMLU* text) const { cmsMLUfree(text); }
};
using Tone = std::unique_ptr<cmsToneCurve, FreeCurve>;
using Text = std::unique_ptr<cmsMLU, FreeText>;
using Context = std::unique_ptr<std::remove_pointer_t<cmsContext>, CloseContext>;
using Profile = std::unique_ptr<std::remove_pointer_t<cmsHPROFILE>, CloseProfile>;

std::string name_of(cmsHPROFILE profile)
{
    std::array<char, 128> text{};
    cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", text.data(), text.size() - 1);
    std::string name = text.data();
    std::erase_if(name, [](unsigned char letter) { return letter < 0x20 || letter > 0x7E; });
    return name;
}

/// Parameters in the library's order, which is that of ICC.1:2022, 10.18.
std::optional<ToneCurve> parametric(int type, const double* p)
{
    ToneCurve::Power curve{.g = p[0]};
    if (type == 1) return ToneCurve::gamma(p[0]);
    if (type < 2 || type > 5) return std::nullopt;
    curve.a = p[1];
    curve.b = p[2];
    if (type <= 3) {
        curve.e = curve.f = type == 3 ? p[3] : 0;
        curve.d = curve.a != 0 ? -curve.b / curve.a : 0;
        return ToneCurve(curve);
    }
    curve.c = p[3];
    curve.d = p[4];
    if (type == 5) {
        curve.e = p[5];
        curve.f = p[6];
    }
    return ToneCurve(curve);
}

ToneCurve sampled(const cmsToneCurve* curve)
{
    const std::span<const std::uint16_t> table(cmsGetToneCurveEstimatedTable(curve),
                                               cmsGetToneCurveEstimatedTableEntries(curve));
    std::vector<double> lights;
    lights.reserve(table.size());
    for (const std::uint16_t light : table) lights.push_back(light / 65535.0);
    return ToneCurve::table(std::move(lights));
}

std::optional<ToneCurve> curve_of(cmsHPROFILE profile, cmsTagSignature tag)
{
    if (cmsIsTag(profile, tag) == 0) return std::nullopt;
    const auto* const curve = static_cast<const cmsToneCurve*>(cmsReadTag(profile, tag));
    if (curve == nullptr || cmsGetToneCurveEstimatedTableEntries(curve) < 2) return std::nullopt;
    // A profile has no curves of more than one segment. The library also returns 0 for tables.
    const int type = cmsGetToneCurveParametricType(curve);
    return type == 0 ? sampled(curve) : parametric(type, cmsGetToneCurveParams(curve));
}

/// ICC.1:2022, 7.2.8. Read here, because the library casts any value to its enumeration.
std::string colour_space_of(std::span<const std::byte> profile)
{
    std::string space(reinterpret_cast<const char*>(profile.data()) + 16, 4);
    std::erase_if(space, [](char letter) { return letter <= 0x20 || letter > 0x7E; });
    return space;
}

using XyzColour = std::array<double, 3>;  ///< CIE XYZ
using Matrix3 = std::array<double, 9>;    ///< by rows

/// The solution c of m c = colour, by Cramer's rule; `colour` if there is none.
XyzColour solved(const Matrix3& m, const XyzColour& colour)
{
    const auto determinant = [](const Matrix3& a) {
        return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
               a[2] * (a[3] * a[7] - a[4] * a[6]);
    };
    const double whole = determinant(m);
    if (std::abs(whole) < 1e-9) return colour;
    XyzColour result{};
    for (std::size_t column = 0; column < 3; ++column) {
        Matrix3 replaced = m;
        for (std::size_t row = 0; row < 3; ++row) replaced[3 * row + column] = colour[row];
        result[column] = determinant(replaced) / whole;
    }
    return result;
}

bool is_d50(const cmsCIEXYZ& white)
{
    constexpr double rounding = 0.005;
    const cmsCIEXYZ& d50 = *cmsD50_XYZ();
    return std::abs(white.X - d50.X) < rounding && std::abs(white.Z - d50.Z) < rounding;
}

/// A colour of a profile as it was before it was adapted to D50. ICC.1:2022, 9.2.15: the tag chad has the matrix. Older
/// profiles have only the white, and used Bradford's matrix.
XyzColour to_original_white(cmsHPROFILE profile, const XyzColour& colour, UnsaidWhite unsaid)
{
    if (const auto* const adaptation = static_cast<const double*>(cmsReadTag(profile, cmsSigChromaticAdaptationTag))) {
        Matrix3 matrix{};
        std::copy_n(adaptation, matrix.size(), matrix.begin());
        return solved(matrix, colour);
    }
    constexpr cmsCIEXYZ d65{0.95047, 1, 1.08883};
    const auto* white = static_cast<const cmsCIEXYZ*>(cmsReadTag(profile, cmsSigMediaWhitePointTag));
    if (unsaid == UnsaidWhite::d65 && (white == nullptr || is_d50(*white))) white = &d65;
    cmsCIEXYZ result{};
    const cmsCIEXYZ adapted{colour[0], colour[1], colour[2]};
    if (white == nullptr || cmsAdaptToIlluminant(&result, cmsD50_XYZ(), white, &adapted) == 0) return colour;
    return {result.X, result.Y, result.Z};
}

std::array<float, 2> chromaticity(const XyzColour& colour)
{
    const double sum = colour[0] + colour[1] + colour[2];
    return {static_cast<float>(colour[0] / sum), static_cast<float>(colour[1] / sum)};
}

IccCurves without_curves(std::string name, std::string why) { return {std::move(name), {}, std::move(why)}; }

}  // namespace

IccCurves icc_curves(std::span<const std::byte> profile, int colours)
{
    if (profile.size() > kMaxProfileBytes) return without_curves("", "it is too long");
    const Context context(cmsCreateContext(nullptr, nullptr));
    if (!context) return without_curves("", "there is no memory for it");
    const Profile opened(
        cmsOpenProfileFromMemTHR(context.get(), profile.data(), static_cast<cmsUInt32Number>(profile.size())));
    if (!opened) return without_curves("", "it is damaged");
    const std::string name = name_of(opened.get());
    const std::string space = colour_space_of(profile);
    const int wanted = space == "GRAY" ? 1 : space == "RGB" ? 3 : 0;
    if (wanted != colours)
        return without_curves(name, "it is one of " + space + ", and the image has " + std::to_string(colours) +
                                        (colours == 1 ? " colour" : " colours"));
    IccCurves found{name, {}, {}};
    constexpr std::array rgb{cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    constexpr std::array gray{cmsSigGrayTRCTag};
    const std::span<const cmsTagSignature> tags = wanted == 1 ? std::span<const cmsTagSignature>(gray) : rgb;
    for (const cmsTagSignature tag : tags) {
        const std::optional<ToneCurve> curve = curve_of(opened.get(), tag);
        if (!curve)
            return without_curves(name, cmsIsTag(opened.get(), cmsSigAToB0Tag) != 0 ? "it has tables instead of curves"
                                                                                    : "it has no curves");
        if (!curve->is_sound()) return without_curves(name, "one of its curves does not rise from black to white");
        found.curves.push_back(*curve);
    }
    if (std::ranges::all_of(found.curves, [&](const ToneCurve& curve) { return curve == found.curves.front(); }))
        found.curves.resize(1, found.curves.front());
    return found;
}

std::optional<std::array<float, 8>> icc_primaries(std::span<const std::byte> profile, UnsaidWhite unsaid)
{
    if (profile.size() > kMaxProfileBytes) return std::nullopt;
    const Context context(cmsCreateContext(nullptr, nullptr));
    if (!context) return std::nullopt;
    const Profile opened(
        cmsOpenProfileFromMemTHR(context.get(), profile.data(), static_cast<cmsUInt32Number>(profile.size())));
    if (!opened || colour_space_of(profile) != "RGB" || cmsGetPCS(opened.get()) != cmsSigXYZData) return std::nullopt;
    const cmsCIEXYZ standard = *cmsD50_XYZ();
    const XyzColour white = to_original_white(opened.get(), {standard.X, standard.Y, standard.Z}, unsaid);
    std::array<float, 8> result{};
    std::size_t place = 0;
    for (const cmsTagSignature tag : {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag}) {
        const auto* const colour = static_cast<const cmsCIEXYZ*>(cmsReadTag(opened.get(), tag));
        if (colour == nullptr) return std::nullopt;
        const XyzColour original = to_original_white(opened.get(), {colour->X, colour->Y, colour->Z}, unsaid);
        for (const float value : chromaticity(original)) result[place++] = value;
    }
    for (const float value : chromaticity(white)) result[place++] = value;
    return result;
}

std::string icc_profile(const std::array<float, 8>& colours, const ToneCurve::Power& curve, const std::string& name)
{
    constexpr double rounding = 1e-3;
    if (std::abs(ToneCurve(curve).decoded(1) - 1) > rounding) return {};
    const Context context(cmsCreateContext(nullptr, nullptr));
    if (!context) return {};
    const std::array<double, 7> parameters{curve.g, curve.a, curve.b, curve.c, curve.d, curve.e, curve.f};
    const bool is_gamma = curve == ToneCurve::Power{.g = curve.g};
    const Tone tone(cmsBuildParametricToneCurve(context.get(), is_gamma ? 1 : 5, parameters.data()));
    if (!tone) return {};
    const auto point = [&](std::size_t i) { return cmsCIExyY{colours[i], colours[i + 1], 1}; };
    const cmsCIExyYTRIPLE primaries{point(0), point(2), point(4)};
    const cmsCIExyY white = point(6);
    const std::array<cmsToneCurve*, 3> all{tone.get(), tone.get(), tone.get()};
    const Profile profile(cmsCreateRGBProfileTHR(context.get(), &white, &primaries, all.data()));
    if (!profile) return {};
    cmsSetProfileVersion(profile.get(), 4.3);
    const Text text(cmsMLUalloc(context.get(), 1));
    if (!text || cmsMLUsetASCII(text.get(), "en", "US", name.c_str()) == 0 ||
        cmsWriteTag(profile.get(), cmsSigProfileDescriptionTag, text.get()) == 0)
        return {};
    cmsUInt32Number size = 0;
    if (cmsSaveProfileToMem(profile.get(), nullptr, &size) == 0) return {};
    std::string bytes(size, '\0');
    if (cmsSaveProfileToMem(profile.get(), bytes.data(), &size) == 0) return {};
    // ICC.1:2022, 7.2.10: the time of making it, which the library takes from the clock. Any fixed one serves.
    constexpr std::size_t date = 24;
    constexpr std::string_view fixed("\x07\xE8\0\1\0\1\0\0\0\0\0\0", 12);  // 2024, the first of January
    return bytes.replace(date, fixed.size(), fixed);
}

}  // namespace clconv::oiio
