// SPDX-License-Identifier: Apache-2.0
#include "formats/heif_items.h"

#include <limits>
#include <string_view>

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

/// `size`: of an item's number. Version and flags of the box are behind `fields` already.
void read_places(Fields& fields, std::uint64_t version, HeifItems& items)
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
            items.places.try_emplace(item, HeifItemPlace{is_in_box, place, bytes, extents});
        }
    }
}

void read_infos(FileHead& file, const IsoBox& box, HeifItems& items)
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

void read_references(FileHead& file, const IsoBox& box, HeifItems& items)
{
    const int size = number_in(bytes_of(file, box), 0, 1, ByteOrder::big) == 0 ? 2 : 4;
    for (const IsoBox& reference : iso_boxes(file, box.place + 4, box.place + box.size)) {
        const std::string bytes = bytes_of(file, reference);
        Fields fields(bytes);
        const std::uint64_t from = fields(size);
        std::vector<std::uint64_t> to;
        for (std::uint64_t left = fields(2); left > 0 && !fields.is_at_end(); --left) to.push_back(fields(size));
        if (!to.empty()) items.references.emplace(std::pair(reference.name, from), std::move(to));
    }
}

void read_properties(FileHead& file, const IsoBox& box, HeifItems& items)
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

HeifItems read_items(FileHead& file, const IsoBox& meta)
{
    HeifItems items;
    for (const IsoBox& box : iso_boxes(file, meta.place + 4, meta.place + meta.size)) {
        const std::string bytes = bytes_of(file, box);
        Fields fields(bytes);
        const std::uint64_t version = box.name == "pitm" || box.name == "iloc" ? fields(1) : 0;
        if (box.name == "pitm" || box.name == "iloc") fields(3);
        if (box.name == "pitm") items.primary = fields(version == 0 ? 2 : 4);
        if (box.name == "iloc") read_places(fields, version, items);
        if (box.name == "idat") items.box_data = box.place;
        if (box.name == "iinf") read_infos(file, box, items);
        if (box.name == "iref") read_references(file, box, items);
        if (box.name == "iprp") read_properties(file, box, items);
    }
    return items;
}

}  // namespace

HeifItems heif_items(FileHead& file)
{
    HeifItems items;
    bool has_frames = false;
    for (const IsoBox& box : iso_boxes(file, 0, std::numeric_limits<std::uint64_t>::max())) {
        if (box.name == "meta" && items.types.empty()) items = read_items(file, box);
        has_frames |= box.name == "moov";
    }
    items.has_frames = has_frames;
    return items;
}

std::map<std::string, std::string> properties_of(FileHead& file, const HeifItems& items, std::uint64_t item)
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

}  // namespace clconv::oiio
