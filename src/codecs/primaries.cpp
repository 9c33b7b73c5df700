// SPDX-License-Identifier: Apache-2.0
#include "codecs/primaries.h"

#include "base/transfer.h"
#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "formats/exif_block.h"
#include "formats/icc_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace clconv::oiio {
namespace {

constexpr Chromaticities kRec709{0.64F, 0.33F, 0.30F, 0.60F, 0.15F, 0.06F, 0.3127F, 0.3290F};
constexpr Chromaticities kAdobeRgb{0.64F, 0.33F, 0.21F, 0.71F, 0.15F, 0.06F, 0.3127F, 0.3290F};

struct NumberedPrimaries {
    int number;
    Chromaticities colours;
};

/// ITU-T H.273 (07/2024), table 2.
constexpr std::array kNumbered{
    NumberedPrimaries{1, kRec709},
    NumberedPrimaries{4, {0.67F, 0.33F, 0.21F, 0.71F, 0.14F, 0.08F, 0.310F, 0.316F}},
    NumberedPrimaries{5, {0.64F, 0.33F, 0.29F, 0.60F, 0.15F, 0.06F, 0.3127F, 0.3290F}},
    NumberedPrimaries{6, {0.630F, 0.340F, 0.310F, 0.595F, 0.155F, 0.070F, 0.3127F, 0.3290F}},
    NumberedPrimaries{7, {0.630F, 0.340F, 0.310F, 0.595F, 0.155F, 0.070F, 0.3127F, 0.3290F}},
    NumberedPrimaries{8, {0.681F, 0.319F, 0.243F, 0.692F, 0.145F, 0.049F, 0.310F, 0.316F}},
    NumberedPrimaries{9, {0.708F, 0.292F, 0.170F, 0.797F, 0.131F, 0.046F, 0.3127F, 0.3290F}},
    NumberedPrimaries{11, {0.680F, 0.320F, 0.265F, 0.690F, 0.150F, 0.060F, 0.314F, 0.351F}},
    NumberedPrimaries{12, {0.680F, 0.320F, 0.265F, 0.690F, 0.150F, 0.060F, 0.3127F, 0.3290F}},
    NumberedPrimaries{22, {0.630F, 0.340F, 0.295F, 0.605F, 0.155F, 0.077F, 0.3127F, 0.3290F}},
};

/// OpenEXR's attribute, of eight floats.
std::optional<Chromaticities> colours_of_exr(const Metadata& metadata)
{
    const OIIO::ParamValue* found = metadata.spec.find_attribute("chromaticities");
    Chromaticities colours{};
    if (!found || found->type().basetype != OIIO::TypeDesc::FLOAT || found->type().size() != sizeof colours)
        return std::nullopt;
    std::memcpy(colours.data(), found->data(), sizeof colours);
    return colours;
}

/// Radiance's PRIMARIES: x and y of red, green, blue and white.
std::optional<Chromaticities> colours_of_hdr(const Metadata& metadata)
{
    const std::vector<double> numbers = metadata.hdr ? metadata.hdr->numbers_of("PRIMARIES") : std::vector<double>();
    Chromaticities colours{};
    if (numbers.size() != colours.size()) return std::nullopt;
    std::ranges::transform(numbers, colours.begin(), [](double number) { return static_cast<float>(number); });
    return colours;
}

bool is_rec709(const Chromaticities& colours)
{
    constexpr float rounding = 0.002F;  // of the numbers of profiles, which are adapted to another white
    return std::ranges::equal(colours, kRec709,
                              [](float one, float other) { return std::abs(one - other) <= rounding; });
}

const std::string* chunk_contents(const Metadata& metadata, std::string_view chunk)
{
    const auto found = std::ranges::find(metadata.chunks, chunk, &PngChunk::name);
    return found == metadata.chunks.end() ? nullptr : &found->bytes;
}

std::optional<Chromaticities> numbered_primaries(int number)
{
    const auto found = std::ranges::find(kNumbered, number, &NumberedPrimaries::number);
    return found == kNumbered.end() ? std::nullopt : std::optional(found->colours);
}

/// W3C PNG, 11.3.2.1: eight numbers of 32 bits, 100000 times white, red, green and blue.
std::optional<Chromaticities> colours_in_chunk(const std::string& bytes)
{
    constexpr double unit = 100000;
    Chromaticities colours{};
    if (bytes.size() != 4 * colours.size()) return std::nullopt;
    for (std::size_t i = 0; i < colours.size(); ++i) {
        double value = 0;
        for (std::size_t b = 0; b < 4; ++b) value = value * 256 + static_cast<unsigned char>(bytes[4 * i + b]);
        colours[(i + 6) % colours.size()] = static_cast<float>(value / unit);
    }
    return colours;
}

std::optional<Chromaticities> primaries_in(const Metadata& metadata)
{
    const std::string_view format = metadata.format;
    if (format == "openexr" || format == "fits") return std::nullopt;
    if (format == "hdr") return colours_of_hdr(metadata);
    if (const std::string* code = chunk_contents(metadata, "cICP"); code && code->size() == 4)
        return numbered_primaries(static_cast<unsigned char>(code->front()));
    const OIIO::ParamValue* profile = metadata.spec.find_attribute("ICCProfile");
    if (profile && profile->type().basetype == OIIO::TypeDesc::UINT8) {
        const std::span bytes(static_cast<const std::byte*>(profile->data()), profile->type().size());
        // Profiles of sRGB often do not say which white they had.
        const auto colours = icc_primaries(bytes, UnsaidWhite::d65);
        if (colours) return is_rec709(*colours) ? colours : icc_primaries(bytes, UnsaidWhite::d50);
    }
    if (metadata.points) return numbered_primaries(metadata.points->primaries);
    if (chunk_contents(metadata, "sRGB")) return std::nullopt;
    if (const std::string* chunk = chunk_contents(metadata, "cHRM")) return colours_in_chunk(*chunk);
    return says_adobe_rgb(metadata.blocks.exif) ? std::optional(kAdobeRgb) : std::nullopt;
}

/// IEC 61966-2-1.
constexpr ToneCurve::Power kSrgb{.g = 2.4, .a = 1 / 1.055, .b = 0.055 / 1.055, .c = 1 / 12.92, .d = 0.04045};

/// The one curve of such codes, as a power; none if they have none.
std::optional<ToneCurve::Power> power_of(const Transfer* codes)
{
    if (codes == nullptr) return std::nullopt;
    if (codes->shape == Transfer::Shape::srgb) return kSrgb;
    if (codes->shape == Transfer::Shape::linear) return ToneCurve::Power{};
    return codes->curves.size() == 1 ? codes->curves.front().as_power() : std::nullopt;
}

}  // namespace

