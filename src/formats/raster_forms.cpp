// SPDX-License-Identifier: Apache-2.0
// Formats whose heads are fields at fixed places.
#include "formats/file_head.h"
#include "formats/form_readers.h"

#include <array>
#include <cstdlib>
#include <string>

namespace clconv::oiio {

/// Microsoft's BITMAPINFOHEADER.
StoredForm bmp_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    const std::uint64_t bits = head.number(28, 2, ByteOrder::little);
    return {.bits = bits == 16 ? 5 : 8, .colours = bits <= 8 ? "palette" : "RGB"};
}

/// Truevision TGA 2.0, fields 3 and 5.
StoredForm targa_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    const std::uint64_t type = head.number(2, 1, ByteOrder::little) & 7U;
    StoredForm form{.bits = head.number(16, 1, ByteOrder::little) == 16 ? 5 : 8};
    form.colours = type == 1 ? "palette" : type == 2 ? "RGB" : "gray";
    return form;
}

/// "The SGI Image File Format".
StoredForm sgi_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    return {.bits = static_cast<int>(8 * head.number(3, 1, ByteOrder::big))};
}

/// SMPTE 268M: the bits of the first element, and the orientation of the picture.
StoredForm dpx_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    constexpr std::array<int, 4> orientations{1, 2, 4, 3};  // Exif's, of those whose lines are the picture's rows
    StoredForm form{.bits = static_cast<int>(head.number(803, 1, ByteOrder::big))};
    if (form.bits >= 32) form.numbers = Numbers::floats;
    const ByteOrder order = head.begins("SDPX") ? ByteOrder::big : ByteOrder::little;
    if (const std::uint64_t number = head.number(768, 2, order); number < orientations.size())
        form.orientation = orientations[number];
    return form;
}

StoredForm ico_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    return {.bits = 8, .images = static_cast<int>(head.number(4, 2, ByteOrder::little))};
}

/// Adobe Photoshop File Formats, "File Header Section".
StoredForm psd_form(const std::filesystem::path& path, int /*part*/)
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

/// "Cineon Image File Format", 4.5: the bits of the first channel.
StoredForm cineon_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    return {.bits = static_cast<int>(head.number(198, 1, ByteOrder::big)), .colours = "RGB"};
}

/// FITS 4.0, 4.4.1: the first image, if its numbers are those that it stores. Of others the reader has warnings.
StoredForm fits_form(const std::filesystem::path& path, int /*part*/)
{
    constexpr std::size_t card = 80;
    const FileHead head(path);
    const std::string& bytes = head.bytes();
    int bits = 0;
    for (std::size_t place = 0; place + card <= bytes.size(); place += card) {
        const std::string line = bytes.substr(place, card);
        if (line.starts_with("BITPIX  =")) bits = std::atoi(line.substr(10).c_str());
        if (line.starts_with("BSCALE") || line.starts_with("BZERO")) return {};
        if (line.starts_with("NAXIS   =") && std::atoi(line.substr(10).c_str()) == 0) return {};
        if (line.starts_with("END ")) break;
    }
    if (bits == 8) return {.bits = bits, .colours = "gray"};
    if (bits == -32 || bits == -64) return {.numbers = Numbers::floats, .bits = -bits, .colours = "gray"};
    return {};
}

/// GIF89a: tables of colours of 8 bits.
StoredForm gif_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    return {.bits = head.begins("GIF8") ? 8 : 0};
}

/// Maya's IFF: the chunk TBHD of a FOR4 of CIMG.
StoredForm iff_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    if (head.bytes().substr(0, 16).substr(8) != "CIMGTBHD") return {};
    return {.bits = head.number(36, 2, ByteOrder::big) == 0 ? 8 : 16, .colours = "RGB"};
}

/// Wavefront's RLA: the bits and the kind of colours.
StoredForm rla_form(const std::filesystem::path& path, int /*part*/)
{
    constexpr std::uint64_t of_floats = 4;
    const FileHead head(path);
    StoredForm form{.bits = static_cast<int>(head.number(658, 2, ByteOrder::big))};
    if (head.number(660, 2, ByteOrder::big) == of_floats || form.bits == 32) form.numbers = Numbers::floats;
    return form;
}

/// Softimage PIC.
StoredForm softimage_form(const std::filesystem::path& path, int /*part*/)
{
    const FileHead head(path);
    return {.bits = head.number(0, 4, ByteOrder::big) == 0x5380F634 ? 8 : 0, .colours = "RGB"};
}

}  // namespace clconv::oiio
