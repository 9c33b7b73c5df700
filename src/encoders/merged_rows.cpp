// SPDX-License-Identifier: Apache-2.0
#include "encoders/merged_rows.h"

#include "base/lower_case.h"
#include "codecs/white_zero.h"
#include "image/channel_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace clconv::oiio {
namespace {

bool is_type_of_exr(FileType type)
{
    return type == FileType::half || type == FileType::float32 || type == FileType::u32;
}

/// Whether the fourth channel is alpha, or the second of a gray picture. Of files that do not say so, alpha that is 0
/// everywhere is none.
bool has_true_alpha(const Image& image)
{
    const AlphaUse use = image.metadata->alpha_use;
    if (use != AlphaUse::unless_zero) return use == AlphaUse::alpha;
    const ChannelSplit& split = *image.split;
    if (!image.kept || !split.convolved.empty() || split.types.back() != FileType::u8) return false;
    const std::size_t pixel = split.kept_pixel_bytes();
    for (std::size_t i = pixel - 1; i < image.kept->size(); i += pixel)
        if (image.kept->data()[i] != std::byte{0}) return true;
    return false;
}

/// Whether all channels are copied, and are those of a picture with alpha: another format of pictures takes them for
/// the same. Colours where alpha is 0 stay only so.
bool is_copied_picture(const Image& image)
{
    const ChannelSplit& split = *image.split;
    const int count = split.channels();
    return image.metadata->is_copied && (count == 2 || count == 4) && split.alpha == count - 1 && has_true_alpha(image);
}

bool is_whole(const FileFormat& format, const Image& image)
{
    const ChannelSplit& split = *image.split;
    if (!format.holds_channels(split.channels())) return false;
    if (image.metadata && is_cmyk(image.metadata->spec) && !format.holds_inks) return false;
    if (image.metadata && is_inverted(*image.metadata) && image.metadata->format != format.name) return false;
    // A picture format would treat any second or fourth channel as alpha.
    if (!format.channels.empty() && image.metadata && image.metadata->format != format.name &&
        !is_copied_picture(image))
        return false;
    if (split.alpha < 0) return true;
    const bool is_straight =
        format.alpha == AlphaStorage::either ? split.is_straight : format.alpha == AlphaStorage::straight;
    return format.alpha != AlphaStorage::none && is_straight == split.is_straight;
}

/// Whether a reader of plain pictures understands a channel correctly.
bool is_of_pictures(const ChannelSplit& split, int channel)
{
    const std::string& name = split.names[static_cast<std::size_t>(channel)];
    return channel == split.alpha || name == "R" || name == "G" || name == "B" || name == "Y" || name == "I";
}

/// The channels that a file of `format` gets: all, if it holds any number of them; else those of pictures, and if these
/// are too many the convolved ones and alpha.
std::vector<int> channels_for(const FileFormat& format, const Image& image)
{
    const ChannelSplit& split = *image.split;
    std::vector<int> all(static_cast<std::size_t>(split.channels()));
    std::iota(all.begin(), all.end(), 0);
    if (format.channels.empty()) return all;
    std::vector<int> of_pictures;
    std::vector<int> convolved;
    for (const int c : all) {
        const bool is_convolved = split.image_channel(c) >= 0;
        if (is_convolved || is_of_pictures(split, c)) of_pictures.push_back(c);
        if (is_convolved || c == split.alpha) convolved.push_back(c);
    }
    if (of_pictures.empty()) return all;
    return format.holds_channels(static_cast<int>(of_pictures.size())) || image.channels == 0 ? of_pictures : convolved;
}

/// The place of a file's channel among some.
int index_of(const std::vector<int>& channels, int channel)
{
    const auto found = std::ranges::find(channels, channel);
    return found == channels.end() ? -1 : static_cast<int>(found - channels.begin());
}

std::shared_ptr<const Metadata> metadata_of_some(const Metadata& metadata, const std::vector<int>& channels)
{
    auto some = std::make_shared<Metadata>(metadata);
    FileHeader& spec = some->spec;
    spec.nchannels = static_cast<int>(channels.size());
    spec.channelnames.clear();
    spec.channelformats.clear();
    for (const int c : channels) spec.channelnames.push_back(metadata.spec.channel_name(c));
    spec.alpha_channel = index_of(channels, metadata.spec.alpha_channel);
    spec.z_channel = index_of(channels, metadata.spec.z_channel);
    return some;
}

/// The copied channels of one output row, 0 where the input has none.
void lay_kept_line(const Image& image, const std::byte* from, std::byte* line)
{
    const ChannelSplit& split = *image.split;
    const std::size_t pixel = split.kept_pixel_bytes();
    const int width = image.extent.width;
    std::memset(line, 0, static_cast<std::size_t>(width) * pixel);
    const int begin = std::max(0, -image.place.x);
    const int end = std::min(width, split.extent.width - image.place.x);
    if (from == nullptr || begin >= end) return;
    std::memcpy(line + static_cast<std::size_t>(begin) * pixel,
                from + static_cast<std::size_t>(begin + image.place.x) * pixel,
                static_cast<std::size_t>(end - begin) * pixel);
}

/// Offset of each channel in a pixel without gaps, in bytes; then the size of the pixel.
std::vector<std::size_t> offsets_of(const std::vector<FileType>& types)
{
    std::vector<std::size_t> offsets{0};
    for (const FileType type : types) offsets.push_back(offsets.back() + bytes_of(type));
    return offsets;
}

/// A channel of some pixels as floats. `samples`: its first one.
Bytes as_floats(FileType type, const std::byte* samples, std::size_t pixel_bytes, std::size_t pixels)
{
    Bytes plane(pixels * bytes_of(type));
    PixelCopy gather;
    gather.add({0, 0, bytes_of(type)});
    gather.copy(samples, pixel_bytes, plane.data(), bytes_of(type), pixels);
    Bytes floats(pixels * sizeof(float));
    convert_stored(type_desc(type), plane.data(), OIIO::TypeDesc::FLOAT, floats.data(), pixels);
    return floats;
}

/// How a pixel of convolved channels and one of copied channels become one of the file.
class MergedPixels {
public:
    MergedPixels(const ChannelSplit& split, const std::vector<FileType>& types)
        : size_(offsets_of(types).back()), kept_size_(split.kept_pixel_bytes())
    {
        const std::vector<std::size_t> offsets = offsets_of(types);
        std::size_t kept = 0;
        for (std::size_t c = 0; c < types.size(); ++c) {
            const FileType own = split.types[c];
            const std::size_t bytes = bytes_of(types[c]);
            if (split.image_channel(static_cast<int>(c)) >= 0) {
                from_image_.add({image_size_, offsets[c], bytes});
                image_size_ += bytes;
                continue;
            }
            if (own == types[c])
                from_kept_.add({kept, offsets[c], bytes});
            else
                converted_.push_back({kept, offsets[c], own, types[c]});
            kept += bytes_of(own);
        }
    }

