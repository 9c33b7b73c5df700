// SPDX-License-Identifier: Apache-2.0
#include "codecs/png_input.h"

#include "base/lower_case.h"
#include "codecs/full_header.h"
#include "codecs/png_calls.h"

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/strutil.h>
#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv::png {
namespace {

using oiio::FileHeader;
using oiio::RowRange;
using OIIO::TypeDesc;

void erase_all(std::string& text, std::string_view part)
{
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
        text.erase(at, part.size());
}

/// Whether OpenImageIO may take something from this XMP that clconv uses.
bool may_say_more(std::string_view packet)
{
    constexpr std::array harmless{R"(tiff:orientation="1")", "<tiff:orientation>1</tiff:orientation>"};
    constexpr std::array used{"orientation", "imagedescription", "dc:description",  "oiio:",       " iccprofile",
                              "<iccprofile", "tiff:colorspace",  "jpeg:colorspace", "rowsperstrip"};
    std::string xmp = lower_case(packet);
    for (const char* part : harmless) erase_all(xmp, part);
    return std::ranges::any_of(used, [&](const char* part) { return xmp.find(part) != std::string::npos; });
}

/// Whether OpenImageIO does not give a file of this name to its decoder of PNG: it takes what follows a question mark
/// for settings, and gives videos to FFmpeg.
bool is_for_others(const std::filesystem::path& path)
{
    constexpr std::array names{".avi", ".mov", ".qt",  ".mp4", ".m4a",  ".3gp",
                               ".3g2", ".mj2", ".m4v", ".mpg", ".null", ".nul"};
    const std::string extension = path.extension().string();
    return path.string().find('?') != std::string::npos ||
           std::ranges::any_of(names, [&](const char* name) { return OIIO::Strutil::iequals(extension, name); });
}

class PngInput final : public oiio::Decoder {
public:
    explicit PngInput(std::string path) : path_(std::move(path)) {}
    ~PngInput() override { close(); }
    PngInput(const PngInput&) = delete;
    PngInput& operator=(const PngInput&) = delete;

    /// False if the file cannot be decoded, or if OpenImageIO would say more about it.
    [[nodiscard]] bool open();

    [[nodiscard]] std::string_view format() const override { return "png"; }
    [[nodiscard]] bool is_abridged() const override { return true; }
    [[nodiscard]] const FileHeader& header() const override { return header_; }
    [[nodiscard]] bool read_rows(RowRange rows, TypeDesc type, std::byte* samples) override;

    [[nodiscard]] bool has_error() const override { return !error_.empty(); }
    [[nodiscard]] std::string take_error() override { return std::exchange(error_, {}); }
    void add_error(const std::string& line) override;

private:
    static void read_bytes(png_structp png, png_bytep bytes, png_size_t count);
    [[noreturn]] static void note_error(png_structp png, png_const_charp message);
    static void ignore_warning(png_structp /*png*/, png_const_charp /*message*/) {}

    void close();
    [[nodiscard]] bool open_again();
    [[nodiscard]] bool read_header();
    void read_colour();
    [[nodiscard]] bool read_texts();
    [[nodiscard]] bool read_file(void* bytes, std::size_t count);
    [[nodiscard]] bool read_row(int y, std::byte* samples);
    [[nodiscard]] bool read_whole();

    std::string path_;
    std::optional<OIIO::Filesystem::IOFile> file_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    FileHeader header_;
    bool is_interlaced_ = false;
    bool ended_early_ = false;      ///< the file; since it was opened
    int next_row_ = 0;              ///< that libpng decodes
    std::vector<std::byte> whole_;  ///< all samples of an interlaced file, once they are decoded
    std::string error_;
};

void PngInput::add_error(const std::string& line)
{
    if (!error_.empty() && error_.back() != '\n') error_ += '\n';
    error_ += line;
}

void PngInput::note_error(png_structp png, png_const_charp message)
{
    static_cast<PngInput*>(png_get_error_ptr(png))->add_error(std::string("PNG read error: ") + message);
    png_longjmp(png, 1);
}

void PngInput::read_bytes(png_structp png, png_bytep bytes, png_size_t count)
{
    auto* input = static_cast<PngInput*>(png_get_io_ptr(png));
    if (!input->read_file(bytes, count)) png_chunk_error(png, input->error_.c_str());
}

bool PngInput::read_file(void* bytes, std::size_t count)
{
    const std::size_t read = file_->read(bytes, count);
    if (read == count) return true;
    ended_early_ = true;
    if (static_cast<std::size_t>(file_->tell()) >= file_->size())
        add_error("Read error: hit end of file");
    else
        add_error(fmt::format("Read error at position {}, could only read {}/{} bytes {}",
                              static_cast<std::size_t>(file_->tell()) - read, read, count, file_->error()));
    return false;
}

void PngInput::close()
{
    if (png_ != nullptr) png_destroy_read_struct(&png_, &info_, nullptr);
    file_.reset();
    ended_early_ = false;
    next_row_ = 0;
    whole_.clear();
}

bool PngInput::open()
{
    constexpr std::size_t checked = 7;
    file_.emplace(path_, OIIO::Filesystem::IOProxy::Read);
    std::array<png_byte, 8> signature{};
    if (file_->pread(signature.data(), signature.size(), 0) != signature.size() ||
        png_sig_cmp(signature.data(), 0, checked) != 0) {
        add_error("Not a PNG file");
        return false;
    }
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, note_error, ignore_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
        add_error("Could not create PNG read structure");
        return false;
    }
    png_set_read_fn(png_, this, read_bytes);
    return read_header();
}

