// The header of an output file: keeps the input's, except attributes that would be wrong in the new file. Private to
// src/image.
#pragma once

#include "image/file_formats.h"
#include "image/image_file.h"
#include "image/openimageio.h"

#include <vector>

namespace clconv::oiio {

/// The image channels of a file, in its order.
struct ChannelChoice {
    std::vector<int> sources;
    int alpha = -1;  ///< its place in `sources`

    [[nodiscard]] int count() const { return static_cast<int>(sources.size()); }
    /// Whether these are all channels of an image of `channels`, in order.
    [[nodiscard]] bool is_everything(int channels) const;
};

/// All channels if `format` holds them; else gray as RGB, else without alpha, else both.
/// Throws InputError, naming `path`, if none of these fits.
[[nodiscard]] ChannelChoice choose_channels(const std::filesystem::path& path, const FileFormat& format,
                                            const Image& image);

/// Whether the file's colours are not multiplied by alpha.
[[nodiscard]] bool writes_straight(const FileFormat& format, const Image& image, const ChannelChoice& channels);

/// The header for a file of `format` with samples of `type`, which says of their transfer function what is true where
/// it is not that of the input. An image with a split is merged exactly into it, and `channels` are its own.
/// `transfer`: of the file; none: that of the input.
[[nodiscard]] OIIO::ImageSpec output_header(const Image& image, const FileFormat& format, FileType type,
                                            const ChannelChoice& channels, const WriteOptions& options,
                                            const Transfer* transfer = nullptr);

}  // namespace clconv::oiio
