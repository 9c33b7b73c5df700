// SPDX-License-Identifier: Apache-2.0
#include "formats/stored_form.h"

#include "formats/exif_block.h"
#include "formats/file_head.h"
#include "formats/form_readers.h"
#include "formats/hdr_head.h"
#include "formats/jpeg_segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <fstream>
#include <optional>
#include <utility>

namespace clconv::oiio {
namespace {

using Reader = StoredForm (*)(const std::filesystem::path& path, int part);

constexpr std::uint64_t kMaxSegments = 10'000;
/// A longer Exif block is not read.
constexpr std::uint64_t kMaxBlock = std::uint64_t{1} << 20U;

int orientation_in(const std::string& exif) { return std::max(1, exif_orientation(exif)); }

/// W3C PNG, 11.2 and 11.3: the chunks before the samples.
StoredForm png_form(const std::filesystem::path& path, int /*part*/)
{
    constexpr std::array<const char*, 7> colours{"gray", "", "RGB", "palette", "gray", "", "RGB"};
    FileHead head(path);
    StoredForm form;
    const std::uint64_t colour = head.number(25, 1, ByteOrder::big);
    form.bits = static_cast<int>(head.number(24, 1, ByteOrder::big));
    if (colour < colours.size()) form.colours = colours[colour];
    if (colour == 3) form.bits = 8;
    if (colour >= 4) form.alpha = "straight";
    std::uint64_t place = 8;
    for (std::uint64_t i = 0; i < kMaxSegments; ++i) {
        const std::string chunk = head.part(place, 8);
        const std::uint64_t size = number_in(chunk, 0, 4, ByteOrder::big);
        const std::string name = chunk.empty() ? "" : chunk.substr(4);
        if (name.empty() || name == "IDAT" || name == "IEND") break;
        if (name == "tRNS") form.alpha = "straight";
        form.has_profile |= name == "iCCP";
        if (name == "sBIT") form.tags.insert("sBIT");
        if (name == "eXIf") {
            form.tags.insert("Exif");
            if (size < kMaxBlock) form.orientation = orientation_in(head.part(place + 8, size));
        }
        if (name == "iTXt" || name == "tEXt" || name == "zTXt") {
            const std::string text = head.part(place + 8, std::min<std::uint64_t>(size, 80));
            const std::string keyword = text.substr(0, text.find('\0'));
            form.tags.insert(keyword == "XML:com.adobe.xmp" ? "XMP" : "text " + keyword);
        }
        place += 12 + size;
    }
    return form;
}

/// ISO 10918-1, B.2.2: precision, components and their sampling.
void read_frame(const std::string& frame, StoredForm& form)
{
    form.bits = static_cast<int>(number_in(frame, 0, 1, ByteOrder::big));
    const std::uint64_t components = number_in(frame, 5, 1, ByteOrder::big);
    form.colours = components == 1 ? "gray" : components == 4 ? "inks" : "RGB";
    const auto samples = [&](std::size_t component) {
        const std::uint64_t factors = number_in(frame, 7 + 3 * component, 1, ByteOrder::big);
        return static_cast<double>((factors >> 4U) * (factors & 15U));
    };
    if (components == 3 && samples(0) > 0) form.chroma = std::min(1.0, samples(1) / samples(0));
}

/// The metadata in an application's segment, or a comment.
void read_segment(std::uint64_t marker, const std::string& bytes, StoredForm& form)
{
    using namespace std::string_view_literals;
    const std::string_view text = bytes;
    if (marker == 0xE1 && text.starts_with("Exif\0\0"sv)) {
        form.tags.insert("Exif");
        form.orientation = orientation_in(bytes.substr(6));
    }
    if (marker == 0xE1 && text.starts_with("http://ns.adobe.com/xap/1.0/\0"sv)) form.tags.insert("XMP");
    form.has_profile |= marker == 0xE2 && text.starts_with("ICC_PROFILE\0"sv);
    if (marker == 0xE2 && text.starts_with("MPF\0"sv)) form.images = 2;
    if (marker == 0xED && text.starts_with("Photoshop 3.0\0"sv)) form.tags.insert("Photoshop's resources");
    if (marker == 0xFE) form.tags.insert("comment");
}

StoredForm jpeg_form(const std::filesystem::path& path, int /*part*/)
{
    FileHead head(path);
    StoredForm form{.codec = "JPEG", .is_lossy = true};
    std::uint64_t place = 2;
    for (std::uint64_t i = 0; i < kMaxSegments; ++i) {
        const std::string begin = head.part(place, 4);
        if (begin.empty() || number_in(begin, 0, 1, ByteOrder::big) != 0xFF) break;
        const std::uint64_t marker = number_in(begin, 1, 1, ByteOrder::big);
        const std::uint64_t size = number_in(begin, 2, 2, ByteOrder::big);
        if (marker == 0xDA || size < 2) break;
        if (is_jpeg_frame(static_cast<unsigned>(marker)) || marker >= 0xE0) {
            const std::string bytes = head.part(place + 4, size - 2);
            if (is_jpeg_frame(static_cast<unsigned>(marker))) read_frame(bytes, form);
            read_segment(marker, bytes, form);
        }
        place += 2 + size;
    }
    return form;
}

/// RFC 9649, 2.5 to 2.7.
StoredForm webp_form(const std::filesystem::path& path, int /*part*/)
{
    constexpr std::uint64_t has_profile = 0x20;
    constexpr std::uint64_t has_alpha = 0x10;
    constexpr std::uint64_t has_exif = 0x08;
    constexpr std::uint64_t has_xmp = 0x04;
    FileHead head(path);
    StoredForm form{.bits = 8, .colours = "RGB"};
    std::uint64_t place = 12;
    for (std::uint64_t i = 0; i < kMaxSegments; ++i) {
        const std::string chunk = head.part(place, 9);
        if (chunk.empty()) break;
        const std::string name = chunk.substr(0, 4);
        const std::uint64_t size = number_in(chunk, 4, 4, ByteOrder::little);
        if (name == "VP8X") {
            const std::uint64_t flags = number_in(chunk, 8, 1, ByteOrder::little);
            form.has_profile = (flags & has_profile) != 0;
            if (flags & has_exif) form.tags.insert("Exif");
            if (flags & has_xmp) form.tags.insert("XMP");
            if (flags & has_alpha) form.alpha = "straight";
        }
        if (name == "EXIF" && size < kMaxBlock) form.orientation = orientation_in(head.part(place + 8, size));
        if (name == "ANMF") {  // a frame, whose chunks begin behind 16 bytes of its own
            place += 8 + 16;
            continue;
        }
        if (name == "VP8 ") {
            form.codec = "lossy WebP";
            form.is_lossy = true;
            form.chroma = 0.25;
        }
        if (name == "VP8L") {
            form.codec = "lossless WebP";
            if (number_in(head.part(place + 8, 5), 4, 1, ByteOrder::little) & 0x10U) form.alpha = "straight";
        }
        place += 8 + size + (size & 1U);
    }
    return form;
}

/// Netpbm's formats: P1 to P6, PAM (P7), and PFM's floats (Pf, PF).
StoredForm pnm_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    const std::string& bytes = head.bytes();
    if (bytes.size() < 2 || bytes[0] != 'P') return {};
    const char kind = bytes[1];
    StoredForm form{.colours = kind == '3' || kind == '6' || kind == 'F' ? "RGB" : "gray"};
    if (kind == 'f' || kind == 'F') {
        form.numbers = Numbers::floats;
        form.bits = 32;
        return form;
    }
    std::vector<std::uint64_t> numbers;  // width, height and the largest code
    for (std::size_t i = 2; i < bytes.size() && numbers.size() < 3;) {
        if (bytes[i] == '#') i = std::min(bytes.find('\n', i), bytes.size());
        std::uint64_t number = 0;
        const std::size_t first = i;
        for (; i < bytes.size() && std::isdigit(static_cast<unsigned char>(bytes[i])) != 0; ++i)
            number = number * 10 + static_cast<std::uint64_t>(bytes[i] - '0');
        if (i > first) numbers.push_back(number);
        if (i == first) ++i;
    }
    const bool is_bitmap = kind == '1' || kind == '4';
    if (kind == '7' || (numbers.size() < 3 && !is_bitmap)) return {};
    form.largest = is_bitmap ? 1 : numbers[2];
    form.bits = is_bitmap ? 1 : form.largest > 255 ? 16 : 8;
    return form;
}

/// Radiance's RGBE: lines of variables, an empty line, and the order of rows and columns.
StoredForm radiance_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    StoredForm form{.numbers = Numbers::floats, .bits = 8, .shares_exponents = true, .colours = "RGB"};
    std::size_t place = 0;
    bool in_header = true;
    while (place < head.bytes().size()) {
        const std::size_t end = std::min(head.bytes().find('\n', place), head.bytes().size());
        const std::string line = head.bytes().substr(place, end - place);
        place = end + 1;
        if (!in_header) {  // "-Y 480 +X 640"
            const std::size_t second = line.find(' ', line.find(' ') + 1);
            if (second != std::string::npos) form.order = line.substr(0, 2) + " " + line.substr(second + 1, 2);
            break;
        }
        in_header = !line.empty();
        const std::size_t equal = line.find('=');
        if (equal != std::string::npos && line.front() != '#') form.tags.insert(line.substr(0, equal));
    }
    form.tags.erase("FORMAT");
    if (const std::optional<HdrHead> lines = hdr_head(path)) form.orientation = orientation_of(*lines);
    return form;
}

