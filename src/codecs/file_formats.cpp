// SPDX-License-Identifier: Apache-2.0
#include "codecs/file_formats.h"

#include "base/errors.h"
#include "codecs/image_file.h"
#include "codecs/openimageio.h"

#include <OpenImageIO/strutil.h>
#include <algorithm>
#include <cctype>
#include <map>

namespace clconv {
namespace {

// No images (null, term), no pictures of light (zfile, openvdb), or videos, of which one frame would be convolved.
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

/// The library's name of a format, and its extensions as the library writes them, the most common first.
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

}  // namespace

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

bool is_read_by_rows(const Image& image) { return image.metadata && is_coded_by_rows(image.metadata->format); }

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
