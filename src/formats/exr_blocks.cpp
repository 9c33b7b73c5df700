// SPDX-License-Identifier: Apache-2.0
#include "formats/exr_blocks.h"

#include "formats/byte_order.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace clconv::oiio {
namespace {

constexpr unsigned kTiled = 0x2;
constexpr unsigned kDeep = 0x8;
constexpr unsigned kSeveralParts = 0x10;
constexpr int kNone = 0;
constexpr int kRle = 1;
constexpr int kZip = 3;  ///< and 2 for single rows; the compressions from 4 on notice short blocks themselves

constexpr std::int64_t kNoBlock = std::int64_t{1} << 31U;  ///< bytes; a block's length has 31 bits

struct ExrChannel {
    std::int64_t bytes = 0;  ///< a sample
    std::int64_t x_step = 1;
    std::int64_t y_step = 1;
};

/// The attributes of a part's header that define where its blocks are.
struct ExrPart {
    int compression = -1;
    bool is_deep = false;
    std::vector<ExrChannel> channels;
    std::array<std::int32_t, 4> window{};  ///< first column, first row, last column, last row
    std::int64_t tile_width = 0;           ///< 0: blocks of rows
    std::int64_t tile_height = 0;
    std::int64_t chunks = 0;  ///< on all levels; stated in files of several parts

    [[nodiscard]] std::int64_t width() const { return std::int64_t{window[2]} - window[0] + 1; }
    [[nodiscard]] std::int64_t height() const { return std::int64_t{window[3]} - window[1] + 1; }
};

class ExrFile {
public:
    explicit ExrFile(const std::filesystem::path& path) : file_(path, std::ios::binary)
    {
        std::error_code error;
        const auto size = std::filesystem::file_size(path, error);
        size_ = error ? 0 : static_cast<std::int64_t>(size);
    }

    [[nodiscard]] std::int64_t size() const { return size_; }
    [[nodiscard]] std::int64_t place() { return static_cast<std::int64_t>(file_.tellg()); }
    void go_to(std::int64_t place)
    {
        file_.clear();
        file_.seekg(place);
    }
    [[nodiscard]] bool is_good() const { return static_cast<bool>(file_); }

    /// A signed integer of `bytes` bytes; 0 behind the end of the file.
    std::int64_t number(int bytes)
    {
        std::array<char, 8> read{};
        file_.read(read.data(), bytes);
        if (!file_) return 0;
        const std::uint64_t value = number_in({read.data(), read.size()}, 0, bytes, ByteOrder::little);
        return bytes == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
    }

    std::string name()
    {
        constexpr std::size_t longest = 255;
        std::string text;
        for (int letter = file_.get(); letter > 0; letter = file_.get()) {
            text += static_cast<char>(letter);
            if (text.size() > longest) file_.setstate(std::ios::failbit);
        }
        return text;
    }

    std::string letters(std::size_t count)
    {
        std::string text(count, '\0');
        file_.read(text.data(), static_cast<std::streamsize>(count));
        return text;
    }

private:
    std::ifstream file_;
    std::int64_t size_ = 0;
};

/// Reads the file at any offset. Its integers are little-endian, as this machine's are.
class BlockFile {
public:
    explicit BlockFile(const std::filesystem::path& path, std::int64_t size)
        : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), size_(size)
    {
        static_assert(std::endian::native == std::endian::little);
    }
    ~BlockFile()
    {
        if (file_ >= 0) ::close(file_);
    }
    BlockFile(const BlockFile&) = delete;
    BlockFile& operator=(const BlockFile&) = delete;

    [[nodiscard]] std::int64_t size() const { return size_; }
    [[nodiscard]] bool read(std::int64_t place, void* to, std::size_t count) const
    {
        return ::pread(file_, to, count, place) == static_cast<ssize_t>(count);
    }

private:
    int file_;
    std::int64_t size_;
};

std::vector<ExrChannel> read_channels(ExrFile& file)
{
    std::vector<ExrChannel> channels;
    while (!file.name().empty() && file.is_good()) {
        const std::int64_t type = file.number(4);  // uint, half, float
        file.number(4);
        ExrChannel channel{type == 1 ? 2 : 4, file.number(4), file.number(4)};
        if (channel.x_step < 1 || channel.y_step < 1) return {};
        channels.push_back(channel);
    }
    return channels;
}