bool PngInput::open_again()
{
    const FileHeader before = header_;
    close();
    const bool is_open = open();
    const bool is_same = header_.width == before.width && header_.height == before.height &&
                         header_.nchannels == before.nchannels && header_.format == before.format;
    if (is_open && is_same) return true;
    if (is_open) add_error("the file has changed");
    header_ = before;
    close();
    return false;
}

bool PngInput::read_header()
{
    png_uint_32 width = 0;
    png_uint_32 height = 0;
    int bits = 0;
    int colour = 0;
    const bool is_read = completes(png_, [&] {
        png_read_info(png_, info_);
        png_set_expand(png_);
        png_set_swap(png_);  // samples are stored with the highest byte first
        png_read_update_info(png_, info_);
        png_get_IHDR(png_, info_, &width, &height, &bits, &colour, nullptr, nullptr, nullptr);
    });
    if (!is_read) return false;
    header_ = FileHeader(static_cast<int>(width), static_cast<int>(height), png_get_channels(png_, info_),
                         bits == 16 ? TypeDesc::UINT16 : TypeDesc::UINT8);
    header_.x = png_get_x_offset_pixels(png_, info_);
    header_.y = png_get_y_offset_pixels(png_, info_);
    is_interlaced_ = png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE;
    read_colour();
    if (!read_texts()) return false;
    header_.attribute("oiio:UnassociatedAlpha", 1);
    return true;
}

/// OpenImageIO takes files that say nothing for sRGB, and rounds the exponent to hundredths.
void PngInput::read_colour()
{
    constexpr const char* space = "oiio:ColorSpace";
    int intent = 0;
    double gamma = 0;
    if (png_get_sRGB(png_, info_, &intent) == 0 && png_get_gAMA(png_, info_, &gamma) != 0 && gamma > 0) {
        const auto exact = static_cast<float>(1 / gamma);
        const float exponent = std::round(static_cast<float>(100.0 * exact)) / 100;
        header_.attribute("oiio:Gamma", exponent);
        header_.attribute(space, exponent == 1 ? "linear" : fmt::format("Gamma{:.2g}", static_cast<double>(exponent)));
    } else {
        header_.attribute(space, "sRGB");
    }
    png_charp name = nullptr;
    png_bytep profile = nullptr;
    png_uint_32 length = 0;
    int compression = 0;
    if (png_get_iCCP(png_, info_, &name, &compression, &profile, &length) != 0 && profile != nullptr && length > 0)
        header_.attribute("ICCProfile", TypeDesc(TypeDesc::UINT8, static_cast<int>(length)), profile);
}

/// A text is an attribute of its keyword's name. False if OpenImageIO would take more from XMP or Exif.
bool PngInput::read_texts()
{
    bool has_exif = png_get_valid(png_, info_, PNG_INFO_eXIf) != 0;
    png_textp texts = nullptr;
    const int count = png_get_text(png_, info_, &texts, nullptr);
    for (int i = 0; i < count; ++i) {
        const std::string_view keyword = texts[i].key;
        const auto is_keyword = [&](const char* other) { return OIIO::Strutil::iequals(texts[i].key, other); };
        if (is_keyword("XML:com.adobe.xmp")) {
            if (header_.find_attribute("Orientation") != nullptr || may_say_more(texts[i].text)) return false;
        } else if (is_keyword("Raw profile type exif")) {
            has_exif = true;
        } else if (!keyword.empty()) {
            header_.attribute(oiio::attribute_of_keyword(keyword), texts[i].text);
        }
    }
    // Exif may say sRGB, and that counts more than gamma.
    return !has_exif || header_.get_string_attribute("oiio:ColorSpace") == "sRGB";
}

bool PngInput::read_rows(RowRange rows, TypeDesc type, std::byte* samples)
{
    if (!oiio::is_as_stored(type, header_.format)) {
        add_error("samples of another type than the file's");
        return false;
    }
    const std::size_t row_bytes = header_.scanline_bytes();
    for (int y = rows.begin; y < std::min(rows.end, header_.height); ++y, samples += row_bytes)
        if (y < 0 || !read_row(y, samples)) return false;
    return true;
}

/// As OpenImageIO goes on after a failure: from there, in the same file.
bool PngInput::read_row(int y, std::byte* samples)
{
    if (is_interlaced_) {
        if (whole_.empty() && !read_whole()) return false;
        const std::size_t row_bytes = header_.scanline_bytes();
        std::memcpy(samples, whole_.data() + static_cast<std::size_t>(y) * row_bytes, row_bytes);
        return true;
    }
    if ((png_ == nullptr || next_row_ > y) && !open_again()) return false;
    for (; next_row_ <= y; ++next_row_) {
        if (!completes(png_, [&] { png_read_row(png_, reinterpret_cast<png_bytep>(samples), nullptr); })) {
            add_error("PNG library error");
            return false;
        }
        if (ended_early_) return false;  // the message is there
    }
    return true;
}

/// Nothing is decoded of a damaged file, as with OpenImageIO.
bool PngInput::read_whole()
{
    if (has_error() || (png_ == nullptr && !open_again())) return false;
    const std::size_t row_bytes = header_.scanline_bytes();
    whole_.resize(header_.image_bytes());
    std::vector<png_bytep> rows(static_cast<std::size_t>(header_.height));
    for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = reinterpret_cast<png_bytep>(whole_.data() + y * row_bytes);
    const bool is_complete = completes(png_, [&] {
        png_read_image(png_, rows.data());
        png_read_end(png_, nullptr);
    });
    if (is_complete && !has_error()) return true;
    close();
    return false;
}

}  // namespace

std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path)
{
    if (is_for_others(path)) return nullptr;
    auto input = std::make_unique<PngInput>(path.string());
    if (!input->open()) return nullptr;
    return input;
}

}  // namespace clconv::png
