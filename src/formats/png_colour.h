// SPDX-License-Identifier: Apache-2.0
// Colour information of a PNG file that the image library does not report, or rounds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace clconv::oiio {

struct PngColour {
    bool is_srgb = false;                        ///< chunk sRGB
    std::optional<std::uint32_t> gamma = {};     ///< chunk gAMA: 100000 times the exponent that makes codes of light
    std::optional<unsigned char> transfer = {};  ///< chunk cICP: number of a transfer function of ITU-T H.273
    bool is_full_range = true;                   ///< chunk cICP: all codes are used
};

/// Reads the chunks before the first samples; in a damaged file, those before the damage.
[[nodiscard]] PngColour png_colour(const std::filesystem::path& path);

}  // namespace clconv::oiio
