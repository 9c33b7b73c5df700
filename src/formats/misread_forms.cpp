// SPDX-License-Identifier: Apache-2.0
#include "formats/misread_forms.h"

#include "formats/file_head.h"
#include "formats/gif_frames.h"
#include "formats/psd_sections.h"
#include "formats/tiff_directories.h"
#include "formats/tiff_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>

namespace clconv::oiio {
namespace {

/// Three samples are in a word. Of rows that end with fewer, the library does not read the last word of one channel,
/// nor that of four if it has one sample.
std::string misread_dpx(const FileHead& head)
{
    constexpr std::uint64_t rgb = 50;
    constexpr std::uint64_t rgba = 51;
    constexpr std::uint64_t abgr = 52;
    constexpr std::uint64_t of_one_channel = 8;  // the largest number of these
    const ByteOrder order = head.begins("SDPX") ? ByteOrder::big : ByteOrder::little;
    const std::uint64_t descriptor = head.number(800, 1, order);
    const std::uint64_t width = head.number(772, 4, order);
    const bool is_filled = head.number(803, 1, order) == 10 && head.number(804, 2, order) != 0;
    if (!is_filled || descriptor == rgb) return "";
    if ((descriptor == rgba || descriptor == abgr) && width * 4 % 3 == 1)
        return "is a DPX of 10 bits with alpha whose width is one more than a multiple of three, of which OpenImageIO "
               "does not read the last column; convert it to 16 bits with another program first";
    if (descriptor <= of_one_channel && width % 3 != 0)
        return "is a DPX of 10 bits and one channel whose width is no multiple of three, of which OpenImageIO misreads "
               "a column at the end; convert it to 16 bits with another program first";
    return "";
}

/// Of rows of mask bits, the library writes whole bytes.
std::string misread_ico(FileHead& head)
{
    constexpr std::size_t entry_bytes = 16;
    const std::uint64_t count = head.number(4, 2, ByteOrder::little);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string entry = head.part(6 + entry_bytes * i, entry_bytes);
        const std::string picture = head.part(number_in(entry, 12, 4, ByteOrder::little), 16);
        if (picture.empty() || picture.starts_with("\x89PNG")) continue;
        const std::uint64_t width = number_in(picture, 4, 4, ByteOrder::little);
        const std::uint64_t bits = number_in(picture, 14, 2, ByteOrder::little);
        if (bits < 32 && width % 8 != 0)
            return "is an icon with a mask whose width is no multiple of eight, which OpenImageIO misreads; convert it "
                   "to PNG with another program first";
    }
    return "";
}

/// The library takes the channels of 32 bits in the default order, whatever the masks say.
std::string misread_bmp(const FileHead& head)
{
    constexpr std::uint64_t bit_fields = 3;
    const auto number = [&](std::size_t at, int size) { return head.number(at, size, ByteOrder::little); };
    const bool has_masks = number(14, 4) >= 40 && number(28, 2) == 32 && number(30, 4) == bit_fields;
    if (!has_masks || (number(54, 4) == 0xFF0000 && number(58, 4) == 0xFF00 && number(62, 4) == 0xFF)) return "";
    return "is a BMP whose channels have places of their own (bit fields), which OpenImageIO ignores; convert it with "
           "another program first";
}

/// The largest index of a TGA's pixels that refer to a palette; fewer pixels if the file ends too early.
std::uint64_t largest_index(std::string_view pixels, std::uint64_t count, std::size_t size, bool is_packed)
{
    std::uint64_t largest = 0, visited = 0;
    std::size_t at = 0;
    const auto see = [&] {
        largest = std::max(largest, number_in(pixels, at, static_cast<int>(size), ByteOrder::little));
        at += size;
    };
    while (visited < count && at < pixels.size()) {
        if (!is_packed) {
            see();
            ++visited;
            continue;
        }
        const auto packet = static_cast<unsigned char>(pixels[at++]);
        const std::uint64_t length = (packet & 0x7FU) + 1;
        for (std::uint64_t i = 0; i < ((packet & 0x80U) != 0 ? 1 : length) && at < pixels.size(); ++i) see();
        visited += length;
    }
    return largest;
}

/// The library adds the number of the palette's first colour where it has to be subtracted, and does not look whether a
/// colour is there.
std::string misread_targa(const std::filesystem::path& path, FileHead& head)
{
    constexpr std::uint64_t run_lengths = 8;
    const auto number = [&](std::size_t at, int size) { return head.number(at, size, ByteOrder::little); };
    const std::uint64_t type = number(2, 1);
    if ((type & 7U) != 1) return "";
    if (number(3, 2) != 0)
        return "is a TGA whose palette does not begin with colour 0, which OpenImageIO misreads; convert it with "
               "another program first";
    const std::uint64_t colours = number(5, 2);
    const std::uint64_t first = 18 + number(0, 1) + colours * ((number(7, 1) + 7) / 8);
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(first));
    const std::string pixels((std::istreambuf_iterator<char>(file)), {});
    const std::size_t size = number(16, 1) > 8 ? 2 : 1;
    if (largest_index(pixels, number(12, 2) * number(14, 2), size, (type & run_lengths) != 0) < colours) return "";
    return "is damaged, and cannot be decoded: a pixel has a colour that is not in the palette";
}

/// Where a frame's rectangle has to be cleared, the library clears the whole picture. It restores nothing.
std::string misread_gif(const std::filesystem::path& path)
{
    bool has_more = false;  // than the rectangle of the frame
    const GifFrames found = gif_frames(path);
    for (const GifFrame& frame : found.frames) {
        const bool is_last = &frame == &found.frames.back();
        const bool clears_a_part = frame.disposal == 2 && has_more && !frame.covers_all;
        if (!is_last && (clears_a_part || frame.disposal == 3))
            return "is a GIF animation of which a part is cleared or restored behind a frame (disposal 2 or 3), which "
                   "OpenImageIO does not do; make its frames whole first, for instance with gifsicle --unoptimize";
        has_more |= frame.disposal < 2;
    }
    return "";
}

std::string misread_psd(const std::filesystem::path& path)
{
    if (!psd_sections(path).has_opaque_palette) return "";
    return "is a PSD of indexed colours none of which is transparent, which OpenImageIO misreads; convert it to RGB "
           "first";
}

}  // namespace

std::string misread_form(const std::filesystem::path& path, std::string_view format)
{
    if (format == "psd") return misread_psd(path);
    if (format == "gif") return misread_gif(path);
    FileHead head(path);
    if (format == "dpx") return misread_dpx(head);
    if (format == "ico") return misread_ico(head);
    if (format == "bmp") return misread_bmp(head);
    return format == "targa" ? misread_targa(path, head) : "";
}

/// TIFF 6.0, section 19, and libtiff's numbers for complex integers and floats.
std::string unread_samples(const std::filesystem::path& path)
{
    constexpr std::array<const char*, 7> kinds{"", "integers",         "integers with sign", "floats",
                                               "", "complex integers", "complex floats"};
    const TiffFile file(path);
    const std::optional<TiffDirectory> page = file.is_tiff() ? file.page(0) : std::nullopt;
    if (!page) return "";
    const std::uint64_t kind = file.value(*page, kSampleFormat, 1);
    const char* const named = kind < kinds.size() ? kinds[kind] : "";
    return fmt::format(
        "is a TIFF of {} of {} bits, which OpenImageIO does not read; store it as integers of 8, 16 or "
        "32 bits or as floats first, for instance with gdal_translate -ot Float32",
        *named == '\0' ? "samples" : named, file.value(*page, kBitsPerSample, 1));
}

}  // namespace clconv::oiio
