// SPDX-License-Identifier: Apache-2.0
#include "codecs/file_formats.h"

#include "base/errors.h"
#include "codecs/image_file.h"
#include "codecs/openimageio.h"

#include <OpenImageIO/strutil.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace clconv {
namespace {

using enum SampleType;

constexpr SampleType kU8[] = {u8};
constexpr SampleType kIntegers[] = {u8, u16};
constexpr SampleType kFloat[] = {float32};
constexpr SampleType kFloats[] = {half, float32};
constexpr SampleType kNoHalf[] = {u8, u16, float32};

// TIFF's codecs for bilevel scans, and its JPEG, which holds only some types, are not listed; those of inputs are kept.
// WebP's "lossless" is not listed either, because the library's writer has already lost precision before it.
constexpr Codec kExrCodecs[] = {{"none"},  {"rle"}, {"zip", 1, 9}, {"zips", 1, 9},    {"piz"},
                                {"pxr24"}, {"b44"}, {"b44a"},      {"dwaa", 1, 1000}, {"dwab", 1, 1000}};
constexpr Codec kTiffCodecs[] = {{"none"}, {"packbits"}, {"lzw"}, {"zip", 1, 9}};
/// All of them are zlib: zip is its usual strategy, and the others are its other strategies.
constexpr Codec kPngCodecs[] = {{"none"},          {"zip", 0, 9},      {"rle", 0, 9},
                                {"huffman", 0, 9}, {"filtered", 0, 9}, {"fixed", 0, 9}};
constexpr FileType kSignedAndWide[] = {FileType::i8, FileType::i16, FileType::i32, FileType::u32, FileType::float64};
constexpr Codec kRunLength[] = {{"none"}, {"rle"}};

// The quality is the default; that of WebP is the library's own. JPEG 2000 and HEIF are not here, because of faults in
// the library (2.4): its reader refuses small JPEG 2000 images, and its HEIF writer reads beyond its rows.
constexpr FileFormat kFileFormats[] = {
    {.name = "bmp",
     .title = "BMP",
     .types = kU8,
     .channels = "134",
     .alpha = AlphaStorage::straight,
     .is_always_straight = true},
    {.name = "dpx", .title = "DPX", .types = kNoHalf, .channels = "134", .alpha = AlphaStorage::associated},
    // codecs/fits_input.h, fits_output.h
    {.name = "fits",
     .title = "FITS",
     .types = kNoHalf,
     .alpha = AlphaStorage::associated,
     .others = kSignedAndWide,
     .holds_parts = true,
     .windows = Windows::always,
     .by_rows = true,
     .seeks = true,
     .is_light = true,
     .is_bottom_up = true},
    {.name = "gif",
     .title = "GIF",
     .types = kU8,
     .channels = "34",
     .alpha = AlphaStorage::associated,
     .holds_parts = true,
     .decodes_onward = true},
    {.name = "hdr",
     .title = "Radiance",
     .types = kFloat,
     .channels = "3",
     .alpha = AlphaStorage::none,
     .is_light = true},
    {.name = "ico",
     .title = "ICO",
     .types = kU8,
     .channels = "1234",
     .alpha = AlphaStorage::straight,
     .is_always_straight = true},
    {.name = "iff",
     .title = "IFF",
     .types = kIntegers,
     .channels = "34",
     .alpha = AlphaStorage::associated,
     .codecs = kRunLength},
    {.name = "jpeg",
     .title = "JPEG",
     .types = kU8,
     .channels = "13",
     .alpha = AlphaStorage::none,
     .default_quality = kJpegQuality,
     .holds_profiles = true,
     .by_rows = true,
     .leaves_gaps = false},
    {.name = "openexr",
     .title = "OpenEXR",
     .types = kFloats,
     .alpha = AlphaStorage::associated,
     .codecs = kExrCodecs,
     .holds_parts = true,
     .holds_types_by_channel = true,
     .windows = Windows::always,
     .by_rows = true,
     .seeks = true,
     .invents_date = true,
     .has_lossy_codecs = true,
     .is_light = true,
     .has_ids = true},
    {.name = "png",
     .title = "PNG",
     .types = kIntegers,
     .channels = "1234",
     .alpha = AlphaStorage::straight,
     .codecs = kPngCodecs,
     .holds_profiles = true,
     .by_rows = true,
     .leaves_gaps = false},
    // codecs/pnm_input.h, pnm_output.h
    {.name = "pnm", .title = "PNM", .types = kIntegers, .channels = "13", .alpha = AlphaStorage::none},
    // Its date is made up whatever the header says, and Encoder erases it.
    {.name = "rla",
     .title = "RLA",
     .types = kSampleTypes,
     .channels = "1234",
     .alpha = AlphaStorage::associated,
     .invents_date = true},
    {.name = "sgi", .title = "SGI", .types = kIntegers, .channels = "1234", .alpha = AlphaStorage::associated},
    {.name = "targa",
     .title = "Targa",
     .types = kU8,
     .channels = "1234",
     .alpha = AlphaStorage::straight,
     .codecs = kRunLength},
    {.name = "tiff",
     .title = "TIFF",
     .types = kSampleTypes,
     .alpha = AlphaStorage::either,
     .codecs = kTiffCodecs,
     .others = kSignedAndWide,
     .holds_parts = true,
     .holds_inks = true,
     .holds_profiles = true,
     .windows = Windows::kept,
     .by_rows = true,
     .seeks = true,
     .invents_date = true},
    // codecs/webp_input.h, encoders/webp_output.h
    {.name = "webp",
     .title = "WebP",
     .types = kU8,
     .channels = "34",
     .alpha = AlphaStorage::straight,
     .default_quality = 100,
     .holds_parts = true,
     .holds_profiles = true},
};

// No images (null, term), no pictures of light (zfile, openvdb), or films of which one frame would be convolved.
constexpr std::string_view kIgnoredFormats[] = {"null", "term", "zfile", "openvdb", "ffmpeg"};

/// The library knows only the first of these.
constexpr const char* kFitsExtensions[] = {"fits", "fit", "fts"};

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

bool is_ignored(std::string_view format)
{
    return std::find(std::begin(kIgnoredFormats), std::end(kIgnoredFormats), format) != std::end(kIgnoredFormats);
}

/// The library's name of a format, and its extensions as the library writes them, most usual first.
struct LibraryFormat {
    std::string name;
    std::vector<std::string> extensions;
};

std::vector<LibraryFormat> library_formats()
{
    std::vector<LibraryFormat> result;
    // "tiff:tif,tiff,tx;jpeg:jpg,jpe"
    for (const std::string& entry : OIIO::Strutil::splits(OIIO::get_string_attribute("extension_list"), ";")) {
        const std::size_t colon = entry.find(':');
        if (colon == std::string::npos) continue;
        result.push_back({entry.substr(0, colon), OIIO::Strutil::splits(entry.substr(colon + 1), ",")});
    }
    return result;
}

/// extension -> the library's name of the format, for the formats of one of the library's lists.
std::map<std::string, std::string> extensions_of(const char* format_list)
{
    // Do not call initialise() here: it starts threads of the library, and a process that forks must have none.
    std::string usable;
    OIIO::getattribute(format_list, usable);
    const std::vector<std::string> formats = OIIO::Strutil::splits(usable, ",");

    std::map<std::string, std::string> result;
    for (const LibraryFormat& format : library_formats()) {
        if (is_ignored(format.name) || std::find(formats.begin(), formats.end(), format.name) == formats.end())
            continue;
        for (const std::string& extension : format.extensions) result.emplace(lower(extension), format.name);
    }
    for (const char* extension : kFitsExtensions) result.emplace(extension, "fits");
    return result;
}

const std::map<std::string, std::string>& writable_formats_by_extension()
{
    static const std::map<std::string, std::string> kFormats = [] {
        std::map<std::string, std::string> all = extensions_of("output_format_list");
        // Only the float variant of this family is a format of its own, and the library cannot write it.
        all.erase("pfm");
        std::erase_if(all, [](const auto& entry) { return format_named(entry.second).types.empty(); });
        return all;
    }();
    return kFormats;
}

std::set<std::string> keys(const std::map<std::string, std::string>& map)
{
    std::set<std::string> result;
    for (const auto& [key, value] : map) result.insert(key);
    return result;
}

/// The types to try for a wanted one, best first.
constexpr std::array<SampleType, 4> preferences(SampleType wanted)
{
    switch (wanted) {
        case u8: return {u8, u16, half, float32};
        case u16: return {u16, float32, half, u8};
        case half: return {half, float32, u16, u8};
        case float32:
        case SampleType::float64: break;
    }
    return {float32, half, u16, u8};
}

}  // namespace

