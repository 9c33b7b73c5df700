// SPDX-License-Identifier: Apache-2.0
#include "image/kept_channels.h"

#include <algorithm>

namespace clconv {
namespace {

/// A field whose size is known at compile time is one move.
template <std::size_t Size>
void copy_field(const std::byte* from, std::size_t from_pixel, std::byte* to, std::size_t to_pixel, std::size_t pixels)
{
    for (std::size_t i = 0; i < pixels; ++i) std::memcpy(to + i * to_pixel, from + i * from_pixel, Size);
}

}  // namespace

int ChannelSplit::image_channel(int file_channel) const
{
    const auto found = std::ranges::find(convolved, file_channel);
    return found == convolved.end() ? -1 : static_cast<int>(found - convolved.begin());
}

std::vector<std::string> ChannelSplit::kept_names() const
{
    std::vector<std::string> result;
    for (const int channel : kept) result.push_back(names[static_cast<std::size_t>(channel)]);
    return result;
}

std::size_t ChannelSplit::bytes_of_all(std::span<const int> channels) const
{
    std::size_t bytes = 0;
    for (const int channel : channels) bytes += bytes_of(types[static_cast<std::size_t>(channel)]);
    return bytes;
}

void PixelCopy::add(PixelField field)
{
    if (!fields_.empty()) {
        PixelField& last = fields_.back();
        if (last.from + last.size == field.from && last.to + last.size == field.to) {
            last.size += field.size;
            return;
        }
    }
    fields_.push_back(field);
}

void PixelCopy::copy(const std::byte* from, std::size_t from_pixel, std::byte* to, std::size_t to_pixel,
                     std::size_t pixels) const
{
    for (const PixelField& field : fields_) {
        const std::byte* const source = from + field.from;
        std::byte* const target = to + field.to;
        switch (field.size) {
            case 1: copy_field<1>(source, from_pixel, target, to_pixel, pixels); break;
            case 2: copy_field<2>(source, from_pixel, target, to_pixel, pixels); break;
            case 4: copy_field<4>(source, from_pixel, target, to_pixel, pixels); break;
            case 6: copy_field<6>(source, from_pixel, target, to_pixel, pixels); break;
            case 8: copy_field<8>(source, from_pixel, target, to_pixel, pixels); break;
            default:
                for (std::size_t i = 0; i < pixels; ++i)
                    std::memcpy(target + i * to_pixel, source + i * from_pixel, field.size);
        }
    }
}

FileType common_type(FileType a, FileType b)
{
    if (holds(a, b)) return a;
    return holds(b, a) ? b : FileType::float32;
}

FileType common_type(const ChannelSplit& split, std::span<const int> channels)
{
    FileType type = split.types[static_cast<std::size_t>(channels.front())];
    for (const int channel : channels) type = common_type(type, split.types[static_cast<std::size_t>(channel)]);
    return type;
}

}  // namespace clconv
