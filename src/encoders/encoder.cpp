// SPDX-License-Identifier: Apache-2.0
#include "encoders/encoder.h"

#include "base/errors.h"
#include "codecs/codec_library.h"
#include "codecs/row_reader.h"
#include "encoders/fits_output.h"
#include "encoders/jpeg_output.h"
#include "encoders/png_output.h"
#include "encoders/pnm_output.h"
#include "encoders/webp_output.h"
#include "formats/bmp_alpha.h"
#include "formats/gif_palettes.h"
#include "formats/tga_order.h"
#include "formats/webp_chunks.h"

#include <OpenImageIO/strutil.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

/// The TIFF writer itself adds Exif:ColorSpace for sRGB. Two fields of Exif have no prefix; OpenEXR files have them,
/// too.
bool gets_exif(const FileHeader& header)
{
    if (header.get_string_attribute("oiio:ColorSpace") == "sRGB") return true;
    return std::any_of(header.extra_attribs.begin(), header.extra_attribs.end(), [](const OIIO::ParamValue& value) {
        return OIIO::Strutil::istarts_with(value.name(), "Exif:") ||
               OIIO::Strutil::iequals(value.name(), "ExposureTime") || OIIO::Strutil::iequals(value.name(), "FNumber");
    });
}

/// The TIFF writer of OpenImageIO 2.4 takes a stream. But when it adds EXIF, it reads back what it wrote without using
/// the stream, and the file would be unreadable.
bool takes_stream(const ImageOutput& output, const FileFormat& format, const FileHeader& header)
{
    return output.takes_stream() && !(format.name == "tiff" && gets_exif(header));
}

/// Bytes of a file.
struct Field {
    int64_t offset = 0;
    size_t size = 0;
};

