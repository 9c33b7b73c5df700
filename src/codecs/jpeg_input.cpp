// SPDX-License-Identifier: Apache-2.0
#include "codecs/jpeg_input.h"

#include "base/lower_case.h"
#include "formats/byte_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Needs size_t and FILE.
#include <jpeglib.h>

namespace clconv::jpeg {
namespace {

using namespace std::string_view_literals;

constexpr int kComment = JPEG_COM;
constexpr int kExifOrXmp = JPEG_APP0 + 1;
constexpr int kProfile = JPEG_APP0 + 2;
constexpr int kPhotoshop = JPEG_APP0 + 13;

std::string_view bytes_of(const jpeg_marker_struct& marker)
{
    return {reinterpret_cast<const char*>(marker.data), marker.data_length};
}

/// Whether a segment begins with this name and a zero, which begins its contents. None if the segment ends inside:
/// OpenImageIO reads on.
std::optional<bool> is_named(const jpeg_marker_struct& marker, std::string_view name)
{
    const std::string_view bytes = bytes_of(marker);
    if (!name.starts_with(bytes.substr(0, name.size()))) return false;
    if (bytes.size() <= name.size()) return std::nullopt;
    return bytes[name.size()] == '\0';
}

/// A look at an Exif block for the one tag that counts. It follows OpenImageIO: of several the first counts, also one
/// in the directories of Exif and of interoperability.
class ExifBlock {
public:
    static constexpr int kNone = -1;

    /// Without "Exif\0\0".
    explicit ExifBlock(std::string_view bytes) : bytes_(bytes), is_little_(bytes.starts_with("II")) {}

    /// kNone if it states none, and none if the block is unusual.
    [[nodiscard]] std::optional<int> orientation() const
    {
        constexpr std::size_t head = 8;
        if (bytes_.size() < head) return std::nullopt;
        if (!is_little_ && !bytes_.starts_with("MM")) return kNone;
        const std::size_t first = number(4, 4);
        const bool fits = first + 2 <= bytes_.size() && first + 2 + number(first, 2) * kEntry <= bytes_.size();
        return fits ? orientation_in(first, Kind::plain, 0) : kNone;
    }

private:
    enum class Kind { plain, gps };
    static constexpr unsigned kOrientation = 0x0112;
    static constexpr unsigned kExif = 0x8769;
    static constexpr unsigned kGps = 0x8825;
    static constexpr unsigned kInteroperability = 0xA005;
    static constexpr std::size_t kEntry = 12;

    /// Of `size` bytes at `place`, which are inside the block.
    [[nodiscard]] std::uint32_t number(std::size_t place, int size) const
    {
        const oiio::ByteOrder order = is_little_ ? oiio::ByteOrder::little : oiio::ByteOrder::big;
        return static_cast<std::uint32_t>(oiio::number_in(bytes_, place, size, order));
    }

    /// `place`: of the directory.
    [[nodiscard]] std::optional<int> orientation_in(std::size_t place, Kind kind, int depth) const
    {
        constexpr int max_depth = 4;
        if (depth > max_depth || place + 2 > bytes_.size()) return std::nullopt;
        const std::size_t entries = number(place, 2);
        for (std::size_t i = 0; i < entries; ++i) {
            const std::size_t entry = place + 2 + i * kEntry;
            // OpenImageIO ignores an entry with nothing behind it.
            if (entry + kEntry >= bytes_.size()) break;
            const std::optional<int> found = orientation_of_entry(entry, kind, depth);
            if (found != kNone) return found;
        }
        return kNone;
    }

