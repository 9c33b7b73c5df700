// SPDX-License-Identifier: Apache-2.0
#include "codecs/file_parts.h"

#include "base/special_file.h"
#include "codecs/image_file.h"
#include "codecs/open_image.h"
#include "formats/gif_frames.h"
#include "formats/tiff_directories.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace clconv {
namespace oiio {
namespace {

using oiio::Decoder;

constexpr std::uint16_t kSubDirectories = 330;
/// In textures that the library made itself, it treats pages as levels of one image.
constexpr std::uint16_t kTextureFormat = 33302;

FileParts numbered(int count)
{
    FileParts parts;
    for (int i = 0; i < std::max(count, 1); ++i) parts.places.push_back({i, 0});
    return parts;
}

FileParts tiff_parts(const std::filesystem::path& path)
{
    const TiffFile file(path);
    const TiffPages pages = tiff_pages(file);
    if (!pages.directories.empty() && pages.directories.front().field(kTextureFormat) != nullptr) return numbered(1);
    FileParts parts;
    parts.damage = pages.damage;
    for (const TiffDirectory& page : pages.directories) {
        const auto number = static_cast<int>(&page - pages.directories.data());
        if (is_reduced(file, page))
            parts.has_levels = true;
        else
            parts.places.push_back({number, number == 0 ? 0 : page.place});
        parts.has_levels |= page.field(kSubDirectories) != nullptr;
    }
    if (parts.places.empty()) parts.places.emplace_back();
    return parts;
}

FileParts gif_parts(const std::filesystem::path& path)
{
    const GifFrames found = gif_frames(path);
    FileParts parts = numbered(static_cast<int>(found.frames.size()));
    if (!found.is_whole) parts.damage = "ends without its end mark; frames may be missing";
    return parts;
}

int count_by_seeking(Decoder& input)
{
    if (const int said = input.stated_parts(); said > 0) return said;
    int count = 1;
    while (input.seek(count, 0)) ++count;
    static_cast<void>(input.take_error());  // the failed seek's
    return count;
}

std::string first_bytes(const std::filesystem::path& path)
{
    std::string bytes(24, '\0');
    std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

/// Whether the first bytes of a file show that it holds one image. If not, it must be opened.
bool holds_one(const std::filesystem::path& path)
{
    using namespace std::string_view_literals;
    const std::string bytes = first_bytes(path);
    const std::string_view head = bytes;
    constexpr std::string_view single[] = {"\xFF\xD8"sv, "\x89PNG"sv, "8BPS"sv, "BM"sv, "#?"sv, "P1"sv, "P2"sv,
                                           "P3"sv,       "P4"sv,      "P5"sv,   "P6"sv, "PF"sv, "Pf"sv};
    if (std::any_of(std::begin(single), std::end(single),
                    [&](std::string_view magic) { return head.starts_with(magic); }))
        return true;
    // Bit 12 of the version: several parts.
    if (head.starts_with("\x76\x2F\x31\x01"sv)) return (static_cast<unsigned char>(head[5]) & 0x10U) == 0;
    // A WebP of its extended kind with the flag of animations.
    if (head.starts_with("RIFF"sv) && head.substr(8, 4) == "WEBP"sv)
        return head.substr(12, 4) != "VP8X"sv || (static_cast<unsigned char>(head[20]) & 2U) == 0;
    return false;
}

}  // namespace

PartPlace place_of(const std::filesystem::path& path, const FileParts& parts, int number)
{
    const int count = parts.count();
    if (number < count) return parts.places[static_cast<std::size_t>(number)];
    const std::string found =
        count == 1 ? "holds one image, part 0"
                   : "holds " + std::to_string(count) + " images, parts 0 to " + std::to_string(count - 1);
    fail(path, found + ", so that --parts " + std::to_string(number) + " cannot be read" +
                   (parts.damage.empty() ? "" : ": " + parts.damage) +
                   "; name a part that is there, or leave this file out");
}

FileParts file_parts(const std::filesystem::path& path, Decoder& input)
{
    const std::string_view format = input.format();
    if (format == "psd" || holds_one(path)) return numbered(1);
    if (format == "tiff") return tiff_parts(path);
    if (format == "gif") return gif_parts(path);
    return numbered(count_by_seeking(input));
}

std::optional<FileParts> plain_file_parts(const std::filesystem::path& path)
{
    constexpr std::string_view tiffs[] = {".tif", ".tiff", ".tx"};
    if (!special_file(path).empty()) return std::nullopt;  // opening it could wait forever; readers report it
    if (holds_one(path)) return numbered(1);
    const std::string head = first_bytes(path);
    const bool is_tiff = head.starts_with("II") || head.starts_with("MM");
    // Camera raw files begin like TIFF, and other libraries read them.
    if (is_tiff && std::ranges::find(tiffs, path.extension().string()) != std::end(tiffs)) return tiff_parts(path);
    if (head.starts_with("GIF8")) return gif_parts(path);
    return std::nullopt;
}

}  // namespace oiio

std::optional<int> count_parts_plainly(const std::filesystem::path& path)
{
    const std::optional<oiio::FileParts> parts = oiio::plain_file_parts(path);
    return parts ? std::optional(parts->count()) : std::nullopt;
}

int count_parts(const std::filesystem::path& path, const DecodeRules& rules)
{
    if (const std::optional<int> count = count_parts_plainly(path)) return *count;
    DecodeRules any_channels = rules;
    any_channels.channels = {};
    const oiio::OpenFile file = oiio::open_file(path, Light::stored, any_channels);
    return oiio::file_parts(path, *file.input).count();
}

}  // namespace clconv
