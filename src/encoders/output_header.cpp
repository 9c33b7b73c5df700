// SPDX-License-Identifier: Apache-2.0
#include "encoders/output_header.h"

#include "base/errors.h"
#include "codecs/fits_input.h"
#include "codecs/full_header.h"
#include "encoders/merged_rows.h"
#include "encoders/output_resolution.h"
#include "formats/bmp_alpha.h"
#include "formats/tga_order.h"
#include "formats/webp_chunks.h"

#include <OpenImageIO/strutil.h>
#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <string_view>

namespace clconv::oiio {
namespace {

// Photographs of 1280x800 take 60 to 70 ms at these settings, and 420 to 640 ms at the library's (level 6, the best
// filter for each row), for a file 11 to 20 % smaller. zlib's strategy "rle", which searches for runs only, halves the
// time again: 34 ms against 75 for 1280x800 with the spectrum and the noise of a photograph, at the same size. Drawings
// become up to a sixth larger. docs/decisions/023-codec-defaults.md
constexpr int kPngLevel = 2;
constexpr const char* kPngStrategy = "rle";
constexpr int kPngFilterSub = 16;
/// The library's level 6 takes 1.2 to 3 times the processor time, for photographs 1 to 5 % smaller:
/// docs/decisions/023-codec-defaults.md.
constexpr int kTiffZipLevel = 1;
/// zlib's own level, for its default strategy.
constexpr int kZipLevel = 6;

/// Attributes about the encoding of the old file, not about the picture.
constexpr const char* kEncoding[] = {"compression",         "CompressionQuality", "planarconfig",
                                     "oiio:BitsPerSample",  "tiff:Predictor",     "tiff:RowsPerStrip",
                                     "png:compressionLevel"};
/// Attributes about the old samples: what oiiotool and maketx note of a texture's, by which renderers know it again.
constexpr const char* kOfSamples[] = {"oiio:AverageColor", "oiio:ConstantColor", "oiio:SHA-1"};
/// Attributes about the whole file, of which only one subimage is written.
constexpr const char* kWholeFile[] = {"oiio:subimages", "oiio:Movie", "textureformat", "openexr:chunkCount"};

bool same_file_format(const Image& image, const FileFormat& format)
{
    return image.metadata && image.metadata->format == format.name;
}

bool is_stale_depth(const FileHeader& header, FileType type, const FileFormat& format, const Image& image)
{
    // 10 and 12 bits a sample, as in DPX and TIFF, become u16 and may stay. Fewer than 8 (bilevel scans) may not stay,
    // because the convolution of black and white is gray.
    const int bits = header.get_int_attribute("oiio:BitsPerSample");
    const bool is_packed = bits > 8 && format.holds_bits(bits);
    return !(is_packed && type == FileType::u16 && image.stored_type == FileType::u16);
}

/// TIFF's bilevel codecs and its JPEG hold only some types.
bool compression_fits(const FileHeader& header, const Image& image, FileType type, const WriteOptions& options)
{
    const std::string compression = header.get_string_attribute("compression");
    if (OIIO::Strutil::starts_with(compression, "ccitt")) return false;
    if (compression == kLosslessWebp) return !options.quality;  // which requests loss
    return compression != "jpeg" || (type == FileType::u8 && (keeps_jpeg(*image.metadata) || options.quality));
}

void keep_encoding(FileHeader& header, const Image& image, const FileFormat& format, FileType type,
                   const WriteOptions& options)
{
    if (!same_file_format(image, format)) {
        for (const char* name : kEncoding) header.erase_attribute(name);
        return;
    }
    if (is_stale_depth(header, type, format, image)) header.erase_attribute("oiio:BitsPerSample");
    if (type != image.stored_type) header.erase_attribute("tiff:Predictor");
    // The reader of OpenEXR uses another name than the writer.
    if (const float level = header.get_float_attribute("openexr:dwaCompressionLevel"); level > 0)
        header.attribute("CompressionQuality", static_cast<int>(level));
    if (!compression_fits(header, image, type, options)) header.erase_attribute("compression");
}

/// Whether the format can store the position of a picture whose size differs from the input's: always in OpenEXR and
/// FITS; in TIFF if the input had a position, and the new one is not negative.
bool has_place(const FileHeader& header, const FileFormat& format, Position place)
{
    if (format.windows != Windows::kept) return format.windows == Windows::always;
    const bool had_one =
        header.x != 0 || header.y != 0 || header.full_width != header.width || header.full_height != header.height;
    return had_one && header.x + place.x >= 0 && header.y + place.y >= 0;
}

/// Whether the format can store the position that its input has. The library's writers of formats without positions
/// write beyond their memory (GIF, WebP), or other pixels (ICO, SGI), if a header has one.
bool holds_place(const FileHeader& header, const FileFormat& format)
{
    if (format.windows == Windows::none) return false;
    return format.holds_negative_places || (header.x >= 0 && header.y >= 0);
}

/// A picture at (0, 0) with nothing around it.
void remove_place(FileHeader& header, Extent extent)
{
    header.x = header.y = header.full_x = header.full_y = 0;
    header.full_width = extent.width;
    header.full_height = extent.height;
}

/// The windows of the input stay if its size stays. Otherwise (--mode full, valid) the data window is that of the
/// result, in the same display window. If the format cannot say that, the picture gets a new window at (0, 0) with
/// nothing around it.
void set_windows(FileHeader& header, const Image& image, const FileFormat& format)
{
    const Extent extent = image.extent;
    if (Extent{header.width, header.height} != extent) {
        if (has_place(header, format, image.place)) {
            header.x += image.place.x;
            header.y += image.place.y;
        } else {
            remove_place(header, extent);
        }
        header.width = extent.width;
        header.height = extent.height;
        for (const char* name : {"Exif:PixelXDimension", "Exif:PixelYDimension"}) header.erase_attribute(name);
    }
    if (!holds_place(header, format)) remove_place(header, extent);
    header.z = header.full_z = 0;
    header.depth = header.full_depth = 1;
}

void set_channels(FileHeader& header, const ChannelChoice& channels, const Image& image)
{
    if (image.split) return;  // which is merged: the file has all channels of the input
    if (channels.is_everything(image.channels) && header.nchannels == image.channels) return;
    header.nchannels = channels.count();
    header.default_channel_names();
    header.alpha_channel = channels.alpha;
    header.z_channel = -1;
}

/// Orientation stays even if metadata are removed: the pixels are not rotated, and a viewer must know.
FileHeader stripped(const FileHeader& header)
{
    FileHeader result(header.width, header.height, header.nchannels, header.format);
    result.channelnames = header.channelnames;
    result.alpha_channel = header.alpha_channel;
    result.z_channel = header.z_channel;
    result.channelformats = header.channelformats;
    for (const char* name : {"Orientation", "compression", "CompressionQuality"})
        if (const OIIO::ParamValue* value = header.find_attribute(name)) result.extra_attribs.push_back(*value);
    if (is_cmyk(header))
        for (const char* name : {"tiff:ColorSpace", "oiio:ColorSpace", "tiff:PhotometricInterpretation"})
            if (const OIIO::ParamValue* value = header.find_attribute(name)) result.extra_attribs.push_back(*value);
    return result;
}

/// The quality of the JPEG inside the input, if that was a TIFF.
std::optional<int> quality_in_tiff(const Image& image)
{
    if (!image.metadata || !image.metadata->tiff || !image.metadata->tiff->jpeg) return std::nullopt;
    return image.metadata->tiff->jpeg->quality;
}

void set_quality(FileHeader& header, const Image& image, const FileFormat& format, const WriteOptions& options)
{
    const bool jpeg_in_tiff = header.get_string_attribute("compression") == "jpeg";
    if (format.default_quality == 0 && !jpeg_in_tiff) return;
    const int standard =
        format.default_quality > 0 ? format.default_quality : quality_in_tiff(image).value_or(kJpegQuality);
    header.attribute("CompressionQuality", options.quality.value_or(standard));
}

/// The same quality, chroma, order of scans and kind of colours as the input, if that was a JPEG. A requested quality
/// changes only the quality.
void set_jpeg_encoding(FileHeader& header, const JpegEncoding& encoding, const WriteOptions& options)
{
    header.attribute("CompressionQuality", options.quality.value_or(encoding.quality));
    if (!encoding.subsampling.empty()) header.attribute("jpeg:subsampling", encoding.subsampling);
    if (encoding.is_progressive) header.attribute("jpeg:progressive", 1);
    if (encoding.is_rgb) header.attribute("jpeg:rgb", 1);
}

/// Without a date, the writers of TIFF and OpenEXR add the time of writing, and the same input would give other bytes
/// every second. An attribute of a type that no date has prevents that, and is not written itself.
void leave_date_alone(FileHeader& header)
{
    constexpr unsigned char no_date = 0;
    if (header.find_attribute("DateTime") == nullptr) header.attribute("DateTime", OIIO::TypeDesc::UINT8, &no_date);
}

void set_png_compression(FileHeader& header, const std::optional<Compression>& requested)
{
    int level = kPngLevel;
    std::string strategy = kPngStrategy;
    if (requested) {
        const bool plain = requested->name == "zip" || requested->name == "none";
        strategy = plain ? "default" : requested->name;
        level = requested->name == "none" ? 0 : requested->level.value_or(kZipLevel);
    }
    header.attribute("png:compressionLevel", level);
    header.attribute("png:filter", kPngFilterSub);
    header.attribute("compression", strategy);
}

void set_compression(FileHeader& header, const FileFormat& format, const std::optional<Compression>& requested)
{
    if (format.name == "png") return set_png_compression(header, requested);
    if (format.name == "tiff" && !(requested && requested->level)) header.attribute("tiff:zipquality", kTiffZipLevel);
    if (!requested) return;
    header.erase_attribute("tiff:Predictor");  // belongs to the old codec
    header.erase_attribute("CompressionQuality");
    header.attribute("compression", requested->name);
    if (requested->level) header.attribute("CompressionQuality", *requested->level);
}

/// The library's writer of TIFF (2.4) puts its directory over the first tiles of a JPEG. Strips are sound.
void leave_jpeg_tiles(FileHeader& header)
{
    if (header.get_string_attribute("compression") == "jpeg")
        header.tile_width = header.tile_height = header.tile_depth = 0;
}

/// The types of merged channels, where they are not all the same.
void set_channel_types(FileHeader& header, const FileFormat& format, const ChannelSplit& split, FileType type)
{
    const std::vector<FileType> types = merged_types(format, split, type);
    if (std::ranges::all_of(types, [&](FileType other) { return other == types.front(); }))
        return header.set_format(type_desc(types.front()));
    for (const FileType of_channel : types) header.channelformats.push_back(type_desc(of_channel));
}

/// Replaces codecs that would change copied channels.
void protect_kept(FileHeader& header, const FileFormat& format, const ChannelSplit& split)
{
    const std::string codec = format.has_lossy_codecs ? harmless_codec(header, split) : "";
    if (codec.empty()) return;
    header.attribute("compression", codec);
    header.erase_attribute("CompressionQuality");
}

/// The library's writer silently stores inks of more bits in 8.
void check_inks(const FileHeader& header, FileType type)
{
    if (header.get_string_attribute("tiff:ColorSpace") != "color separated" && !is_cmyk(header)) return;
    if (type != FileType::u8)
        throw InputError("inks can only be written with 8 bits a sample, and these would have more; use --depth u8");
}

/// Changes nothing if the input's tags are true for the file.
void set_transfer(FileHeader& header, const Image& image, const Transfer& transfer)
{
    if (transfer.tag == Transfer::Tag::icc || transfer.tag == Transfer::Tag::exif ||
        transfer.tag == Transfer::Tag::cicp)
        return;
    if (transfer.tag == Transfer::Tag::gamma && transfer.shape != Transfer::Shape::linear)
        header.attribute("oiio:ColorSpace", fmt::format("Gamma{:.6g}", transfer.gamma));  // as the writer of PNG reads
    if (&transfer == image.transfer.get()) return;
    for (const char* name : {"ICCProfile", "oiio:Gamma", "Exif:ColorSpace", "Exif:Gamma"}) header.erase_attribute(name);
    header.erase_attributes("ICCProfile:");
    header.attribute("oiio:ColorSpace", transfer.shape == Transfer::Shape::linear ? "Linear" : "sRGB");
}

/// A profile that was made for the file. What else would say sRGB is left out.
void set_profile(FileHeader& header, const std::string& profile)
{
    if (profile.empty()) return;
    for (const char* name : {"oiio:ColorSpace", "oiio:Gamma"}) header.erase_attribute(name);
    header.attribute("ICCProfile", OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile.size())),
                     profile.data());
}

