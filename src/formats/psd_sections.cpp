// SPDX-License-Identifier: Apache-2.0
#include "formats/psd_sections.h"

#include "formats/byte_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <system_error>
#include <vector>

namespace clconv::oiio {
namespace {

/// Big-endian numbers of a file, one after the other. After the first that is missing, all are 0.
class PsdFile {
public:
    explicit PsdFile(const std::filesystem::path& path) : file_(path, std::ios::binary)
    {
        std::error_code error;
        bytes_ = std::filesystem::file_size(path, error);
        if (error) bytes_ = 0;
    }

    [[nodiscard]] std::uint64_t number(int size)
    {
        std::array<char, 8> read{};
        if (!file_.read(read.data(), size)) return 0;
        return number_in({read.data(), read.size()}, 0, size, ByteOrder::big);
    }

    /// Goes to `place`. Beyond the file's end, all that follows is missing.
    void go_to(std::uint64_t place)
    {
        if (place > bytes_)
            file_.setstate(std::ios::failbit);
        else if (file_)
            file_.seekg(static_cast<std::streamoff>(place));
    }

    void skip(std::uint64_t count) { go_to(count > bytes_ ? bytes_ + 1 : place() + count); }
    [[nodiscard]] std::uint64_t place() { return file_ ? static_cast<std::uint64_t>(file_.tellg()) : bytes_; }
    [[nodiscard]] std::uint64_t left() { return bytes_ - std::min(bytes_, place()); }
    [[nodiscard]] bool goes_on() const { return static_cast<bool>(file_); }

private:
    std::ifstream file_;
    std::uint64_t bytes_ = 0;
};

struct PsdChannel {
    std::int16_t id = 0;
    std::uint64_t bytes = 0;  ///< with its compression, a number of two bytes
};

struct PsdSize {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
};

struct PsdLayer {
    PsdSize size;
    PsdSize mask;
    std::vector<PsdChannel> channels;
};

std::uint64_t sum_or_max(std::uint64_t a, std::uint64_t b)
{
    return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

/// Top, left, bottom, right: signed numbers, of which the reader takes the distances.
PsdSize psd_size(PsdFile& file)
{
    std::array<std::int64_t, 4> sides{};
    for (std::int64_t& side : sides) side = static_cast<std::int32_t>(file.number(4));
    // The reader's own distances are modulo 2^32. These are never less.
    return {static_cast<std::uint64_t>(std::abs(sides[3] - sides[1])),
            static_cast<std::uint64_t>(std::abs(sides[2] - sides[0]))};
}

void read_resources(PsdFile& file, PsdSections& found)
{
    const std::uint64_t length = file.number(4);
    const std::uint64_t end = file.place() + length;
    while (file.goes_on() && file.place() < end) {
        file.skip(4);
        const std::uint64_t id = file.number(2);
        const std::uint64_t name = file.number(1);
        file.skip(name | 1U);  // with its length, an even number of bytes
        const std::uint64_t bytes = file.number(4);
        if (!file.goes_on()) return;
        if (bytes > file.left()) {
            found.fault = fmt::format("resource {} has {} bytes, and the file ends before", id, bytes);
            return;
        }
        constexpr std::uint64_t transparency_index = 1047;
        if (id == transparency_index) found.has_opaque_palette = false;
        found.bytes += 2 * bytes;  // of the file, and as metadata
        file.skip(bytes + bytes % 2);
    }
    file.go_to(end);
}

PsdLayer psd_layer(PsdFile& file, int length_bytes)
{
    PsdLayer layer;
    layer.size = psd_size(file);
    const std::uint64_t channels = file.number(2);
    for (std::uint64_t c = 0; c < channels && file.goes_on(); ++c) {
        const auto id = static_cast<std::int16_t>(file.number(2));
        layer.channels.push_back({id, file.number(length_bytes)});
    }
    file.skip(4 + 4 + 4);  // signature, blend mode, opacity and flags
    const std::uint64_t extra = file.number(4);
    const std::uint64_t end = file.place() + extra;
    if (file.number(4) > 0) layer.mask = psd_size(file);
    file.go_to(end);
    return layer;
}

void add_channel(PsdFile& file, const PsdLayer& layer, const PsdChannel& channel, std::uint64_t depth,
                 PsdSections& found)
{
    const std::uint64_t start = file.place();
    const std::uint64_t compression = channel.bytes >= 2 ? file.number(2) : 0;
    if (channel.bytes > 2 && file.goes_on()) {
        const bool is_mask = channel.id < -1;
        const std::uint64_t height = is_mask ? std::max(layer.size.height, layer.mask.height) : layer.size.height;
        const std::uint64_t width = is_mask ? std::max(layer.size.width, layer.mask.width) : layer.size.width;
        constexpr std::uint64_t row_entries = 16;  // the place and the length of each row
        constexpr std::uint64_t zip_ratio = 1032;  // bytes that deflate makes of one, at most
        const bool is_zip = compression == 2 || compression == 3;
        const std::uint64_t samples = height * ((width * depth + 7) / 8);  // wraps where is_huge
        const bool is_huge = width > 0 && height > std::numeric_limits<std::uint64_t>::max() / width / 8;
        found.bytes = sum_or_max(found.bytes, height * row_entries);
        if (is_zip) found.bytes = sum_or_max(found.bytes, sum_or_max(samples, channel.bytes));
        const std::uint64_t minimum = compression == 0 ? samples : compression == 1 ? 2 * height : samples / zip_ratio;
        if (channel.bytes > file.left() + 2 || is_huge || (!is_mask && minimum > channel.bytes))
            found.fault = fmt::format("channel {} of a layer of {}x{} has {} bytes, which cannot be", channel.id, width,
                                      height, channel.bytes);
    }
    file.go_to(start);
    file.skip(channel.bytes);
}

void read_layers(PsdFile& file, int length_bytes, std::uint64_t depth, PsdSections& found)
{
    constexpr std::uint64_t layer_bytes = 1024;  // of the reader, beside its channels
    constexpr std::uint64_t channel_bytes = 256;
    if (file.number(length_bytes) == 0 || file.number(length_bytes) == 0) return;
    const int count = std::abs(static_cast<std::int16_t>(file.number(2)));
    std::vector<PsdLayer> layers;
    for (int i = 0; i < count && file.goes_on(); ++i) layers.push_back(psd_layer(file, length_bytes));
    for (const PsdLayer& layer : layers) {
        found.bytes = sum_or_max(found.bytes, layer_bytes + channel_bytes * layer.channels.size());
        for (const PsdChannel& channel : layer.channels) {
            if (!found.fault.empty()) return;
            add_channel(file, layer, channel, depth, found);
        }
    }
}

}  // namespace

PsdSections psd_sections(const std::filesystem::path& path)
{
    PsdSections found;
    PsdFile file(path);
    file.skip(4);
    const int length_bytes = file.number(2) == 2 ? 8 : 4;  // PSB has longer numbers
    file.skip(6 + 2 + 4 + 4);
    const std::uint64_t depth = std::min<std::uint64_t>(file.number(2), 32);
    constexpr std::uint64_t indexed = 2;
    found.has_opaque_palette = file.number(2) == indexed;
    file.skip(file.number(4));  // colours
    read_resources(file, found);
    if (found.fault.empty()) read_layers(file, length_bytes, depth, found);
    return found;
}

}  // namespace clconv::oiio
