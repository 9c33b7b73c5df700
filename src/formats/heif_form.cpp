// SPDX-License-Identifier: Apache-2.0
#include "formats/av1_quantizer.h"
#include "formats/form_readers.h"
#include "formats/heif_colour.h"
#include "formats/heif_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace clconv::oiio {
namespace {

/// "AV1 Codec ISO Media File Format Binding", 2.3, and the picture itself.
void read_av1(FileHead& file, const HeifItems& items, std::uint64_t item, const std::string& settings, StoredForm& form)
{
    constexpr std::uint64_t max_head_bytes = 4096;
    const std::uint64_t flags = number_in(settings, 2, 1, ByteOrder::big);
    form.bits = (flags & 0x40U) == 0 ? 8 : (flags & 0x20U) != 0 ? 12 : 10;
    form.colours = (flags & 0x10U) != 0 ? "gray" : "RGB";
    form.codec = "AV1";
    form.is_lossy = true;
    if ((flags & 0x10U) == 0) form.chroma = ((flags & 8U) != 0 ? 0.5 : 1) * ((flags & 4U) != 0 ? 0.5 : 1);
    const auto place = items.places.find(item);
    if (place == items.places.end() || place->second.is_in_box) return;
    std::string units = settings.substr(std::min<std::size_t>(4, settings.size()));
    units += file.part(place->second.place, std::min(place->second.size, max_head_bytes));
    const std::optional<Av1Coding> coding = av1_coding(units);
    // Codes of luminance and chroma are exact then too, but red, green and blue are not.
    form.is_lossy = !coding || !coding->is_lossless || !(coding->is_gray || coding->matrix == 0);
}

/// ISO 14496-15, 8.3.3. Whether HEVC loses nothing is only known where a picture is decoded; who writes it so is rare.
void read_hevc(const std::string& settings, StoredForm& form)
{
    const std::uint64_t chroma = number_in(settings, 16, 1, ByteOrder::big) & 3U;
    constexpr std::array<double, 4> kept{1, 0.25, 0.5, 1};
    form.bits = static_cast<int>(number_in(settings, 17, 1, ByteOrder::big) & 7U) + 8;
    form.colours = chroma == 0 ? "gray" : "RGB";
    form.chroma = kept[chroma];
    form.codec = "HEVC";
    form.is_lossy = true;
}

/// What an item is beside the picture (ISO 23008-12, 6.6.2.1); empty: its alpha, or nothing that is known.
std::string auxiliary_name(FileHead& file, const HeifItems& items, std::uint64_t item, std::string_view type)
{
    if (type == "tmap") return "gain map";  // ISO 21496-1
    if (!items.references.contains({"auxl", item})) return {};
    const std::map<std::string, std::string> properties = properties_of(file, items, item);
    const auto found = properties.find("auxC");
    if (found == properties.end()) return {};
    const auto says = [&](const char* word) { return found->second.find(word) != std::string::npos; };
    if (says("gainmap")) return "gain map";
    return says("depth") || says("auxid:2") ? "depth" : std::string();
}

HeifColour colour_of(const std::map<std::string, std::string>& properties)
{
    constexpr std::size_t of_kind = 4;
    HeifColour colour;
    if (const auto found = properties.find("profile"); found != properties.end() && found->second.size() > of_kind)
        colour.profile = found->second.substr(of_kind);
    const auto numbers = properties.find("colr");
    if (numbers == properties.end() || numbers->second.size() < of_kind + 4) return colour;
    const auto number = [&](std::size_t place) {
        return static_cast<int>(number_in(numbers->second, of_kind + place, 2, ByteOrder::big));
    };
    colour.points = {number(0), number(2)};
    return colour;
}

std::string curve_of(const HeifColour& colour)
{
    if (!colour.points || is_shown_as_srgb(*colour.points)) return {};
    return fmt::format("transfer function {} of H.273", colour.points->transfer);
}

}  // namespace

bool is_shown_as_srgb(const CodePoints& points)
{
    constexpr std::array numbers{1, 2, 6, 13, 14, 15};
    return std::ranges::find(numbers, points.transfer) != numbers.end();
}

HeifColour heif_colour(const std::filesystem::path& path)
{
    FileHead file(path);
    const HeifItems items = heif_items(file);
    return colour_of(properties_of(file, items, items.primary));
}

StoredForm heif_form(const std::filesystem::path& path)
{
    FileHead file(path);
    StoredForm form;
    const HeifItems items = heif_items(file);
    const auto tile = items.references.find({"dimg", items.primary});
    const std::uint64_t coded = tile == items.references.end() ? items.primary : tile->second.front();
    const std::map<std::string, std::string> properties = properties_of(file, items, coded);
    if (const auto settings = properties.find("av1C"); settings != properties.end())
        read_av1(file, items, coded, settings->second, form);
    if (const auto settings = properties.find("hvcC"); settings != properties.end()) read_hevc(settings->second, form);
    const HeifColour colour = colour_of(properties_of(file, items, items.primary));
    form.has_profile = !colour.profile.empty();
    form.curve = curve_of(colour);
    form.images = items.has_frames ? 2 : 1;  // several items are parts
    for (const auto& [item, type] : items.types) {
        if (const std::string name = auxiliary_name(file, items, item, type); !name.empty()) form.tags.insert(name);
        if (type == "Exif") form.tags.insert("Exif");
        if (type == "XMP") form.tags.insert("XMP");
    }
    return form;
}

}  // namespace clconv::oiio
