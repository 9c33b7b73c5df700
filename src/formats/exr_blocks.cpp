// SPDX-License-Identifier: Apache-2.0
#include "formats/exr_blocks.h"

#include <fcntl.h>
#include <unistd.h>
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

/// The attributes of a part's header that define where its blocks are.
struct ExrPart {
    int compression = -1;
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
        std::array<unsigned char, 8> read{};
        file_.read(reinterpret_cast<char*>(read.data()), bytes);
        if (!file_) return 0;
        std::uint64_t value = 0;
        for (int i = bytes; i > 0; --i) value = value << 8U | read[static_cast<std::size_t>(i - 1)];
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

void read_attribute(ExrFile& file, const std::string& name, ExrPart& part)
{
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

/// Whether the block at offset `place` is block `block` of the grid.
bool is_block(const BlockFile& file, std::int64_t place, const Grid& grid, std::int64_t block)
{
    if (place <= 0 || place >= file.size()) return false;
    std::array<std::int32_t, 6> head{};
    std::size_t words = 2;  // row and length, or column, row, two levels and length
    if (grid.part.tile_width > 0) words = 5;
    if (grid.number >= 0) ++words;
    if (!file.read(place, head.data(), words * sizeof(head[0]))) return false;
    const std::int32_t* word = head.data();
    if (grid.number >= 0 && *word++ != grid.number) return false;
    if (grid.part.tile_width > 0) {
        if (word[0] != block % grid.columns || word[1] != block / grid.columns || word[2] != 0 || word[3] != 0)
            return false;
        word += 4;
    } else if (*word++ != grid.part.window[1] + block * grid.step) {
        return false;
    }
    const auto end = place + static_cast<std::int64_t>(words * sizeof(head[0]));
    return *word > 0 && *word <= file.size() - end;
}

bool has_blocks(const BlockFile& file, std::int64_t table, const Grid& grid)
{
    if (grid.count() > (file.size() - table) / 8) return false;
    std::vector<std::int64_t> places(static_cast<std::size_t>(grid.count()));
    if (!file.read(table, places.data(), places.size() * sizeof(places[0]))) return false;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!is_block(file, places[i], grid, static_cast<std::int64_t>(i))) return false;
    return true;
}

}  // namespace

bool has_sound_blocks(const std::filesystem::path& path)
{
    constexpr std::size_t max_parts = 100000;
    ExrFile file(path);
    file.go_to(4);
    const auto flags = static_cast<unsigned>(file.number(4) >> 8);
    if ((flags & kDeep) != 0) return false;
    const bool has_parts = (flags & kSeveralParts) != 0;
    std::vector<ExrPart> parts;
    for (bool goes_on = true; goes_on;) {
        const auto read = read_part(file);
        if (!read || parts.size() == max_parts) return false;
        if (read->second) parts.push_back(read->first);
        goes_on = has_parts && read->second;
    }
    std::int64_t table = file.place();
    const BlockFile blocks(path, file.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        ExrPart part = parts[i];
        const bool is_tiled = has_parts ? part.tile_width > 0 : (flags & kTiled) != 0;
        if (!is_tiled) part.tile_width = 0;
        const std::int64_t number = has_parts ? static_cast<std::int64_t>(i) : -1;
        const std::optional<Grid> grid = grid_of(part, number, is_tiled);
        if (!grid || !has_blocks(blocks, table, *grid)) return false;
        if (part.chunks < 0) return false;
        table += 8 * part.chunks;
    }
    return !parts.empty();
}

}  // namespace clconv::oiio
