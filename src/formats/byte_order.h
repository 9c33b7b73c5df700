// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes, as files have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace clconv::oiio {

enum class ByteOrder { big, little };

/// An unsigned number of `size` bytes, at most 8; 0 where `bytes` ends before it.
[[nodiscard]] inline std::uint64_t number_in(std::string_view bytes, std::size_t offset, int size, ByteOrder order)
{
    std::uint64_t value = 0;
    if (offset > bytes.size() || static_cast<std::size_t>(size) > bytes.size() - offset) return 0;
    for (int i = 0; i < size; ++i) {
        const int place = order == ByteOrder::big ? i : size - 1 - i;
        value = value << 8U | static_cast<unsigned char>(bytes[offset + static_cast<std::size_t>(place)]);
    }
    return value;
}

/// The lowest `size` bytes of a number, at most 8.
[[nodiscard]] inline std::string bytes_of_number(std::uint64_t value, int size, ByteOrder order)
{
    std::string bytes;
    for (int i = 0; i < size; ++i) {
        const int place = order == ByteOrder::big ? size - 1 - i : i;
        bytes += static_cast<char>(value >> 8U * static_cast<unsigned>(place) & 0xFFU);
    }
    return bytes;
}

}  // namespace clconv::oiio
