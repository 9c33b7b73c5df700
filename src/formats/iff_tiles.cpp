// SPDX-License-Identifier: Apache-2.0
#include "formats/iff_tiles.h"

#include "formats/byte_order.h"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

namespace clconv::oiio {
namespace {

constexpr std::uint64_t kTileHead = 8;  ///< its first column and row, its last ones

struct Chunk {
    std::string name;
    std::uint64_t size = 0;

    /// Chunks begin at multiples of four bytes.
    [[nodiscard]] std::uint64_t padded() const { return (size + 3) / 4 * 4; }
};

class IffFile {
public:
    explicit IffFile(const std::filesystem::path& path) : file_(path, std::ios::binary)
    {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(path, error);
        size_ = error ? 0 : size;
    }

    /// The next bytes; none if the file has fewer.
    std::optional<std::string> bytes(std::uint64_t count)
    {
        if (count > size_ - place_) return std::nullopt;
        std::string read(count, '\0');
        if (!file_.read(read.data(), static_cast<std::streamsize>(count))) return std::nullopt;
        place_ += count;
        return read;
    }
    std::optional<Chunk> chunk()
    {
        const auto head = bytes(8);
        if (!head) return std::nullopt;
        return Chunk{head->substr(0, 4), number_in(*head, 4, 4, ByteOrder::big)};
    }
    bool skip(std::uint64_t count)
    {
        if (count > size_ - place_) return false;
        place_ += count;
        file_.seekg(static_cast<std::streamoff>(place_));
        return static_cast<bool>(file_);
    }
    /// Goes behind the name of the next group of this kind, past other chunks.
    bool enter(std::string_view kind)
    {
        for (auto next = chunk(); next; next = chunk()) {
            if (next->name == "FOR4") {
                const auto name = bytes(4);
                return name && *name == kind;
            }
            if (!skip(next->padded())) return false;
        }
        return false;
    }

private:
    std::ifstream file_;
    std::uint64_t size_ = 0;
    std::uint64_t place_ = 0;
};

/// The chunk TBHD: what the library's reader takes from it.
struct IffHead {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::uint64_t channels = 0;
    std::uint64_t sample_bytes = 0;
    std::uint64_t tiles = 0;
    std::string fault = {};
};

/// Goes behind the head. None if there is none.
std::optional<IffHead> read_head(IffFile& file)
{
    constexpr std::uint64_t rgb = 1;
    constexpr std::uint64_t alpha = 2;
    std::optional<Chunk> chunk = file.chunk();
    while (chunk && chunk->name != "TBHD" && file.skip(chunk->padded())) chunk = file.chunk();
    if (!chunk || (chunk->size != 24 && chunk->size != 32)) return std::nullopt;
    const auto bytes = file.bytes(chunk->size);
    if (!bytes) return std::nullopt;
    IffHead head;
    head.width = number_in(*bytes, 0, 4, ByteOrder::big);
    head.height = number_in(*bytes, 4, 4, ByteOrder::big);
    const std::uint64_t flags = number_in(*bytes, 12, 4, ByteOrder::big);
    head.channels = (flags & alpha) != 0 ? 4 : 3;
    head.sample_bytes = number_in(*bytes, 16, 2, ByteOrder::big) != 0 ? 2 : 1;
    head.tiles = number_in(*bytes, 18, 2, ByteOrder::big);
    if ((flags & rgb) == 0) head.fault = "it has no colours";
    if (chunk->size == 32 && number_in(*bytes, 24, 8, ByteOrder::big) != 0)
        head.fault = "it begins at another place than 0, 0, which OpenImageIO cannot read";
    return head;
}

/// Whether `coded` holds the runs of `planes` planes of `samples` bytes, none of which has a run that leads beyond it.
/// A run begins with its length less one: so many bytes follow, or, with the eighth bit, one that is repeated.
bool fits_planes(std::string_view coded, std::uint64_t planes, std::uint64_t samples)
{
    std::uint64_t place = 0;
    for (std::uint64_t plane = 0; plane < planes; ++plane)
        for (std::uint64_t made = 0; made < samples;) {
            if (place >= coded.size()) return false;
            const std::uint64_t first = number_in(coded, place++, 1, ByteOrder::big);
            const std::uint64_t count = (first & 0x7FU) + 1;
            const std::uint64_t follow = (first & 0x80U) != 0 ? 1 : count;
            made += count;
            if (made > samples || follow > coded.size() - place) return false;
            place += follow;
        }
    return true;
}

struct Tile {
    std::string fault = {};
    std::uint64_t pixels = 0;  ///< 0: the library's reader stops here
};

Tile read_tile(IffFile& file, const Chunk& chunk, const IffHead& head)
{
    if (chunk.size < kTileHead) return {.fault = "has no place"};
    const auto bytes = file.bytes(kTileHead);
    if (!bytes) return {};
    const std::uint64_t left = number_in(*bytes, 0, 2, ByteOrder::big);
    const std::uint64_t top = number_in(*bytes, 2, 2, ByteOrder::big);
    const std::uint64_t right = number_in(*bytes, 4, 2, ByteOrder::big);
    const std::uint64_t bottom = number_in(*bytes, 6, 2, ByteOrder::big);
    const auto data = file.bytes(chunk.padded() - kTileHead);
    if (!data || left > right || top > bottom || right >= head.width || bottom >= head.height) return {};
    const std::uint64_t pixels = (right - left + 1) * (bottom - top + 1);
    const std::uint64_t planes = head.channels * head.sample_bytes;
    const bool is_coded = pixels * planes + kTileHead > chunk.size;
    if (is_coded && !fits_planes(*data, planes, pixels))
        return {.fault = "is coded with more than its samples, or with fewer"};
    return {.pixels = pixels};
}

}  // namespace

IffTiles iff_tiles(const std::filesystem::path& path)
{
    IffFile file(path);
    if (!file.enter("CIMG")) return {.fault = "it does not begin as Maya's IFF files do"};
    const std::optional<IffHead> head = read_head(file);
    if (!head) return {.fault = "its head is incomplete"};
    if (!head->fault.empty()) return {.fault = head->fault};
    if (!file.enter("TBMP")) return {.fault = "it has no tiles"};
    std::uint64_t covered = 0;
    for (std::uint64_t tile = 0; tile < head->tiles; ++tile) {
        const std::optional<Chunk> chunk = file.chunk();
        if (!chunk) return {.is_incomplete = true};
        if (chunk->name != "RGBA") return {.fault = fmt::format("something else comes before its tile {}", tile)};
        const Tile read = read_tile(file, *chunk, *head);
        if (!read.fault.empty()) return {.fault = fmt::format("its tile {} {}", tile, read.fault)};
        if (read.pixels == 0) return {.is_incomplete = true};
        covered += read.pixels;
    }
    return {.is_incomplete = covered < head->width * head->height};
}

}  // namespace clconv::oiio
