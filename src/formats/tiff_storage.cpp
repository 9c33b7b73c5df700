// SPDX-License-Identifier: Apache-2.0
#include "formats/tiff_storage.h"

#include "formats/jpeg_segments.h"
#include "formats/tiff_directories.h"
#include "formats/tiff_numbers.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace clconv::oiio {
namespace {

/// The tables are in a tag, or in each strip or tile. The frame is in these alone.
std::optional<JpegEncoding> jpeg_of(const TiffFile& file, const TiffDirectory& page)
{
    constexpr std::uint64_t max_head = std::uint64_t{1} << 16U;
    std::vector<JpegSegment> segments;
    if (const TiffField* tables = page.field(kJpegTables); tables != nullptr && tables->count < max_head)
        segments = jpeg_segments(file.bytes(tables->place, tables->count));
    const std::uint64_t first = file.value(page, page.field(kTilePlaces) ? kTilePlaces : kStripPlaces, 0);
    if (first == 0 || first >= file.size()) return std::nullopt;
    const std::string head = file.bytes(first, std::min(max_head, file.size() - first));
    std::ranges::move(jpeg_segments(head), std::back_inserter(segments));
    return jpeg_encoding(segments);
}

/// Whether entries of a colour map have more than 8 bits: the library divides all by 257.
bool is_fine_palette(const TiffFile& file, const TiffDirectory& page)
{
    constexpr std::uint64_t unit = 257;
    const TiffField* map = page.field(kColorMap);
    if (map == nullptr) return false;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(map->count, 3 * 65536); ++i)
        if (file.value(*map, i) % unit != 0) return true;
    return false;
}

std::vector<std::uint16_t> extra_samples_of(const TiffFile& file, const TiffDirectory& page, int samples)
{
    const TiffField* field = page.field(kExtraSamples);
    std::vector<std::uint16_t> extra;
    if (field == nullptr || field->count >= static_cast<std::uint64_t>(std::max(samples, 1))) return extra;
    for (std::uint64_t i = 0; i < field->count; ++i) extra.push_back(static_cast<std::uint16_t>(file.value(*field, i)));
    return extra;
}

}  // namespace

std::optional<TiffStorage> tiff_storage(const std::filesystem::path& path, std::uint64_t page)
{
    constexpr std::uint64_t jpeg = 7;
    const TiffFile file(path);
    const std::optional<TiffDirectory> directory = file.page(page);
    if (!directory) return std::nullopt;
    TiffStorage storage;
    storage.photometric =
        static_cast<Photometric>(file.value(*directory, kPhotometric, static_cast<int>(Photometric::black_is_zero)));
    storage.bits = static_cast<int>(file.value(*directory, kBitsPerSample, 0));
    storage.samples = static_cast<int>(file.value(*directory, kSamplesPerPixel, 1));
    storage.extra_samples = extra_samples_of(file, *directory, storage.samples);
    storage.is_jpeg = file.value(*directory, kCompression, 1) == jpeg;
    if (storage.is_jpeg) storage.jpeg = jpeg_of(file, *directory);
    if (storage.photometric == Photometric::palette) storage.has_fine_palette = is_fine_palette(file, *directory);
    return storage;
}

}  // namespace clconv::oiio
