// SPDX-License-Identifier: Apache-2.0
#include "encoders/jpeg_output.h"

#include "formats/byte_order.h"
#include "formats/jpeg_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Needs size_t and FILE, and jerror.h needs jpeglib.h.
#include <jpeglib.h>
// clang-format off
#include <jerror.h>
// clang-format on

namespace clconv::jpeg {
namespace {

using namespace std::string_view_literals;

constexpr const char* kColourSpace = "oiio:ColorSpace";
constexpr const char* kOrientation = "Orientation";
constexpr const char* kProfile = "ICCProfile";
constexpr const char* kQuality = "CompressionQuality";
constexpr const char* kSubsampling = "jpeg:subsampling";
constexpr const char* kProgressive = "jpeg:progressive";
constexpr const char* kRgb = "jpeg:rgb";  // clconv's own

/// OpenImageIO's.
constexpr int kDefaultQuality = 98;

/// How many samples of luma there are for one of chroma.
struct Subsampling {
    std::string_view name;
    int across;
    int down;
};
constexpr std::array kSubsamplings{Subsampling{"4:4:4", 1, 1}, Subsampling{"4:2:2", 2, 1}, Subsampling{"4:2:0", 2, 2},
                                   Subsampling{"4:1:1", 4, 1}};

bool is_integer(const OIIO::ParamValue& value) { return value.type() == OIIO::TypeDesc::INT32; }

bool is_text(const OIIO::ParamValue& value) { return value.type() == OIIO::TypeDesc::STRING; }

bool is_known(const OIIO::ParamValue& value)
{
    const std::string_view name(value.name().data(), value.name().size());
    if (name == kColourSpace || name == kSubsampling) return is_text(value);
    if (name == kQuality || name == kProgressive || name == kRgb) return is_integer(value);
    if (name == kOrientation)
        return is_integer(value) && value.get_int() >= 0 && value.get_int() <= std::numeric_limits<uint16_t>::max();
    return name == kProfile && value.type().basetype == OIIO::TypeDesc::UINT8;
}

bool is_srgb(const oiio::FileHeader& header)
{
    constexpr std::string_view srgb = "srgb";
    const std::string name = header.get_string_attribute(kColourSpace);
    return std::ranges::equal(name, srgb, [](char one, char other) { return (one | 0x20) == other; });
}

void append_little(std::string& bytes, std::uint32_t value, int size)
{
    bytes += oiio::bytes_of_number(value, size, oiio::ByteOrder::little);
}

/// An entry of a directory of TIFF.
struct Entry {
    std::uint32_t tag;
    std::uint32_t type;
    std::uint32_t count;
    std::uint32_t value;  ///< or four bytes, the first lowest
};

void append_directory(std::string& bytes, std::span<const Entry> entries)
{
    append_little(bytes, static_cast<std::uint32_t>(entries.size()), 2);
    for (const Entry& entry : entries) {
        append_little(bytes, entry.tag, 2);
        append_little(bytes, entry.type, 2);
        append_little(bytes, entry.count, 4);
        append_little(bytes, entry.value, 4);
    }
    append_little(bytes, 0, 4);
}

/// The Exif segment that OpenImageIO writes: orientation, and sRGB with the tags that Exif 2.3 wants then. It is there
/// even if it says nothing.
std::string exif_of(const oiio::FileHeader& header)
{
    constexpr std::uint32_t short_type = 3;
    constexpr std::uint32_t long_type = 4;
    constexpr std::uint32_t bytes_type = 7;
    constexpr std::uint32_t head = 8;
    constexpr std::uint32_t entry_bytes = 12;
    std::vector<Entry> entries;
    if (header.find_attribute(kOrientation) != nullptr)
        entries.push_back({0x0112, short_type, 1, static_cast<std::uint32_t>(header.get_int_attribute(kOrientation))});
    if (is_srgb(header)) {
        const auto before = static_cast<std::uint32_t>(entries.size() + 1);
        entries.push_back({0x8769, long_type, 1, head + 2 + entry_bytes * before + 4});
    }
    std::string bytes("Exif\0\0II\x2A\0", 10);
    append_little(bytes, head, 4);
    append_directory(bytes, entries);
    constexpr std::array srgb{Entry{0x9000, bytes_type, 4, 0x30333230},  // "0230"
                              Entry{0x9101, bytes_type, 4, 0x00030201},  // Y, Cb, Cr
                              Entry{0xA000, bytes_type, 4, 0x30303130},  // "0100"
                              Entry{0xA001, short_type, 1, 1}};
    if (is_srgb(header)) append_directory(bytes, srgb);
    return bytes;
}

/// libjpeg's failures, which end the call.
struct Failures {
    jpeg_error_mgr manager;  ///< the first member: libjpeg knows this alone
    std::jmp_buf end_of_call;
    std::array<char, JMSG_LENGTH_MAX> message;
};

[[noreturn]] void end_call(j_common_ptr library)
{
    auto& failures = *reinterpret_cast<Failures*>(library->err);
    library->err->format_message(library, failures.message.data());
    std::longjmp(failures.end_of_call, 1);
}

/// Where the bytes go.
struct Destination {
    jpeg_destination_mgr manager;  ///< the first member: libjpeg knows this alone
    OIIO::Filesystem::IOProxy* stream;
    std::array<JOCTET, std::size_t{1} << 16U> bytes;
};

/// No exception may pass through libjpeg.
bool put(Destination& to, std::size_t count) noexcept
{
    try {
        return to.stream->write(to.bytes.data(), count) == count;
    } catch (...) {
        return false;
    }
}

void write_bytes(j_compress_ptr library, std::size_t count)
{
    if (count > 0 && !put(*reinterpret_cast<Destination*>(library->dest), count)) ERREXIT(library, JERR_FILE_WRITE);
}

void begin_bytes(j_compress_ptr library)
{
    auto& to = *reinterpret_cast<Destination*>(library->dest);
    to.manager.next_output_byte = to.bytes.data();
    to.manager.free_in_buffer = to.bytes.size();
}

/// libjpeg wants all bytes written, whatever it says about those that are free.
boolean write_full(j_compress_ptr library)
{
    write_bytes(library, reinterpret_cast<Destination*>(library->dest)->bytes.size());
    begin_bytes(library);
    return TRUE;
}

void write_rest(j_compress_ptr library)
{
    write_bytes(library, reinterpret_cast<Destination*>(library->dest)->bytes.size() - library->dest->free_in_buffer);
}

class JpegOutput final : public oiio::ImageOutput {
public:
    JpegOutput() = default;
    ~JpegOutput() override { jpeg_destroy_compress(&library_); }

