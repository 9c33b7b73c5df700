// SPDX-License-Identifier: Apache-2.0
#include "formats/jpeg2000_stream.h"

#include "formats/iso_boxes.h"

#include <limits>
#include <string>
#include <string_view>

namespace clconv::oiio {
namespace {

constexpr std::string_view kStream = "\xFF\x4F\xFF\x51";  // SOC, and SIZ, which always follows

/// A.4.2: behind the tile part at `place`, whose segment SOT says how long all of it is; 0: up to the end.
std::uint64_t behind_tile_part(FileHead& file, std::uint64_t place)
{
    const std::uint64_t size = number_in(file.part(place, 10), 6, 4, ByteOrder::big);
    return size == 0 ? 0 : place + size;
}

/// Behind the marker EOC of a codestream that is a file.
std::uint64_t behind_stream(FileHead& file)
{
    constexpr std::uint64_t start_of_tile = 0xFF90;
    constexpr std::uint64_t end = 0xFFD9;
    constexpr int max_segments = 100'000;
    std::uint64_t place = 2;  // its first marker has no segment
    for (int i = 0; i < max_segments && place > 0; ++i) {
        const std::string head = file.part(place, 2);
        const std::uint64_t marker = number_in(head, 0, 2, ByteOrder::big);
        if (marker == end) return place + 2;
        if (marker < 0xFF00) return 0;
        place = marker == start_of_tile ? behind_tile_part(file, place)
                                        : place + 2 + number_in(file.part(place + 2, 2), 0, 2, ByteOrder::big);
    }
    return 0;
}

}  // namespace

std::optional<std::uint64_t> jpeg2000_stream(FileHead& file)
{
    if (file.begins(kStream)) return 0;
    for (const IsoBox& box : iso_boxes(file, 0, std::numeric_limits<std::uint64_t>::max()))
        if (box.name == "jp2c") return box.place;
    return std::nullopt;
}

std::uint64_t jpeg2000_end(FileHead& file) { return file.begins(kStream) ? behind_stream(file) : end_of_boxes(file); }

}  // namespace clconv::oiio