/// Leaves out a profile of Lab, which was converted to RGB, and one of gray that became RGB.
void leave_foreign_profile(FileHeader& header)
{
    constexpr std::size_t place = 16;  // ICC.1:2022, 7.2.6: the space of the samples
    const OIIO::ParamValue* const profile = header.find_attribute("ICCProfile");
    if (profile == nullptr || profile->type().size() < place + 4) return;
    const std::string_view space(static_cast<const char*>(profile->data()) + place, 4);
    const int colours = header.nchannels - (header.alpha_channel >= 0 ? 1 : 0);
    if (space != "Lab " && !(space == "GRAY" && colours == 3)) return;
    header.erase_attribute("ICCProfile");
    header.erase_attributes("ICCProfile:");
}

/// Writes how bright light 1 is, which only OpenEXR can state.
void set_white(FileHeader& header, const Image& image, const FileFormat& format)
{
    if (format.name == "openexr" && image.transfer && image.transfer->white > 0)
        header.attribute("whiteLuminance", static_cast<float>(image.transfer->white));
}

/// OpenEXR's readers take light for that of Rec. 709 unless it says what its colours are.
void set_primaries(FileHeader& header, const Image& image, const FileFormat& format)
{
    if (format.name != "openexr" || !image.metadata || !image.metadata->primaries) return;
    const Chromaticities& colours = *image.metadata->primaries;
    header.attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, static_cast<int>(colours.size())),
                     colours.data());
}