    [[nodiscard]] std::optional<int> orientation_of_entry(std::size_t place, Kind kind, int depth) const
    {
        constexpr unsigned short_type = 3;
        const unsigned tag = number(place, 2);
        if (tag == kOrientation && kind == Kind::plain) {
            if (number(place + 2, 2) != short_type || number(place + 4, 4) != 1) return std::nullopt;
            return static_cast<int>(number(place + 8, 2));
        }
        if (tag != kExif && tag != kGps && tag != kInteroperability) return kNone;
        const std::size_t directory = number(place + 8, 4);
        if (directory >= bytes_.size()) return kNone;
        return orientation_in(directory, tag == kGps ? Kind::gps : Kind::plain, depth + 1);
    }

    std::string_view bytes_;
    bool is_little_;
};

/// Whether what follows the name of an attribute or an element of XML is this number, as its value.
bool has_value(std::string_view text, int number)
{
    const std::string digits = fmt::format("{}", number);
    return text.starts_with("=\"" + digits + '"') || text.starts_with("='" + digits + '\'') ||
           text.starts_with(">" + digits + "</");
}

/// Whether nothing in the packet says another orientation than Exif's, or replaces another attribute that counts.
bool agrees(std::string_view packet, int orientation)
{
    constexpr std::string_view name = "orientation";
    constexpr std::string_view space = "tiff:";
    const std::string text = lower_case(packet);
    for (const std::string_view other : {"oiio:"sv, "jpeg:colorspace"sv, "tiff:colorspace"sv})
        if (text.find(other) != std::string::npos) return false;
    for (std::size_t found = text.find(name); found != std::string::npos; found = text.find(name, found + 1)) {
        std::string_view before = std::string_view(text).substr(0, found);
        if (before.ends_with(space)) before.remove_suffix(space.size());
        const char last = before.empty() ? ' ' : before.back();
        const bool is_other_name = std::isalnum(static_cast<unsigned char>(last)) != 0 ||
                                   std::string_view(":_-.").find(last) != std::string_view::npos;
        if (is_other_name || before.ends_with("</")) continue;
        if (!has_value(std::string_view(text).substr(found + name.size()), orientation)) return false;
    }
    return true;
}

/// Whether a description may be in the bytes that counts the images of its file (formats/stack_description.h). No
/// program writes such a JPEG, but one may be converted from a TIFF.
bool may_count_images(std::string_view bytes)
{
    return std::ranges::any_of(std::array{"ImageJ="sv, "OME "sv, "shape"sv},
                               [&](std::string_view sign) { return bytes.find(sign) != std::string_view::npos; });
}

/// What the metadata of a file say.
struct Facts {
    int orientation = ExifBlock::kNone;
    std::vector<std::string_view> packets;  ///< of XMP
};

/// False if it is not clear what OpenImageIO makes of a segment.
bool add_facts(const jpeg_marker_struct& marker, Facts& facts)
{
    constexpr std::string_view exif = "Exif";
    constexpr std::size_t exif_head = 6;
    if (marker.marker != kProfile && may_count_images(bytes_of(marker))) return false;
    if (marker.marker != kExifOrXmp) return true;
    const std::optional<bool> is_exif = is_named(marker, exif);
    const std::optional<bool> is_xmp = is_named(marker, "http://ns.adobe.com/xap/1.0/");
    if (!is_exif || !is_xmp || (*is_exif && marker.data_length < exif_head)) return false;
    if (*is_xmp) facts.packets.push_back(bytes_of(marker));
    if (!*is_exif || facts.orientation != ExifBlock::kNone) return true;
    const std::optional<int> found = ExifBlock(bytes_of(marker).substr(exif_head)).orientation();
    facts.orientation = found.value_or(ExifBlock::kNone);
    return found.has_value();
}

/// None if it takes OpenImageIO to know it.
std::optional<int> orientation_of(const jpeg_marker_struct* markers)
{
    Facts facts;
    for (const auto* marker = markers; marker != nullptr; marker = marker->next)
        if (!add_facts(*marker, facts)) return std::nullopt;
    const bool agree =
        std::ranges::all_of(facts.packets, [&](std::string_view packet) { return agrees(packet, facts.orientation); });
    return agree ? std::optional(facts.orientation) : std::nullopt;
}

/// ICC.1:2022, B.4: a segment has the name, its number from 1, the number of all, and a piece of the profile. Empty if
/// there is no profile, or if a piece is missing or there twice. None if a segment ends before its piece.
std::optional<std::string> profile_of(const jpeg_marker_struct* markers)
{
    constexpr std::string_view name = "ICC_PROFILE";
    constexpr std::size_t head = 14;
    constexpr std::size_t max_pieces = 255;
    std::array<std::optional<std::string_view>, max_pieces + 1> pieces;
    std::size_t count = 0;
    for (const auto* marker = markers; marker != nullptr; marker = marker->next) {
        if (marker->marker != kProfile) continue;
        const std::optional<bool> is_profile = is_named(*marker, name);
        if (!is_profile || (*is_profile && marker->data_length < head)) return std::nullopt;
        if (!*is_profile) continue;
        const std::size_t number = marker->data[head - 2];
        const std::size_t stated = marker->data[head - 1];
        if (count == 0) count = stated;
        if (stated != count || number == 0 || number > count || pieces.at(number)) return std::string();
        pieces.at(number) = bytes_of(*marker).substr(head);
    }
    std::string profile;
    for (std::size_t number = 1; number <= count; ++number) {
        if (!pieces.at(number)) return std::string();
        profile += *pieces.at(number);
    }
    return profile;
}

/// The messages of one call of libjpeg. It gives at most one warning for a file.
struct Messages {
    jpeg_error_mgr manager;  ///< the first member: libjpeg knows this alone
    std::jmp_buf end_of_call;
    std::array<char, JMSG_LENGTH_MAX> warning;
    std::array<char, JMSG_LENGTH_MAX> failure;
};

Messages& messages_of(j_common_ptr library) { return *reinterpret_cast<Messages*>(library->err); }

void note_warning(j_common_ptr library) { library->err->format_message(library, messages_of(library).warning.data()); }

[[noreturn]] void end_call(j_common_ptr library)
{
    Messages& messages = messages_of(library);
    library->err->format_message(library, messages.failure.data());
    std::longjmp(messages.end_of_call, 1);
}

/// False if libjpeg jumped out of `act`, which therefore has no objects with destructors.
template <class T>
bool call(Messages& messages, T& with, void (*act)(T&))
{
    if (setjmp(messages.end_of_call) != 0) return false;
    act(with);
    return true;
}

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

class JpegInput final : public oiio::Decoder {
public:
    explicit JpegInput(const std::filesystem::path& path) : path_(path.string()) {}
    ~JpegInput() override { jpeg_destroy_decompress(&library_); }