/// Attributes of OpenEXR that say how samples are stored, or that every file has, and those that OpenImageIO makes of a
/// texture's samples.
constexpr const char* kExrStructure[] = {"channels",
                                         "compression",
                                         "dataWindow",
                                         "displayWindow",
                                         "lineOrder",
                                         "pixelAspectRatio",
                                         "screenWindowCenter",
                                         "screenWindowWidth",
                                         "tiles",
                                         "name",
                                         "type",
                                         "version",
                                         "chunkCount",
                                         "preview",
                                         "maxSamplesPerPixel",
                                         "dwaCompressionLevel",
                                         "oiio:AverageColor",
                                         "oiio:ConstantColor",
                                         "oiio:SHA-1",
                                         "oiio:subimages",
                                         "textureformat"};

/// As much as the headers of a file are likely to take.
std::string beginning_of(const std::filesystem::path& path)
{
    constexpr std::size_t maximum = std::size_t{1} << 16U;
    std::string bytes(maximum, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(maximum));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

/// "OpenEXR File Layout": a text that ends with a zero byte.
std::string text_at(const std::string& header, std::size_t& place)
{
    const std::size_t end = std::min(header.find('\0', place), header.size());
    std::string text = header.substr(place, end - place);
    place = end + 1;
    return text;
}

/// The widest of a list of channels, and whether one is alpha.
void read_channels(const std::string& list, StoredForm& form)
{
    for (std::size_t place = 0; place < list.size() && list[place] != '\0'; place += 16) {
        if (text_at(list, place) == "A") form.alpha = "associated";
        const std::uint64_t type = number_in(list, place, 4, ByteOrder::little);  // 0 uint, 1 half, 2 float
        form.bits = std::max(form.bits, type == 1 ? 16 : 32);
        form.numbers = type == 0 && form.numbers != Numbers::floats ? Numbers::unsigned_integers : Numbers::floats;
    }
}

/// The header of a part that begins at `place`, which becomes the place behind it.
StoredForm exr_header(const std::string& header, std::size_t& place)
{
    constexpr std::array<const char*, 10> codecs{"none",  "rle", "zips", "zip",  "piz",
                                                 "pxr24", "b44", "b44a", "dwaa", "dwab"};
    StoredForm form;
    while (place < header.size() && header[place] != '\0') {
        const std::string name = text_at(header, place);
        static_cast<void>(text_at(header, place));
        const std::uint64_t size = number_in(header, place, 4, ByteOrder::little);
        place += 4;
        if (name == "channels") read_channels(header.substr(std::min(place, header.size()), size), form);
        if (name == "compression") {
            const std::uint64_t codec = number_in(header, place, 1, ByteOrder::little);
            if (codec < codecs.size()) form.codec = codecs[codec];
            form.is_lossy = codec >= 5;
        }
        if (std::ranges::find(kExrStructure, name) == std::end(kExrStructure)) form.tags.insert(name);
        place += size;
    }
    ++place;
    return form;
}

StoredForm exr_form(const std::filesystem::path& path, int part)
{
    constexpr std::size_t first_header = 8;
    const std::string header = beginning_of(path);
    std::size_t place = first_header;
    for (int i = 0; i < part; ++i) static_cast<void>(exr_header(header, place));
    return exr_header(header, place);
}

struct Known {
    std::string_view format;
    Reader read;
};
constexpr Known kKnown[] = {{"bmp", bmp_form},     {"cineon", cineon_form},     {"dpx", dpx_form},
                            {"fits", fits_form},   {"gif", gif_form},           {"hdr", radiance_form},
                            {"heif", heif_form},   {"ico", ico_form},           {"iff", iff_form},
                            {"jpeg", jpeg_form},   {"jpeg2000", jpeg2000_form}, {"openexr", exr_form},
                            {"png", png_form},     {"pnm", pnm_form},           {"psd", psd_form},
                            {"rla", rla_form},     {"sgi", sgi_form},           {"softimage", softimage_form},
                            {"targa", targa_form}, {"tiff", tiff_form},         {"webp", webp_form}};

}  // namespace

StoredForm stored_form(const std::filesystem::path& path, std::string_view format, int part)
{
    StoredForm form;
    try {
        const auto* const known = std::ranges::find(kKnown, format, &Known::format);
        if (known != std::end(kKnown)) form = known->read(path, part);
    } catch (const std::exception&) {  // a damaged file
        return {};
    }
    if (form.bits > 0) form.format = format;
    return form.bits > 0 ? form : StoredForm{};
}

std::string samples_in_words(const StoredForm& form)
{
    if (form.shares_exponents) return "floats of 8 bits with shared exponents";
    constexpr std::array<const char*, 3> names{"integers", "signed integers", "floats"};
    return fmt::format("{}-bit {}", form.bits, names[static_cast<std::size_t>(form.numbers)]);
}

}  // namespace clconv::oiio