/// For an image without a file. The library would treat a fourth channel as alpha.
FileHeader plain_header(const Image& image)
{
    FileHeader header(image.extent.width, image.extent.height, image.channels, OIIO::TypeDesc::UINT8);
    header.alpha_channel = image.alpha_channel;
    if (image.alpha_channel < 0)
        for (std::string& name : header.channelnames)
            if (name == "A") name = "channel3";
    return header;
}

/// Asks for what the heads of some formats say beside what the library's writers do.
void set_own_fields(FileHeader& header, const Image& image, const FileFormat& format)
{
    const bool keeps_format = image.metadata && same_file_format(image, format);
    if (format.name == "bmp" && header.nchannels == 4 && (!keeps_format || has_bmp_alpha_mask(image.metadata->file)))
        header.attribute(kBmpAlphaMask, 1);
    if (format.name == "targa" && keeps_format)
        header.attribute(kTgaBottomUp, is_tga_bottom_up(image.metadata->file) ? 1 : 0);
}

/// A file of the same format gets metadata of its input in other ways than by attributes (kept_metadata.h).
FileHeader input_header(const Image& image, const FileFormat& format)
{
    if (!image.metadata) return plain_header(image);
    const bool keeps_bytes = same_file_format(image, format) && image.metadata->keeps_bytes();
    return keeps_bytes ? image.metadata->spec : full_header(*image.metadata);
}

}  // namespace

