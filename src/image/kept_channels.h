// SPDX-License-Identifier: Apache-2.0
// Channels of a file that are copied bit for bit, while others are convolved.
//
// For such a file, Image::samples holds only the convolved channels, as if there were no others. Image::kept holds the
// rest as in the file. Both are merged when a file is written.
#pragma once

#include "base/extent.h"
#include "base/fields.h"
#include "base/file_type.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace clconv {

/// Which channels of a file are in Image::samples, and which are in Image::kept. Channel numbers are the file's.
struct ChannelSplit {
    Extent extent;                   ///< of the file's pixels, and of Image::kept
    std::vector<std::string> names;  ///< of all channels
    std::vector<FileType> types;     ///< of all channels
    std::vector<int> convolved;      ///< in the order of the image's channels
    std::vector<int> kept;           ///< in the file's order, which is that of Image::kept
    int alpha = -1;                  ///< the file's; -1: none
    bool is_straight = false;        ///< the file's colours are not multiplied by alpha

    [[nodiscard]] int channels() const { return static_cast<int>(names.size()); }
    /// Bytes of a pixel's kept channels, which follow each other without gaps.
    [[nodiscard]] std::size_t kept_pixel_bytes() const { return bytes_of_all(kept); }
    [[nodiscard]] std::size_t kept_row_bytes() const
    {
        return kept_pixel_bytes() * static_cast<std::size_t>(extent.width);
    }
    [[nodiscard]] std::size_t kept_bytes() const { return kept_row_bytes() * static_cast<std::size_t>(extent.height); }
    /// The image's number of a file's channel; -1: it is kept.
    [[nodiscard]] int image_channel(int file_channel) const;
    [[nodiscard]] std::vector<std::string> kept_names() const;

private:
    [[nodiscard]] std::size_t bytes_of_all(std::span<const int> channels) const;
};
CLCONV_FIELDS(ChannelSplit, extent, names, types, convolved, kept, alpha, is_straight)

/// Bytes that are side by side in pixels of two layouts.
struct PixelField {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t size = 0;
};

/// Copies fields of pixels from one layout to another, and neighbours at once.
class PixelCopy {
public:
    /// Adds a field. Those that follow the last one on both sides are joined with it.
    void add(PixelField field);
    void copy(const std::byte* from, std::size_t from_pixel, std::byte* to, std::size_t to_pixel,
              std::size_t pixels) const;

private:
    std::vector<PixelField> fields_;
};

/// The type that holds the values of both: one of them, or float.
[[nodiscard]] FileType common_type(FileType a, FileType b);
/// The common type of some of a file's channels, at least one.
[[nodiscard]] FileType common_type(const ChannelSplit& split, std::span<const int> channels);

}  // namespace clconv