    [[nodiscard]] std::string_view format() const override { return "jpeg"; }
    [[nodiscard]] bool is_abridged() const override { return true; }
    [[nodiscard]] const oiio::FileHeader& header() const override { return header_; }

    /// False if the file is none for this decoder.
    bool open()
    {
        if (!begin() || !is_plain()) return false;
        const std::optional<int> orientation = orientation_of(library_.marker_list);
        const std::optional<std::string> profile = profile_of(library_.marker_list);
        if (!orientation || !profile || !start()) return false;
        header_ = oiio::FileHeader(static_cast<int>(library_.output_width), static_cast<int>(library_.output_height),
                                   library_.num_components, OIIO::TypeDesc::UINT8);
        header_.attribute("oiio:ColorSpace", "sRGB");
        if (*orientation != ExifBlock::kNone) header_.attribute("Orientation", *orientation);
        if (!profile->empty())
            header_.attribute("ICCProfile", OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(profile->size())),
                              profile->data());
        return true;
    }

    bool read_rows(oiio::RowRange rows, OIIO::TypeDesc type, std::byte* samples) override
    {
        if (!oiio::is_as_stored(type, header_.format)) {
            add_error("a JPEG is decoded to samples of 8 bits");
            return false;
        }
        const std::size_t row_bytes = header_.scanline_bytes();
        for (int y = rows.begin; y < std::min(rows.end, header_.height); ++y, samples += row_bytes)
            if (!read_row(y, samples)) return false;
        return true;
    }

private:
    /// Reads the head.
    bool begin()
    {
        end();
        file_.reset(std::fopen(path_.c_str(), "rb"));
        if (!file_) return false;
        library_ = {};
        library_.err = jpeg_std_error(&messages_.manager);
        messages_.manager.error_exit = end_call;
        messages_.manager.output_message = note_warning;
        head_ = JPEG_SUSPENDED;
        return call_library([](JpegInput& self) {
                   jpeg_create_decompress(&self.library_);
                   jpeg_stdio_src(&self.library_, self.file_.get());
                   constexpr unsigned whole = 0xFFFF;
                   for (const int marker : {kComment, kExifOrXmp, kProfile, kPhotoshop})
                       jpeg_save_markers(&self.library_, marker, whole);
                   self.head_ = jpeg_read_header(&self.library_, FALSE);
               }) &&
               head_ == JPEG_HEADER_OK;
    }