bool keeps_jpeg(const Metadata& metadata)
{
    const auto& tiff = metadata.tiff;
    return tiff && tiff->is_jpeg && (!tiff->jpeg || tiff->jpeg->subsampling == "4:2:0");
}

bool ChannelChoice::is_everything(int channels) const
{
    std::vector<int> all(static_cast<std::size_t>(channels));
    std::iota(all.begin(), all.end(), 0);
    return sources == all;
}

ChannelChoice choose_channels(const std::filesystem::path& path, const FileFormat& format, const Image& image)
{
    if (!format.holds_inks && image.metadata && is_cmyk(image.metadata->spec))
        throw InputError(path.string() + ": a " + std::string(format.name) +
                         " file cannot hold the CMYK inks of its input; use --format tif, or convert the input to RGB");
    const bool has_alpha = image.alpha_channel >= 0;
    std::vector<int> colours;
    for (int channel = 0; channel < image.channels; ++channel)
        if (channel != image.alpha_channel) colours.push_back(channel);

    ChannelChoice all{std::vector<int>(static_cast<std::size_t>(image.channels)), image.alpha_channel};
    std::iota(all.sources.begin(), all.sources.end(), 0);
    if (format.holds_channels(all.count()) && !(has_alpha && format.alpha == AlphaStorage::none)) return all;

    std::vector<std::vector<int>> candidates{colours};
    if (colours.size() == 1) candidates.push_back({colours[0], colours[0], colours[0]});
    if (has_alpha && format.alpha != AlphaStorage::none)
        for (std::vector<int> candidate : std::vector(candidates.rbegin(), candidates.rend())) {
            candidate.push_back(image.alpha_channel);
            candidates.insert(candidates.begin(), candidate);
        }
    for (const std::vector<int>& sources : candidates)
        if (format.holds_channels(static_cast<int>(sources.size()))) {
            const bool keeps_alpha = has_alpha && sources.back() == image.alpha_channel;
            return {sources, keeps_alpha ? static_cast<int>(sources.size()) - 1 : -1};
        }
    throw InputError(path.string() + ": a " + std::string(format.name) + " file cannot hold " +
                     std::to_string(image.channels) + " channels; use --format exr or tif");
}

