// SPDX-License-Identifier: Apache-2.0
// The items of a HEIF file: pictures, metadata, what they are made of, and their properties. Private to src/formats.
//
// After ISO 23008-12, 6, and ISO 14496-12, 8.11.
#pragma once

#include "formats/iso_boxes.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace clconv::oiio {

/// Where the bytes of an item begin: in the file, or in the box `idat`.
struct HeifItemPlace {
    bool is_in_box = false;
    std::uint64_t place = 0;
    std::uint64_t size = 0;  ///< of its first piece
    std::uint64_t pieces = 1;
};

struct HeifItems {
    std::uint64_t primary = 0;
    std::map<std::uint64_t, std::string> types;  ///< "av01", "hvc1", "grid", "Exif"; and "XMP"
    std::map<std::uint64_t, HeifItemPlace> places;
    std::map<std::uint64_t, std::vector<std::uint64_t>> properties;  ///< of an item: places in the list, from 1
    std::vector<IsoBox> property_list;
    /// "dimg" and the item that is made of tiles: the tiles. "auxl", "thmb", "cdsc", "prem": what the item is for.
    std::map<std::pair<std::string, std::uint64_t>, std::vector<std::uint64_t>> references;
    std::uint64_t box_data = 0;  ///< in the file, where the bytes of `idat` begin
    bool has_frames = false;     ///< of a sequence, beside the items
};

/// Of a damaged file, what could be read.
[[nodiscard]] HeifItems heif_items(FileHead& file);

/// The properties of an item, by name. That of `colr` with an ICC profile is "profile".
[[nodiscard]] std::map<std::string, std::string> properties_of(FileHead& file, const HeifItems& items,
                                                               std::uint64_t item);

}  // namespace clconv::oiio
