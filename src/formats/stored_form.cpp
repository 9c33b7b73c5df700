// SPDX-License-Identifier: Apache-2.0
#include "formats/stored_form.h"

#include "formats/file_head.h"
#include "formats/form_readers.h"
#include "formats/further_file.h"
#include "formats/hdr_head.h"
#include "formats/pnm_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <exception>
#include <fstream>
#include <optional>
#include <utility>

namespace clconv::oiio {
namespace {

using Reader = StoredForm (*)(const std::filesystem::path& path);

constexpr std::uint64_t kMaxSegments = 10'000;
/// Longer chunks of PNG hold neither numbers about pixels nor curves.
constexpr std::uint64_t kMaxMeaningSize = 32;
/// A longer Exif block is not read.
constexpr std::uint64_t kMaxBlock = std::uint64_t{1} << 20U;

/// W3C PNG, 11.3.3.2 to 11.3.3.6: which light the codes are, but for a profile.
void read_png_curve(const std::string& name, const std::string& contents, StoredForm& form)
{
    constexpr double unit = 100000;
    constexpr double of_srgb = 1 / 2.2;
    constexpr double rounding = 0.002;
    constexpr std::uint64_t linear = 8;  // ITU-T H.273
    constexpr std::uint64_t srgb = 13;
    if (name == "cICP") {
        const std::uint64_t number = number_in(contents, 1, 1, ByteOrder::big);
        form.curve = number == srgb     ? "sRGB"
                     : number == linear ? "linear"
                                        : fmt::format("transfer function {} of H.273", number);
    }
    if (name == "sRGB" && !form.curve.starts_with("transfer")) form.curve = "sRGB";
    if (name != "gAMA" || !form.curve.empty()) return;
    const double gamma = static_cast<double>(number_in(contents, 0, 4, ByteOrder::big)) / unit;
    if (gamma > 0 && std::abs(gamma - of_srgb) > rounding) form.curve = gamma_curve(1 / gamma);
}

/// W3C PNG, 11.3.5.3: dots in a metre, or without a unit.
void read_png_dots(const std::string& contents, StoredForm& form)
{
    constexpr double metres = 0.0254;
    const auto across = static_cast<double>(number_in(contents, 0, 4, ByteOrder::big));
    const auto down = static_cast<double>(number_in(contents, 4, 4, ByteOrder::big));
    form.states_aspect = across > 0 && down > 0;
    if (number_in(contents, 8, 1, ByteOrder::big) == 1)
        read_resolution(across * metres, down * metres, form);
    else if (across > 0 && down > 0)
        form.aspect = down / across;
}

/// Whether a chunk says something that no other format's file says, by this name or another: not of samples, of curves,
/// of texts or of frames.
bool is_of_png_alone(const std::string& name)
{
    constexpr std::string_view others[] = {"IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP",
                                           "cICP", "sBIT", "pHYs", "tIME", "oFFs", "eXIf", "tEXt",
                                           "zTXt", "iTXt", "acTL", "fcTL", "fdAT", "iDOT", "IDAT"};
    return std::ranges::find(others, name) == std::end(others);
}

/// The chunks of PNG that say where pixels lie, how large they are and what codes mean.
void read_png_meaning(const std::string& name, const std::string& contents, StoredForm& form)
{
    read_png_curve(name, contents, form);
    if (name == "pHYs") read_png_dots(contents, form);
    if (name == "tIME") form.tags.insert("tIME");
    if (name != "oFFs") return;
    const auto left = static_cast<std::int32_t>(number_in(contents, 0, 4, ByteOrder::big));
    const auto above = static_cast<std::int32_t>(number_in(contents, 4, 4, ByteOrder::big));
    if (left != 0 || above != 0) form.window = fmt::format("at {}, {}", left, above);
}

/// W3C PNG, 11.2 and 11.3: the chunks before and behind the samples.
StoredForm png_form(const std::filesystem::path& path)
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
        if (name == "IEND" && head.part(place + 12, 4) == "\x89PNG") form.images = 2;  // as several files in one pipe
        if (name.empty() || name == "IEND") break;
        if (name == "tRNS") form.alpha = "straight";
        form.has_profile |= name == "iCCP";
        if (name == "sBIT" || is_of_png_alone(name)) form.tags.insert(name);
        if (name == "eXIf") {
            form.tags.insert("Exif");
            if (size < kMaxBlock) read_exif(head.part(place + 8, size), form);
        }
        if (size <= kMaxMeaningSize) read_png_meaning(name, head.part(place + 8, size), form);
        if (name == "iTXt" || name == "tEXt" || name == "zTXt") {
            const std::string text = head.part(place + 8, std::min<std::uint64_t>(size, 80));
            const std::string keyword = text.substr(0, text.find('\0'));
            form.tags.insert(keyword == "XML:com.adobe.xmp" ? "XMP" : "text " + keyword);
        }
        place += 12 + size;
    }
    return form;
}

