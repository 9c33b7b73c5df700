// SPDX-License-Identifier: Apache-2.0
#include "formats/bmp_alpha.h"

#include "formats/file_head.h"
#include "formats/file_splice.h"

#include <cstdint>
#include <string>

namespace clconv::oiio {
namespace {

constexpr std::size_t kFileSize = 2;  // places in the file
constexpr std::size_t kPixels = 10;
constexpr std::size_t kHeader = 14;
constexpr std::size_t kWidth = 18;
constexpr std::size_t kHeight = 22;
constexpr std::size_t kBits = 28;
constexpr std::size_t kCompression = 30;
constexpr std::size_t kPixelBytes = 34;
constexpr std::size_t kAlphaMask = 66;

constexpr std::uint32_t kInfoHeader = 40;  // bytes
constexpr std::uint32_t kV4Header = 108;

std::string as_bytes(std::uint32_t number)
{
    std::string bytes;
    for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xFFU);
    return bytes;
}

}  // namespace

bool has_bmp_alpha_mask(const std::filesystem::path& path)
{
    const FileHead head(path);
    return head.number(kHeader, 4, ByteOrder::little) >= kV4Header && head.number(kBits, 2, ByteOrder::little) == 32 &&
           head.number(kAlphaMask, 4, ByteOrder::little) != 0;
}

void add_bmp_alpha_mask(const std::filesystem::path& path)
{
    constexpr std::uint32_t longer = kV4Header - kInfoHeader;
    constexpr std::uint32_t has_masks = 3;
    constexpr std::uint32_t default_colours = 0x57696E20;  // 'Win ': none that the file names
    constexpr std::size_t primaries_and_gamma = 36 + 12;
    std::string head = FileHead(path).bytes().substr(0, kHeader + kInfoHeader);
    const auto number = [&](std::size_t place) {
        return static_cast<std::uint32_t>(number_in(head, place, 4, ByteOrder::little));
    };
    const auto set = [&](std::size_t place, std::uint32_t value) { head.replace(place, 4, as_bytes(value)); };
    set(kFileSize, number(kFileSize) + longer);
    set(kPixels, number(kPixels) + longer);
    set(kHeader, kV4Header);
    set(kCompression, has_masks);
    set(kPixelBytes, 4 * number(kWidth) * number(kHeight));  // the library's writer states pixels
    for (const std::uint32_t field : {0x00FF0000U, 0x0000FF00U, 0x000000FFU, 0xFF000000U, default_colours})
        head += as_bytes(field);
    head.append(primaries_and_gamma, '\0');
    replace_bytes(path, 0, kHeader + kInfoHeader, head);
}

}  // namespace clconv::oiio
