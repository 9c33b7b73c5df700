// SPDX-License-Identifier: Apache-2.0
// Formats whose heads are fields at fixed places.
#include "formats/file_head.h"
#include "formats/form_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace clconv::oiio {

/// Microsoft's BITMAPINFOHEADER, or the older BITMAPCOREHEADER.
StoredForm bmp_form(const std::filesystem::path& path)
{
    const FileHead head(path);
    constexpr std::uint64_t core = 12;
    const bool is_core = head.number(14, 4, ByteOrder::little) == core;
    const std::uint64_t bits = head.number(is_core ? 24 : 28, 2, ByteOrder::little);
    StoredForm form{.bits = bits == 16 ? 5 : 8, .colours = bits <= 8 ? "palette" : "RGB"};
    constexpr std::uint64_t with_dots = 40;
    constexpr double metres = 0.0254;
    constexpr std::uint64_t with_profile = 124;  // BITMAPV5HEADER
    constexpr std::uint64_t embedded = 0x4D424544;
    constexpr std::uint64_t linked = 0x4C494E4B;
    const std::uint64_t space = head.number(70, 4, ByteOrder::little);
    form.has_profile = head.number(14, 4, ByteOrder::little) >= with_profile && (space == embedded || space == linked);
    if (head.number(14, 4, ByteOrder::little) >= with_dots)
        read_resolution(metres * static_cast<double>(head.number(38, 4, ByteOrder::little)),
                        metres * static_cast<double>(head.number(42, 4, ByteOrder::little)), form);
    return form;
}

namespace {

/// A ratio of two numbers; 0 if the second is 0.
double ratio(std::uint64_t number, std::uint64_t divisor)
{
    return divisor == 0 ? 0 : static_cast<double>(number) / static_cast<double>(divisor);
}

/// A tag that says something: its bytes are not all spaces, zeros or ones.
void add_text(const std::string& bytes, const char* name, StoredForm& form)
{
    constexpr std::string_view nothing("\0 \xFF", 3);
    if (bytes.find_first_not_of(nothing) != std::string::npos) form.tags.insert(name);
}

/// Truevision TGA 2.0, fields 10 to 24, where the footer at the end says that they are.
void read_targa_extension(FileHead& head, std::uint64_t file_size, StoredForm& form)
{
    constexpr std::uint64_t footer = 26;
    constexpr std::uint64_t size = 495;
    if (file_size < footer + size) return;
    const std::string end = head.part(file_size - footer, footer);
    const std::uint64_t place = number_in(end, 0, 4, ByteOrder::little);
    if (end.size() < footer || end.substr(8, 16) != "TRUEVISION-XFILE" || place == 0) return;
    const std::string area = head.part(place, size);
    if (area.empty()) return;
    add_text(area.substr(2, 41), "Artist", form);
    add_text(area.substr(43, 324), "ImageDescription", form);
    add_text(area.substr(367, 12), "DateTime", form);
    const auto number = [&](std::size_t at) { return number_in(area, at, 2, ByteOrder::little); };
    if (const double aspect = ratio(number(474), number(476)); aspect > 0) form.aspect = aspect;
    constexpr double of_default = 2.2;
    if (const double gamma = ratio(number(478), number(480)); gamma > 0 && gamma != 1 && gamma != of_default)
        form.curve = gamma_curve(gamma);
}

}  // namespace

/// Truevision TGA 2.0, fields 3 and 5.
StoredForm targa_form(const std::filesystem::path& path)
{
    FileHead head(path);
    const std::uint64_t type = head.number(2, 1, ByteOrder::little) & 7U;
    StoredForm form{.bits = head.number(16, 1, ByteOrder::little) == 16 ? 5 : 8};
    form.colours = type == 1 ? "palette" : type == 2 ? "RGB" : "gray";
    const bool has_alpha = (head.number(17, 1, ByteOrder::little) & 15U) > 0;
    const bool is_unread = (type == 2 && form.bits == 5) || (type == 1 && head.number(7, 1, ByteOrder::little) == 32);
    if (has_alpha && is_unread) form.alpha = "straight";
    const std::uint64_t descriptor = head.number(17, 1, ByteOrder::little);
    form.order = descriptor & 0x20U ? kFromAbove : kFromBelow;
    if (descriptor & 0x10U) form.order += ", from right to left";
    std::error_code none;
    read_targa_extension(head, std::filesystem::file_size(path, none), form);
    return form;
}

/// "The SGI Image File Format".
StoredForm sgi_form(const std::filesystem::path& path)
{
    const FileHead head(path);
    StoredForm form{.bits = static_cast<int>(8 * head.number(3, 1, ByteOrder::big))};
    constexpr std::size_t name = 80;
    if (head.bytes().size() >= 24 + name) add_text(head.bytes().substr(24, name), "ImageDescription", form);
    return form;
}