void read_attribute(ExrFile& file, const std::string& name, ExrPart& part)
{
    if (name == "channels") part.channels = read_channels(file);
    if (name == "type") part.is_deep = file.letters(4) == "deep";
    if (name == "compression") part.compression = static_cast<int>(file.number(1) & 0xFF);
    if (name == "dataWindow")
        for (std::int32_t& edge : part.window) edge = static_cast<std::int32_t>(file.number(4));
    if (name == "chunkCount") part.chunks = file.number(4);
    if (name != "tiles") return;
    part.tile_width = file.number(4);
    part.tile_height = file.number(4);
}

/// The header of a part, and whether it has attributes: one without ends the list of headers. None if it is damaged.
std::optional<std::pair<ExrPart, bool>> read_part(ExrFile& file)
{
    ExrPart part;
    bool has_attributes = false;
    for (std::string name = file.name(); !name.empty() && file.is_good(); name = file.name()) {
        const std::string type = file.name();
        const std::int64_t size = file.number(4);
        const std::int64_t begin = file.place();
        if (!file.is_good() || type.empty() || size < 0 || size > file.size() - begin) return std::nullopt;
        read_attribute(file, name, part);
        file.go_to(begin + size);
        has_attributes = true;
    }
    if (!file.is_good()) return std::nullopt;
    return std::pair(part, has_attributes);
}

