// SPDX-License-Identifier: Apache-2.0
// Merges convolved and copied channels for a file. Private to src/encoders.
#pragma once

#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "encoders/output_header.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace clconv::oiio {

/// The copied channels of the input's row for output row `y`; null if there is none (--mode full).
using KeptRows = std::function<const std::byte*(int y)>;

/// Whether each channel of a file may have a type of its own.
[[nodiscard]] bool holds_types_by_channel(const FileFormat& format);

/// The rows of a result that holds all of them.
[[nodiscard]] KeptRows kept_rows(const Image& image);

/// How an image with a split is written.
struct Merge {
    /// Whether the file has all channels of the input, perhaps in other types. Otherwise it has those below, and its
    /// colours are multiplied by alpha where the input's are not, or the reverse.
    bool is_whole = true;
    std::vector<int> channels = {};  ///< the input's, in its order
    /// The header of an image that has only these channels, as floats, and no split. Colours are multiplied by alpha,
    /// and linear if the image's are.
    Image header = {};
    /// Colours are not multiplied: all of them are copied, and the format stores them as the input does.
    bool stays_straight = false;
};

[[nodiscard]] Merge merge_of(const FileFormat& format, const Image& image);

/// The type that each of the input's channels has in a whole file, where convolved ones have `type`: in OpenEXR copied
/// ones keep their own.
[[nodiscard]] std::vector<FileType> merged_types(const FileFormat& format, const ChannelSplit& split, FileType type);

/// All channels of `image`, which has a split, for a whole file.
[[nodiscard]] ChannelChoice convolved_choice(const Image& image);

/// Rows of the convolved channels, in the type of the file.
struct ConvolvedRows {
    const std::byte* samples;
    int first = 0;  ///< output row
    int count = 0;
};

/// Pixels of a whole file, each channel in its type of `types`, which are merged_types(). Copied channels are 0 where
/// the input has none. If their type changes, they become the nearest values that it holds.
[[nodiscard]] Bytes merged_rows(const Image& image, const std::vector<FileType>& types, const ConvolvedRows& convolved,
                                const KeptRows& kept);

/// The samples of `merge.header` for some rows of `image`, the first of which is output row `first_row`.
[[nodiscard]] Bytes completed_rows(const Image& image, const Merge& merge, const ImageView& rows, int first_row,
                                   const KeptRows& kept);

/// The codec to use instead of the one in `header`, if that would change copied channels. Empty: no other is needed.
[[nodiscard]] std::string harmless_codec(const FileHeader& header, const ChannelSplit& split);

}  // namespace clconv::oiio
