// SPDX-License-Identifier: Apache-2.0
#include "encoders/png_output.h"

#include "codecs/png_calls.h"

#include <OpenImageIO/strutil.h>
#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv::png {
namespace {

using oiio::FileHeader;
using oiio::RowRange;
using OIIO::TypeDesc;

bool has_alpha(const FileHeader& header) { return header.nchannels == 2 || header.nchannels == 4; }

int colour_type(int channels)
{
    constexpr std::array types{PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                               PNG_COLOR_TYPE_RGB_ALPHA};
    return types.at(static_cast<std::size_t>(channels - 1));
}

int strategy_named(const std::string& name)
{
    constexpr std::array strategies{std::pair("filtered", Z_FILTERED), std::pair("huffman", Z_HUFFMAN_ONLY),
                                    std::pair("rle", Z_RLE), std::pair("fixed", Z_FIXED)};
    for (const auto& [known, strategy] : strategies)
        if (OIIO::Strutil::iequals(name, known)) return strategy;
    return Z_DEFAULT_STRATEGY;
}

/// Whether libpng takes this as the keyword of a text: it must have a visible character of Latin-1. OpenImageIO writes
/// all attributes that are texts, and fails if it cannot.
bool is_keyword(std::string_view name)
{
    return std::ranges::any_of(name, [](char letter) {
        const auto code = static_cast<unsigned char>(letter);
        return (code > 0x20 && code < 0x7F) || code > 0xA0;
    });
}

class PngOutput final : public oiio::ImageOutput {
public:
    PngOutput() = default;
    ~PngOutput() override { destroy(); }
    PngOutput(const PngOutput&) = delete;
    PngOutput& operator=(const PngOutput&) = delete;

    [[nodiscard]] std::string_view format() const override { return "png"; }
    [[nodiscard]] const FileHeader& header() const override { return header_; }
    [[nodiscard]] bool open(const std::string& name, const std::vector<FileHeader>& headers) override;
    [[nodiscard]] bool write_rows(RowRange rows, TypeDesc type, const std::byte* samples) override;
    [[nodiscard]] bool close() override;

private:
    static void write_bytes(png_structp png, png_bytep bytes, png_size_t count);
    static void flush(png_structp png) { static_cast<PngOutput*>(png_get_io_ptr(png))->stream()->flush(); }
    [[noreturn]] static void note_error(png_structp png, png_const_charp message);
    static void ignore_warning(png_structp /*png*/, png_const_charp /*message*/) {}

    void note(const std::string& line) { static_cast<void>(fail(line)); }
    void destroy() { png_destroy_write_struct(&png_, &info_); }
    void set_compression();
    [[nodiscard]] bool set_colour();
    [[nodiscard]] bool set_profile();
    [[nodiscard]] bool write_head();
    /// Fails as OpenImageIO does.
    bool cannot_set(const std::string& chunk);

    FileHeader header_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    int next_row_ = 0;
};

void PngOutput::note_error(png_structp png, png_const_charp message)
{
    static_cast<PngOutput*>(png_get_error_ptr(png))->note(std::string("PNG write error: ") + message);
    png_longjmp(png, 1);
}

/// A stream that does not take all bytes does not end the file.
void PngOutput::write_bytes(png_structp png, png_bytep bytes, png_size_t count)
{
    auto* output = static_cast<PngOutput*>(png_get_io_ptr(png));
    OIIO::Filesystem::IOProxy& stream = *output->stream();
    const std::size_t written = stream.write(bytes, count);
    if (written == count) return;
    output->note(fmt::format("Write error at position {}, could only write {}/{} bytes {}",
                             static_cast<std::size_t>(stream.tell()) - written, written, count, stream.error()));
}

bool PngOutput::open(const std::string& /*name*/, const std::vector<FileHeader>& headers)
{
    if (png_ != nullptr || headers.size() != 1 || stream() == nullptr || !can_write(headers.front()))
        return fail("a PNG file cannot hold this image");
    header_ = headers.front();
    header_.alpha_channel = has_alpha(header_) ? header_.nchannels - 1 : -1;
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, note_error, ignore_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) return fail("Could not create PNG write structure");
    png_set_write_fn(png_, this, write_bytes, flush);
    set_compression();
    return write_head();
}

