// SPDX-License-Identifier: Apache-2.0
#include "psf/kinds.h"

#include "base/errors.h"
#include "psf/families.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace clconv {
namespace {

constexpr double kMaxLength = 4096;
/// The share for kinds that fall off fast and never end: second moments are then right to a millionth.
constexpr double kNearlyAll = 1 - 1e-9;
/// The share for power laws, whose tails hold a percent of the light at a great distance.
constexpr double kShareOfPowerLaws = 0.99;
constexpr auto kWhole = ArgumentType::whole;
constexpr auto kText = ArgumentType::text;
constexpr std::string_view kAngleHelp = "clockwise from the right";

constexpr KindArgument kGaussian[] = {
    {"sigma", "px", 0.05, 1000, {}, "standard deviation"},
    {"sx", "px", 0.05, 1000, {}, "instead of sigma: along the angle"},
    {"sy", "px", 0.05, 1000, {}, "instead of sigma: across it"},
    {"angle", "degrees", -360, 360, 0, kAngleHelp},
};
constexpr KindArgument kBox[] = {
    {"width", "px", 0.05, kMaxLength, {}, "side of a square, or one of two sides"},
    {"height", "px", 0.05, kMaxLength, {}, "the other side; without it, width"},
    {"angle", "degrees", -360, 360, 0, kAngleHelp},
};
constexpr KindArgument kDisc[] = {
    {"radius", "px", 0.05, kMaxLength, {}, "of the circle"},
    {"obstruction", "", 0, 0.95, 0, "diameter of a dark hole in the middle, as of a mirror lens, over the circle's"},
};
constexpr KindArgument kPolygon[] = {
    {"radius", "px", 0.05, kMaxLength, {}, "of the circle through the corners"},
    {"blades", "", 3, 64, 6, "sides", kWhole},
    {"rotation", "degrees", -360, 360, 0, "of a corner, clockwise from the right"},
    {"round", "", 0, 1, 0, "0 straight sides, 1 a circle"},
};
constexpr KindArgument kMotion[] = {
    {"length", "px", 0.05, kMaxLength, {}, "of the path"},
    {"angle", "degrees", -360, 360, 0, kAngleHelp},
    {"width", "px", 0.05, kMaxLength, 1, "of the moving point"},
};
constexpr KindArgument kAiry[] = {
    {"radius", "px", 0.25, 1000, {}, "of the first dark ring; instead of fnumber and pitch"},
    {"fnumber", "", 0.3, 1000, {}, "of the lens"},
    {"wavelength", "um", 0.1, 20, 0.55, "of the light"},
    {"pitch", "um", 0.1, 1000, {}, "of the sensor's pixels"},
    {"obstruction", "", 0, 0.95, 0, "diameter of a mirror in the middle, over the aperture's"},
};
constexpr KindArgument kMoffat[] = {
    {"fwhm", "px", 0.1, 1000, {}, "full width at half maximum"},
    {"beta", "", 1.2, 100, 2.5, "exponent"},
};
constexpr KindArgument kLorentzian[] = {
    {"gamma", "px", 0.05, 1000, {}, "half width at half maximum of its profile along an axis"},
};
constexpr KindArgument kGlow[] = {
    {"radius", "px", 0.5, kMaxLength, {}, "cut-off: no light beyond"},
    {"core", "px", 0.1, 1000, 1, "radius within which it is uniform"},
    {"exponent", "", 0, 12, 2, "of the power law outside the core"},
};
constexpr KindArgument kStar[] = {
    {"length", "px", 0.5, kMaxLength, {}, "of a ray, from the centre to its tip"},
    {"blades", "", 2, 32, 6, "of the aperture: an even number makes as many rays, an odd one twice as many", kWhole},
    {"rotation", "degrees", -360, 360, 0, "of a ray, clockwise from the right"},
    {"sharpness", "", 2, 1000, 100, "length of a ray over its width at half maximum"},
    {"exponent", "", 0, 6, 1.5, "of the power law along a ray"},
    {"chroma", "", 0, 3, 0, "how far colours separate: 0 not at all, 1 like their wavelengths"},
};
constexpr KindArgument kStreak[] = {
    {"length", "px", 0.5, kMaxLength, {}, "from the centre to the tip"},
    {"angle", "degrees", -360, 360, 0, kAngleHelp},
    {"width", "px", 0.2, 1000, 1.5, "full width at half maximum, across"},
    {"exponent", "", 0, 6, 1, "of the power law along it"},
    {"chroma", "", 0, 3, 0, "how far colours separate: 0 not at all, 1 like their wavelengths"},
};
constexpr KindArgument kHalo[] = {
    {"radius", "px", 0.5, kMaxLength, {}, "of the ring"},
    {"width", "px", 0.2, 1000, {}, "full width at half maximum of the ring; without it, a tenth of the radius"},
};
constexpr KindArgument kDiffraction[] = {
    {"radius", "px", 0.25, 1000, {}, "of the first dark ring of a round aperture; instead of fnumber and pitch"},
    {"fnumber", "", 0.3, 1000, {}, "of the lens"},
    {"wavelength", "um", 0.1, 20, 0.55, "for which radius holds; the only one of spectrum=mono"},
    {"pitch", "um", 0.1, 1000, {}, "of the sensor's pixels"},
    {"aperture",
     "",
     0,
     0,
     {},
     "image of the aperture, its larger side the diameter: 0 opaque, 1 clear; instead of blades",
     kText},
    {"blades", "", 3, 64, {}, "of the aperture; without them and without an image it is round", kWhole},
    {"rotation", "degrees", -360, 360, 0, "of a corner of the aperture, clockwise from the right"},
    {"round", "", 0, 1, 0, "0 straight blades, 1 a circle"},
    {"obstruction", "", 0, 0.95, 0, "diameter of a mirror in the middle, over the aperture's"},
    {"spectrum",
     "",
     0,
     0,
     {},
     "cie, mono, or a text file of rows: wavelength in um, weights of red, green, blue",
     kText,
     "cie"},
};
constexpr KindArgument kCommon[] = {
    {"size", "px", 1, kMaxPsfSize, {}, "width and height of the PSF; by default, enough to hold `share`", kWhole},
    {"share", "", 0.1, 1, {}, "part of the light that the PSF's extent holds"},
};

constexpr PsfKind kKinds[] = {
    {"gaussian", "a Gaussian", kGaussian, kNearlyAll, families::gaussian},
    {"box", "a uniform rectangle", kBox, 1, families::box},
    {"disc", "a uniform circle: a lens out of focus", kDisc, 1, families::disc},
    {"polygon", "a lens out of focus, with blades", kPolygon, 1, families::polygon},
    {"motion", "a straight movement", kMotion, 1, families::motion},
    {"airy", "the diffraction of a round aperture", kAiry, kShareOfPowerLaws, families::airy},
    {"moffat", "a star through the atmosphere", kMoffat, kShareOfPowerLaws, families::moffat},
    {"lorentzian", "the Lorentzian (Cauchy distribution) of the plane", kLorentzian, kShareOfPowerLaws,
     families::lorentzian},
    {"glow", "veiling glare: a core and a power law up to a cut-off", kGlow, 1, families::glow},
    {"star", "a starburst: thin rays", kStar, kNearlyAll, families::star},
    {"streak", "an anamorphic streak: one thin line", kStreak, kNearlyAll, families::streak},
    {"halo", "a soft ring", kHalo, kNearlyAll, families::halo},
    {"diffraction", "the diffraction of any aperture in light of all wavelengths: starbursts, coloured rings",
     kDiffraction, kShareOfPowerLaws, families::diffraction},
};

const KindArgument* find(std::span<const KindArgument> known, std::string_view name)
{
    const auto found = std::ranges::find(known, name, &KindArgument::name);
    return found == known.end() ? nullptr : &*found;
}

std::string range_of(const KindArgument& argument)
{
    return fmt::format("{}{}{:g} to {:g}", argument.unit, argument.unit.empty() ? "" : ", ", argument.minimum,
                       argument.maximum);
}

}  // namespace