    /// Bytes of a pixel of the file, and of one of convolved channels.
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t image_size() const { return image_size_; }

    void merge(const std::byte* image, const std::byte* kept, std::byte* result, std::size_t pixels) const
    {
        from_image_.copy(image, image_size_, result, size_, pixels);
        from_kept_.copy(kept, kept_size_, result, size_, pixels);
        for (const Converted& channel : converted_) {
            const Bytes floats = as_floats(channel.own, kept + channel.from, kept_size_, pixels);
            const Bytes samples = from_float(floats.as<float>().first(pixels), channel.type);
            PixelCopy spread;
            spread.add({0, channel.to, bytes_of(channel.type)});
            spread.copy(samples.data(), bytes_of(channel.type), result, size_, pixels);
        }
    }

private:
    struct Converted {
        std::size_t from = 0;
        std::size_t to = 0;
        FileType own;
        FileType type;
    };
    std::size_t size_;
    std::size_t kept_size_;
    std::size_t image_size_ = 0;
    PixelCopy from_image_;
    PixelCopy from_kept_;
    std::vector<Converted> converted_;
};

void put_channel(const Bytes& plane, std::span<float> row, std::size_t channel, std::size_t channels)
{
    for (std::size_t i = 0; i < row.size() / channels; ++i) row[i * channels + channel] = plane.as<float>()[i];
}

/// Which channels of a completed image were copied and are multiplied by alpha.
AlphaLayout copied_colours(const Merge& merge, const ChannelSplit& split)
{
    AlphaLayout layout = alpha_layout(merge.header);
    std::erase_if(layout.colours,
                  [&](int c) { return split.image_channel(merge.channels[static_cast<std::size_t>(c)]) >= 0; });
    return layout;
}

bool is_dct_name(const std::string& name)
{
    const std::size_t dot = name.rfind('.');
    const std::string own = lower_case(dot == std::string::npos ? name : name.substr(dot + 1));
    for (const char* colour : {"r", "g", "b", "y", "ry", "by", "red", "green", "blue", "grn", "blu"})
        if (own == colour) return true;
    return false;
}

/// Whether a codec of OpenEXR changes samples: B44 changes halves, PXR24 floats, and DWA channels with names of
/// colours.
bool is_lossy_for(const std::string& codec, FileType type, const std::string& name)
{
    if (type == FileType::u32) return false;
    if (codec.starts_with("b44")) return type == FileType::half;
    if (codec == "pxr24") return type == FileType::float32;
    return codec.starts_with("dwa") && is_dct_name(name);
}

}  // namespace

bool holds_types_by_channel(const FileFormat& format) { return format.holds_types_by_channel; }

KeptRows kept_rows(const Image& image)
{
    return [&image](int y) -> const std::byte* {
        const int row = y + image.place.y;
        if (row < 0 || row >= image.split->extent.height) return nullptr;
        return image.kept->data() + static_cast<std::size_t>(row) * image.split->kept_row_bytes();
    };
}

