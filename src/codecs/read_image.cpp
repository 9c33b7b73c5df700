// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"
#include "codecs/budget.h"
#include "codecs/codec_library.h"
#include "codecs/converted_samples.h"
#include "codecs/decoding.h"
#include "codecs/dpx_head.h"
#include "codecs/file_formats.h"
#include "codecs/file_parts.h"
#include "codecs/file_transfer.h"
#include "codecs/fits_input.h"
#include "codecs/full_header.h"
#include "codecs/image_file.h"
#include "codecs/nodata_samples.h"
#include "codecs/open_image.h"
#include "codecs/pnm_input.h"
#include "codecs/primaries.h"
#include "codecs/read_blocks.h"
#include "codecs/read_samples.h"
#include "codecs/split_channels.h"
#include "codecs/tga_extension.h"
#include "codecs/tiff_view.h"
#include "codecs/white_zero.h"
#include "formats/form_readers.h"
#include "formats/stack_description.h"
#include "formats/webp_chunks.h"
#include "image/light_codes.h"
#include "image/samples.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>

namespace clconv {
namespace {

using oiio::Decoder;
using oiio::fail;
using oiio::FileHeader;
using OIIO::TypeDesc;

/// OpenImageIO 2.4 silently reads these as zeros. read_rows() lists those that it reads correctly in whole strips.
bool is_misread_tiff(const FileHeader& header, const std::string& format)
{
    return format == "tiff" && header.format == TypeDesc::DOUBLE && (header.height == 1 || header.tile_width > 0);
}

void check_supported(const std::filesystem::path& path, const FileHeader& header, const std::string& format)
{
    if (header.deep) fail(path, "holds deep samples; flatten it first, for instance with oiiotool --flatten");
    if (header.depth > 1)
        fail(path, "is a volume of " + std::to_string(header.depth) + " slices; only flat images can be convolved");
    if (format == "jpeg" && oiio::is_cmyk(header))
        fail(path,
             "is a JPEG of CMYK inks, of which the library gives only RGB; convert it to a CMYK TIFF, which is "
             "convolved ink by ink, or to RGB");
    if (format == "jpeg2000" && oiio::jpeg2000_form(path).colours == "inks")
        fail(path,
             "is a JPEG 2000 of CMYK inks, which the library gives as RGB with alpha; convert it to a CMYK TIFF, "
             "which is convolved ink by ink, or to RGB");
    // Exif's numbers from 5 on are DPX's from 4 on: lines that are columns of the picture.
    if (format == "dpx" && header.get_int_attribute("Orientation") >= 5)
        fail(path,
             "is a DPX file whose lines are the picture's columns (image orientation 4 to 7), which the library "
             "misreads; "
             "store it by rows");
    if (format == "tiff" && header.format == TypeDesc::FLOAT && header.get_int_attribute("oiio:BitsPerSample") == 24)
        fail(path, "is a TIFF of floats of 24 bits, which the library misreads; store it as 32-bit");
    if (format == "tiff" && header.get_string_attribute("tiff:ColorSpace") == "palette" && header.alpha_channel >= 0)
        fail(path, "is a TIFF of a palette with alpha, which the library misreads; store it as RGBA");
    if (is_misread_tiff(header, format))
        fail(path, "is a TIFF of 64-bit floats in tiles or of one row, which the library misreads; store it as 32-bit");
    if (header.width < 1 || header.height < 1 || header.nchannels < 1) fail(path, "holds no pixels");
    const Extent extent{header.width, header.height};
    if (std::max(header.width, header.height) > kMaxSide || header.nchannels > kMaxChannels ||
        extent.pixels() > kMaxSamples / static_cast<std::uint64_t>(header.nchannels))
        fail(path, "claims " + to_string(extent) + " pixels of " + std::to_string(header.nchannels) +
                       " channels, more than any file can hold");
}

/// Some readers (GIF) name a channel that does not exist. The reader of TIFF treats the fourth ink as alpha.
int alpha_channel_of(const FileHeader& header)
{
    if (header.alpha_channel < header.nchannels && !oiio::is_cmyk(header)) return header.alpha_channel;
    const int named = header.channelindex("A");
    return named < header.nchannels ? named : -1;
}

/// The library calls two channels of SGI red and green. Programs that write two mean gray with alpha.
void name_gray_with_alpha(FileHeader& header)
{
    if (header.nchannels != 2) return;
    header.channelnames = {"Y", "A"};
    header.alpha_channel = 1;
}

bool is_straight(const std::filesystem::path& path, const FileHeader& header, const std::string& format)
{
    constexpr int tga_associated = 4;
    if (format == "jpeg2000") return oiio::jpeg2000_form(path).alpha == "straight";
    if (format == "dds") return true;  // the library divides colours of DXT2 and DXT4 by alpha
    if (format == "targa") return header.get_int_attribute("targa:alpha_type") != tga_associated;
    return header.get_int_attribute("oiio:UnassociatedAlpha") != 0 || format_named(format).is_always_straight;
}

/// Other numbers than Exif's say nothing.
int orientation_in(const FileHeader& header)
{
    const int orientation = header.get_int_attribute("Orientation", 1);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

/// `image` already has its alpha and its stored type. If its only channel is alpha, it has no light.
void set_light(const std::filesystem::path& path, Metadata& metadata, Image& image)
{
    if (image.alpha_channel >= 0 && image.channels == 1) return;
    oiio::FoundTransfer found = oiio::transfer_of(path, metadata, image);
    if (!found.warning.empty()) image.warnings.emplace_back(WarningKind::colour, std::move(found.warning));
    if (!found.transfer) return;
    const bool by_device = found.transfer->shape == Transfer::Shape::srgb && image.alpha_channel < 0 && !image.nodata;
    image.light = by_device ? Light::srgb : Light::linear;
    image.transfer = std::move(found.transfer);
    metadata.primaries = oiio::primaries_of(metadata);
}

/// Whether colours are decoded here, before a device gets them.
bool is_decoded_by_reader(const Image& image)
{
    return image.light == Light::linear && image.transfer->shape != Transfer::Shape::linear;
}

/// Float if this folder has to compute with the samples, or if doubles must become float. Halves would lose detail.
SampleType type_of_samples(const Image& image, const DecodeRules& rules)
{
    if (image.straight_alpha || is_decoded_by_reader(image)) return SampleType::float32;
    if (image.nodata && is_integer(image.stored_type)) return SampleType::float32;  // missing samples become NaN
    if (image.stored_type == FileType::half && oiio::is_inverted(*image.metadata)) return SampleType::float32;
    if (image.stored_type == FileType::float64 && (!rules.keeps_doubles || image.split)) return SampleType::float32;
    return sample_type_of(image.stored_type);
}

void read_hdr_head(const std::filesystem::path& path, Metadata& metadata)
{
    metadata.hdr = oiio::hdr_head(path);
    if (!metadata.hdr) return;
    metadata.spec.attribute("Orientation", orientation_of(*metadata.hdr));
    // Height over width; others say it the other way round.
    const double aspect = metadata.hdr->product_of("PIXASPECT");
    if (aspect > 0 && aspect != 1) metadata.spec.attribute("PixelAspectRatio", static_cast<float>(1 / aspect));
    metadata.primaries = oiio::primaries_of(metadata);
}

/// The metadata of a file, with the Exif of PNG and WebP, which their decoders do not read.
std::shared_ptr<Metadata> metadata_of(const std::filesystem::path& path, const FileHeader& header, const Decoder& input,
                                      std::uint64_t page)
{
    const std::string format(input.format());
    auto metadata = std::make_shared<Metadata>(header, format);
    metadata->is_abridged = input.is_abridged();
    metadata->file = path;
    if (format == "png") oiio::read_texts_as_utf8(metadata->spec);
    oiio::read_blocks(path, page, *metadata);
    if (format == "heif" && input.part() > 0) metadata->blocks = {};  // which are the first picture's
    if (format == "bmp") metadata->alpha_use = AlphaUse::unless_zero;
    if (format == "targa") metadata->alpha_use = oiio::tga_alpha_use(path);
    if (format == "tiff") metadata->tiff = oiio::tiff_storage(path, page);
    if (format == "hdr") read_hdr_head(path, *metadata);
    if (format == "dpx") oiio::drop_missing_heads(path, metadata->spec);
    if (format == "webp" && oiio::is_lossless_webp(path)) metadata->spec.attribute("compression", oiio::kLosslessWebp);
    if ((format == "png" || format == "webp") && !metadata->blocks.exif.empty()) {
        if (!metadata->is_abridged) oiio::codec_library().decode_exif(metadata->blocks.exif, metadata->spec);
        // The decoder leaves it out in some blocks.
        if (const int orientation = oiio::exif_orientation(metadata->blocks.exif); orientation > 0)
            metadata->spec.attribute("Orientation", orientation);
    }
    return metadata;
}

/// Goes to a part. Throws InputError.
void go_to(const std::filesystem::path& path, oiio::OpenFile& file, const oiio::PartPlace& place)
{
    if (place.directory > 0) {
        file.input = nullptr;
        file.view = oiio::tiff_view(path, place.directory);
        file.input = oiio::open_input(path, file.view.get());
        if (!file.input)
            fail(path, "cannot be decoded: " + oiio::reason(oiio::codec_library().take_error(), "its page is damaged"));
    } else if (place.subimage != 0 && !file.input->seek(place.subimage, 0)) {
        fail(path, "cannot be decoded: " + oiio::reason(file.input->take_error(), "the part is damaged"));
    }
}

/// The place of the wanted part, if the library does not begin there anyway.
std::optional<oiio::PartPlace> wanted_place(const std::filesystem::path& path, Decoder& input, int part)
{
    // The first page of a TIFF may be a smaller copy of another one.
    if (part == 0 && input.format() != "tiff") return std::nullopt;
    return oiio::place_of(path, oiio::file_parts(path, input), part);
}

}  // namespace

void oiio::keep_true_description(Image& header)
{
    const Metadata& metadata = *header.metadata;
    const std::string text = metadata.spec.get_string_attribute("ImageDescription");
    if (!oiio::counts_images(text)) return;
    const oiio::StackChange change{.parts_before = header.subimages,
                                   .parts = 1,
                                   .all_kept = header.subimages == 1,
                                   .before = header.extent,
                                   .after = header.extent,
                                   .type = header.stored_type,
                                   .same_type = true};
    const std::optional<std::string> corrected = oiio::description_after(text, change);
    if (corrected == text) return;
    auto own = std::make_shared<Metadata>(metadata);
    if (corrected)
        own->spec.attribute("ImageDescription", *corrected);
    else
        own->spec.erase_attribute("ImageDescription");
    header.metadata = std::move(own);
    header.lost_description = !corrected;
}

void oiio::note_parts(const std::filesystem::path& path, Image& header, Decoder& input)
{
    // Only tiled files have levels. Looking for them takes time.
    header.has_levels = input.header().tile_width > 0 && input.seek(input.part(), input.level() + 1);
    const FileParts parts = file_parts(path, input);
    header.subimages = parts.count();
    header.has_levels |= parts.has_levels;
    if (!parts.damage.empty()) header.warnings.emplace_back(WarningKind::damage, path.string() + ": " + parts.damage);
    // ImageJ writes stacks of more than 4 GB with the directory of their first image alone.
    const int images = imagej_images(header.metadata->spec.get_string_attribute("ImageDescription"));
    if (images > parts.count())
        header.warnings.emplace_back(WarningKind::parts,
                                     path.string() + ": its description counts " + std::to_string(images) +
                                         " images, and it has directories of " + std::to_string(parts.count()) +
                                         "; the others are not read: save it as OME-TIFF or BigTIFF, with all "
                                         "directories");
}

Bytes allocate_samples(const Image& image) { return Bytes(image.view().bytes()); }

Image oiio::header_of(const std::filesystem::path& path, const Decoder& input, Light light, const DecodeRules& rules,
                      std::uint64_t page)
{
    FileHeader header = input.header();
    const std::string format(input.format());
    if (rules.refuses_inks && is_cmyk(header))
        fail(path, "holds CMYK inks, and only light has highlights that glow; convert it to RGB");
    check_supported(path, header, format);
    check_header(path, header, format, rules);
    if (is_cmyk(header)) header.alpha_channel = alpha_channel_of(header);
    if (format == "targa" && !has_sound_extension(path)) drop_extension(header);
    if (format == "sgi") name_gray_with_alpha(header);

    Image image;
    image.extent = {header.width, header.height};
    image.channels = header.nchannels;
    image.alpha_channel = alpha_channel_of(header);
    image.stored_type = file_type_of(header.format);
    image.straight_alpha = image.alpha_channel >= 0 && image.channels > 1 && is_straight(path, header, format);
    image.says_linear = says_linear(header);
    const std::shared_ptr<Metadata> metadata = metadata_of(path, header, input, page);
    image.nodata = oiio::nodata_of(*metadata, image.stored_type, rules.nodata);
    if (light == Light::linear)
        set_light(path, *metadata, image);
    else if (!metadata->hdr && !metadata->spec.find_attribute("ICCProfile") && oiio::primaries_of(*metadata))
        metadata->codes = oiio::transfer_of(path, *metadata, image).transfer;
    image.orientation = orientation_in(metadata->spec);
    image.metadata = metadata;
    split_channels(path, rules.channels, *metadata, image);
    image.type = type_of_samples(image, rules);
    std::ranges::move(fits::warnings_of(path, header), std::back_inserter(image.warnings));
    std::ranges::move(pnm::warnings_of(path, header), std::back_inserter(image.warnings));
    if (metadata->tiff) std::ranges::move(warnings_of(path, *metadata), std::back_inserter(image.warnings));
    if (std::ranges::find(metadata->chunks, "acTL", &oiio::PngChunk::name) != metadata->chunks.end())
        image.warnings.emplace_back(
            WarningKind::parts, path.string() + ": is an animation (APNG), of which the first picture alone is read");
    return image;
}

oiio::OpenFile oiio::open_file(const std::filesystem::path& path, Light light, const DecodeRules& rules,
                               const PartPlace* place)
{
    OpenFile file = oiio::open_image(path, rules);
    const std::optional<PartPlace> wanted = place ? *place : wanted_place(path, *file.input, rules.part);
    if (wanted) go_to(path, file, *wanted);
    file.header = header_of(path, *file.input, light, rules, wanted ? wanted->directory : 0);
    file.header.parts = {rules.part};
    return file;
}

Image oiio::decode(const std::filesystem::path& path, std::uint64_t max_bytes, const AllocateSamples& allocate,
                   Light light, const DecodeRules& rules)
{
    OpenFile file = open_file(path, light, rules);
    if (!is_left_to_rows(file.header, max_bytes) || !is_read_by_rows(file.header)) {
        check_samples(path, file.header, rules);
        oiio::read_samples(path, *file.input, allocate, file.header, rules);
    }
    note_parts(path, file.header, *file.input);
    keep_true_description(file.header);
    return std::move(file.header);
}

void oiio::read_part_samples(const std::filesystem::path& path, Decoder& input, Image& header,
                             const AllocateSamples& allocate, const DecodeRules& rules)
{
    check_samples(path, header, rules);
    oiio::read_samples(path, input, allocate, header, rules);
    if (header.type == SampleType::float32) prepare_samples(header, header.samples.as<float>());
}

void oiio::prepare_samples(const Image& header, std::span<float> samples)
{
    if (header.straight_alpha || is_decoded_by_reader(header)) prepare_samples(header, alpha_layout(header), samples);
}

void oiio::prepare_samples(const Image& header, const AlphaLayout& layout, std::span<float> samples)
{
    const bool decodes = is_decoded_by_reader(header);
    if (!header.straight_alpha && !decodes) return;
    const bool divides = !header.straight_alpha && layout.alpha >= 0;
    if (header.straight_alpha && header.metadata) settle_alpha(samples, layout, header.metadata->alpha_use);
    if (divides) unassociate(samples, layout);
    if (decodes)
        decode_light(samples, layout, header.transfer, divides ? std::nullopt : largest_code(header.stored_type));
    if (layout.alpha >= 0) associate(samples, layout);
}

Image read_header(const std::filesystem::path& path, Light light, const DecodeRules& rules)
{
    return std::move(oiio::open_file(path, light, rules).header);
}

Image read_header_of_parts(const std::filesystem::path& path, const std::vector<int>& parts, Light light,
                           DecodeRules rules)
{
    rules.part = parts.front();
    rules.channels.each_must_match = false;  // but in one of the parts: PartsReader
    oiio::OpenFile file = oiio::open_file(path, light, rules);
    oiio::note_parts(path, file.header, *file.input);
    file.header.parts = parts;
    return std::move(file.header);
}

Image read_image(const std::filesystem::path& path, std::uint64_t max_bytes, const AllocateSamples& allocate,
                 Light light, const DecodeRules& rules)
{
    Image image = oiio::decode(path, max_bytes, allocate, light, rules);
    if (image.samples.size() > 0 && image.type == SampleType::float32)
        oiio::prepare_samples(image, image.samples.as<float>());
    return image;
}

}  // namespace clconv
