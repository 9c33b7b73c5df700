// SPDX-License-Identifier: Apache-2.0
#include "codecs/file_formats.h"

#include "base/errors.h"
#include "base/extension.h"
#include "base/lower_case.h"
#include "base/special_file.h"
#include "base/split.h"
#include "codecs/codec_library.h"
#include "codecs/decoding.h"
#include "codecs/image_file.h"
#include "codecs/library_formats.h"
#include "codecs/pnm_input.h"
#include "fits/fits_file.h"
#include "formats/pnm_header.h"

#include <OpenImageIO/oiioversion.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

namespace clconv {

using oiio::LibraryFormat;

namespace {

// No images (null, term), no pictures of light (zfile, openvdb), or videos, of which one frame would be convolved.
constexpr std::string_view kIgnoredFormats[] = {"null", "term", "zfile", "openvdb", "ffmpeg"};

/// The library knows only the first of these.
constexpr const char* kFitsExtensions[] = {"fits", "fit", "fts"};

bool is_ignored(std::string_view format)
{
    return std::find(std::begin(kIgnoredFormats), std::end(kIgnoredFormats), format) != std::end(kIgnoredFormats);
}

/// extension -> the library's name of the format, for the formats that can be read, or written.
std::map<std::string, std::string> extensions_of(bool LibraryFormat::*is_usable)
{
    std::map<std::string, std::string> result;
    for (const LibraryFormat& format : oiio::library_formats()) {
        if (is_ignored(format.name) || !(format.*is_usable)) continue;
        for (const std::string_view extension : split(format.extensions, ','))
            result.emplace(lower_case(extension), format.name);
    }
    for (const char* extension : kFitsExtensions) result.emplace(extension, "fits");
    return result;
}

const std::map<std::string, std::string>& writable_formats_by_extension()
{
    static const std::map<std::string, std::string> kFormats = [] {
        std::map<std::string, std::string> all = extensions_of(&LibraryFormat::is_written);
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
    const std::string extension = extension_of(path);
    if (extension.empty())
        throw InputError(path.string() + ": has no extension to choose the format by; use one like .png or .exr");
    const auto& formats = writable_formats_by_extension();
    const auto found = formats.find(extension);
    if (extension == "fz")
        throw InputError(path.string() +
                         ": compressed FITS files are read, not written; --format fits writes FITS "
                         "that is not compressed");
    if (found == formats.end() && readable_extensions().contains(extension))
        throw InputError(path.string() +
                         ": files of this kind can be read, not written; choose another, such as .tif "
                         "or .exr (for all images of a run --format tif)");
    if (found == formats.end())
        throw InputError(path.string() + ": no format with the extension '." + extension +
                         "' can be written; use one like .png, .jpg, .tif, .exr or .hdr");
    return format_named(found->second);
}

bool is_left_to_rows(const Image& header, std::uint64_t max_bytes)
{
    return header.channels > 0 && header.bytes() > max_bytes;
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
    return writable_formats_by_extension().contains(extension_of(path));
}

const std::set<std::string>& readable_extensions()
{
    static const std::set<std::string> kExtensions = [] {
        std::set<std::string> all = keys(extensions_of(&LibraryFormat::is_read));
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

bool needs_library(const std::filesystem::path& input)
{
    if (!special_file(input).empty()) return false;
    std::array<char, 8> magic{};
    std::ifstream file(input, std::ios::binary);
    if (!file.read(magic.data(), 2)) return false;
    file.read(magic.data() + 2, static_cast<std::streamsize>(magic.size() - 2));
    const std::string_view head(magic.data(), magic.size());
    return !head.starts_with("\xFF\xD8") && head != "\x89PNG\r\n\x1A\n" && !pnm::is_pnm(input) && !fits::is_fits(input);
}

bool needs_library(const std::filesystem::path& input, const std::filesystem::path& output)
{
    const std::string from = extension_of(input);
    const auto& formats = writable_formats_by_extension();
    const auto found = formats.find(from);
    return found == formats.end() || !format_named(found->second).has_own_codec ||
           !is_same_format(from, extension_of(output));
}

void load_library() { static_cast<void>(oiio::codec_library()); }

std::string extension_by_content(const std::filesystem::path& path)
{
    const oiio::OpenFile file = oiio::open_file(path);
    const std::string_view format = file.input->format();
    for (const LibraryFormat& known : oiio::library_formats())
        if (known.name == format && !known.extensions.empty())
            return std::string(known.extensions.substr(0, known.extensions.find(',')));
    return std::string(format);
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
    const std::string extension = extension_of(path);
    return !extension.empty() && std::ranges::any_of(oiio::library_formats(), [&](const LibraryFormat& format) {
        const std::vector<std::string_view> known = split(format.extensions, ',');
        return is_ignored(format.name) && std::ranges::find(known, extension) != known.end();
    });
}

std::string image_library()
{
    return fmt::format("OpenImageIO {}.{}.{}", OIIO_VERSION_MAJOR, OIIO_VERSION_MINOR, OIIO_VERSION_PATCH);
}

}  // namespace clconv
