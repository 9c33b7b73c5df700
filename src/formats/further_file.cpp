// SPDX-License-Identifier: Apache-2.0
#include "formats/further_file.h"

#include "formats/exr_blocks.h"
#include "formats/file_head.h"
#include "formats/gif_frames.h"
#include "formats/iso_boxes.h"
#include "formats/jpeg2000_stream.h"
#include "formats/tiff_directories.h"
#include "formats/tiff_numbers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace clconv::oiio {
namespace {

/// Microsoft's BITMAPFILEHEADER, SMPTE 268M, Maya's IFF and RFC 9649 state the length of the file.
std::uint64_t bmp_end(const std::filesystem::path& path) { return FileHead(path).number(2, 4, ByteOrder::little); }

std::uint64_t dpx_end(const std::filesystem::path& path)
{
    const FileHead head(path);
    return head.number(16, 4, head.begins("SDPX") ? ByteOrder::big : ByteOrder::little);
}

std::uint64_t iff_end(const std::filesystem::path& path)
{
    constexpr std::uint64_t unit = 4;
    return 8 + (FileHead(path).number(4, 4, ByteOrder::big) + unit - 1) / unit * unit;
}

std::uint64_t webp_end(const std::filesystem::path& path)
{
    const std::uint64_t size = FileHead(path).number(4, 4, ByteOrder::little);
    return 8 + size + (size & 1U);
}

std::uint64_t gif_end(const std::filesystem::path& path) { return gif_frames(path).end; }

/// Behind the last strip or tile of a page; 0 if the page does not say how long they are.
std::uint64_t samples_end(const TiffFile& file, const TiffDirectory& page)
{
    const bool has_tiles = page.field(kTilePlaces) != nullptr;
    const TiffField* const places = page.field(has_tiles ? kTilePlaces : kStripPlaces);
    const TiffField* const sizes = page.field(has_tiles ? kTileSizes : kStripSizes);
    if (places == nullptr || sizes == nullptr) return 0;
    std::uint64_t end = 0;
    for (std::uint64_t i = 0; i < places->count; ++i)
        end = std::max(end, file.value(*places, i) + file.value(*sizes, i));
    return end;
}

/// Behind everything that the directories of pages name.
std::uint64_t tiff_end(const std::filesystem::path& path)
{
    const TiffFile file(path);
    std::uint64_t end = 0;
    for (const TiffDirectory& page : tiff_pages(file).directories) {
        end = std::max({end, page.next_place + (file.is_big() ? 8 : 4), samples_end(file, page)});
        for (const TiffField& field : page.fields)
            if (!field.is_inside)
                end = std::max(end, field.place + field.count * static_cast<std::uint64_t>(field.value_bytes()));
    }
    return end + (end & 1U);
}

std::uint64_t heif_end(const std::filesystem::path& path)
{
    FileHead file(path);
    return end_of_boxes(file);
}

std::uint64_t jp2_end(const std::filesystem::path& path)
{
    FileHead file(path);
    return jpeg2000_end(file);
}

/// Microsoft's icon resources: behind the last picture.
std::uint64_t ico_end(const std::filesystem::path& path)
{
    constexpr std::uint64_t directory = 6;
    constexpr std::size_t entry = 16;
    FileHead file(path);
    std::uint64_t end = 0;
    for (std::uint64_t i = 0; i < file.number(4, 2, ByteOrder::little); ++i) {
        const std::string bytes = file.part(directory + entry * i, entry);
        end = std::max(end, number_in(bytes, 12, 4, ByteOrder::little) + number_in(bytes, 8, 4, ByteOrder::little));
    }
    return end;
}

/// "The RLA File Format" (Wavefront): behind the channels of the row that lies last. The table of rows is behind the
/// head, and each channel of a row behind its length.
std::uint64_t rla_end(const std::filesystem::path& path)
{
    constexpr std::uint64_t of_head = 740;
    FileHead file(path);
    const auto number = [&](std::size_t place) {
        return static_cast<std::int16_t>(file.number(place, 2, ByteOrder::big));
    };
    const int rows = std::abs(number(14) - number(12)) + 1;
    std::uint64_t place = 0;
    for (int row = 0; row < rows; ++row)
        place = std::max(place,
                         number_in(file.part(of_head + 4 * static_cast<std::uint64_t>(row), 4), 0, 4, ByteOrder::big));
    for (int channel = number(20) + number(22) + number(24); channel > 0; --channel)
        place += 2 + number_in(file.part(place, 2), 0, 2, ByteOrder::big);
    return place;
}

/// A format whose files state where they end, or have to be walked through.
struct KnownEnd {
    std::string_view format;
    std::size_t magic;  ///< bytes with which all of its files begin
    std::uint64_t (*end)(const std::filesystem::path& path);
};
constexpr KnownEnd kEnds[] = {
    {"bmp", 2, bmp_end},      {"dpx", 4, dpx_end},     {"gif", 4, gif_end},
    {"heif", 4, heif_end},    {"ico", 4, ico_end},     {"iff", 4, iff_end},
    {"jpeg2000", 4, jp2_end}, {"openexr", 4, exr_end}, {"rla", 16, rla_end},  // its window, and that of its pixels
    {"tiff", 4, tiff_end},    {"webp", 4, webp_end}};

/// A format whose end is known only to those who decode it.
struct KnownHead {
    std::string_view format;
    std::size_t size;  ///< bytes that are the same in pictures of one size, and are found nowhere else
};
constexpr KnownHead kHeads[] = {{"hdr", 10}, {"sgi", 12}, {"targa", 18}};

/// Whether the first `size` bytes of a file are there again.
bool repeats_head(const std::filesystem::path& path, std::size_t size)
{
    constexpr std::size_t block = std::size_t{1} << 20U;
    std::ifstream file(path, std::ios::binary);
    std::string bytes(block, '\0');
    std::string head;
    for (std::size_t kept = 0; file; kept = std::min(size - 1, bytes.size())) {
        bytes.erase(0, bytes.size() - kept);
        bytes.resize(kept + block);
        file.read(bytes.data() + kept, block);
        bytes.resize(kept + static_cast<std::size_t>(file.gcount()));
        const bool is_first = head.empty();
        if (is_first) head = bytes.substr(0, size);
        if (bytes.find(head, is_first ? 1 : 0) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

bool has_further_file(const std::filesystem::path& path, std::string_view format)
{
    const auto* const known = std::ranges::find(kEnds, format, &KnownEnd::format);
    if (known != std::end(kEnds)) {
        const std::uint64_t end = known->end(path);
        FileHead head(path);
        return end > known->magic && head.part(end, known->magic) == head.bytes().substr(0, known->magic);
    }
    const auto* const repeated = std::ranges::find(kHeads, format, &KnownHead::format);
    return repeated != std::end(kHeads) && repeats_head(path, repeated->size);
}

}  // namespace clconv::oiio
