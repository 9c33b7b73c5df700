// SPDX-License-Identifier: Apache-2.0
#include "formats/av1_quantizer.h"
#include "formats/form_readers.h"
#include "formats/heif_colour.h"
#include "formats/iso_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

/// Numbers of a box, one behind the other; 0 behind its end.
class Fields {
public:
    explicit Fields(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t operator()(int size)
    {
        const std::uint64_t value = number_in(bytes_, place_, size, ByteOrder::big);
        place_ += static_cast<std::size_t>(size);
        return value;
    }
    [[nodiscard]] bool is_at_end() const { return place_ >= bytes_.size(); }

private:
    std::string_view bytes_;
    std::size_t place_ = 0;
};

/// Where the bytes of an item begin: in the file, or in the box `idat`.
struct ItemPlace {
    bool is_in_box = false;
    std::uint64_t place = 0;
    std::uint64_t size = 0;
};

/// ISO 23008-12, 6: items, what they are made of, and their properties.
struct Items {
    std::uint64_t primary = 0;
    std::map<std::uint64_t, std::string> types;
    std::map<std::uint64_t, ItemPlace> places;
    std::map<std::uint64_t, std::vector<std::uint64_t>> properties;  ///< of an item: places in the list, from 1
    std::vector<IsoBox> property_list;
    /// "dimg" and the item that is made of tiles: the first tile. "auxl", "thmb", "cdsc", "prem": what the item is for.
    std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> references;
};

/// `size`: of an item's number. Version and flags of the box are behind `fields` already.
void read_places(Fields& fields, std::uint64_t version, Items& items)
{
    const std::uint64_t sizes = fields(2);
    const auto size = [&](unsigned shift) { return static_cast<int>(sizes >> shift & 15U); };
    const int of_number = version < 2 ? 2 : 4;
    const std::uint64_t count = fields(of_number);
    for (std::uint64_t i = 0; i < count && !fields.is_at_end(); ++i) {
        const std::uint64_t item = fields(of_number);
        const bool is_in_box = version > 0 && (fields(2) & 15U) == 1;
        fields(2);
        const std::uint64_t base = fields(size(4));
        const std::uint64_t extents = fields(2);
        for (std::uint64_t j = 0; j < extents && !fields.is_at_end(); ++j) {
            if (version > 0) fields(size(0));
            const std::uint64_t place = base + fields(size(12));
            const std::uint64_t bytes = fields(size(8));
            items.places.try_emplace(item, ItemPlace{is_in_box, place, bytes});
        }
    }
}

void read_infos(FileHead& file, const IsoBox& box, Items& items)
{
    const std::uint64_t count_size = number_in(bytes_of(file, box), 0, 1, ByteOrder::big) == 0 ? 2 : 4;
    for (const IsoBox& entry : iso_boxes(file, box.place + 4 + count_size, box.place + box.size)) {
        const std::string bytes = bytes_of(file, entry);
        Fields fields(bytes);
        const std::uint64_t version = fields(1);
        fields(3);
        const std::uint64_t item = fields(version < 3 ? 2 : 4);
        const std::size_t of_type = version < 3 ? 8 : 10;
        if (version < 2 || bytes.size() < of_type + 4) continue;
        const bool is_xmp = bytes.find("application/rdf+xml") != std::string::npos;
        items.types[item] = is_xmp ? "XMP" : bytes.substr(of_type, 4);
    }
}

void read_references(FileHead& file, const IsoBox& box, Items& items)
{
    const int size = number_in(bytes_of(file, box), 0, 1, ByteOrder::big) == 0 ? 2 : 4;
    for (const IsoBox& reference : iso_boxes(file, box.place + 4, box.place + box.size)) {
        const std::string bytes = bytes_of(file, reference);
        Fields fields(bytes);
        const std::uint64_t from = fields(size);
        if (fields(2) > 0) items.references.emplace(std::pair(reference.name, from), fields(size));
    }
}

void read_properties(FileHead& file, const IsoBox& box, Items& items)
{
    for (const IsoBox& part : iso_boxes(file, box.place, box.place + box.size)) {
        if (part.name == "ipco") items.property_list = iso_boxes(file, part.place, part.place + part.size);
        if (part.name != "ipma") continue;
        const std::string bytes = bytes_of(file, part);
        Fields fields(bytes);
        const int of_number = fields(1) < 1 ? 2 : 4;
        const bool is_wide = (fields(3) & 1U) != 0;
        const std::uint64_t count = fields(4);
        for (std::uint64_t i = 0; i < count && !fields.is_at_end(); ++i) {
            std::vector<std::uint64_t>& of_item = items.properties[fields(of_number)];
            const std::uint64_t links = fields(1);
            for (std::uint64_t j = 0; j < links; ++j)
                of_item.push_back(is_wide ? fields(2) & 0x7FFFU : fields(1) & 0x7FU);
        }
    }
}

Items read_items(FileHead& file, const IsoBox& meta)
{
    Items items;
    for (const IsoBox& box : iso_boxes(file, meta.place + 4, meta.place + meta.size)) {
        const std::string bytes = bytes_of(file, box);
        Fields fields(bytes);
        const std::uint64_t version = box.name == "pitm" || box.name == "iloc" ? fields(1) : 0;
        if (box.name == "pitm" || box.name == "iloc") fields(3);
        if (box.name == "pitm") items.primary = fields(version == 0 ? 2 : 4);
        if (box.name == "iloc") read_places(fields, version, items);
        if (box.name == "iinf") read_infos(file, box, items);
        if (box.name == "iref") read_references(file, box, items);
        if (box.name == "iprp") read_properties(file, box, items);
    }
    return items;
}

/// The properties of an item, by name.
std::map<std::string, std::string> properties_of(FileHead& file, const Items& items, std::uint64_t item)
{
    std::map<std::string, std::string> found;
    const auto links = items.properties.find(item);
    if (links == items.properties.end()) return found;
    for (const std::uint64_t link : links->second) {
        if (link == 0 || link > items.property_list.size()) continue;
        const IsoBox& box = items.property_list[link - 1];
        const std::string bytes = bytes_of(file, box);
        const bool is_profile = box.name == "colr" && !bytes.starts_with("nclx");
        found.emplace(is_profile ? "profile" : box.name, bytes);
    }
    return found;
}

/// "AV1 Codec ISO Media File Format Binding", 2.3, and the picture itself.
void read_av1(FileHead& file, const Items& items, std::uint64_t item, const std::string& settings, StoredForm& form)
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

struct Contents {
    Items items = {};
    bool has_frames = false;  ///< of a sequence, beside the items
};

Contents contents_of(FileHead& file)
{
    Contents contents;
    for (const IsoBox& box : iso_boxes(file, 0, std::numeric_limits<std::uint64_t>::max())) {
        if (box.name == "meta") contents.items = read_items(file, box);
        contents.has_frames |= box.name == "moov";
    }
    return contents;
}

/// What an item is beside the picture (ISO 23008-12, 6.6.2.1); empty: its alpha, or nothing that is known.
std::string auxiliary_name(FileHead& file, const Items& items, std::uint64_t item, std::string_view type)
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
    const Items items = contents_of(file).items;
    return colour_of(properties_of(file, items, items.primary));
}

StoredForm heif_form(const std::filesystem::path& path)
{
    FileHead file(path);
    StoredForm form;
    const Contents contents = contents_of(file);
    const Items& items = contents.items;
    const auto tile = items.references.find({"dimg", items.primary});
    const std::uint64_t coded = tile == items.references.end() ? items.primary : tile->second;
    const std::map<std::string, std::string> properties = properties_of(file, items, coded);
    if (const auto settings = properties.find("av1C"); settings != properties.end())
        read_av1(file, items, coded, settings->second, form);
    if (const auto settings = properties.find("hvcC"); settings != properties.end()) read_hevc(settings->second, form);
    const HeifColour colour = colour_of(properties_of(file, items, items.primary));
    form.has_profile = !colour.profile.empty();
    form.curve = curve_of(colour);
    form.images = contents.has_frames ? 2 : 1;  // several items are parts
    for (const auto& [item, type] : items.types) {
        if (const std::string name = auxiliary_name(file, items, item, type); !name.empty()) form.tags.insert(name);
        if (type == "Exif") form.tags.insert("Exif");
        if (type == "XMP") form.tags.insert("XMP");
    }
    return form;
}

}  // namespace clconv::oiio
