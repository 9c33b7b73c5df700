// SPDX-License-Identifier: Apache-2.0
// Sizes and positions on the pixel grid. x counts columns to the right, y counts rows downwards.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

namespace clconv {

/// The longest side of an image or a PSF. It keeps sums and differences of several sides within int.
inline constexpr int kMaxSide = 1 << 28;
/// The maximum numbers of channels and of samples of an image, including the positions that a PSF adds. They keep byte
/// counts within 64 bits.
inline constexpr int kMaxChannels = 1 << 16;
inline constexpr std::uint64_t kMaxSamples = 1ull << 48;

/// Pixels across and down.
struct Extent {
    int width = 0;
    int height = 0;

    [[nodiscard]] std::size_t pixels() const
    {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
    friend auto operator<=>(const Extent&, const Extent&) = default;
};

/// A sample's position; may be outside of the image.
struct Position {
    int x = 0;
    int y = 0;
    friend auto operator<=>(const Position&, const Position&) = default;
};

/// "640x480"
inline std::string to_string(Extent extent)
{
    return std::to_string(extent.width) + "x" + std::to_string(extent.height);
}

}  // namespace clconv
