// SPDX-License-Identifier: Apache-2.0
// Notes to users about what a file cannot hold as the input does: copied channels and primaries.
#include "encoders/kept_notes.h"

#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "codecs/primaries.h"
#include "encoders/lost_facts.h"
#include "encoders/merged_rows.h"
#include "encoders/output_header.h"
#include "encoders/output_light.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace clconv {
namespace {

/// The input's channels that a file gets.
std::vector<int> written_channels(const ChannelSplit& split, const oiio::Merge& merge)
{
    if (!merge.is_whole) return merge.channels;
    std::vector<int> all(static_cast<std::size_t>(split.channels()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// Copied channels whose samples change to a type that does not hold them.
std::string change_of_type(const ChannelSplit& split, const std::vector<int>& written,
                           const std::vector<FileType>& types, FileType type)
{
    std::vector<std::string> changed;
    for (const int c : split.kept) {
        const FileType own = split.types[static_cast<std::size_t>(c)];
        if (std::ranges::find(written, c) != written.end() && !holds(types[static_cast<std::size_t>(c)], own))
            changed.push_back(fmt::format("{} ({})", split.names[static_cast<std::size_t>(c)], name_of(own)));
    }
    if (changed.empty()) return {};
    return fmt::format("copied channels are written as {}, which does not hold all of their values: {}", name_of(type),
                       fmt::join(changed, ", "));
}

std::string left_out(const ChannelSplit& split, const std::vector<int>& written, const FileFormat& format)
{
    std::vector<std::string> names;
    for (const int c : split.kept)
        if (std::ranges::find(written, c) == written.end()) names.push_back(split.names[static_cast<std::size_t>(c)]);
    if (names.empty()) return {};
    return fmt::format("a {} file cannot hold copied channels beside the picture; these are left out: {}", format.name,
                       fmt::join(names, ", "));
}

std::string change_of_codec(const Image& image, const FileFormat& format, const WriteOptions& options)
{
    if (!format.has_lossy_codecs) return {};
    oiio::FileHeader header;
    if (image.metadata->format == format.name) header = image.metadata->spec;
    if (options.compression) header.attribute("compression", options.compression->name);
    if (oiio::harmless_codec(header, *image.split).empty()) return {};
    return fmt::format("packed with zip: {} would change copied channels", header.get_string_attribute("compression"));
}

/// A note on the value of missing samples, if it is not the one that the input has or states.
std::string change_of_nodata(const Nodata& nodata, const FileFormat& format, const WriteOptions& options)
{
    const FileType type = nearest_type(format, options.type.value_or(nodata.type));
    const std::optional<double> value = nodata_in(nodata, type);
    const std::optional<double> same = held_value(type, nodata.value);
    if (!value)
        return fmt::format("{} does not hold {}; missing samples are {}", name_of(type), in_words(nodata),
                           is_integer(type) ? "0" : "NaN");
    const bool stays = std::isnan(*value) ? std::isnan(nodata.value) : same && *same == *value;
    if (!stays) return fmt::format("missing samples are {} instead of {}", *value, in_words(nodata));
    if (nodata.is_of_file && format.name != "tiff")
        return fmt::format("a {} file does not say that missing samples are {}", format.name, *value);
    return {};
}

std::string lost_colours(const Image& image, const std::filesystem::path& path, const FileFormat& format,
                         const WriteOptions& options)
{
    const FileType type = nearest_type(format, options.type.value_or(image.stored_type));
    const auto transfer = output_transfer(image, path, type, options.strip_metadata);
    const bool has_profile = !oiio::made_profile(image, format, type, transfer.get()).empty();
    return has_profile ? std::string() : oiio::lost_primaries(*image.metadata, format);
}

/// Radiance's numbers that say how bright samples are.
std::string lost_exposure(const Metadata& metadata, const FileFormat& format)
{
    if (!metadata.hdr || format.name == "hdr") return {};
    const double exposure = metadata.hdr->product_of("EXPOSURE");
    const std::vector<double> correction = metadata.hdr->numbers_of("COLORCORR");
    const bool corrects = std::ranges::any_of(correction, [](double factor) { return factor != 1; });
    if (exposure == 1 && !corrects) return {};
    return fmt::format(
        "a {} file cannot say that samples are light times {}, as its input's EXPOSURE{} does; they stay "
        "as they are stored",
        format.name, exposure, corrects ? " (and COLORCORR, for each colour)" : "");
}

/// The JPEG inside a TIFF.
std::string change_of_jpeg(const Image& image, const FileFormat& format, FileType type, const WriteOptions& options)
{
    const auto& tiff = image.metadata->tiff;
    if (!tiff || !tiff->is_jpeg || format.name != "tiff" || options.compression) return {};
    if (type != FileType::u8 || image.file_channels() != 3)
        return "packed with zip: the JPEG inside the input is not written for other samples than RGB of 8 bits";
    if (oiio::keeps_jpeg(*image.metadata)) return {};
    return options.quality ? "its JPEG has chroma of half the resolution, unlike that of its input"
                           : "packed with zip, without loss: the library's JPEG inside TIFF would halve the resolution "
                             "of the chroma, unlike that of the input";
}

}  // namespace

std::vector<std::string> copied_channels(const Image& image)
{
    std::vector<std::string> names;
    if (image.metadata && image.metadata->is_copied) return names;
    if (image.split) names = image.split->kept_names();
    if (image.keeps_alpha) names.push_back(image.metadata->spec.channel_name(image.file_channel(image.alpha_channel)));
    return names;
}

FileType type_for(const Image& image, const std::filesystem::path& path)
{
    const FileFormat& format = file_format_of(path);
    FileType type = image.stored_type;
    if (image.split && !oiio::holds_types_by_channel(format))
        type = common_type(*image.split, written_channels(*image.split, oiio::merge_of(format, image)));
    if (image.split && image.metadata && image.metadata->is_copied) return type;
    // Doubles that are computed in float are no longer doubles.
    return type == FileType::float64 && image.type != SampleType::float64 ? FileType::float32 : type;
}

std::vector<Warning> notes_on_kept(const Image& image, const std::filesystem::path& path, const WriteOptions& options)
{
    std::vector<Warning> notes;
    const FileFormat& format = file_format_of(path);
    const auto add = [&](WarningKind kind, std::string note) {
        if (!note.empty()) notes.emplace_back(kind, std::move(note));
    };
    if (image.metadata && !options.strip_metadata) add(WarningKind::colour, lost_colours(image, path, format, options));
    if (image.metadata) std::ranges::move(oiio::lost_facts(image, path, options), std::back_inserter(notes));
    if (image.nodata) add(WarningKind::tags, change_of_nodata(*image.nodata, format, options));
    if (image.metadata) {
        const FileType type = nearest_type(format, options.type.value_or(image.stored_type));
        add(WarningKind::range, lost_exposure(*image.metadata, format));
        add(WarningKind::compression, change_of_jpeg(image, format, type, options));
    }
    if (!image.split) return notes;
    const ChannelSplit& split = *image.split;
    if (image.channels == 0 && !image.metadata->is_copied)
        add(WarningKind::copied, fmt::format("none of its channels ({}) is convolved, so its output is a copy; "
                                             "--channels '*' takes all",
                                             fmt::join(split.names, ", ")));
    const FileType type = nearest_type(format, options.type.value_or(image.stored_type));
    const oiio::Merge merge = oiio::merge_of(format, image);
    const std::vector<int> written = written_channels(split, merge);
    add(WarningKind::channels, left_out(split, written, format));
    const std::vector<FileType> types =
        merge.is_whole ? oiio::merged_types(format, split, type) : std::vector(split.types.size(), type);
    add(WarningKind::channels, change_of_type(split, written, types, type));
    if (merge.is_whole) add(WarningKind::compression, change_of_codec(image, format, options));
    return notes;
}

}  // namespace clconv
