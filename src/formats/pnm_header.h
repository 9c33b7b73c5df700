// SPDX-License-Identifier: Apache-2.0
// The head of a PBM, PGM or PPM file (netpbm's formats P1 to P6), and how their codes become those of 8 or 16 bits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace clconv::pnm {

/// Attributes that headers of these images carry to outputs of the same format.
inline constexpr const char* kBinary = "pnm:binary";  ///< 0: numbers as text (P1 to P3)
inline constexpr const char* kMaxval = "pnm:maxval";  ///< the largest code, 1 to 65535

struct Head {
    int width = 0;
    int height = 0;
    int channels = 1;
    int maxval = 1;
    bool is_binary = true;
    bool is_bitmap = false;    ///< P1 and P4: 1 is black
    std::uint64_t raster = 0;  ///< position of the first sample in the file

    [[nodiscard]] int bytes_per_code() const { return maxval > 255 ? 2 : 1; }
    /// Bytes of a row in a binary file.
    [[nodiscard]] std::uint64_t row_bytes() const
    {
        const auto codes = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(channels);
        return is_bitmap ? (codes + 7) / 8 : codes * static_cast<std::uint64_t>(bytes_per_code());
    }
};

/// Whether bytes, or a file, begin like one of them.
[[nodiscard]] bool begins_like_pnm(std::string_view bytes);
[[nodiscard]] bool is_pnm(const std::filesystem::path& path);

/// The head of a file that begins with `bytes`; none if it is damaged or longer than `bytes`.
[[nodiscard]] std::optional<Head> head_of(std::string_view bytes);

/// The next whole number of a text, and removes it; none if there is none, or it has more than nine digits behind its
/// zeros. Comments (# to the end of the line) are skipped.
[[nodiscard]] std::optional<int> take_number(std::string_view& text);

/// The same for the digits of a P1 file, which need nothing between them.
[[nodiscard]] std::optional<int> take_digit(std::string_view& text);

/// A code of [0, maxval], or one above it, as the nearest one of [0, largest].
[[nodiscard]] constexpr std::uint32_t scaled_code(std::uint32_t code, std::uint32_t maxval, std::uint32_t largest)
{
    const std::uint64_t clamped = code < maxval ? code : maxval;
    return static_cast<std::uint32_t>((2 * clamped * largest + maxval) / (2 * static_cast<std::uint64_t>(maxval)));
}

}  // namespace clconv::pnm
