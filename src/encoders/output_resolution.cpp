// SPDX-License-Identifier: Apache-2.0
#include "encoders/output_resolution.h"

#include "formats/exif_block.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace clconv::oiio {
namespace {

constexpr const char* kAcross = "XResolution";
constexpr const char* kDown = "YResolution";
constexpr const char* kUnit = "ResolutionUnit";
constexpr const char* kAspect = "PixelAspectRatio";

enum class Unit { none, inches, centimetres };

struct Resolution {
    float across = 0;
    float down = 0;
    Unit unit = Unit::none;

    [[nodiscard]] bool is_known() const { return across > 0 && down > 0; }
};

/// TIFF 6.0, page 38, and Exif.
Unit unit_numbered(int number)
{
    constexpr int inches = 2;
    constexpr int centimetres = 3;
    return number == inches ? Unit::inches : number == centimetres ? Unit::centimetres : Unit::none;
}

/// What the library's readers say. That of BMP counts dots in a metre, as whole numbers. Those that decode Exif leave
/// the unit as TIFF's number, and OpenEXR has no other unit than inches.
Resolution read_resolution(const FileHeader& header, const std::string& format)
{
    constexpr float centimetres = 100;  // in a metre
    const auto dots = [&](const char* name) {
        return header.get_float_attribute(name, static_cast<float>(header.get_int_attribute(name)));
    };
    Resolution read{dots(kAcross), dots(kDown), unit_numbered(header.get_int_attribute(kUnit))};
    const std::string unit = header.get_string_attribute(kUnit);
    if (unit == "in" || unit == "inch" || format == "openexr") read.unit = Unit::inches;
    if (unit == "cm" || unit == "m") read.unit = Unit::centimetres;
    if (unit == "m") read = {read.across / centimetres, read.down / centimetres, read.unit};
    return read;
}

/// The unit of dots that come from Exif: the library's reader of JPEG takes these where JFIF has none, without their
/// unit, and other readers take only a unit that the block states.
Unit unit_in_exif(const Resolution& read, const std::string& block)
{
    constexpr double rounding = 1e-5;
    const std::optional<ExifResolution> stated = exif_resolution(block);
    const auto is_near = [](double one, double other) { return std::abs(one / other - 1) < rounding; };
    if (!stated || !is_near(read.across, stated->across) || !is_near(read.down, stated->down)) return Unit::none;
    return unit_numbered(stated->unit);
}

/// OpenEXR 3, standard attributes: xDensity is in pixels per inch.
void set_density(FileHeader& header, const Resolution& resolution)
{
    constexpr float per_inch = 2.54F;
    const float scale = resolution.unit == Unit::centimetres ? per_inch : 1;
    header.erase_attribute(kUnit);
    for (const char* name : {kAcross, kDown}) header.erase_attribute(name);
    if (resolution.unit == Unit::none) return;
    header.attribute(kAcross, resolution.across * scale);
    header.attribute(kDown, resolution.down * scale);
}

/// The aspect, width for height. The library's reader of JPEG gives it the wrong way round, and that of Exif not at
/// all. Where the dots are the same, a format (PSD) may state another aspect.
void set_aspect(FileHeader& header, const Resolution& resolution, const std::string& format)
{
    if (format == "jpeg") header.erase_attribute(kAspect);
    if (resolution.across != resolution.down) header.attribute(kAspect, resolution.down / resolution.across);
}

}  // namespace

void set_resolution(FileHeader& header, const Metadata& metadata, const FileFormat& format)
{
    Resolution resolution = read_resolution(header, metadata.format);
    if (!resolution.is_known()) return;
    if (resolution.unit == Unit::none) resolution.unit = unit_in_exif(resolution, metadata.blocks.exif);
    header.attribute(kAcross, resolution.across);
    header.attribute(kDown, resolution.down);
    const char* const names[] = {"none", "in", "cm"};
    header.attribute(kUnit, names[static_cast<int>(resolution.unit)]);
    set_aspect(header, resolution, metadata.format);
    if (format.name == "openexr") set_density(header, resolution);
    // The writer would follow the aspect instead of the resolution.
    if (format.name == "jpeg" && resolution.across > 1) header.erase_attribute(kAspect);
}

}  // namespace clconv::oiio
