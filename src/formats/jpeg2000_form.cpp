// SPDX-License-Identifier: Apache-2.0
#include "formats/form_readers.h"
#include "formats/iso_boxes.h"
#include "formats/jpeg2000_stream.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace clconv::oiio {
namespace {

/// Segments of the codestream, ISO 15444-1, A.5 and A.6.
constexpr std::uint64_t kSize = 0xFF51;             // SIZ: the image and its components
constexpr std::uint64_t kCoding = 0xFF52;           // COD: the coding of all components
constexpr std::uint64_t kComponentCoding = 0xFF53;  // COC: that of one
constexpr std::uint64_t kStartOfTile = 0xFF90;

/// SIZ: bits, signs and sampling of the components.
void read_size(const std::string& segment, StoredForm& form)
{
    constexpr std::size_t of_components = 36;
    const std::uint64_t count = number_in(segment, of_components - 2, 2, ByteOrder::big);
    const auto field = [&](std::uint64_t component, std::size_t index) {
        return number_in(segment, of_components + 3 * component + index, 1, ByteOrder::big);
    };
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t depth = field(i, 0);
        form.bits = std::max(form.bits, static_cast<int>(depth & 0x7FU) + 1);
        if (depth & 0x80U) form.numbers = Numbers::signed_integers;
    }
    const std::uint64_t of_chroma = field(1, 1) * field(1, 2);
    if (count >= 3 && of_chroma > 0)
        form.chroma = std::min(1.0, static_cast<double>(field(0, 1) * field(0, 2)) / static_cast<double>(of_chroma));
    form.colours = count >= 3 ? "RGB" : "gray";
}

/// COD and COC end with the decomposition; behind its four fields is the wavelet: 9-7 with rounding, or 5-3 without.
bool is_reversible(std::uint64_t marker, const std::string& segment, std::uint64_t components)
{
    const std::size_t of_wavelet = marker == kCoding ? 9 : components < 257 ? 6 : 7;
    return number_in(segment, of_wavelet, 1, ByteOrder::big) == 1;
}

void read_codestream(FileHead& file, std::uint64_t place, StoredForm& form)
{
    constexpr int max_segments = 10'000;
    std::uint64_t components = 0;
    place += 2;  // its first marker has no segment
    for (int i = 0; i < max_segments; ++i) {
        const std::string head = file.part(place, 4);
        const std::uint64_t marker = number_in(head, 0, 2, ByteOrder::big);
        const std::uint64_t size = number_in(head, 2, 2, ByteOrder::big);
        if (marker < 0xFF00 || marker == kStartOfTile || size < 2) break;
        if (marker == kSize || marker == kCoding || marker == kComponentCoding) {
            const std::string segment = file.part(place + 4, size - 2);
            if (marker == kSize) {
                read_size(segment, form);
                components = number_in(segment, 34, 2, ByteOrder::big);
            } else {
                form.is_lossy |= !is_reversible(marker, segment, components);
            }
        }
        place += 2 + size;
    }
}

/// I.5.3: the colours that components stand for.
void read_header_box(FileHead& file, const IsoBox& header, StoredForm& form)
{
    for (const IsoBox& box : iso_boxes(file, header.place, header.place + header.size)) {
        const std::string bytes = bytes_of(file, box);
        if (box.name == "colr" && number_in(bytes, 0, 1, ByteOrder::big) == 1) {
            const std::uint64_t space = number_in(bytes, 3, 4, ByteOrder::big);
            form.colours = space == 12   ? "inks"
                           : space == 14 ? "Lab"
                           : space == 17 ? "gray"
                           : space == 18 ? "YCbCr"
                                         : "RGB";
        } else if (box.name == "colr") {
            form.has_profile = true;
        } else if (box.name == "pclr") {
            form.colours = "palette";
        } else if (box.name == "cdef") {  // I.5.3.6: a channel's number, its type, and what it belongs to
            for (std::size_t at = 2; at + 6 <= bytes.size(); at += 6) {
                const std::uint64_t type = number_in(bytes, at + 2, 2, ByteOrder::big);
                if (type == 1 || type == 2) form.alpha = type == 1 ? "straight" : "associated";
            }
        }
    }
}

}  // namespace

StoredForm jpeg2000_form(const std::filesystem::path& path)
{
    using namespace std::string_view_literals;
    constexpr std::string_view exif = "JpgTiffExif->JP2"sv;
    constexpr std::string_view xmp = "\xBE\x7A\xCF\xCB\x97\xA9\x42\xE8\x9C\x71\x99\x94\x91\xE3\xAF\xAC"sv;
    FileHead file(path);
    StoredForm form{.codec = "JPEG 2000"};
    const std::optional<std::uint64_t> stream = jpeg2000_stream(file);
    if (!stream) return form;
    read_codestream(file, *stream, form);
    if (*stream == 0) return form;
    for (const IsoBox& box : iso_boxes(file, 0, std::numeric_limits<std::uint64_t>::max())) {
        if (box.name == "jp2h") read_header_box(file, box, form);
        const std::string id = box.name == "uuid" ? file.part(box.place, exif.size()) : "";
        if (id == exif) form.tags.insert("Exif");
        if (id == xmp) form.tags.insert("XMP");
    }
    return form;
}

}  // namespace clconv::oiio