Merge merge_of(const FileFormat& format, const Image& image)
{
    Merge merge;
    if (is_whole(format, image)) return merge;
    const ChannelSplit& split = *image.split;
    merge.is_whole = false;
    merge.channels = channels_for(format, image);
    merge.header = without_samples(image);
    merge.header.split = nullptr;
    merge.header.channels = static_cast<int>(merge.channels.size());
    merge.header.alpha_channel = split.alpha < 0 ? -1 : index_of(merge.channels, split.alpha);
    merge.header.straight_alpha = split.is_straight && merge.header.alpha_channel >= 0;
    merge.header.type = SampleType::float32;
    if (image.metadata) merge.header.metadata = metadata_of_some(*image.metadata, merge.channels);
    const bool is_alpha = image.metadata && image.metadata->alpha_use == AlphaUse::alpha;
    const bool is_stored_straight = format.alpha == AlphaStorage::straight || format.alpha == AlphaStorage::either;
    merge.stays_straight = merge.header.straight_alpha && split.convolved.empty() && is_alpha && is_stored_straight;
    return merge;
}

std::vector<FileType> merged_types(const FileFormat& format, const ChannelSplit& split, FileType type)
{
    std::vector<FileType> types(split.types.size(), type);
    for (const int c : split.kept)
        if (const FileType own = split.types[static_cast<std::size_t>(c)];
            holds_types_by_channel(format) && is_type_of_exr(own))
            types[static_cast<std::size_t>(c)] = own;
    return types;
}

ChannelChoice convolved_choice(const Image& image)
{
    ChannelChoice choice{std::vector<int>(static_cast<std::size_t>(image.channels)), image.alpha_channel};
    std::iota(choice.sources.begin(), choice.sources.end(), 0);
    return choice;
}

Bytes merged_rows(const Image& image, const std::vector<FileType>& types, const ConvolvedRows& convolved,
                  const KeptRows& kept)
{
    const MergedPixels pixels(*image.split, types);
    const auto width = static_cast<std::size_t>(image.extent.width);
    Bytes line(width * image.split->kept_pixel_bytes());
    Bytes result(width * pixels.size() * static_cast<std::size_t>(convolved.count));
    for (int row = 0; row < convolved.count; ++row) {
        lay_kept_line(image, kept(convolved.first + row), line.data());
        pixels.merge(convolved.samples + static_cast<std::size_t>(row) * width * pixels.image_size(), line.data(),
                     result.data() + static_cast<std::size_t>(row) * width * pixels.size(), width);
    }
    return result;
}

Bytes completed_rows(const Image& image, const Merge& merge, const ImageView& rows, int first_row, const KeptRows& kept)
{
    const ChannelSplit& split = *image.split;
    const Bytes convolved = to_float(rows);
    const auto width = static_cast<std::size_t>(image.extent.width);
    const std::size_t channels = merge.channels.size();
    Bytes line(width * split.kept_pixel_bytes());
    Bytes result(width * channels * sizeof(float) * static_cast<std::size_t>(rows.extent.height));
    const std::span<float> floats = result.as<float>();
    for (int y = 0; y < rows.extent.height; ++y) {
        const std::span<float> row = floats.subspan(static_cast<std::size_t>(y) * width * channels, width * channels);
        lay_kept_line(image, kept(first_row + y), line.data());
        std::size_t offset = 0;
        for (std::size_t i = 0; i < split.kept.size(); ++i) {
            const FileType type = split.types[static_cast<std::size_t>(split.kept[i])];
            if (const int to = index_of(merge.channels, split.kept[i]); to >= 0)
                put_channel(as_floats(type, line.data() + offset, split.kept_pixel_bytes(), width), row,
                            static_cast<std::size_t>(to), channels);
            offset += bytes_of(type);
        }
        const auto* const from = convolved.as<float>().data() +
                                 static_cast<std::size_t>(y) * width * static_cast<std::size_t>(image.channels);
        for (int c = 0; c < image.channels; ++c) {
            const auto to = static_cast<std::size_t>(index_of(merge.channels, image.file_channel(c)));
            for (std::size_t x = 0; x < width; ++x)
                row[x * channels + to] =
                    from[x * static_cast<std::size_t>(image.channels) + static_cast<std::size_t>(c)];
        }
    }
    if (merge.header.metadata && is_inverted(*merge.header.metadata) && split.image_channel(0) < 0) {
        GrayLayout layout = gray_layout(merge.header);
        layout.gray = index_of(merge.channels, 0);
        invert_gray(result.data(), SampleType::float32, result.size() / (channels * sizeof(float)), layout);
    }
    if (merge.header.alpha_channel >= 0 && !merge.stays_straight)
        prepare_samples(merge.header, copied_colours(merge, split), floats);
    return result;
}

std::string harmless_codec(const FileHeader& header, const ChannelSplit& split)
{
    const std::string codec = header.get_string_attribute("compression");
    const std::string name = codec.substr(0, codec.find(':'));
    const bool is_lossy = std::ranges::any_of(split.kept, [&](int c) {
        return is_lossy_for(name, split.types[static_cast<std::size_t>(c)], split.names[static_cast<std::size_t>(c)]);
    });
    return is_lossy ? "zip" : "";
}

}  // namespace clconv::oiio