/// Rows of pixels in a block, by the number of the compression method: none, RLE, zips, zip, PIZ, PXR24, B44, B44A,
/// DWAA, DWAB.
std::int64_t rows_in_block(int compression)
{
    constexpr std::array<int, 10> rows{1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
    return compression >= 0 && compression < static_cast<int>(rows.size()) ? rows[static_cast<std::size_t>(compression)]
                                                                           : 0;
}

/// The blocks of a part.
struct Grid {
    ExrPart part;
    std::int64_t number = -1;  ///< the part's; -1 in files of one part
    std::int64_t columns = 1;
    std::int64_t rows = 0;
    std::int64_t step = 0;  ///< rows of pixels in a block

    [[nodiscard]] std::int64_t count() const { return columns * rows; }
};

std::optional<Grid> grid_of(const ExrPart& part, std::int64_t number, bool is_tiled)
{
    constexpr std::int64_t maximum = std::int64_t{1} << 28U;
    Grid grid{part, number};
    grid.step = is_tiled ? part.tile_height : rows_in_block(part.compression);
    if (part.width() < 1 || part.height() < 1 || grid.step < 1 || (is_tiled && part.tile_width < 1))
        return std::nullopt;
    grid.rows = (part.height() - 1) / grid.step + 1;
    if (is_tiled) grid.columns = (part.width() - 1) / part.tile_width + 1;
    return grid.count() <= maximum ? std::optional(grid) : std::nullopt;
}

/// How many multiples of `step` there are from `first` to `last`.
std::int64_t multiples(std::int64_t first, std::int64_t last, std::int64_t step)
{
    const auto below = [&](std::int64_t n) { return n >= 0 ? n / step : -((-n + step - 1) / step); };
    return below(last) - below(first - 1);
}

/// The bytes of the samples of block `block`.
std::int64_t sample_bytes(const Grid& grid, std::int64_t block)
{
    const ExrPart& part = grid.part;
    const std::int64_t top = part.window[1] + block / grid.columns * grid.step;
    const std::int64_t bottom = std::min<std::int64_t>(top + grid.step - 1, part.window[3]);
    std::int64_t left = part.window[0], right = part.window[2];
    if (part.tile_width > 0) {
        left += block % grid.columns * part.tile_width;
        right = std::min(left + part.tile_width - 1, right);
    }
    std::int64_t bytes = 0;
    for (const ExrChannel& channel : part.channels) {
        const std::int64_t row = channel.bytes * multiples(left, right, channel.x_step);
        const std::int64_t rows = multiples(top, bottom, channel.y_step);
        bytes += std::min(row, kNoBlock) * std::min(rows, kNoBlock);
        bytes = std::min(bytes, kNoBlock);
    }
    return bytes;
}

/// A block's compressed samples.
struct Packed {
    std::int64_t place = 0;
    std::int64_t size = 0;
};

/// The compressed samples at offset `place`, if block `block` of the grid is there.
std::optional<Packed> packed_block(const BlockFile& file, std::int64_t place, const Grid& grid, std::int64_t block)
{
    if (place <= 0 || place >= file.size()) return std::nullopt;
    std::array<std::int32_t, 6> head{};
    std::size_t words = 2;  // row and length, or column, row, two levels and length
    if (grid.part.tile_width > 0) words = 5;
    if (grid.number >= 0) ++words;
    if (!file.read(place, head.data(), words * sizeof(head[0]))) return std::nullopt;
    const std::int32_t* word = head.data();
    if (grid.number >= 0 && *word++ != grid.number) return std::nullopt;
    if (grid.part.tile_width > 0) {
        if (word[0] != block % grid.columns || word[1] != block / grid.columns || word[2] != 0 || word[3] != 0)
            return std::nullopt;
        word += 4;
    } else if (*word++ != grid.part.window[1] + block * grid.step) {
        return std::nullopt;
    }
    const auto begin = place + static_cast<std::int64_t>(words * sizeof(head[0]));
    if (*word <= 0 || *word > file.size() - begin) return std::nullopt;
    return Packed{begin, *word};
}

/// A byte n >= 0 and one that is repeated n + 1 times, or n < 0 and -n bytes. None if the last of these is cut.
std::optional<std::int64_t> unpacked_rle(const std::vector<unsigned char>& packed)
{
    std::int64_t bytes = 0;
    std::size_t at = 0;
    while (at < packed.size()) {
        const int count = packed[at] < 128 ? packed[at] : packed[at] - 256;
        at += count < 0 ? 1 + static_cast<std::size_t>(-count) : 2;
        bytes += count < 0 ? -count : count + 1;
    }
    return at == packed.size() ? std::optional(bytes) : std::nullopt;
}

std::optional<std::int64_t> unpacked_zip(const std::vector<unsigned char>& packed, std::int64_t expected)
{
    std::vector<unsigned char> bytes(static_cast<std::size_t>(expected));
    auto size = static_cast<uLongf>(bytes.size());
    const int result = uncompress(bytes.data(), &size, packed.data(), static_cast<uLong>(packed.size()));
    return result == Z_OK ? std::optional(static_cast<std::int64_t>(size)) : std::nullopt;
}

/// Whether a block has all of its samples. What does not become smaller is stored as it is.
bool is_whole(const BlockFile& file, const Packed& packed, int compression, std::int64_t expected)
{
    constexpr std::int64_t best_of_zlib = 1032;  // bytes for one
    if (packed.size == expected || compression > kZip) return true;
    if (compression == kNone) return packed.size > expected;
    if (packed.size > expected || expected / best_of_zlib > packed.size) return false;
    std::vector<unsigned char> bytes(static_cast<std::size_t>(packed.size));
    if (!file.read(packed.place, bytes.data(), bytes.size())) return false;
    return (compression == kRle ? unpacked_rle(bytes) : unpacked_zip(bytes, expected)) == expected;
}

/// What the blocks of a file are like; `short_plain`: some without compression are too short.
struct BlocksFound {
    bool sound = true;
    bool whole = true;
    bool short_plain = false;
};

void look_at_blocks(const BlockFile& file, std::int64_t table, const Grid& grid, BlocksFound& found)
{
    std::vector<std::int64_t> places;
    if (grid.count() <= (file.size() - table) / 8) places.resize(static_cast<std::size_t>(grid.count()));
    if (places.empty() || !file.read(table, places.data(), places.size() * sizeof(places[0]))) {
        found.sound = false;
        return;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto block = static_cast<std::int64_t>(i);
        const std::optional<Packed> packed = packed_block(file, places[i], grid, block);
        found.sound = found.sound && packed;
        if (!packed || !found.whole) continue;
        found.whole = is_whole(file, *packed, grid.part.compression, sample_bytes(grid, block));
        found.short_plain = found.short_plain || (!found.whole && grid.part.compression == kNone);
    }
}

/// The parts by their headers, and where the tables of their blocks begin.
struct ExrHeaders {
    std::vector<ExrPart> parts;
    std::int64_t tables = 0;
    bool is_tiled = false;  ///< in files of one part
    bool has_several = false;
};

std::optional<ExrHeaders> read_headers(ExrFile& file)
{
    constexpr std::size_t max_parts = 100000;
    file.go_to(4);
    const auto flags = static_cast<unsigned>(file.number(4) >> 8);
    ExrHeaders headers;
    headers.is_tiled = (flags & kTiled) != 0;
    headers.has_several = (flags & kSeveralParts) != 0;
    for (bool goes_on = true; goes_on;) {
        const auto read = read_part(file);
        if (!read || headers.parts.size() == max_parts) return std::nullopt;
        if (read->second) headers.parts.push_back(read->first);
        goes_on = headers.has_several && read->second;
    }
    if (!headers.has_several && (flags & kDeep) != 0 && !headers.parts.empty()) headers.parts.front().is_deep = true;
    headers.tables = file.place();
    return headers;
}

}  // namespace

