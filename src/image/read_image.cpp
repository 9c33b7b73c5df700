#include "base/errors.h"
#include "base/special_file.h"
#include "image/budget.h"
#include "image/exr_blocks.h"
#include "image/file_formats.h"
#include "image/file_parts.h"
#include "image/file_transfer.h"
#include "image/fits_file.h"
#include "image/fits_input.h"
#include "image/image_file.h"
#include "image/kept_metadata.h"
#include "image/light_codes.h"
#include "image/marked_block.h"
#include "image/memory_fill.h"
#include "image/openimageio.h"
#include "image/primaries.h"
#include "image/samples.h"
#include "image/split_channels.h"
#include "image/stack_description.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

// Of OpenImageIO/tiffutils.h, which cannot be included without the headers of libtiff.
OIIO_NAMESPACE_BEGIN
OIIO_API bool decode_exif(string_view exif, ImageSpec& spec);
OIIO_NAMESPACE_END

namespace clconv {
namespace {

using OIIO::ImageInput;
using OIIO::ImageSpec;
using OIIO::TypeDesc;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why)
{
    throw InputError(path.string() + ": " + why);
}

/// Reports the system's reason if a file cannot be read at all. The library only says that it cannot.
void check_readable(const std::filesystem::path& path)
{
    if (std::filesystem::is_directory(path)) fail(path, "is a folder, not an image");
    if (const std::string special = special_file(path); !special.empty())
        fail(path, "is " + special + ", and an image is a regular file; copy its contents into one");
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(path, "cannot be read: " + std::string(std::strerror(errno)));
    ::close(file);
}

/// The library converts inks to RGB unless inks are requested, which is possible for TIFF. Other colours (YCbCr, Lab)
/// must be converted.
std::unique_ptr<ImageInput> open_plain(const std::filesystem::path& path, ImageSpec hints)
{
    std::unique_ptr<ImageInput> input = ImageInput::open(path.string(), &hints);
    if (!input || input->format_name() != std::string_view("tiff") || !oiio::is_cmyk(input->spec())) return input;
    hints.attribute("oiio:RawColor", 1);
    return ImageInput::open(path.string(), &hints);
}

/// `view`: the view to read instead of the file, or null.
std::unique_ptr<ImageInput> open_input(const std::filesystem::path& path, OIIO::Filesystem::IOProxy* view = nullptr)
{
    ImageSpec hints;
    if (view != nullptr) hints.attribute("oiio:ioproxy", TypeDesc::PTR, &view);
    // Otherwise the library would associate straight alpha, in 8 bits.
    hints.attribute("oiio:UnassociatedAlpha", 1);
    if (oiio::is_heif(path)) {
        const oiio::MemoryFill fill(oiio::MemoryFill::Byte::one);  // it is decoded here
        return open_plain(path, hints);
    }
    if (!oiio::is_exr(path)) return open_plain(path, hints);
    // OpenEXR's older reader takes a block that is too short for a whole one, with whatever lay in memory behind it.
    // The newer one refuses it, but takes three times as long for the compressions that check that themselves; of those
    // the older one takes an empty block so.
    const int newer = oiio::is_plain_exr(path) || !oiio::has_sound_blocks(path) ? 1 : 0;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    OIIO::attribute("openexr:core", newer);
    return ImageInput::open(path.string(), &hints);
}

bool is_gzip(const std::filesystem::path& path)
{
    std::array<char, 2> magic{};
    std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
    return std::string_view(magic.data(), magic.size()) == "\x1F\x8B";
}

std::unique_ptr<ImageInput> open_image(const std::filesystem::path& path, const DecodeRules& rules)
{
    check_readable(path);
    oiio::initialise();
    oiio::check_claims(path, rules);
    if (fits::is_fits(path)) return fits::open_input(path, rules);
    std::unique_ptr<ImageInput> input = open_input(path);
    if (!input && is_gzip(path)) fail(path, "is compressed by gzip; unpack it first, for instance with gunzip");
    if (!input) fail(path, "cannot be decoded: " + oiio::reason(OIIO::geterror(), "no decoder takes it"));
    input->threads(1);
    return input;
}

/// OpenImageIO 2.4 silently reads these as zeros. read_rows() lists those that it reads correctly in whole strips.
bool is_misread_tiff(const ImageSpec& header, const std::string& format)
{
    return format == "tiff" && header.format == TypeDesc::DOUBLE && (header.height == 1 || header.tile_width > 0);
}

void check_supported(const std::filesystem::path& path, const ImageSpec& header, const std::string& format)
{
    if (header.deep) fail(path, "holds deep samples; flatten it first, for instance with oiiotool --flatten");
    if (header.depth > 1)
        fail(path, "is a volume of " + std::to_string(header.depth) + " slices; only flat images can be convolved");
    if (format == "jpeg" && oiio::is_cmyk(header))
        fail(path,
             "is a JPEG of CMYK inks, of which the library gives only RGB; convert it to a CMYK TIFF, which is "
             "convolved ink by ink, or to RGB");
    if (is_misread_tiff(header, format))
        fail(path, "is a TIFF of 64-bit floats in tiles or of one row, which the library misreads; store it as 32-bit");
    if (header.width < 1 || header.height < 1 || header.nchannels < 1) fail(path, "holds no pixels");
    const Extent extent{header.width, header.height};
    if (std::max(header.width, header.height) > kLongestSide || header.nchannels > kMostChannels ||
        extent.pixels() > kMostSamples / static_cast<std::uint64_t>(header.nchannels))
        fail(path, "claims " + to_string(extent) + " pixels of " + std::to_string(header.nchannels) +
                       " channels, more than any file can hold");
}

/// Some readers (GIF) name a channel that does not exist. The reader of TIFF treats the fourth ink as alpha.
int alpha_channel_of(const ImageSpec& header)
{
    if (header.alpha_channel < header.nchannels && !oiio::is_cmyk(header)) return header.alpha_channel;
    const int named = header.channelindex("A");
    return named < header.nchannels ? named : -1;
}

bool is_straight(const ImageSpec& header, const std::string& format)
{
    return header.get_int_attribute("oiio:UnassociatedAlpha") != 0 || format_named(format).is_always_straight;
}

/// Other numbers than Exif's say nothing.
int orientation_of(const ImageSpec& header)
{
    const int orientation = header.get_int_attribute("Orientation", 1);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

/// `image` already has its alpha and its stored type. If its only channel is alpha, it has no light.
void set_light(const std::filesystem::path& path, Metadata& metadata, Image& image)
{
    if (image.alpha_channel >= 0 && image.channels == 1) return;
    oiio::FoundTransfer found = oiio::transfer_of(path, metadata, image);
    if (!found.warning.empty()) image.warnings.push_back(std::move(found.warning));
    if (!found.transfer) return;
    const bool by_device = found.transfer->shape == Transfer::Shape::srgb && image.alpha_channel < 0;
    image.light = by_device ? Light::srgb : Light::linear;
    image.transfer = std::move(found.transfer);
    metadata.primaries = oiio::primaries_of(metadata);
}

/// Whether colours are decoded here, before a device gets them.
bool is_decoded_by_reader(const Image& image)
{
    return image.light == Light::linear && image.transfer->shape != Transfer::Shape::linear;
}

/// libjpeg warns of stray bytes between segments, which many cameras write and which affect no pixel. All its other
/// warnings mean that pixels were made up.
bool is_harmless(const std::string& message) { return message.find("extraneous bytes") != std::string::npos; }

bool read_samples_of(ImageInput& input, const TypeDesc& type, std::byte* samples, const DecodeRules& rules)
{
    const ImageSpec& header = input.spec();
    if (header.tile_width == 0) return oiio::read_rows(input, 0, header.height, type, samples, rules.keeps_damaged);
    if (!oiio::keeps_values(header.format) || !header.channelformats.empty())
        return input.read_image(input.current_subimage(), 0, 0, header.nchannels, oiio::type_to_ask_for(header, type),
                                samples);
    const std::size_t row = type.size() * static_cast<std::size_t>(header.width * header.nchannels);
    for (int y = 0; y < header.height; y += header.tile_height) {
        const int rows = std::min(header.tile_height, header.height - y);
        if (!oiio::read_tile_rows(input, y, rows, type, samples + static_cast<std::size_t>(y) * row)) return false;
    }
    return true;
}

/// Whether a HEIF file gives other samples when fresh memory holds another byte: its library leaves blocks out that are
/// damaged, and says nothing. Of a picture that is not changed further, samples that differ become 0, which is missing.
bool has_holes(const std::filesystem::path& path, ImageInput& input, Image& image)
{
    const ImageSpec& header = input.spec();
    const int part = input.current_subimage();
    const std::size_t bytes = header.image_bytes(true);
    Bytes first(bytes);
    Bytes again(bytes);
    {
        const oiio::MemoryFill fill(oiio::MemoryFill::Byte::other);
        ImageSpec hints;
        hints.attribute("oiio:UnassociatedAlpha", 1);
        const std::unique_ptr<ImageInput> other = open_plain(path, hints);
        if (!other || !other->seek_subimage(part, 0) || other->spec().image_bytes(true) != bytes ||
            !other->read_image(part, 0, 0, header.nchannels, TypeDesc::UNKNOWN, again.data()))
            return true;
    }
    if (!input.read_image(part, 0, 0, header.nchannels, TypeDesc::UNKNOWN, first.data())) return true;
    if (std::memcmp(first.data(), again.data(), bytes) == 0) return false;
    if (!image.split && image.view().bytes() == bytes)
        for (std::size_t i = 0; i < bytes; ++i)
            if (first.data()[i] != again.data()[i]) image.samples.data()[i] = std::byte{0};
    return true;
}

void check_for_holes(const std::filesystem::path& path, ImageInput& input, Image& image, const DecodeRules& rules)
{
    if (image.metadata->format != "heif" || !image.damage.empty() || !has_holes(path, input, image)) return;
    const bool can_be_kept = !image.split && image.view().bytes() == input.spec().image_bytes(true);
    if (rules.keeps_damaged && can_be_kept) {
        image.damage = "the decoder left some samples out";
        return;
    }
    fail(path, std::string("cannot be decoded: the decoder left some samples out") +
                   (can_be_kept ? "; --damaged keep uses what can be decoded" : ""));
}

void read_samples(const std::filesystem::path& path, ImageInput& input, const AllocateSamples& allocate, Image& image,
                  const DecodeRules& rules)
{
    const std::string claimed =
        to_string(image.extent) + " pixels of " + std::to_string(image.file_channels()) + " channels";
    std::shared_ptr<Bytes> kept;
    try {
        if (image.channels > 0) image.samples = allocate(image);
        if (image.split) kept = std::make_shared<Bytes>(image.split->kept_bytes());
    } catch (const std::bad_alloc&) {
        fail(path, "claims " + claimed + ", which do not fit into memory");
    }
    if (kept) {
        image.damage = oiio::read_split_rows(path, input, image, 0, image.extent.height, image.samples.data(),
                                             kept->data(), rules);
        image.kept = std::move(kept);
        return check_for_holes(path, input, image, rules);
    }
    image.damage = oiio::fill_samples(path, input, image, image.samples.data(), image.view().bytes(), rules, [&] {
        return read_samples_of(input, oiio::type_desc(image.type), image.samples.data(), rules);
    });
    check_for_holes(path, input, image, rules);
}

/// Whether the extension area of a TGA file, its texts and gamma, is where its last 26 bytes say: 495 bytes, which
/// begin with that number. (Truevision TGA File Format Specification 2.0, 1991.) The library reads whatever is there,
/// and memory behind it.
bool has_sound_extension(const std::filesystem::path& path)
{
    constexpr std::size_t area = 495;
    std::ifstream file(path, std::ios::binary);
    std::array<unsigned char, 26> footer{};
    file.seekg(-static_cast<std::streamoff>(footer.size()), std::ios::end);
    const auto size = static_cast<std::uint64_t>(file.tellg()) + footer.size();
    const auto read = [&](unsigned char* to, std::size_t count) {
        return static_cast<bool>(file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count)));
    };
    if (!read(footer.data(), footer.size())) return false;
    std::uint64_t first = 0;
    for (int i = 3; i >= 0; --i) first = first << 8U | footer[i];
    if (first == 0) return true;  // there are none
    std::array<unsigned char, 2> length{};
    file.seekg(static_cast<std::streamoff>(first));
    return first + area <= size && read(length.data(), length.size()) && length[0] + 256U * length[1] == area;
}