/// SMPTE 268M: the bits of the first element, and the orientation of the picture.
StoredForm dpx_form(const std::filesystem::path& path)
{
    const FileHead head(path);
    constexpr std::array<int, 4> orientations{1, 2, 4, 3};  // Exif's, of those whose lines are the picture's rows
    StoredForm form{.bits = static_cast<int>(head.number(803, 1, ByteOrder::big))};
    if (form.bits >= 32) form.numbers = Numbers::floats;
    const ByteOrder order = head.begins("SDPX") ? ByteOrder::big : ByteOrder::little;
    if (const std::uint64_t number = head.number(768, 2, order); number < orientations.size())
        form.orientation = orientations[number];
    constexpr std::array<const char*, 11> curves{
        "", "printing density", "linear", "logarithmic", "", "BT.709", "BT.709", "BT.709", "BT.709", "", ""};
    if (const std::uint64_t curve = head.number(801, 1, ByteOrder::big); curve < curves.size())
        form.curve = curves[curve];
    const std::string& bytes = head.bytes();
    if (bytes.size() < FileHead::kSize) return form;
    add_text(bytes.substr(136, 24), "DateTime", form);
    add_text(bytes.substr(260, 200), "DocumentName", form);
    add_text(bytes.substr(460, 200), "Copyright", form);
    add_text(bytes.substr(820, 32), "ImageDescription", form);
    constexpr std::uint64_t end_of_frame_rate = 1728;  // shorter heads of ffmpeg have none
    if (head.number(4, 4, order) >= end_of_frame_rate) add_text(bytes.substr(1724, 4), "frame rate", form);
    constexpr std::uint64_t unset = 0xFFFFFFFF;
    const std::uint64_t across = head.number(1628, 4, order);
    const std::uint64_t down = head.number(1632, 4, order);
    if (across > 0 && across != unset && down > 0 && down != unset) form.aspect = ratio(across, down);
    const std::uint64_t left = head.number(1408, 4, order);
    const std::uint64_t above = head.number(1412, 4, order);
    if ((left > 0 && left != unset) || (above > 0 && above != unset))
        form.window = fmt::format("at {}, {}", left, above);
    const std::uint64_t full_width = head.number(1424, 4, order);
    form.has_frame = full_width > 0 && full_width != unset;
    return form;
}

StoredForm ico_form(const std::filesystem::path& path)
{
    const FileHead head(path);
    return {.bits = 8, .images = static_cast<int>(head.number(4, 2, ByteOrder::little))};
}

/// Adobe Photoshop File Formats, "File Header Section".
StoredForm psd_form(const std::filesystem::path& path)
{
    constexpr std::array<const char*, 10> colours{"gray", "gray", "palette", "RGB", "inks", "", "", "", "gray", "Lab"};
    const FileHead head(path);
    StoredForm form{.bits = static_cast<int>(head.number(22, 2, ByteOrder::big))};
    if (form.bits == 32) form.numbers = Numbers::floats;
    if (const std::uint64_t mode = head.number(24, 2, ByteOrder::big); mode < colours.size())
        form.colours = colours[mode];
    const std::uint64_t of_colours = form.colours == "RGB" || form.colours == "Lab" ? 3
                                     : form.colours == "inks"                       ? 4
                                                                                    : 1;
    if (!form.colours.empty() && head.number(12, 2, ByteOrder::big) > of_colours) form.alpha = "straight";
    return form;
}

/// "Cineon Image File Format", 4.5: the bits of the first channel. Codes are printing densities.
StoredForm cineon_form(const std::filesystem::path& path)
{
    const FileHead head(path);
    return {.bits = static_cast<int>(head.number(198, 1, ByteOrder::big)), .colours = "RGB", .curve = "logarithmic"};
}

namespace {

/// The cards of the header that begins at `place`, which becomes the place behind it.
std::vector<std::string> fits_cards(FileHead& head, std::uint64_t& place)
{
    constexpr std::size_t block = 2880;
    constexpr std::size_t card = 80;
    constexpr int max_blocks = 1000;
    std::vector<std::string> cards;
    for (int i = 0; i < max_blocks; ++i, place += block) {
        const std::string bytes = head.part(place, block);
        for (std::size_t at = 0; at + card <= bytes.size(); at += card) {
            cards.push_back(bytes.substr(at, card));
            if (!cards.back().starts_with("END ")) continue;
            place += block;
            return cards;
        }
        if (bytes.empty()) break;
    }
    return {};
}

bool describes_storage(std::string_view card)
{
    constexpr std::string_view names[] = {"SIMPLE ",  "XTENSION", "BITPIX ",  "NAXIS",   "EXTEND ", "BZERO ",
                                          "BSCALE ",  "BLANK ",   "PCOUNT ",  "GCOUNT ", "COMMENT", "HISTORY ",
                                          "CHECKSUM", "DATASUM ", "        ", "END "};
    return std::ranges::any_of(names, [&](std::string_view name) { return card.starts_with(name); });
}

/// FITS 4.0, 8.2: such as CRVAL3.
bool is_coordinate_of_higher_axis(const std::string& card)
{
    constexpr std::string_view names[] = {"CTYPE", "CRPIX", "CRVAL", "CDELT", "CUNIT", "CROTA"};
    constexpr std::size_t length = 5;
    return std::ranges::any_of(names, [&](std::string_view name) { return card.starts_with(name); }) &&
           card.size() > length && card[length] >= '3' && card[length] <= '9';
}

}  // namespace

