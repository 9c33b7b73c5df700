// SPDX-License-Identifier: Apache-2.0
#include "codecs/split_channels.h"

#include "base/errors.h"
#include "codecs/file_formats.h"
#include "codecs/marked_block.h"
#include "codecs/white_zero.h"
#include "image/channel_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace clconv::oiio {
namespace {

using OIIO::TypeDesc;

/// Names of all channels. Some readers (GIF) give more names than channels.
std::vector<std::string> names_of(const FileHeader& header)
{
    std::vector<std::string> names;
    for (int c = 0; c < header.nchannels; ++c) names.push_back(header.channel_name(c));
    return names;
}

/// The layers that the file's Cryptomatte metadata name: attributes cryptomatte/KEY/name.
std::vector<std::string> cryptomattes_of(const FileHeader& header)
{
    std::vector<std::string> names;
    for (const OIIO::ParamValue& value : header.extra_attribs) {
        const std::string key = value.name().string();
        if (key.starts_with("cryptomatte/") && key.ends_with("/name")) names.push_back(value.get_string());
    }
    return names;
}

std::vector<bool> convolved_by_default(const Metadata& metadata)
{
    const FileHeader& header = metadata.spec;
    const ChannelNames channels{names_of(header), header.get_string_attribute("oiio:subimagename"),
                                cryptomattes_of(header)};
    std::vector<bool> convolved;
    for (int c = 0; c < header.nchannels; ++c) {
        const bool is_id = format_named(metadata.format).has_ids && header.channelformat(c) == TypeDesc::UINT32;
        convolved.push_back(!is_id && !is_copied_by_default(channels, static_cast<std::size_t>(c)));
    }
    return convolved;
}

std::vector<bool> listed(const std::filesystem::path& path, const ChannelRule& rule,
                         const std::vector<std::string>& names)
{
    if (rule.each_must_match) check_patterns(path, rule, names);
    std::vector<bool> convolved;
    for (const std::string& name : names)
        convolved.push_back(
            std::ranges::any_of(rule.patterns, [&](const ChannelPattern& pattern) { return pattern.matches(name); }));
    return convolved;
}

std::vector<bool> convolved_channels(const std::filesystem::path& path, const ChannelRule& rule,
                                     const Metadata& metadata)
{
    switch (rule.kind) {
        case ChannelRule::Kind::all: break;
        case ChannelRule::Kind::by_default: return convolved_by_default(metadata);
        case ChannelRule::Kind::listed: return listed(path, rule, names_of(metadata.spec));
    }
    return std::vector<bool>(static_cast<std::size_t>(metadata.spec.nchannels), true);
}

ChannelSplit split_of(const Image& image, const std::vector<bool>& convolved)
{
    const FileHeader& header = image.metadata->spec;
    ChannelSplit split;
    split.extent = image.extent;
    split.names = names_of(header);
    split.alpha = image.alpha_channel;
    split.is_straight = image.straight_alpha;
    for (int c = 0; c < header.nchannels; ++c) {
        split.types.push_back(file_type_of(header.channelformat(c)));
        (convolved[static_cast<std::size_t>(c)] ? split.convolved : split.kept).push_back(c);
    }
    return split;
}

void set_header(Image& image, const ChannelSplit& split)
{
    image.channels = static_cast<int>(split.convolved.size());
    image.alpha_channel = split.alpha < 0 ? -1 : split.image_channel(split.alpha);
    image.stored_type = common_type(split, split.convolved.empty() ? split.kept : split.convolved);
    const bool has_colours_under_alpha = image.alpha_channel >= 0 && image.channels > 1;
    image.straight_alpha = image.straight_alpha && has_colours_under_alpha;
    const bool has_colours = image.channels > (image.alpha_channel >= 0 ? 1 : 0);
    if (!has_colours) image.light = Light::stored;
}

/// Image::layers. None if the image's colours are R, G and B, in this order, or if none belongs to a triple.
std::vector<LayerChannel> image_layers(const Image& image)
{
    const std::vector<LayerChannel> of_file = layers_of(names_of(image.metadata->spec));
    std::vector<LayerChannel> all;
    std::vector<Colour> without_alpha;
    for (int c = 0; c < image.channels; ++c) {
        all.push_back(of_file[static_cast<std::size_t>(image.file_channel(c))]);
        if (c != image.alpha_channel) without_alpha.push_back(all.back().colour);
    }
    const bool is_plain = without_alpha == std::vector{Colour::red, Colour::green, Colour::blue};
    const bool has_triple = std::ranges::any_of(all, [](const LayerChannel& channel) { return channel.triple >= 0; });
    return has_triple && !is_plain ? all : std::vector<LayerChannel>{};
}

/// Whether samples would come out differently after they were made ready for a convolution: multiplied and divided by
/// alpha, inverted, or changed to a common type.
bool changes_as_floats(const Image& image)
{
    if (image.light != Light::stored) return false;
    // As devices take them, or as floats that become the same integers again.
    const bool holds_all = is_device_type(image.stored_type)
                               ? image.stored_type != FileType::float64
                               : image.stored_type == FileType::i8 || image.stored_type == FileType::i16;
    return image.straight_alpha || !holds_all || !image.metadata->spec.channelformats.empty() ||
           is_inverted(*image.metadata);
}

/// How a pixel of the file becomes one of the image and one of the kept channels.
class SplitPixels {
public:
    explicit SplitPixels(const Image& header) : type_(header.type), pixel_(header.channels * bytes_of(header.type))
    {
        const FileHeader& spec = header.metadata->spec;
        const ChannelSplit& split = *header.split;
        kept_pixel_ = split.kept_pixel_bytes();
        std::size_t kept = 0;
        for (int c = 0; c < spec.nchannels; ++c) {
            const TypeDesc stored = spec.channelformat(c);
            const int number = split.image_channel(c);
            const std::size_t to = static_cast<std::size_t>(std::max(number, 0)) * bytes_of(type_);
            if (number < 0) {
                to_kept_.add({stored_pixel_, kept, stored.size()});
                kept += stored.size();
            } else if (stored == type_desc(type_)) {
                to_image_.add({stored_pixel_, to, stored.size()});
            } else {
                converted_.push_back({stored_pixel_, to, stored});
            }
            stored_pixel_ += stored.size();
        }
    }

