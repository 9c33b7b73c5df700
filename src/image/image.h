// A decoded image: interleaved samples in the file's own type, and everything else in the file.
#pragma once

#include "base/bytes.h"
#include "base/file_type.h"
#include "base/image_view.h"
#include "base/sample_facts.h"
#include "base/transfer.h"
#include "image/kept_channels.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// A file's contents besides its samples (EXIF, ICC, XMP, windows, channel names, ...). Opaque: only the reader and the
/// writer look inside.
class Metadata;

struct Image {
    Extent extent;
    int channels = 0;
    int alpha_channel = -1;                    ///< -1 if there is none
    SampleType type = SampleType::float32;     ///< of `samples`
    FileType stored_type = FileType::float32;  ///< of the file; `type` is float where straight alpha was associated
    bool straight_alpha = false;  ///< the file's colours are not multiplied by alpha; those of `samples` are, as floats
    Light light = Light::stored;  ///< what `samples` mean to a convolution: stored, srgb or linear
    std::shared_ptr<const Transfer> transfer = {};  ///< of the input file's samples, with --linear; else none
    bool says_linear = false;                       ///< the input file says that its samples are light
    int orientation = 1;           ///< Exif's: how viewers rotate or mirror the pixels, which are as stored
    Position place;                ///< of the first sample, in the image of the metadata
    int subimages = 1;             ///< in the file
    std::vector<int> parts = {0};  ///< the parts of the file: one, or several without samples
    bool has_levels = false;       ///< the file also has smaller copies (mipmap levels)
    Bytes samples;                 ///< empty in an image that is too large to be held and is read by rows
    std::shared_ptr<const Metadata> metadata;
    std::size_t overflowed =
        0;                    ///< of a result: samples beyond its type, as far as they were counted where it was made
    std::string damage = {};  ///< why samples are missing, in a damaged file that is kept; else empty
    bool lost_description = false;           ///< it counted the images of a file, and only one of them is read
    std::vector<std::string> warnings = {};  ///< for ItemResult::warnings of its results
    /// If some channels of the file are copied. Then everything above except metadata is about the other channels. Null
    /// if no channel is copied.
    std::shared_ptr<const ChannelSplit> split = {};
    /// The copied channels, pixel by pixel, in the size of the input, which may differ from that of a result.
    std::shared_ptr<const Bytes> kept = {};
    bool keeps_alpha = false;                       ///< alpha is included because colours need it, and is copied
    std::vector<LayerChannel> layers = {};          ///< of each channel; empty where colours are the first three
    std::shared_ptr<const SampleFacts> facts = {};  ///< of `samples`, if they were looked for

    [[nodiscard]] bool is_decoded() const { return samples.size() > 0 || kept; }
    /// Bytes of samples and copied channels, even if they are not held.
    [[nodiscard]] std::size_t bytes() const { return view().bytes() + (split ? split->kept_bytes() : 0); }
    [[nodiscard]] int file_channels() const { return split ? split->channels() : channels; }
    /// A channel's number in the file.
    [[nodiscard]] int file_channel(int channel) const
    {
        return split ? split->convolved[static_cast<std::size_t>(channel)] : channel;
    }
    /// Whether the file's samples are codes of [0, 1]: clipped there, and perhaps sRGB's.
    [[nodiscard]] bool has_codes() const { return stored_type == FileType::u8 || stored_type == FileType::u16; }
    [[nodiscard]] ImageView view() const
    {
        ImageView view{extent, channels, type, samples.data(), light, transfer.get(), has_codes()};
        view.facts = facts.get();
        view.alpha_channel = alpha_channel;
        view.layers = layers;
        return view;
    }
};

/// The light of a result for its writer, after the device has decoded and encoded.
[[nodiscard]] inline Light written_light(Light light) { return light == Light::linear ? light : Light::stored; }

/// An image without its samples.
[[nodiscard]] inline Image without_samples(const Image& image)
{
    Image header;
    header.extent = image.extent;
    header.channels = image.channels;
    header.alpha_channel = image.alpha_channel;
    header.type = image.type;
    header.stored_type = image.stored_type;
    header.straight_alpha = image.straight_alpha;
    header.light = image.light;
    header.transfer = image.transfer;
    header.says_linear = image.says_linear;
    header.orientation = image.orientation;
    header.place = image.place;
    header.subimages = image.subimages;
    header.parts = image.parts;
    header.has_levels = image.has_levels;
    header.metadata = image.metadata;
    header.overflowed = image.overflowed;
    header.damage = image.damage;
    header.split = image.split;
    header.keeps_alpha = image.keeps_alpha;
    header.layers = image.layers;
    return header;
}

}  // namespace clconv