/// FITS 4.0, 4.4.1 and table 11: the first image, behind a first header without one. Of scaled numbers the reader has
/// warnings.
StoredForm fits_form(const std::filesystem::path& path)
{
    FileHead head(path);
    std::uint64_t place = 0;
    StoredForm form{.colours = "gray"};
    std::vector<std::string> cards = fits_cards(head, place);
    const auto note_texts = [&] {
        if (!std::ranges::all_of(cards, describes_storage)) form.tags.insert("cards of the FITS header");
        if (std::ranges::any_of(cards, is_coordinate_of_higher_axis)) form.tags.insert("coordinates of higher axes");
    };
    const auto value = [&](std::string_view name, double otherwise) {
        const auto found = std::ranges::find_if(cards, [&](const std::string& card) { return card.starts_with(name); });
        return found == cards.end() ? otherwise : std::atof(found->substr(10).c_str());
    };
    note_texts();
    if (value("NAXIS   =", 0) == 0) {
        cards = fits_cards(head, place);
        note_texts();
        if (cards.empty() || !cards.front().starts_with("XTENSION= 'IMAGE")) return {};
    }
    if (value("BSCALE  =", 1) != 1 || value("NAXIS   =", 0) == 0) return {};
    constexpr double planes_of_rgb = 3;
    if (value("NAXIS3  =", 0) >= planes_of_rgb) form.colours = "planes";
    const auto bits = static_cast<int>(value("BITPIX  =", 0));
    const double zero = value("BZERO   =", 0);
    form.bits = std::abs(bits);
    if (bits < 0)
        form.numbers = Numbers::floats;
    else if ((bits == 8) == (zero != 0))
        form.numbers = Numbers::signed_integers;
    const double of_unsigned = bits == 8 ? -128 : std::ldexp(1.0, form.bits - 1);
    return zero == 0 || zero == of_unsigned ? form : StoredForm{};
}

/// GIF89a: tables of colours of 8 bits.
StoredForm gif_form(const std::filesystem::path& path)
{
    const FileHead head(path);
    return {.bits = head.begins("GIF8") ? 8 : 0};
}

/// Maya's IFF: the chunk TBHD of a FOR4 of CIMG.
StoredForm iff_form(const std::filesystem::path& path)
{
    const FileHead head(path);
    if (head.bytes().substr(0, 16).substr(8) != "CIMGTBHD") return {};
    StoredForm form{.bits = head.number(36, 2, ByteOrder::big) == 0 ? 8 : 16, .colours = "RGB"};
    const double aspect = ratio(head.number(28, 2, ByteOrder::big), head.number(30, 2, ByteOrder::big));
    if (aspect > 0) form.aspect = aspect;
    const auto place = [&](std::size_t at) { return static_cast<std::int32_t>(head.number(at, 4, ByteOrder::big)); };
    if (place(44) != 0 || place(48) != 0) form.window = fmt::format("at {}, {}", place(44), place(48));
    if (head.bytes().find("AUTH") != std::string::npos) form.tags.insert("Artist");
    if (head.bytes().find("DATE") != std::string::npos) form.tags.insert("DateTime");
    return form;
}

/// Wavefront's RLA: the bits and the kind of colours.
StoredForm rla_form(const std::filesystem::path& path)
{
    constexpr std::uint64_t of_floats = 4;
    const FileHead head(path);
    StoredForm form{.bits = static_cast<int>(head.number(658, 2, ByteOrder::big))};
    if (head.number(660, 2, ByteOrder::big) == of_floats || form.bits == 32) form.numbers = Numbers::floats;
    const std::string& bytes = head.bytes();
    constexpr std::size_t size = 740;
    if (bytes.size() < size) return form;
    add_text(bytes.substr(272, 128), "ImageDescription", form);
    add_text(bytes.substr(528, 20), "DateTime", form);
    const double gamma = std::atof(bytes.substr(28, 16).c_str());
    constexpr double of_default = 2.2;
    if (gamma > 0 && std::abs(gamma - of_default) > 0.01) form.curve = gamma_curve(gamma);
    if (bytes.substr(0, 8) != bytes.substr(8, 8) || bytes.substr(0, 2) != std::string(2, '\0'))
        form.window = fmt::format("from {}, {} on", static_cast<std::int16_t>(head.number(8, 2, ByteOrder::big)),
                                  static_cast<std::int16_t>(head.number(12, 2, ByteOrder::big)));
    form.has_frame = true;
    return form;
}

/// Softimage PIC.
StoredForm softimage_form(const std::filesystem::path& path)
{
    const FileHead head(path);
    return {.bits = head.number(0, 4, ByteOrder::big) == 0x5380F634 ? 8 : 0, .colours = "RGB"};
}

}  // namespace clconv::oiio