/// RFC 9649, 2.5 to 2.7.
StoredForm webp_form(const std::filesystem::path& path)
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
        if (name == "EXIF" && size < kMaxBlock) read_exif(head.part(place + 8, size), form);
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

/// Netpbm's formats: P1 to P6, and PFM's floats (Pf, PF).
StoredForm pnm_form(const std::filesystem::path& path)
{
    const FileHead file(path);
    const std::string& bytes = file.bytes();
    if (bytes.starts_with("PF") || bytes.starts_with("Pf"))
        return {.numbers = Numbers::floats, .bits = 32, .colours = bytes[1] == 'F' ? "RGB" : "gray"};
    const std::optional<pnm::Head> head = pnm::head_of(bytes);
    if (!head) return {};
    StoredForm form{.bits = head->is_bitmap ? 1 : 8 * head->bytes_per_code(),
                    .largest = static_cast<std::uint64_t>(head->maxval),
                    .colours = head->channels == 3 ? "RGB" : "gray"};
    if (bytes.find('#') < head->raster) form.tags.insert("comment");
    return form;
}

/// Radiance's RGBE: lines of variables, an empty line, and the order of rows and columns.
StoredForm radiance_form(const std::filesystem::path& path)
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
    form.curve = "light";
    if (const std::optional<HdrHead> lines = hdr_head(path)) {
        form.orientation = orientation_of(*lines);
        if (const double high = lines->product_of("PIXASPECT"); high > 0) form.aspect = 1 / high;
    }
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
                                         "maxSamplesPerPixel",
                                         "dwaCompressionLevel",
                                         "oiio:AverageColor",
                                         "oiio:ConstantColor",
                                         "oiio:SHA-1",
                                         "oiio:subimages",
                                         "textureformat"};

