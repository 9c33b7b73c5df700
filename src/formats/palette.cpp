// SPDX-License-Identifier: Apache-2.0
#include "formats/palette.h"

#include "formats/byte_order.h"

#include <array>
#include <cstdint>
#include <fstream>

namespace clconv::oiio {
namespace {

constexpr std::size_t kPaletteHead = 64;
using PaletteHead = std::array<char, kPaletteHead>;

/// `PaletteHead` from `place` on, with zeros behind the end of the file.
PaletteHead head_of(const std::filesystem::path& path, std::uint64_t place)
{
    PaletteHead head{};
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(place));
    file.read(head.data(), head.size());
    return head;
}

std::uint32_t number(const PaletteHead& head, std::size_t place, int bytes)
{
    return static_cast<std::uint32_t>(number_in({head.data(), head.size()}, place, bytes, ByteOrder::little));
}

int with_palette(std::uint32_t bits)
{
    constexpr std::uint32_t maximum = 8;
    return bits <= maximum ? static_cast<int>(bits) : 0;
}

/// BITMAPCOREHEADER has the bits at 10, all others at 14.
int bmp_bits(const PaletteHead& head)
{
    constexpr std::size_t file_head = 14;
    constexpr std::uint32_t core = 12;
    const bool is_core = number(head, file_head, 4) == core;
    return with_palette(number(head, file_head + (is_core ? 10 : 14), 2));
}

/// Truevision TGA 2.0: image types 1 and 9 are numbers of colours.
int targa_bits(const PaletteHead& head)
{
    const std::uint32_t type = head[2] & 7U;
    return type == 1 ? static_cast<int>(head[16]) : 0;
}

/// The first image is a bitmap or a PNG.
int ico_bits(const std::filesystem::path& path)
{
    const PaletteHead directory = head_of(path, 0);
    const PaletteHead image = head_of(path, number(directory, 18, 4));
    constexpr std::uint32_t info = 40;
    return number(image, 0, 4) == info ? with_palette(number(image, 14, 2)) : 0;
}

}  // namespace

int palette_bits(const std::filesystem::path& path, std::string_view format)
{
    if (format == "bmp") return bmp_bits(head_of(path, 0));
    if (format == "targa") return targa_bits(head_of(path, 0));
    return format == "ico" ? ico_bits(path) : 0;
}

}  // namespace clconv::oiio