    /// Of a file of several scans, it decodes all.
    bool start()
    {
        next_row_ = 0;
        return call_library([](JpegInput& self) { jpeg_start_decompress(&self.library_); });
    }

    /// False if the file is not what it was: rows of another size would not fit.
    bool begin_again()
    {
        const bool is_same = begin() && start() && static_cast<int>(library_.output_width) == header_.width &&
                             static_cast<int>(library_.output_height) == header_.height &&
                             library_.out_color_components == header_.nchannels;
        if (is_same) return true;
        end();
        if (!has_error()) add_error(fmt::format("the file changed (\"{}\")", path_));
        return false;
    }

    void end()
    {
        jpeg_destroy_decompress(&library_);
        file_.reset();
    }

    [[nodiscard]] bool is_plain() const
    {
        return (library_.num_components == 1 || library_.num_components == 3) &&
               library_.jpeg_color_space != JCS_CMYK && library_.jpeg_color_space != JCS_YCCK;
    }

    /// Rows before `y` that were not decoded yet are decoded to the same place. After a failure, libjpeg says that it
    /// cannot go on, and OpenImageIO returns that as another message.
    bool read_row(int y, std::byte* samples)
    {
        if (y < 0) return false;
        if (next_row_ > y && !begin_again()) return false;
        wanted_row_ = y;
        samples_ = reinterpret_cast<JSAMPROW>(samples);
        if (!call_library(decode_rows)) return false;
        if (next_row_ > y) return true;
        add_error(fmt::format("JPEG failed scanline read (\"{}\")", path_));
        return false;
    }

    static void decode_rows(JpegInput& self)
    {
        for (; self.next_row_ <= self.wanted_row_; ++self.next_row_)
            if (jpeg_read_scanlines(&self.library_, &self.samples_, 1) != 1) return;
    }

    /// Ends the decoding at a failure.
    bool call_library(void (*act)(JpegInput&))
    {
        messages_.warning[0] = messages_.failure[0] = '\0';
        const bool is_done = call(messages_, *this, act);
        for (const char* message : {messages_.warning.data(), messages_.failure.data()})
            if (*message != '\0') add_error(fmt::format("JPEG error: {} (\"{}\")", message, path_));
        if (!is_done) end();
        return is_done;
    }

    std::string path_;
    oiio::FileHeader header_;
    std::unique_ptr<std::FILE, Close> file_;
    Messages messages_ = {};
    jpeg_decompress_struct library_ = {};
    int head_ = JPEG_SUSPENDED;
    int next_row_ = 0;
    int wanted_row_ = 0;
    JSAMPROW samples_ = nullptr;
};

}  // namespace

std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path)
{
    auto input = std::make_unique<JpegInput>(path);
    return input->open() ? std::move(input) : nullptr;
}

}  // namespace clconv::jpeg
