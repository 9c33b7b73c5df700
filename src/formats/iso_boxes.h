// SPDX-License-Identifier: Apache-2.0
// Boxes of ISO 14496-12, of which JP2 and HEIF files are made: a size, a name of four letters, and bytes.
#pragma once

#include "formats/file_head.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace clconv::oiio {

struct IsoBox {
    std::string name;         ///< four letters
    std::uint64_t place = 0;  ///< of its bytes in the file
    std::uint64_t size = 0;   ///< of its bytes
};

/// The boxes from `place` to `end`, at most 4096. The last may be longer than the file.
[[nodiscard]] inline std::vector<IsoBox> iso_boxes(FileHead& file, std::uint64_t place, std::uint64_t end)
{
    constexpr std::size_t maximum = 4096;
    std::vector<IsoBox> boxes;
    while (place < end && boxes.size() < maximum) {
        const std::string head = file.part(place, 8);
        if (head.empty()) break;
        std::uint64_t size = number_in(head, 0, 4, ByteOrder::big);
        std::uint64_t of_head = 8;
        if (size == 1) {  // the size has 64 bits
            size = number_in(file.part(place + 8, 8), 0, 8, ByteOrder::big);
            of_head = 16;
        }
        if (size == 0) size = end - place;  // the rest
        if (size < of_head || size > std::numeric_limits<std::uint64_t>::max() - place) break;
        boxes.push_back({head.substr(4), place + of_head, size - of_head});
        place += size;
    }
    return boxes;
}

/// Where another file of boxes begins behind this one: at a second box of the kind that is the first of each. 0 if
/// there is none.
[[nodiscard]] inline std::uint64_t end_of_boxes(FileHead& file)
{
    constexpr std::uint64_t of_head = 8;
    const std::vector<IsoBox> boxes = iso_boxes(file, 0, std::numeric_limits<std::uint64_t>::max());
    for (std::size_t i = 1; i < boxes.size(); ++i)
        if (boxes[i].name == boxes.front().name) return boxes[i].place - of_head;
    return 0;
}

/// The bytes of a box, at most 1 MiB; empty if the file ends before.
[[nodiscard]] inline std::string bytes_of(FileHead& file, const IsoBox& box)
{
    constexpr std::uint64_t maximum = std::uint64_t{1} << 20U;
    return file.part(box.place, static_cast<std::size_t>(box.size < maximum ? box.size : maximum));
}

}  // namespace clconv::oiio
