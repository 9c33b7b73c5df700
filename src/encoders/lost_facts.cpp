// SPDX-License-Identifier: Apache-2.0
#include "encoders/lost_facts.h"

#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "codecs/full_header.h"
#include "encoders/output_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace clconv::oiio {
namespace {

using Lost = std::optional<Warning>;

/// An output, and what it is made of.
struct Change {
    const Image& image;
    const Metadata& input;
    const std::filesystem::path& path;
    const FileFormat& format;
    const WriteOptions& options;

    [[nodiscard]] bool keeps_format() const { return input.format == format.name; }
};

/// 1 to 8 bits of a palette become RGB, because results are colours that no palette has.
Lost lost_palette(const Change& change)
{
    const int bits = change.input.palette_bits;
    if (bits == 0 || change.input.spec.nchannels == 1 || change.format.is_palette) return {};
    return Warning(WarningKind::photometric,
                   fmt::format("the palette of its input ({} bit{} a pixel) becomes RGB samples of 8 bits", bits,
                               bits == 1 ? "" : "s"),
                   "palette", "rgb");
}

bool keeps_bits(const Change& change, int bits, FileType type)
{
    return change.keeps_format() && change.format.holds_bits(bits) && type == (bits > 8 ? FileType::u16 : FileType::u8);
}

Lost lost_bits(const Change& change)
{
    const int bits = change.input.spec.get_int_attribute("oiio:BitsPerSample");
    const int read = 8 * static_cast<int>(change.input.spec.format.size());
    // The bits that the library reports for icons are not their depth.
    if (bits <= 0 || bits >= read || change.input.palette_bits > 0 || change.input.format == "ico") return {};
    const FileType type = nearest_type(change.format, change.options.type.value_or(change.image.stored_type));
    if (keeps_bits(change, bits, type)) return {};
    const int written = 8 * static_cast<int>(bytes_of(type));
    return Warning(WarningKind::bits,
                   fmt::format("samples of {} bit{} become samples of {}: the largest code becomes the largest", bits,
                               bits == 1 ? "" : "s", written),
                   std::to_string(bits), std::to_string(written));
}

/// The types of the channels that are convolved; nothing if all of the file have one.
std::vector<OIIO::TypeDesc> convolved_types(const Change& change)
{
    const std::vector<OIIO::TypeDesc>& all = change.input.spec.channelformats;
    if (all.empty() || !change.image.split) return all;
    std::vector<OIIO::TypeDesc> types;
    for (const int channel : change.image.split->convolved) types.push_back(all[static_cast<std::size_t>(channel)]);
    return types;
}

/// The warning about channels of OpenEXR files that have several types.
Lost lost_types(const Change& change)
{
    const std::vector<OIIO::TypeDesc> types = convolved_types(change);
    const bool are_several =
        std::ranges::any_of(types, [&](const OIIO::TypeDesc& type) { return type != types.front(); });
    if (!are_several) return {};
    const FileType type = nearest_type(change.format, change.options.type.value_or(change.image.stored_type));
    return Warning(WarningKind::type,
                   fmt::format("its input's channels have several types, and become {}", name_of(type)), "several",
                   std::string(name_of(type)));
}

/// Copied channels have warnings of their own.
Lost lost_channels(const Change& change)
{
    const int count = change.image.channels;
    if (change.image.split || change.format.holds_channels(count)) return {};
    const int written = choose_channels(change.path, change.format, change.image).count();
    const bool only_opaque = change.input.format == "gif" && !change.input.has_clear_pixels;  // the library's alpha
    if (written == count || (only_opaque && written == count - 1)) return {};
    return Warning(WarningKind::channels,
                   fmt::format("a {} file cannot hold {} channels; it gets {}", change.format.name, count, written),
                   std::to_string(count), std::to_string(written));
}

/// Of a format whose channels have them. Formats of pictures have warnings of the channels that they leave out.
Lost lost_channel_names(const Change& change)
{
    constexpr std::array<std::string_view, 5> common{"R", "G", "B", "A", "Y"};
    const bool had_names = format_named(change.input.format).names_channels;
    if (!had_names || change.format.names_channels || !change.format.channels.empty()) return {};
    std::vector<std::string> names;
    for (const std::string& name : change.input.spec.channelnames)
        if (std::ranges::find(common, name) == common.end()) names.push_back(name);
    if (names.empty()) return {};
    return Warning(
        WarningKind::channels,
        fmt::format("a {} file has no names of channels; its input's {}", change.format.name, fmt::join(names, ", ")),
        fmt::format("{}", fmt::join(names, ", ")), "");
}

Lost changed_alpha(const Change& change)
{
    const Image& image = change.image;
    // In a convolved image such pixels are opaque.
    if (change.input.alpha_use == AlphaUse::unused && change.input.is_copied &&
        change.format.alpha != AlphaStorage::none)
        return Warning(WarningKind::alpha, "its input says that its fourth channel is not alpha, and here it is",
                       "unused", "straight");
    if (!change.keeps_format() || image.alpha_channel < 0 || image.straight_alpha ||
        change.format.alpha != AlphaStorage::straight)
        return {};
    return Warning(WarningKind::alpha, "colours that are multiplied by alpha in its input are divided by it again",
                   "associated", "straight");
}

std::vector<Lost> lost_in_gif(const Change& change)
{
    if (change.format.name != "gif") return {};
    std::vector<Lost> lost{Warning(WarningKind::compression,
                                   "GIF holds 255 colours a picture here; other colours are made of dots of these")};
    // The library always reads GIF files as pixels with alpha.
    const bool had_alpha =
        change.input.format == "gif" ? change.input.has_clear_pixels : change.input.spec.alpha_channel >= 0;
    if (had_alpha)
        lost.emplace_back(Warning(WarningKind::alpha, "clear pixels of its input become opaque: its GIF has no alpha"));
    if (!change.options.strip_metadata && full_header(change.input).find_attribute("ImageDescription"))
        lost.emplace_back(Warning(WarningKind::tags, "the comment of its input is left out"));
    return lost;
}

Lost lost_tables(const Change& change)
{
    if (!change.input.jpeg || change.input.jpeg->has_standard_tables || change.options.quality ||
        !change.keeps_format())
        return {};
    return Warning(
        WarningKind::compression,
        fmt::format("the quantisation tables of its input are not those of a quality; the nearest quality, {}, "
                    "is used; --quality chooses another",
                    change.input.jpeg->quality));
}

Lost lost_names(const Change& change, const char* what, const std::vector<std::string>& names, const char* why)
{
    if (names.empty() || change.options.strip_metadata || !change.keeps_format()) return {};
    return Warning(WarningKind::tags,
                   fmt::format("the {}{} {} of its input {} left out: {}", what, names.size() == 1 ? "" : "s",
                               fmt::join(names, ", "), names.size() == 1 ? "is" : "are", why));
}

}  // namespace

std::vector<Warning> lost_facts(const Image& image, const std::filesystem::path& path, const WriteOptions& options)
{
    const Change change{image, *image.metadata, path, file_format_of(path), options};
    std::vector<Lost> all = lost_in_gif(change);
    all.push_back(lost_palette(change));
    all.push_back(lost_bits(change));
    all.push_back(lost_types(change));
    all.push_back(lost_channels(change));
    all.push_back(lost_channel_names(change));
    all.push_back(changed_alpha(change));
    all.push_back(lost_tables(change));
    all.push_back(lost_names(change, "PNG chunk", lost_chunks(change.input.chunks),
                             "it would be about the samples of the input"));
    all.push_back(lost_names(change, "attribute", change.input.unread, "the library does not read its type"));
    std::vector<Warning> lost;
    for (Lost& warning : all)
        if (warning) lost.push_back(std::move(*warning));
    return lost;
}

}  // namespace clconv::oiio