std::optional<Chromaticities> primaries_of(const Metadata& metadata)
{
    const std::optional<Chromaticities> found = primaries_in(metadata);
    const bool is_sound = found && std::ranges::all_of(*found, [](float value) { return std::isfinite(value); });
    return is_sound && (*found)[7] > 0 && !is_rec709(*found) ? found : std::nullopt;
}

std::string made_profile(const Image& image, const FileFormat& format, FileType type, const Transfer* output)
{
    const int colours = image.channels - (image.alpha_channel >= 0 ? 1 : 0);
    if (!image.metadata || !format.holds_profiles || image.split || colours != 3) return {};
    const Metadata& metadata = *image.metadata;
    if (metadata.format == format.name || (type != FileType::u8 && type != FileType::u16)) return {};
    const auto stated = metadata.format == "openexr" ? colours_of_exr(metadata) : primaries_of(metadata);
    if (!stated || is_rec709(*stated) || metadata.spec.find_attribute("ICCProfile")) return {};
    const Transfer* const codes = output != nullptr ? output : metadata.codes.get();
    const std::optional<ToneCurve::Power> curve = power_of(codes);
    if (!curve) return {};
    const Chromaticities& c = *stated;
    return icc_profile(c, *curve,
                       fmt::format("RGB {:.4g},{:.4g} {:.4g},{:.4g} {:.4g},{:.4g} white {:.4g},{:.4g}, {}", c[0], c[1],
                                   c[2], c[3], c[4], c[5], c[6], c[7], codes->name));
}

std::string lost_primaries(const Metadata& metadata, const FileFormat& format)
{
    if (metadata.format == format.name || (format.name == "openexr" && metadata.primaries)) return {};
    std::string_view tag;
    if (metadata.format == "openexr") {
        const std::optional<Chromaticities> colours = colours_of_exr(metadata);
        if (colours && !is_rec709(*colours)) tag = "OpenEXR's chromaticities";
    } else if (primaries_of(metadata)) {
        if (metadata.format == "hdr")
            tag = "Radiance's PRIMARIES";
        else if (chunk_contents(metadata, "cICP"))
            tag = "PNG's cICP";
        else if (metadata.spec.find_attribute("ICCProfile"))
            tag = format.holds_profiles ? "" : "an ICC profile";
        else if (metadata.points)
            tag = "its box of colours (nclx)";
        else if (chunk_contents(metadata, "cHRM"))
            tag = "PNG's cHRM";
        else if (format.name != "jpeg" && format.name != "png" && format.name != "webp")
            tag = "Exif's AdobeRGB";
    }
    if (tag.empty()) return {};
    return fmt::format(
        "its red, green and blue are not those of sRGB, which {} says and a {} file cannot: programs will "
        "show its colours as sRGB's",
        tag, format.name);
}

}  // namespace clconv::oiio
