// SPDX-License-Identifier: Apache-2.0
// What is known of an image besides its samples.
#pragma once

#include "base/channels.h"
#include "base/extent.h"
#include "base/fields.h"
#include "base/file_type.h"
#include "base/light.h"
#include "base/sample_type.h"
#include "base/transfer.h"
#include "base/warning.h"
#include "image/kept_channels.h"
#include "image/nodata.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// A file's contents besides its samples (EXIF, ICC, XMP, windows, channel names, ...). Opaque: only the reader and the
/// writer look inside.
class Metadata;

CLCONV_FIELDS(Transfer, name, tag, shape, gamma, white, curves)
/// Only the process that decodes and encodes samples needs curves.
template <>
inline constexpr bool kStaysInProcess<std::vector<ToneCurve>> = true;

/// The header of an image that was read, or of a result (batch/result_header.h).
struct ImageHeader {
    Extent extent;
    int channels = 0;
    int alpha_channel = -1;                    ///< -1 if there is none
    SampleType type = SampleType::float32;     ///< of the samples
    FileType stored_type = FileType::float32;  ///< of the file; `type` is float where straight alpha was associated
    bool straight_alpha = false;  ///< the file's colours are not multiplied by alpha; the samples' are, as floats
    Light light = Light::stored;  ///< what samples mean to a convolution: stored, srgb or linear
    std::shared_ptr<const Transfer> transfer = {};  ///< of the input file's samples, with --linear; else none
    bool says_linear = false;                       ///< the input file says that its samples are light
    int orientation = 1;           ///< Exif's: how viewers rotate or mirror the pixels, which are as stored
    Position place = {};           ///< of the first sample, in the image of the metadata
    int subimages = 1;             ///< in the input file
    std::vector<int> parts = {0};  ///< those of the input file: one, or several without samples
    bool has_levels = false;       ///< the input file also has smaller copies (mipmap levels)
    std::shared_ptr<const Metadata> metadata = {};  ///< of the input file
    std::size_t overflowed =
        0;                    ///< of a result: samples beyond its type, as far as they were counted where it was made
    std::string damage = {};  ///< why samples are missing, in a damaged file that is kept; else empty
    bool lost_description = false;       ///< it counted the images of a file, and only one of them is read
    std::vector<Warning> warnings = {};  ///< for ItemResult::warnings of its results
    /// If some channels of the file are copied. Then everything above except metadata is about the other channels. Null
    /// if no channel is copied.
    std::shared_ptr<const ChannelSplit> split = {};
    bool keeps_alpha = false;               ///< alpha is included because colours need it, and is copied
    std::vector<LayerChannel> layers = {};  ///< of each channel; empty where colours are the first three
    std::optional<Nodata> nodata = {};      ///< what stands for NaN in the input file
    bool has_nonfinite = false;  ///< some of the input's samples are not finite, and the rule for them left them so

    [[nodiscard]] int file_channels() const { return split ? split->channels() : channels; }
    /// A channel's number in the file.
    [[nodiscard]] int file_channel(int channel) const
    {
        return split ? split->convolved[static_cast<std::size_t>(channel)] : channel;
    }
    /// Whether the file's samples are codes of [0, 1]: clipped there, and perhaps sRGB's.
    [[nodiscard]] bool has_codes() const { return stored_type == FileType::u8 || stored_type == FileType::u16; }
};
CLCONV_FIELDS(ImageHeader, extent, channels, alpha_channel, type, stored_type, straight_alpha, light, transfer,
              says_linear, orientation, place, subimages, parts, has_levels, metadata, overflowed, damage,
              lost_description, warnings, split, keeps_alpha, layers, nodata, has_nonfinite)

/// Only the process that read a file can write its metadata.
template <>
inline constexpr bool kStaysInProcess<std::shared_ptr<const Metadata>> = true;

/// The light of a result for its writer, after the device has decoded and encoded.
[[nodiscard]] inline Light written_light(Light light) { return light == Light::linear ? light : Light::stored; }

}  // namespace clconv