/// The date of an RLA file ("FEB 03 04:05 2001") that its input states; empty if it states none.
std::string rla_date(const FileHeader& header)
{
    constexpr std::array months{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
    const std::string date = header.get_string_attribute("DateTime");  // "2001:02:03 04:05:00"
    constexpr std::size_t to_minutes = 16;
    if (date.size() < to_minutes) return {};
    const int month = OIIO::Strutil::stoi(date.substr(5, 2));
    if (month < 1 || month > 12) return {};
    return std::string(months.at(static_cast<std::size_t>(month - 1))) + " " + date.substr(8, 8) + " " +
           date.substr(0, 4);
}

/// A field that the library's writer puts into the file's head, and that comes neither from the image nor from its
/// header: the time of writing (DateCreated of RLA), or leftovers in memory (the name of an SGI image without one). The
/// same image would give different files.
struct InventedField {
    Field place = {};
    std::string true_contents = {};  ///< then zeros, which readers ignore
};

InventedField invented_field(std::string_view format, const FileHeader& header)
{
    if (format == "rla") return {{28 + 16 + 4 * 24 + 4 + 2 * 128 + 64 + 2 * 32, 20}, rla_date(header)};
    if (format == "sgi" && header.get_string_attribute("ImageDescription").empty()) return {{24, 80}, {}};
    return {};
}

/// Exif's orientation by which the library's writer of DPX (2.4) writes that of the image: it takes Exif's numbers for
/// DPX's in another order.
int dpx_orientation(int orientation)
{
    constexpr std::array<int, 9> numbers{0, 1, 2, 4, 3, 5, 6, 8, 7};
    return numbers.at(static_cast<std::size_t>(std::clamp(orientation, 0, 8)));
}

/// `ulimit -f`.
bool size_is_limited()
{
    rlimit limit = {};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

FileHeader supported(FileHeader header, const ImageOutput& output)
{
    // TIFF's tiles are multiples of 16. An input of another format may have others.
    const bool fits = output.format() != "tiff" || (header.tile_width % 16 == 0 && header.tile_height % 16 == 0);
    if (!output.takes_tiles() || !fits) header.tile_width = header.tile_height = header.tile_depth = 0;
    // The library's IFF writer exchanges the bytes of alpha when it codes 16 bits.
    if (output.format() == "iff" && header.nchannels == 4 && header.format == OIIO::TypeDesc::UINT16)
        header.attribute("compression", "none");
    // Its OpenEXR writer makes an attribute of the file of a level that stands alone.
    if (const int level = header.get_int_attribute("CompressionQuality"); output.format() == "openexr" && level > 0) {
        header.attribute("compression", fmt::format("{}:{}", header.get_string_attribute("compression"), level));
        header.erase_attribute("CompressionQuality");
    }
    if (output.format() == "dpx") {
        header.attribute("Orientation", dpx_orientation(header.get_int_attribute("Orientation", 1)));
        // Its DPX writer writes 00:00:00:00 for none.
        constexpr std::array<unsigned, 2> no_time_code{~0U, ~0U};
        if (header.find_attribute("smpte:TimeCode") == nullptr && header.find_attribute("dpx:TimeCode") == nullptr)
            header.attribute("smpte:TimeCode", OIIO::TypeTimeCode, no_time_code.data());
    }
    return header;
}

}  // namespace

std::unique_ptr<ImageOutput> create_output(std::string_view format, const FileHeader& header, Writer writer)
{
    if (format == "fits") return fits::create_output();
    if (format == "pnm") return pnm::create_output();
    if (format == "webp" && (header.nchannels == 4 || header.get_string_attribute("compression") == kLosslessWebp))
        return webp::create_output();
    if (writer == Writer::plain && format == "jpeg" && jpeg::can_write(header)) return jpeg::create_output();
    if (writer == Writer::plain && format == "png" && png::can_write(header)) return png::create_output();
    return codec_library().create_output(format);
}

FileHeader from_the_top_down(FileHeader header, const FileFormat& format)
{
    constexpr std::size_t longest_row_of_tiles = std::size_t{16} << 20U;  // bytes, which the encoder holds
    header.erase_attribute("jpeg:progressive");
    const bool holds_tiles = format.name == "tiff" || format.name == "openexr";
    if (!holds_tiles ||
        header.scanline_bytes(true) * static_cast<std::size_t>(header.tile_height) > longest_row_of_tiles)
        header.tile_width = header.tile_height = header.tile_depth = 0;
    header.erase_attribute("openexr:lineOrder");
    return header;
}

void write_rows(const ImageView& image, const std::byte* samples, int first, int count,
                const std::function<void(const ImageView& rows, int first)>& write)
{
    constexpr std::size_t block_bytes = std::size_t{16} << 20U;
    const std::size_t row_bytes = image.bytes() / static_cast<std::size_t>(image.extent.height);
    const int block = static_cast<int>(std::max<std::size_t>(1, block_bytes / row_bytes));
    for (int done = 0; done < count; done += block) {
        const int rows = std::min(block, count - done);
        write({{image.extent.width, rows},
               image.channels,
               image.type,
               samples + static_cast<std::size_t>(done) * row_bytes},
              first + done);
    }
}

Encoder::Encoder(EncodedFile file, const FileFormat& format, const FileHeader& header, Held held, Writer writer)
    : file_(std::move(file)), headers_{header}, header_(header), stream_(file_.temporary, file_.begin)
{
    open(format, held, writer);
}

Encoder::Encoder(EncodedFile file, const FileFormat& format, std::vector<FileHeader> headers)
    : file_(std::move(file)),
      headers_(std::move(headers)),
      header_(headers_.front()),
      stream_(file_.temporary, file_.begin)
{
    // The writer of OpenEXR takes no stream for files of several parts.
    open(format, format.name == "openexr" ? Held::must_not_be : Held::may_be, Writer::library);
}

void Encoder::open(const FileFormat& format, Held held, Writer writer)
{
    output_ = create_output(format.name, header_, writer);
    if (!output_) fail(reason(codec_library().take_error(), "the library has no encoder for it"));
    const bool has_parts = headers_.size() > 1;
    // If the bytes go to the stream, the name is only noted (by DPX, in the file).
    name_ = file_.target.filename().string();
    if (takes_stream(*output_, format, header_) && !(has_parts && format.name == "openexr")) {
        output_->set_stream(&stream_);
    } else if (held == Held::may_be || file_.begin > 0) {
        name_ = memory_.emplace().path();
    } else {
        by_path_ = true;
        name_ = file_.temporary.string();
    }
    std::vector<FileHeader> headers;
    for (const FileHeader& header : headers_) headers.push_back(supported(header, *output_));
    check(output_->open(name_, headers));
}

void Encoder::next()
{
    header_ = headers_.at(++part_);
    check(output_->open_next(name_, supported(header_, *output_)));
}

Encoder::~Encoder() = default;

void Encoder::write_all(const std::byte* samples)
{
    if (const int height = output_->header().tile_height; output_->header().tile_width > 0) {
        const std::size_t row = header_.scanline_bytes(true);
        for (int y = 0; y < header_.height; y += height)
            write_row_of_tiles(y, samples + static_cast<std::size_t>(y) * row);
        return;
    }
    if (output_->format() == "rla") note_row_ends(samples);
    if (turns_rows()) return write_from_below(samples);
    check(output_->write_image(type_of_samples(), samples));
}

/// Whether the library's TGA writer begins with another row than the header asks for: with the lowest, or with run
/// lengths the upper one.
bool Encoder::turns_rows() const
{
    if (output_->format() != "targa" || header_.find_attribute(kTgaBottomUp) == nullptr) return false;
    const bool is_top_down = header_.get_string_attribute("compression") == "rle";
    return is_top_down == (header_.get_int_attribute(kTgaBottomUp) != 0);
}

/// Rows in the other order; close() says so in the file.
void Encoder::write_from_below(const std::byte* samples)
{
    const std::size_t row = header_.scanline_bytes();
    for (int y = 0; y < header_.height; ++y)
        write_rows(y, 1, samples + static_cast<std::size_t>(header_.height - 1 - y) * row);
}

void Encoder::note_row_ends(const std::byte* samples)
{
    constexpr std::size_t maximum = 2;
    const std::size_t sample = header_.format.size();
    // Other depths (10 bits) are scaled by the library.
    if (sample > maximum ||
        header_.get_int_attribute("oiio:BitsPerSample", static_cast<int>(8 * sample)) != static_cast<int>(8 * sample))
        return;
    RowEnds& ends =
        row_ends_.emplace(RowEnds{header_.width, header_.height, header_.nchannels, static_cast<int>(sample)});
    const std::size_t pixel = header_.pixel_bytes();
    const std::size_t row = header_.scanline_bytes();
    for (std::size_t end = row - pixel; end < header_.image_bytes(); end += row)
        ends.pixels.append(reinterpret_cast<const char*>(samples) + end, pixel);
}

/// No type by name: each channel has its own.
OIIO::TypeDesc Encoder::type_of_samples() const
{
    return header_.channelformats.empty() ? header_.format : OIIO::TypeDesc(OIIO::TypeDesc::UNKNOWN);
}

/// The library's write_image() would fill tiles beyond the image's edges with leftovers in memory. If channels have
/// several types, it accepts no tile that extends beyond the image, but whole rows of tiles. (Only OpenEXR has such
/// channels, and it stores nothing beyond the edges.)
void Encoder::write_row_of_tiles(int y, const std::byte* samples)
{
    const FileHeader& header = output_->header();
    const int count = std::min(header.tile_height, header.height - y);
    if (!header_.channelformats.empty()) {
        check(output_->write_tile_rows({y, y + count}, type_of_samples(), samples));
        return;
    }
    const std::size_t pixel = header_.pixel_bytes(true);
    const std::size_t row = pixel * static_cast<std::size_t>(header.width);
    const std::size_t tile_row = pixel * static_cast<std::size_t>(header.tile_width);
    Bytes tile(tile_row * static_cast<std::size_t>(header.tile_height));
    for (int x = 0; x < header.width; x += header.tile_width) {
        const auto rows = static_cast<std::size_t>(count);
        const auto columns = static_cast<std::size_t>(std::min(header.tile_width, header.width - x));
        if (columns * pixel < tile_row || rows * tile_row < tile.size()) std::memset(tile.data(), 0, tile.size());
        for (std::size_t r = 0; r < rows; ++r)
            std::memcpy(tile.data() + r * tile_row, samples + r * row + static_cast<std::size_t>(x) * pixel,
                        columns * pixel);
        check(output_->write_tile(x, y, header_.format, tile.data()));
    }
}

/// Collects rows until they fill a row of tiles, or the image ends.
void Encoder::write_into_tiles(int first, int count, const std::byte* samples)
{
    const std::size_t row = header_.scanline_bytes(true);
    const int height = output_->header().tile_height;
    const std::size_t size = row * static_cast<std::size_t>(height);
    if (row_of_tiles_.size() != size) row_of_tiles_ = Bytes(size);
    for (int y = first; y < first + count; ++y, samples += row) {
        const int begin = y / height * height;
        std::memcpy(row_of_tiles_.data() + static_cast<std::size_t>(y - begin) * row, samples, row);
        if (y + 1 == std::min(begin + height, header_.height)) write_row_of_tiles(begin, row_of_tiles_.data());
    }
}

void Encoder::write_rows(int first, int count, const std::byte* samples)
{
    if (output_->header().tile_width > 0) return write_into_tiles(first, count, samples);
    check(output_->write_rows({first, first + count}, type_of_samples(), samples));
}

void Encoder::close()
{
    const bool closed = output_->close();
    if (memory_ && closed) memory_->copy_to(stream_);
    if (closed) erase_invented();
    if (closed && output_->format() == "iff") pad_last_tile();
    stream_.close();
    check(closed);
    try {
        if (output_->format() == "gif") clear_unused_colours(file_.temporary);
        if (row_ends_) correct_row_ends(file_.temporary, *row_ends_);
        if (output_->format() == "bmp" && header_.get_int_attribute(kBmpAlphaMask) != 0)
            add_bmp_alpha_mask(file_.temporary);
    } catch (const InputError& error) {
        fail(error.what());
    }
    if (turns_rows() && !turn_tga_order(file_.temporary)) fail(std::strerror(errno));
    check_is_written();
}

void Encoder::check_is_written()
{
    // The library does not report that the last bytes found no room. The directory of a TIFF is behind its samples, so
    // reading the last row checks both.
    for (std::size_t part = 0; by_path_ && part < headers_.size(); ++part)
        read_back(static_cast<int>(part), headers_[part].height - 1);
    if (!memory_ || file_.begin > 0 || !size_is_limited()) return;
    // The limit also holds for files in memory, and some writers (SGI) do not notice that they reached it.
    try {
        read_back(0, 0);
    } catch (const InputError&) {
        fail(std::strerror(EFBIG));
    }
}

void Encoder::read_back(int part, int first) const
{
    DecodeRules rules;
    rules.part = part;
    RowReader written(file_.temporary, Light::stored, rules);
    Bytes row(written.header().view().bytes() / static_cast<std::size_t>(written.header().extent.height));
    for (int y = first; y < written.header().extent.height; ++y) written.read(y, 1, row.data());
}

void Encoder::erase_invented()
{
    InventedField field = invented_field(output_->format(), header_);
    if (field.place.size == 0) return;
    field.true_contents.resize(field.place.size, '\0');
    stream_.pwrite(field.true_contents.data(), field.place.size, field.place.offset);
}

/// The library's writer leaves out what the last tile of an IFF file has behind its samples, up to a multiple of four
/// bytes, and its reader takes the file for incomplete.
void Encoder::pad_last_tile()
{
    constexpr std::size_t unit = 4;
    const std::size_t size = stream_.size();
    const std::string padding((unit - size % unit) % unit, '\0');
    if (!padding.empty()) stream_.pwrite(padding.data(), padding.size(), static_cast<int64_t>(size));
}

void Encoder::check(bool written)
{
    const std::string message = output_->take_error();
    if (stream_.first_error() != 0) fail(std::strerror(stream_.first_error()));
    if (written) return;
    // The library's TIFF writer crashes when it cleans up after an error that it noticed.
    if (by_path_) static_cast<void>(output_.release());
    fail(oiio::reason(message, "the encoder failed"));
}

void Encoder::fail(const std::string& why) const
{
    throw InputError(file_.target.string() + ": cannot be written: " + why);
}

}  // namespace clconv::oiio