const FileFormat& format_named(std::string_view name)
{
    static constexpr FileFormat kOther;
    const auto* const found = std::ranges::find(kFileFormats, name, &FileFormat::name);
    return found == std::end(kFileFormats) ? kOther : *found;
}

bool FileFormat::holds(SampleType type) const { return std::find(types.begin(), types.end(), type) != types.end(); }

bool FileFormat::holds_channels(int count) const
{
    return channels.empty() ||
           (count >= 1 && count <= 9 && channels.find(static_cast<char>('0' + count)) != std::string_view::npos);
}

const FileFormat& file_format_of(const std::filesystem::path& path)
{
    const std::string dotted = lower(path.extension().string());
    if (dotted.size() < 2)
        throw InputError(path.string() + ": has no extension to choose the format by; use one like .png or .exr");
    const auto& formats = writable_formats_by_extension();
    const auto found = formats.find(dotted.substr(1));
    if (dotted == ".fz")
        throw InputError(path.string() +
                         ": compressed FITS files are read, not written; --format fits writes FITS "
                         "that is not compressed");
    if (found == formats.end() && readable_extensions().contains(dotted.substr(1)))
        throw InputError(path.string() +
                         ": files of this kind can be read, not written; choose another, such as .tif "
                         "or .exr (for all images of a run --format tif)");
    if (found == formats.end())
        throw InputError(path.string() + ": no format with the extension '" + dotted +
                         "' can be written; use one like .png, .jpg, .tif, .exr or .hdr");
    return format_named(found->second);
}

