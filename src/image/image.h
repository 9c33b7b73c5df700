// A decoded image: interleaved samples in the file's own type, and everything else the file said.
#pragma once

#include "base/bytes.h"
#include "base/file_type.h"
#include "base/image_view.h"
#include "base/sample_facts.h"
#include "base/transfer.h"
#include "image/kept_channels.h"
#include "psf/by_colour.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// What a file says beside its samples (EXIF, ICC, XMP, windows, channel names, ...). Opaque: only the reader
/// and the writer look inside.
class Metadata;

struct Image {
    Extent extent;
    int channels = 0;
    int alpha_channel = -1;                    ///< -1 if there is none
    SampleType type = SampleType::float32;     ///< of `samples`
    FileType stored_type = FileType::float32;  ///< of the file; `type` is float where straight alpha was associated
    bool straight_alpha = false;  ///< the file's colours are not multiplied by alpha; `samples` are, as floats
    Light light = Light::stored;  ///< what `samples` are to a convolution: stored, srgb or linear
    std::shared_ptr<const Transfer> transfer = {};  ///< of the input file's samples, under --linear; else none
    bool says_linear = false;                       ///< the input file says that its samples are light
    int orientation = 1;           ///< Exif's: how viewers turn or mirror the pixels, which are as they are stored
    Position place;                ///< of the first sample, in the image that the metadata are of
    int subimages = 1;             ///< in the file
    std::vector<int> parts = {0};  ///< of the file, that this stands for: one, or several of which it has no samples
    bool has_levels = false;       ///< smaller copies (mipmap levels) lie beside it in the file
    Bytes samples;                 ///< nothing in an image too large to be held, which is read by rows
    std::shared_ptr<const Metadata> metadata;
    std::size_t overflowed =
        0;                    ///< of a result: samples beyond its type, as far as they were counted where it was made
    std::string damage = {};  ///< why samples are missing, of a file that is damaged and kept; else empty
    bool lost_description = false;           ///< it counted the images of a file of several, of which one is read
    std::vector<std::string> warnings = {};  ///< for ItemResult::warnings of what is made of it
    /// Of a file some of whose channels are copied: everything above but metadata is of the others. Null: all are here.
    std::shared_ptr<const ChannelSplit> split = {};
    /// The copied channels, pixel by pixel: those of the input, which may be larger or smaller than a result.
    std::shared_ptr<const Bytes> kept = {};
    bool keeps_alpha = false;          ///< alpha is here because colours need it, and is copied
    std::vector<Colour> colours = {};  ///< of each channel, where a PSF's colours need to be told; else empty
    std::shared_ptr<const SampleFacts> facts = {};  ///< of `samples`, where somebody has looked

    [[nodiscard]] bool is_decoded() const { return samples.size() > 0 || kept; }
    /// What samples and copied channels take, whether they are here or not.
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
        return view;
    }
};

/// What the result is to its writer: the device has decoded and encoded what it was asked to.
[[nodiscard]] inline Light written_light(Light light) { return light == Light::linear ? light : Light::stored; }

/// The names of the channels that are copied: kept ones, and alpha that colours need.
[[nodiscard]] std::vector<std::string> copied_channels(const Image& image);

/// All of an image but its samples.
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
    header.colours = image.colours;
    return header;
}

}  // namespace clconv
