// SPDX-License-Identifier: Apache-2.0
// The header of an output file: keeps the input's, except attributes that would be wrong in the new file. Private to
// src/encoders.
#pragma once

#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "image/image.h"
#include "image/write_options.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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

/// How a file stores the samples of an image.
struct FileEncoding {
    FileType type = FileType::float32;
    ChannelChoice channels = {};
    bool is_straight = false;                       ///< writes_straight()
    std::shared_ptr<const Transfer> transfer = {};  ///< of colours; none: that of the input
    std::string profile = {};                       ///< made_profile()
    std::optional<std::uint64_t> dither = {};       ///< the seed of the noise that integers get; none: no noise
    bool is_inverted = false;                       ///< white-is-zero samples, which were inverted when they were read
};

/// Whether the library's writer of TIFF, whose JPEGs always have halved chroma, makes another one like that of the
/// input (if that is a TIFF with one).
[[nodiscard]] bool keeps_jpeg(const Metadata& metadata);

/// The header for a file of `format`. If its transfer function is not that of the input, the header states the new one.
/// An image with a split must be merged without loss, and `encoding.channels` must be its own.
[[nodiscard]] FileHeader output_header(const Image& image, const FileFormat& format, const FileEncoding& encoding,
                                       const WriteOptions& options);

}  // namespace clconv::oiio
