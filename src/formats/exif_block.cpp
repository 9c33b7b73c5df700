// SPDX-License-Identifier: Apache-2.0
#include "formats/exif_block.h"

#include "formats/byte_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace clconv::oiio {
namespace {

constexpr std::uint32_t kOrientationTag = 0x112;
constexpr std::uint32_t kDetailsTag = 0x8769;
constexpr std::uint32_t kColourSpaceTag = 0xA001;
constexpr std::uint32_t kInteroperabilityEntry = 0xA005;
constexpr std::uint32_t kIndexTag = 1;

/// TIFF 6.0, section 2. Beyond its end all numbers are 0, and nothing is written.
class ExifBlock {
public:
    explicit ExifBlock(std::string& bytes)
        : bytes_(bytes), order_(bytes.starts_with("II") ? ByteOrder::little : ByteOrder::big)
    {
    }

    [[nodiscard]] bool is_sound() const
    {
        constexpr std::uint32_t magic = 42;
        return (order_ == ByteOrder::little || bytes_.starts_with("MM")) && number(2, 2) == magic;
    }

    [[nodiscard]] std::uint32_t number(std::size_t offset, int size) const
    {
        return static_cast<std::uint32_t>(number_in(bytes_, offset, size, order_));
    }

    void put(std::size_t offset, int size, std::uint32_t value)
    {
        const std::string bytes = bytes_of_number(value, size, order_);
        if (offset > bytes_.size() || bytes_.size() - offset < bytes.size()) return;
        std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    }

    /// Where the entry of `tag` is in the directory at `directory`; 0 if there is none.
    [[nodiscard]] std::size_t entry(std::size_t directory, std::uint32_t tag) const
    {
        if (directory == 0) return 0;
        const std::uint32_t count = number(directory, 2);
        for (std::size_t i = 0; i < count; ++i)
            if (const std::size_t offset = directory + 2 + 12 * i; number(offset, 2) == tag) return offset;
        return 0;
    }

    /// The value of an entry of one number; 0 if there is none.
    [[nodiscard]] std::uint32_t value(std::size_t directory, std::uint32_t tag) const
    {
        const std::size_t found = entry(directory, tag);
        return found == 0 ? 0 : number(found + 8, number(found + 2, 2) == kShort ? 2 : 4);
    }

    /// The value of an entry of one fraction; 0 if there is none.
    [[nodiscard]] double fraction(std::size_t directory, std::uint32_t tag) const
    {
        const std::size_t found = entry(directory, tag);
        if (found == 0 || number(found + 2, 2) != kFraction) return 0;
        const std::size_t place = number(found + 8, 4);
        const std::uint32_t divisor = number(place + 4, 4);
        return divisor == 0 ? 0 : static_cast<double>(number(place, 4)) / divisor;
    }

    void set_value(std::size_t directory, std::uint32_t tag, int value)
    {
        const std::size_t found = entry(directory, tag);
        const std::uint32_t type = found == 0 ? 0 : number(found + 2, 2);
        if (type == kShort || type == kLong) put(found + 8, type == kShort ? 2 : 4, static_cast<std::uint32_t>(value));
    }

    void drop_thumbnail(std::size_t directory)
    {
        constexpr std::uint32_t offset_tag = 0x201;
        constexpr std::uint32_t length_tag = 0x202;
        constexpr std::uint32_t jpeg = 0xD8FF;
        const std::size_t next = directory + 2 + 12 * static_cast<std::size_t>(number(directory, 2));
        const std::size_t second = number(next, 4);
        if (second == 0) return;
        const std::size_t begin = value(second, offset_tag);
        const std::size_t end = std::min<std::size_t>(begin + value(second, length_tag), bytes_.size());
        const std::uint32_t first = number(begin, 2);
        put(next, 4, 0);
        // Only data that is certainly a picture, because damaged numbers may point anywhere.
        if (begin < end && (first == jpeg || first == 0xFFD8))
            std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(begin),
                      bytes_.begin() + static_cast<std::ptrdiff_t>(end), '\0');
    }

    /// A text of three letters, which is stored in the entry itself. Empty if the entry has another length.
    [[nodiscard]] std::string text(std::size_t directory, std::uint32_t tag) const
    {
        const std::size_t found = entry(directory, tag);
        return found == 0 || number(found + 4, 4) != 4 ? std::string() : bytes_.substr(found + 8, 3);
    }

    /// The index of DCF becomes "R98", which is sRGB.
    void forget_index(std::size_t directory)
    {
        if (text(directory, kIndexTag) == "R03") bytes_.replace(entry(directory, kIndexTag) + 8, 3, "R98");
    }

private:
    static constexpr std::uint32_t kShort = 3;
    static constexpr std::uint32_t kLong = 4;
    static constexpr std::uint32_t kFraction = 5;

    std::string& bytes_;
    ByteOrder order_;
};

}  // namespace

std::string corrected_exif(std::string block, std::optional<Extent> size, bool is_srgb_now)
{
    ExifBlock exif(block);
    if (!exif.is_sound()) return block;
    const std::size_t main = exif.number(4, 4);
    exif.drop_thumbnail(main);
    const std::size_t details = exif.value(main, kDetailsTag);
    if (is_srgb_now) {
        exif.set_value(details, kColourSpaceTag, 1);
        exif.forget_index(exif.value(details, kInteroperabilityEntry));
    }
    if (size) {
        exif.set_value(main, 0x100, size->width);
        exif.set_value(main, 0x101, size->height);
        exif.set_value(details, 0xA002, size->width);
        exif.set_value(details, 0xA003, size->height);
    }
    return block;
}

std::string upright_exif(std::string block, Extent size)
{
    block = corrected_exif(std::move(block), size);
    ExifBlock exif(block);
    if (exif.is_sound()) exif.set_value(exif.number(4, 4), kOrientationTag, 1);
    return block;
}

int exif_orientation(std::string block)
{
    const ExifBlock exif(block);
    return exif.is_sound() ? static_cast<int>(exif.value(exif.number(4, 4), kOrientationTag)) : 0;
}

std::optional<ExifResolution> exif_resolution(std::string block)
{
    constexpr std::uint32_t inches = 2;
    const ExifBlock exif(block);
    if (!exif.is_sound()) return std::nullopt;
    const std::size_t main = exif.number(4, 4);
    const std::uint32_t unit = exif.value(main, 0x128);
    const ExifResolution found{exif.fraction(main, 0x11A), exif.fraction(main, 0x11B),
                               static_cast<int>(unit == 0 ? inches : unit)};
    if (found.across <= 0 || found.down <= 0) return std::nullopt;
    return found;
}

std::string exif_of_orientation(int orientation)
{
    // One directory, at 8, of one entry: tag 0x112, of one number of 16 bits. No other directory follows.
    std::string block("II\x2A\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\0\0\0\0\0\0\0\0", 26);
    constexpr std::size_t value = 18;
    block[value] = static_cast<char>(orientation);
    return block;
}

bool says_adobe_rgb(std::string block)
{
    constexpr std::uint32_t uncalibrated = 0xFFFF;
    const ExifBlock exif(block);
    if (!exif.is_sound()) return false;
    const std::size_t details = exif.value(exif.number(4, 4), kDetailsTag);
    return exif.value(details, kColourSpaceTag) == uncalibrated &&
           exif.text(exif.value(details, kInteroperabilityEntry), kIndexTag) == "R03";
}

}  // namespace clconv::oiio