ExrReader safe_exr_reader(const std::filesystem::path& path)
{
    ExrFile file(path);
    const std::optional<ExrHeaders> headers = read_headers(file);
    if (!headers || headers->parts.empty()) return ExrReader::newer;
    const auto& parts = headers->parts;
    const auto is_plain = [](const ExrPart& part) { return !part.is_deep && part.compression <= kZip; };
    const bool has_plain = std::ranges::any_of(parts, is_plain);
    const bool needs_older = !std::ranges::all_of(parts, is_plain);  // or the newer one is slow

    BlocksFound found;
    std::int64_t table = headers->tables;
    const BlockFile blocks(path, file.size());
    for (std::size_t i = 0; i < parts.size(); table += 8 * parts[i++].chunks) {
        ExrPart part = parts[i];
        if (part.chunks < 0) return ExrReader::newer;
        if (part.is_deep || (!needs_older && part.compression != kNone)) continue;
        const bool is_tiled = headers->has_several ? part.tile_width > 0 : headers->is_tiled;
        if (!is_tiled) part.tile_width = 0;
        const auto grid = grid_of(part, headers->has_several ? static_cast<std::int64_t>(i) : -1, is_tiled);
        if (!grid) return ExrReader::newer;
        look_at_blocks(blocks, table, *grid, found);
    }
    if (found.short_plain) return ExrReader::none;
    return needs_older && found.sound && (found.whole || !has_plain) ? ExrReader::older : ExrReader::newer;
}

std::uint64_t exr_end(const std::filesystem::path& path)
{
    ExrFile file(path);
    const std::optional<ExrHeaders> headers = read_headers(file);
    if (!headers || headers->parts.empty()) return 0;
    // The tables of all parts and levels lie between the headers and the first block.
    std::int64_t first = file.size();
    std::int64_t last = 0;
    for (std::int64_t place = headers->tables; place + 8 <= first; place += 8) {
        const std::int64_t block = file.number(8);
        if (block <= 0) return 0;
        first = std::min(first, block);
        last = std::max(last, block);
    }
    file.go_to(last);
    const std::int64_t number = headers->has_several ? file.number(4) : 0;
    if (number < 0 || std::cmp_greater_equal(number, headers->parts.size())) return 0;
    const ExrPart& part = headers->parts[static_cast<std::size_t>(number)];
    const bool is_tiled = headers->has_several ? part.tile_width > 0 : headers->is_tiled;
    for (int words = is_tiled ? 4 : 1; words > 0; --words) file.number(4);  // its column, row and levels, or its row
    std::int64_t size = file.number(part.is_deep ? 8 : 4);
    if (part.is_deep) {  // bytes of counts, of samples, and of these before they were packed
        size += file.number(8);
        file.number(8);
    }
    return file.is_good() && size > 0 ? static_cast<std::uint64_t>(file.place() + size) : 0;
}

}  // namespace clconv::oiio
