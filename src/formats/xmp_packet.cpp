// SPDX-License-Identifier: Apache-2.0
#include "formats/xmp_packet.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

/// Replaces the number that follows `name` as an attribute or an element.
void set_xmp_number(std::string& packet, std::string_view name, int value)
{
    constexpr std::string_view digits = "0123456789";
    for (std::size_t found = packet.find(name); found != std::string::npos; found = packet.find(name, found)) {
        found += name.size();
        const std::size_t first = packet.find_first_not_of("=\"'> ", found);
        if (first == std::string::npos || first == found) continue;
        const std::size_t last = std::min(packet.find_first_not_of(digits, first), packet.size());
        if (last > first) packet.replace(first, last - first, std::to_string(value));
    }
}

}  // namespace

std::string xmp_of_size(std::string packet, Extent size)
{
    for (const char* name : {"exif:PixelXDimension", "tiff:ImageWidth"}) set_xmp_number(packet, name, size.width);
    for (const char* name : {"exif:PixelYDimension", "tiff:ImageLength"}) set_xmp_number(packet, name, size.height);
    return packet;
}

/// XMP specification, part 2, 8.4. Old programs write xap for xmp.
std::string without_xmp_thumbnails(std::string packet)
{
    for (const std::string name : {"xmp:Thumbnails", "xap:Thumbnails"}) {
        const std::string end = "</" + name + ">";
        for (;;) {
            const std::size_t first = packet.find("<" + name);
            const std::size_t last = first == std::string::npos ? first : packet.find(end, first);
            if (last == std::string::npos) break;
            packet.erase(first, last + end.size() - first);
        }
    }
    return packet;
}

std::string upright_xmp(std::string packet, Extent size)
{
    packet = xmp_of_size(std::move(packet), size);
    set_xmp_number(packet, "tiff:Orientation", 1);
    return packet;
}

}  // namespace clconv::oiio