void drop_extension(ImageSpec& header)
{
    for (const char* name : {"Artist", "ImageDescription", "DateTime", "DocumentName", "Software", "targa:JobTime",
                             "oiio:Gamma", "oiio:ColorSpace"})
        header.erase_attribute(name);
}

/// With Exif that the library does not read, of PNG, as if it had.
std::shared_ptr<Metadata> metadata_of(const std::filesystem::path& path, const ImageSpec& header,
                                      const std::string& format, std::uint64_t page)
{
    auto metadata = std::make_shared<Metadata>(header, format);
    oiio::read_blocks(path, page, *metadata);
    if ((format == "png" || format == "webp") && !metadata->blocks.exif.empty()) {
        OIIO::decode_exif(metadata->blocks.exif, metadata->spec);
        // The decoder leaves it out in some blocks.
        if (const int orientation = oiio::exif_orientation(metadata->blocks.exif); orientation > 0)
            metadata->spec.attribute("Orientation", orientation);
    }
    return metadata;
}

}  // namespace

namespace {

/// The place of a part. Throws InputError if there is none of that number.
oiio::PartPlace place_of(const std::filesystem::path& path, const oiio::FileParts& parts, int part)
{
    if (part < parts.count()) return parts.places[static_cast<std::size_t>(part)];
    const int count = parts.count();
    const std::string found =
        count == 1 ? "holds one image, part 0"
                   : "holds " + std::to_string(count) + " images, parts 0 to " + std::to_string(count - 1);
    fail(path, found + ", so that --parts " + std::to_string(part) + " cannot be read" +
                   (parts.damage.empty() ? "" : ": " + parts.damage) +
                   "; name a part that is there, or leave this file out");
}

/// Goes to a part. Throws InputError.
void go_to(const std::filesystem::path& path, oiio::OpenFile& file, const oiio::PartPlace& place)
{
    if (place.directory > 0) {
        file.input = nullptr;
        file.view = oiio::tiff_from_page(path, place.directory);
        file.input = open_input(path, file.view.get());
        if (!file.input) fail(path, "cannot be decoded: " + oiio::reason(OIIO::geterror(), "its page is damaged"));
        file.input->threads(1);
    } else if (place.subimage != 0 && !file.input->seek_subimage(place.subimage, 0)) {
        fail(path, "cannot be decoded: " + oiio::reason(file.input->geterror(), "the part is damaged"));
    }
}

/// The place of the wanted part, if the library does not begin there anyway.
std::optional<oiio::PartPlace> wanted_place(const std::filesystem::path& path, ImageInput& input, int part)
{
    // The first page of a TIFF may be a smaller copy of another one.
    if (part == 0 && input.format_name() != std::string_view("tiff")) return std::nullopt;
    return place_of(path, oiio::file_parts(path, input), part);
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

void oiio::note_parts(const std::filesystem::path& path, Image& header, ImageInput& input)
{
    // Only tiled files have levels. Looking for them takes time.
    header.has_levels =
        input.spec().tile_width > 0 && input.seek_subimage(input.current_subimage(), input.current_miplevel() + 1);
    const FileParts parts = file_parts(path, input);
    header.subimages = parts.count();
    header.has_levels |= parts.has_levels;
    if (!parts.damage.empty()) header.warnings.push_back(path.string() + ": " + parts.damage);
    // ImageJ writes stacks of more than 4 GB with the directory of their first image alone.
    const int images = imagej_images(header.metadata->spec.get_string_attribute("ImageDescription"));
    if (images > parts.count())
        header.warnings.push_back(path.string() + ": its description counts " + std::to_string(images) +
                                  " images, and it has directories of " + std::to_string(parts.count()) +
                                  "; the others are not read: save it as OME-TIFF or BigTIFF, with all directories");
}

Bytes allocate_samples(const Image& image) { return Bytes(image.view().bytes()); }

Image oiio::header_of(const std::filesystem::path& path, const OIIO::ImageInput& input, Light light,
                      const DecodeRules& rules, std::uint64_t page)
{
    ImageSpec header = input.spec();
    const std::string format = input.format_name();
    check_supported(path, header, format);
    if (format == "tiff" && header.tile_width > 0 && !says_bits(path, page))
        fail(path, "is a TIFF in tiles that does not say how many bits a sample has, which the library misreads");
    check_header(path, header, format, rules);
    if (is_cmyk(header)) header.alpha_channel = alpha_channel_of(header);
    if (format == "targa" && !has_sound_extension(path)) drop_extension(header);

    Image image;
    image.extent = {header.width, header.height};
    image.channels = header.nchannels;
    image.alpha_channel = alpha_channel_of(header);
    image.stored_type = file_type_of(header.format);
    image.straight_alpha = image.alpha_channel >= 0 && image.channels > 1 && is_straight(header, format);
    image.says_linear = says_linear(header);
    const std::shared_ptr<Metadata> metadata = metadata_of(path, header, format, page);
    if (light == Light::linear) set_light(path, *metadata, image);
    image.orientation = orientation_of(metadata->spec);
    image.metadata = metadata;
    split_channels(path, rules.channels, image);
    image.type =
        image.straight_alpha || is_decoded_by_reader(image) ? SampleType::float32 : sample_type_of(image.stored_type);
    std::ranges::move(fits::warnings_of(path, header), std::back_inserter(image.warnings));
    if (std::ranges::find(metadata->chunks, "acTL", &oiio::PngChunk::name) != metadata->chunks.end())
        image.warnings.push_back(path.string() + ": is an animation (APNG), of which the first picture alone is read");
    return image;
}

oiio::OpenFile oiio::open_file(const std::filesystem::path& path, Light light, const DecodeRules& rules,
                               const PartPlace* place)
{
    OpenFile file;
    file.input = open_image(path, rules);
    const std::optional<PartPlace> wanted = place ? *place : wanted_place(path, *file.input, rules.part);
    if (wanted) go_to(path, file, *wanted);
    file.header = header_of(path, *file.input, light, rules, wanted ? wanted->directory : 0);
    file.header.parts = {rules.part};
    return file;
}

std::string oiio::damage_of(const OIIO::ImageInput& input, bool complete)
{
    // A truncated JPEG is read "successfully"; only the message shows it.
    const std::string message = input.geterror();
    if (complete && (message.empty() || is_harmless(message))) return {};
    return reason(message, "the file ends too early or is damaged");
}

std::string oiio::fill_samples(const std::filesystem::path& path, const OIIO::ImageInput& input, const Image& header,
                               std::byte* samples, std::size_t bytes, const DecodeRules& rules,
                               const std::function<bool()>& decode)
{
    std::optional<MarkedBlock> marked;
    if (rules.keeps_damaged || may_leave_gaps(header.metadata->format)) {
        if (header.split)
            marked.emplace(samples, bytes, missing_pixel(header.metadata->spec));
        else
            marked.emplace(samples, bytes, header.type);
    }
    const bool complete = decode();
    std::string damage = damage_of(input, complete);
    if (marked && marked->has_gaps() && damage.empty()) damage = "the decoder left some samples out";
    if (!damage.empty() && !rules.keeps_damaged)
        fail(path, "cannot be decoded: " + damage + "; --damaged keep uses what can be decoded");
    return damage;
}

Image oiio::decode(const std::filesystem::path& path, std::uint64_t most_bytes, const AllocateSamples& allocate,
                   Light light, const DecodeRules& rules)
{
    OpenFile file = open_file(path, light, rules);
    if (file.header.bytes() <= most_bytes || file.header.channels == 0 ||
        !is_coded_by_rows(file.header.metadata->format)) {
        check_samples(path, file.header, rules);
        read_samples(path, *file.input, allocate, file.header, rules);
    }
    note_parts(path, file.header, *file.input);
    keep_true_description(file.header);
    return std::move(file.header);
}

void oiio::read_part_samples(const std::filesystem::path& path, ImageInput& input, Image& header,
                             const AllocateSamples& allocate, const DecodeRules& rules)
{
    check_samples(path, header, rules);
    read_samples(path, input, allocate, header, rules);
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

Image read_image(const std::filesystem::path& path, std::uint64_t most_bytes, const AllocateSamples& allocate,
                 Light light, const DecodeRules& rules)
{
    Image image = oiio::decode(path, most_bytes, allocate, light, rules);
    if (image.samples.size() > 0 && image.type == SampleType::float32)
        oiio::prepare_samples(image, image.samples.as<float>());
    return image;
}

}  // namespace clconv