std::span<const PsfKind> psf_kinds() { return kKinds; }

std::span<const KindArgument> common_arguments() { return kCommon; }

const PsfKind* psf_kind_named(std::string_view name)
{
    const auto found = std::ranges::find(kKinds, name, &PsfKind::name);
    return found == std::end(kKinds) ? nullptr : found;
}

const KindArgument* PsfKind::argument(std::string_view argument_name) const
{
    const KindArgument* own = find(arguments, argument_name);
    return own != nullptr ? own : find(kCommon, argument_name);
}

bool KindArguments::is_given(std::string_view name) const { return numbers_.contains(name) || texts_.contains(name); }

double KindArguments::number(std::string_view name) const
{
    if (const auto given = numbers_.find(name); given != numbers_.end()) return given->second;
    const KindArgument* argument = find(known_, name);
    if (argument == nullptr) throw InternalError("a kind of PSF reads an argument that it does not have");
    if (!argument->default_value) throw InvalidProblem(fmt::format("needs {}", described(*argument)));
    return *argument->default_value;
}

std::string KindArguments::text(std::string_view name) const
{
    if (const auto given = texts_.find(name); given != texts_.end()) return given->second;
    const KindArgument* argument = find(known_, name);
    return argument == nullptr ? std::string() : std::string(argument->default_text);
}

std::string described(const KindArgument& argument)
{
    if (argument.type == ArgumentType::text)
        return argument.default_text.empty() ? fmt::format("{} (a file)", argument.name)
                                             : fmt::format("{} (default {})", argument.name, argument.default_text);
    const std::string default_value =
        argument.default_value ? fmt::format(", default {:g}", *argument.default_value) : "";
    return fmt::format("{} ({}{})", argument.name, range_of(argument), default_value);
}

std::string psf_kinds_help()
{
    std::string text = "Kinds of PSF, and their arguments; the first needs no name (gaussian:2.5, disc:radius=15.5):\n";
    for (const PsfKind& kind : kKinds) {
        text += fmt::format("\n  {}: {}\n", kind.name, kind.what);
        for (const KindArgument& argument : kind.arguments)
            text += fmt::format("      {}: {}\n", described(argument), argument.help);
    }
    text += "\n  all kinds:\n";
    for (const KindArgument& argument : kCommon)
        text += fmt::format("      {}: {}\n", described(argument), argument.help);
    return text;
}

}  // namespace clconv