bool writes_straight(const FileFormat& format, const Image& image, const ChannelChoice& channels)
{
    if (channels.alpha < 0 || channels.count() < 2) return false;
    return format.alpha == AlphaStorage::straight || (format.alpha == AlphaStorage::either && image.straight_alpha);
}

FileHeader output_header(const Image& image, const FileFormat& format, const FileEncoding& encoding,
                         const WriteOptions& options)
{
    const FileType type = encoding.type;
    const Transfer* const transfer = encoding.transfer.get();
    FileHeader header = input_header(image, format);
    check_inks(header, type);
    header.set_format(type_desc(type));
    header.channelformats.clear();
    if (image.split) set_channel_types(header, format, *image.split, type);
    set_windows(header, image, format);
    if (image.metadata && !same_file_format(image, format)) set_resolution(header, *image.metadata, format);
    set_channels(header, encoding.channels, image);
    keep_encoding(header, image, format, type, options);
    if (options.strip_metadata) header = stripped(header);
    if (format.name != "fits") header.erase_attributes(fits::kAttributes);
    if (format.name == "fits" && !options.strip_metadata && !options.history.empty())
        header.attribute(fits::kHistory, options.history);
    if (transfer != nullptr) set_transfer(header, image, *transfer);
    const bool is_radiance = image.metadata && image.metadata->hdr;  // always light
    if ((transfer != nullptr || is_radiance) && !options.strip_metadata) set_primaries(header, image, format);
    if (transfer != nullptr && !options.strip_metadata) set_white(header, image, format);
    leave_foreign_profile(header);
    set_profile(header, encoding.profile);
    for (const char* name : kWholeFile) header.erase_attribute(name);
    for (const char* name : kOfSamples) header.erase_attribute(name);
    header.erase_attributes("thumbnail_");

    header.erase_attribute("oiio:UnassociatedAlpha");
    if (image.split ? image.split->is_straight : encoding.is_straight) header.attribute("oiio:UnassociatedAlpha", 1);
    set_compression(header, format, options.compression);
    if (format.name == "tiff") leave_jpeg_tiles(header);
    if (image.split) protect_kept(header, format, *image.split);
    if (format.invents_date) leave_date_alone(header);
    set_quality(header, image, format, options);
    set_own_fields(header, image, format);
    if (format.name == "jpeg" && same_file_format(image, format) && image.metadata->jpeg)
        set_jpeg_encoding(header, *image.metadata->jpeg, options);
    return header;
}

}  // namespace clconv::oiio