void PngOutput::set_compression()
{
    constexpr int default_level = 6;
    const int level = std::clamp(header_.get_int_attribute("png:compressionLevel", default_level), Z_NO_COMPRESSION,
                                 Z_BEST_COMPRESSION);
    const int strategy = strategy_named(header_.get_string_attribute("compression"));
    const int filters = header_.get_int_attribute("png:filter", PNG_NO_FILTERS);
    static_cast<void>(completes(png_, [&] {
        png_set_compression_level(png_, level);
        png_set_compression_strategy(png_, strategy);
        png_set_filter(png_, PNG_FILTER_TYPE_BASE, filters);
        png_set_option(png_, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
    }));
}

bool PngOutput::write_head()
{
    const int bits = static_cast<int>(header_.format.size()) * 8;
    const bool has_size = completes(png_, [&] {
        png_set_IHDR(png_, info_, static_cast<png_uint_32>(header_.width), static_cast<png_uint_32>(header_.height),
                     bits, colour_type(header_.nchannels), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
    });
    if (!has_size) return cannot_set("IHDR");
    if (!completes(png_, [&] { png_set_oFFs(png_, info_, header_.x, header_.y, PNG_OFFSET_PIXEL); }))
        return cannot_set("oFFs");
    if (!set_colour() || !set_profile()) return false;
    return completes(png_,
                     [&] {
                         png_write_info(png_, info_);
                         png_set_swap(png_);  // samples are stored with the highest byte first
                     }) ||
           cannot_set("iCCP");
}

/// Light, a gamma, or sRGB.
bool PngOutput::set_colour()
{
    const std::string space = header_.get_string_attribute("oiio:ColorSpace");
    if (OIIO::Strutil::iequals(space, "sRGB"))
        return completes(png_, [&] { png_set_sRGB_gAMA_and_cHRM(png_, info_, PNG_sRGB_INTENT_ABSOLUTE); }) ||
               cannot_set("gAMA and cHRM");
    float gamma = 1;
    if (OIIO::Strutil::istarts_with(space, "Gamma")) {
        constexpr float smallest = 0.01F;
        constexpr float largest = 10;
        OIIO::string_view number = space;
        OIIO::Strutil::parse_word(number);
        const auto stated = OIIO::Strutil::from_string<float>(number);
        const bool is_sound = stated >= smallest && stated <= largest;
        gamma = is_sound ? stated : header_.get_float_attribute("oiio:Gamma", 1);
    } else if (!OIIO::Strutil::iequals(space, "Linear")) {
        return true;
    }
    return completes(png_, [&] { png_set_gAMA(png_, info_, 1.0F / gamma); }) || cannot_set("gAMA");
}

bool PngOutput::set_profile()
{
    const std::string_view profile = header_.icc_profile();
    if (profile.empty()) return true;
    const auto length = static_cast<png_uint_32>(profile.size());
    const auto* bytes = reinterpret_cast<png_const_bytep>(profile.data());
    return completes(
               png_,
               [&] { png_set_iCCP(png_, info_, "Embedded Profile", PNG_COMPRESSION_TYPE_BASE, bytes, length); }) ||
           cannot_set("iCCP");
}

bool PngOutput::cannot_set(const std::string& chunk)
{
    static_cast<void>(completes(png_, [&] { png_write_end(png_, info_); }));  // for its message
    destroy();
    return fail("Could not set PNG " + chunk + " chunk");
}

bool PngOutput::write_rows(RowRange rows, TypeDesc type, const std::byte* samples)
{
    if (!oiio::is_as_stored(type, header_.format)) return fail("samples of another type than the file's");
    if (png_ == nullptr || rows.begin != next_row_ || rows.end > header_.height)
        return fail("rows of a PNG file are written in order");
    const std::size_t row_bytes = header_.scanline_bytes();
    for (; next_row_ < rows.end; ++next_row_, samples += row_bytes)
        if (!completes(png_, [&] { png_write_row(png_, reinterpret_cast<png_const_bytep>(samples)); }))
            return fail("PNG library error");
    return true;
}

bool PngOutput::close()
{
    if (png_ == nullptr) return true;
    const bool is_whole = next_row_ == header_.height;
    if (is_whole) static_cast<void>(completes(png_, [&] { png_write_end(png_, info_); }));
    destroy();
    return is_whole || fail("not all rows of the PNG file were written");
}

}  // namespace

bool can_write(const FileHeader& header)
{
    const bool fits = header.format.basetype == TypeDesc::UINT8 || header.format.basetype == TypeDesc::UINT16;
    const bool is_straight = !has_alpha(header) || header.get_int_attribute("oiio:UnassociatedAlpha") != 0;
    const bool is_plain = !header.deep && header.tile_width == 0 && header.depth <= 1 && header.width > 0 &&
                          header.height > 0 && header.channelformats.empty();
    return fits && is_straight && is_plain && header.nchannels >= 1 && header.nchannels <= 4 &&
           std::ranges::all_of(header.extra_attribs, [](const OIIO::ParamValue& attribute) {
               return attribute.type() != TypeDesc::STRING || is_keyword(attribute.name().string());
           });
}

std::unique_ptr<oiio::ImageOutput> create_output() { return std::make_unique<PngOutput>(); }

}  // namespace clconv::png