    [[nodiscard]] std::string_view format() const override { return "jpeg"; }
    [[nodiscard]] const oiio::FileHeader& header() const override { return header_; }

    bool open(const std::string& name, const std::vector<oiio::FileHeader>& headers) override
    {
        if (is_open_ || headers.size() != 1) return fail("a JPEG file holds one image");
        if (stream() == nullptr || !can_write(headers.front())) return fail("JPEG cannot store such an image");
        name_ = name;
        header_ = headers.front();
        segments_ = oiio::profile_segments(header_.icc_profile());
        exif_ = exif_of(header_);
        subsampling_ = nullptr;
        const std::string wanted = header_.get_string_attribute(kSubsampling);
        for (const Subsampling& one : kSubsamplings)
            if (one.name == wanted) subsampling_ = &one;
        quality_ = std::clamp(header_.get_int_attribute(kQuality, kDefaultQuality), 1, 100);
        is_progressive_ = header_.get_int_attribute(kProgressive) != 0;
        is_rgb_ = header_.nchannels == 3 && header_.get_int_attribute(kRgb) != 0;
        next_row_ = 0;
        destination_.stream = stream();
        library_.err = jpeg_std_error(&failures_.manager);
        failures_.manager.error_exit = end_call;
        failures_.manager.output_message = [](j_common_ptr) {};
        is_open_ = call_library(begin);
        return is_open_;
    }

    bool write_rows(oiio::RowRange rows, OIIO::TypeDesc type, const std::byte* samples) override
    {
        if (!is_open_) return fail("the JPEG file is not open");
        if (!oiio::is_as_stored(type, header_.format)) return fail("a JPEG is encoded from samples of 8 bits");
        if (rows.begin != next_row_) return fail("Attempt to write scanlines out of order to " + name_);
        if (rows.end > header_.height) return fail("Attempt to write too many scanlines to " + name_);
        // libjpeg does not change them.
        row_ = reinterpret_cast<JSAMPROW>(const_cast<std::byte*>(samples));
        row_step_ = header_.scanline_bytes();
        end_ = rows.end;
        return call_library(encode_rows);
    }