    void split(const std::byte* stored, std::size_t pixels, std::byte* samples, std::byte* kept) const
    {
        to_kept_.copy(stored, stored_pixel_, kept, kept_pixel_, pixels);
        to_image_.copy(stored, stored_pixel_, samples, pixel_, pixels);
        for (const Converted& channel : converted_) convert(channel, stored, pixels, samples);
    }

private:
    struct Converted {
        std::size_t from = 0;
        std::size_t to = 0;
        TypeDesc stored;
    };

    void convert(const Converted& channel, const std::byte* stored, std::size_t pixels, std::byte* samples) const
    {
        const std::size_t size = channel.stored.size();
        Bytes plane(pixels * size);
        Bytes result(pixels * bytes_of(type_));
        for (std::size_t i = 0; i < pixels; ++i)
            std::memcpy(plane.data() + i * size, stored + i * stored_pixel_ + channel.from, size);
        convert_stored(channel.stored, plane.data(), type_desc(type_), result.data(), pixels);
        for (std::size_t i = 0; i < pixels; ++i)
            std::memcpy(samples + i * pixel_ + channel.to, result.data() + i * bytes_of(type_), bytes_of(type_));
    }

    SampleType type_;
    std::size_t pixel_;
    std::size_t stored_pixel_ = 0;
    std::size_t kept_pixel_ = 0;
    PixelCopy to_kept_;
    PixelCopy to_image_;
    std::vector<Converted> converted_;
};

}  // namespace

void split_channels(const std::filesystem::path& path, const ChannelRule& rule, Metadata& metadata, Image& image)
{
    const bool wants_copy = rule.kind == ChannelRule::Kind::listed && rule.patterns.empty();
    metadata.is_copied = wants_copy && changes_as_floats(image);
    const ChannelRule by_default{ChannelRule::Kind::by_default};
    std::vector<bool> convolved =
        convolved_channels(path, wants_copy && !metadata.is_copied ? by_default : rule, metadata);
    const int alpha = image.alpha_channel;
    const bool needs_alpha = alpha >= 0 && (image.straight_alpha || image.light == Light::linear);
    bool any_colour = false;
    for (int c = 0; c < image.channels; ++c) any_colour |= c != alpha && convolved[static_cast<std::size_t>(c)];
    if (needs_alpha && any_colour && !convolved[static_cast<std::size_t>(alpha)])
        convolved[static_cast<std::size_t>(alpha)] = image.keeps_alpha = true;
    if (std::ranges::find(convolved, false) != convolved.end()) {
        image.split = std::make_shared<const ChannelSplit>(split_of(image, convolved));
        set_header(image, *image.split);
    }
    image.layers = image_layers(image);
}

std::vector<std::byte> missing_pixel(const FileHeader& header)
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<std::byte> pixel;
    for (int c = 0; c < header.nchannels; ++c) {
        const TypeDesc type = header.channelformat(c);
        std::vector<std::byte> sample(type.size());
        if (type.is_floating_point())
            convert_stored(TypeDesc::FLOAT, reinterpret_cast<const std::byte*>(&nan), type, sample.data(), 1);
        pixel.insert(pixel.end(), sample.begin(), sample.end());
    }
    return pixel;
}

std::string read_split_rows(const Decoding& from, int first, int count, std::byte* samples, std::byte* kept)
{
    const Image& header = from.header;
    const FileHeader& spec = header.metadata->spec;
    const SplitPixels pixels(header);
    const std::size_t row = spec.scanline_bytes(true);
    const auto width = static_cast<std::size_t>(spec.width);
    const std::size_t row_samples = width * header.channels * bytes_of(header.type);
    const std::size_t row_kept = header.split->kept_row_bytes();
    Bytes stored;
    std::string damage;
    for (int y = first; y < first + count;) {
        const RowRange block = stored_block(spec, y, first + count);
        const std::size_t bytes = row * static_cast<std::size_t>(block.end - block.begin);
        if (stored.size() < bytes) stored = Bytes(bytes);
        std::string found = fill_samples(from, {stored.data(), bytes}, [&] {
            return read_stored(from.input, block, stored.data(), from.rules.keeps_damaged);
        });
        if (damage.empty()) damage = std::move(found);
        const int end = std::min(block.end, first + count);
        const std::size_t rows = static_cast<std::size_t>(end - y);
        pixels.split(stored.data() + static_cast<std::size_t>(y - block.begin) * row, rows * width, samples, kept);
        samples += rows * row_samples;
        kept += rows * row_kept;
        y = end;
    }
    return damage;
}

}  // namespace clconv::oiio