std::string beginning_of(const std::filesystem::path& path, std::size_t size)
{
    std::string bytes(size, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(size));
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

/// The two corners of a box of whole numbers.
std::string box_at(const std::string& header, std::size_t place)
{
    constexpr std::size_t size = 16;
    return place < header.size() ? header.substr(place, size) : std::string();
}

/// "36x20 at 10, 6 of 100x50 at 0, 0"; empty if the pixels are the whole frame, and that begins at 0, 0.
std::string window_of(const std::string& data, const std::string& display)
{
    const auto number = [](const std::string& box, std::size_t index) {
        return static_cast<std::int32_t>(number_in(box, 4 * index, 4, ByteOrder::little));
    };
    const auto words = [&](const std::string& box) {
        return fmt::format("{}x{} at {}, {}", std::int64_t{number(box, 2)} - number(box, 0) + 1,
                           std::int64_t{number(box, 3)} - number(box, 1) + 1, number(box, 0), number(box, 1));
    };
    const bool is_whole = data == display && number(data, 0) == 0 && number(data, 1) == 0;
    return is_whole ? std::string() : words(data) + " of " + words(display);
}

/// The header of a part that begins at `place`, which becomes the place behind it.
StoredForm exr_header(const std::string& header, std::size_t& place)
{
    constexpr std::array<const char*, 10> codecs{"none",  "rle", "zips", "zip",  "piz",
                                                 "pxr24", "b44", "b44a", "dwaa", "dwab"};
    StoredForm form{.curve = "light"};
    std::string data;
    std::string display;
    while (place < header.size() && header[place] != '\0') {
        const std::string name = text_at(header, place);
        static_cast<void>(text_at(header, place));
        const std::uint64_t size = number_in(header, place, 4, ByteOrder::little);
        place += 4;
        if (name == "dataWindow") data = box_at(header, place);
        if (name == "displayWindow") display = box_at(header, place);
        if (name == "pixelAspectRatio")
            form.aspect =
                std::bit_cast<float>(static_cast<std::uint32_t>(number_in(header, place, 4, ByteOrder::little)));
        if (name == "lineOrder")  // whether the file begins with it; readers show the same
            form.order = number_in(header, place, 1, ByteOrder::little) == 1 ? kFromBelow : kFromAbove;
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
    form.window = window_of(data, display);
    form.has_frame = !form.window.empty() && data != display;
    return form;
}

/// Headers of up to 32 MiB: they may hold lists of many thousand names.
std::vector<StoredForm> exr_forms(const std::filesystem::path& path, std::span<const int> parts)
{
    constexpr std::size_t first_header = 8;
    constexpr std::size_t likely = std::size_t{1} << 16U;
    constexpr std::size_t maximum = std::size_t{1} << 25U;
    const int count = parts.empty() ? 0 : *std::ranges::max_element(parts) + 1;
    for (std::size_t size = likely; size <= maximum; size *= 8) {
        const std::string header = beginning_of(path, size);
        std::vector<StoredForm> all;
        std::size_t place = first_header;
        for (int i = 0; i < count && place < header.size(); ++i) all.push_back(exr_header(header, place));
        if (place > header.size() && header.size() == size) continue;
        std::vector<StoredForm> forms;
        for (const int part : parts) forms.push_back(std::cmp_less(part, all.size()) ? all[part] : StoredForm{});
        return forms;
    }
    return std::vector<StoredForm>(parts.size());
}

struct Known {
    std::string_view format;
    Reader read;
};
constexpr Known kKnown[] = {{"bmp", bmp_form},
                            {"cineon", cineon_form},
                            {"dpx", dpx_form},
                            {"fits", fits_form},
                            {"gif", gif_form},
                            {"hdr", radiance_form},
                            {"heif", heif_form},
                            {"ico", ico_form},
                            {"iff", iff_form},
                            {"jpeg", jpeg_form},
                            {"jpeg2000", jpeg2000_form},
                            {"png", png_form},
                            {"pnm", pnm_form},
                            {"psd", psd_form},
                            {"rla", rla_form},
                            {"sgi", sgi_form},
                            {"softimage", softimage_form},
                            {"targa", targa_form},
                            {"webp", webp_form}};

}  // namespace

std::vector<StoredForm> stored_forms(const std::filesystem::path& path, std::string_view format,
                                     std::span<const int> parts)
{
    std::vector<StoredForm> forms(parts.size());
    try {
        const auto* const known = std::ranges::find(kKnown, format, &Known::format);
        if (format == "tiff")
            forms = tiff_forms(path, parts);
        else if (format == "openexr")
            forms = exr_forms(path, parts);
        else if (known != std::end(kKnown))
            for (StoredForm& form : forms) form = known->read(path);
        if (!parts.empty() && parts.front() == 0 && has_further_file(path, format)) forms.front().images = 2;
    } catch (const std::exception&) {  // a damaged file
        return std::vector<StoredForm>(parts.size());
    }
    for (StoredForm& form : forms) {
        if (form.bits > 0)
            form.format = format;
        else
            form = {};
    }
    return forms;
}

std::string gamma_curve(double gamma)
{
    constexpr double straight = 0.001;
    return std::abs(gamma - 1) < straight ? "linear" : fmt::format("gamma {:.3g}", gamma);
}

std::string samples_in_words(const StoredForm& form)
{
    if (form.shares_exponents) return "floats of 8 bits with shared exponents";
    constexpr std::array<const char*, 3> names{"integers", "signed integers", "floats"};
    return fmt::format("{}-bit {}", form.bits, names[static_cast<std::size_t>(form.numbers)]);
}

}  // namespace clconv::oiio