    bool close() override
    {
        if (!is_open_) return true;
        std::vector<JSAMPLE> black(header_.scanline_bytes());
        row_ = black.data();
        row_step_ = 0;
        end_ = header_.height;
        const bool is_written =
            call_library(encode_rows) && call_library([](JpegOutput& self) { jpeg_finish_compress(&self.library_); });
        end();
        return is_written;
    }

private:
    static void begin(JpegOutput& self)
    {
        jpeg_compress_struct& library = self.library_;
        jpeg_create_compress(&library);
        self.destination_.manager.init_destination = begin_bytes;
        self.destination_.manager.empty_output_buffer = write_full;
        self.destination_.manager.term_destination = write_rest;
        library.dest = &self.destination_.manager;
        library.image_width = static_cast<JDIMENSION>(self.header_.width);
        library.image_height = static_cast<JDIMENSION>(self.header_.height);
        library.input_components = self.header_.nchannels;
        library.in_color_space = self.header_.nchannels == 3 ? JCS_RGB : JCS_GRAYSCALE;
        jpeg_set_defaults(&library);
        jpeg_set_quality(&library, self.quality_, TRUE);
        if (self.is_rgb_) jpeg_set_colorspace(&library, JCS_RGB);
        if (self.subsampling_ != nullptr && self.header_.nchannels == 3) {
            library.comp_info[0].h_samp_factor = self.subsampling_->across;
            library.comp_info[0].v_samp_factor = self.subsampling_->down;
        }
        if (self.is_progressive_) jpeg_simple_progression(&library);
        jpeg_start_compress(&library, TRUE);
        self.write_segment(JPEG_APP0 + 1, self.exif_);
        for (const oiio::JpegSegment& segment : self.segments_) self.write_segment(segment.marker, segment.bytes);
    }

    void write_segment(int marker, const std::string& bytes)
    {
        jpeg_write_marker(&library_, marker, reinterpret_cast<const JOCTET*>(bytes.data()),
                          static_cast<unsigned>(bytes.size()));
    }

    static void encode_rows(JpegOutput& self)
    {
        for (; self.next_row_ < self.end_; ++self.next_row_, self.row_ += self.row_step_)
            jpeg_write_scanlines(&self.library_, &self.row_, 1);
    }

    /// False if libjpeg jumped out of `act`, which therefore has no objects with destructors. Nothing can be written
    /// then.
    bool call_library(void (*act)(JpegOutput&))
    {
        if (guarded(act)) return true;
        end();
        return fail(fmt::format("JPEG error: {}", failures_.message.data()));
    }

    bool guarded(void (*act)(JpegOutput&))
    {
        if (setjmp(failures_.end_of_call) != 0) return false;
        act(*this);
        return true;
    }

    void end()
    {
        jpeg_destroy_compress(&library_);
        is_open_ = false;
    }

    std::string name_;
    oiio::FileHeader header_;
    std::string exif_;
    std::vector<oiio::JpegSegment> segments_;  ///< of the profile
    const Subsampling* subsampling_ = nullptr;
    int quality_ = kDefaultQuality;
    bool is_progressive_ = false;
    bool is_rgb_ = false;
    bool is_open_ = false;
    int next_row_ = 0;
    int end_ = 0;  ///< of the rows that are written now
    JSAMPROW row_ = nullptr;
    std::size_t row_step_ = 0;
    Failures failures_ = {};
    jpeg_compress_struct library_ = {};
    Destination destination_ = {};
};

}  // namespace

bool can_write(const oiio::FileHeader& header)
{
    return header.format == OIIO::TypeDesc::UINT8 && header.channelformats.empty() &&
           (header.nchannels == 1 || header.nchannels == 3) && header.width > 0 && header.height > 0 &&
           header.width <= JPEG_MAX_DIMENSION && header.height <= JPEG_MAX_DIMENSION && header.depth <= 1 &&
           header.tile_width == 0 && !header.deep && std::ranges::all_of(header.extra_attribs, is_known);
}

std::unique_ptr<oiio::ImageOutput> create_output() { return std::make_unique<JpegOutput>(); }

}  // namespace clconv::jpeg