SampleType nearest_type(const FileFormat& format, SampleType wanted)
{
    for (const SampleType type : preferences(wanted))
        if (format.holds(type)) return type;
    return wanted;
}

FileType nearest_type(const FileFormat& format, FileType wanted)
{
    if (std::find(format.others.begin(), format.others.end(), wanted) != format.others.end()) return wanted;
    return file_type_of(nearest_type(format, sample_type_of(wanted)));
}

bool is_coded_by_rows(std::string_view format) { return format_named(format).by_rows; }

bool is_read_by_rows(const Image& image) { return image.metadata && is_coded_by_rows(image.metadata->format); }

std::span<const FileFormat> writable_file_formats() { return kFileFormats; }

SampleType writable_type(const std::filesystem::path& path, SampleType wanted)
{
    return nearest_type(file_format_of(path), wanted);
}

FileType writable_type(const std::filesystem::path& path, FileType wanted)
{
    return nearest_type(file_format_of(path), wanted);
}

bool can_be_written(const std::filesystem::path& path)
{
    const std::string dotted = lower(path.extension().string());
    return dotted.size() > 1 && writable_formats_by_extension().contains(dotted.substr(1));
}

const std::set<std::string>& readable_extensions()
{
    static const std::set<std::string> kExtensions = [] {
        std::set<std::string> all = keys(extensions_of("input_format_list"));
        all.insert("fz");  // FITS, compressed by fpack
        return all;
    }();
    return kExtensions;
}

const std::set<std::string>& writable_extensions()
{
    static const std::set<std::string> kExtensions = keys(writable_formats_by_extension());
    return kExtensions;
}

std::string extension_by_content(const std::filesystem::path& path)
{
    std::string format = oiio::open_file(path).input->format_name();
    for (const LibraryFormat& known : library_formats())
        if (known.name == format && !known.extensions.empty()) return known.extensions.front();
    return format;
}

bool is_same_format(const std::string& extension, const std::string& other)
{
    const auto& formats = writable_formats_by_extension();
    const auto first = formats.find(extension);
    const auto second = formats.find(other);
    return first != formats.end() && second != formats.end() && first->second == second->second;
}

bool has_ignored_extension(const std::filesystem::path& path)
{
    const std::string dotted = lower(path.extension().string());
    const std::vector<LibraryFormat> formats = library_formats();
    return !dotted.empty() && std::any_of(formats.begin(), formats.end(), [&](const LibraryFormat& format) {
        const std::vector<std::string>& known = format.extensions;
        return is_ignored(format.name) && std::find(known.begin(), known.end(), dotted.substr(1)) != known.end();
    });
}

std::string image_library()
{
    return "OpenImageIO " + OIIO::Strutil::join(
                                [] {
                                    const int version = OIIO::openimageio_version();
                                    return std::vector<int>{version / 10000, version / 100 % 100, version % 100};
                                }(),
                                ".");
}

}  // namespace clconv
