// SPDX-License-Identifier: Apache-2.0
#include "formats/png_chunks.h"

#include "base/errors.h"
#include "formats/byte_order.h"
#include "formats/file_splice.h"
#include "formats/png_texts.h"
#include "formats/raw_profile.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMaxChunkBytes = std::size_t{32} << 20U;
constexpr std::size_t kSignature = 8;
constexpr std::size_t kAround = 12;  ///< length, name, checksum
constexpr std::size_t kHeaderChunk = kAround + 13;
constexpr std::string_view kXmpKeyword("XML:com.adobe.xmp\0", 18);

std::string big_endian(std::uint32_t value) { return bytes_of_number(value, 4, ByteOrder::big); }

std::uint32_t checksum(std::string_view bytes)
{
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

/// Reads a file's chunks one by one. W3C PNG, third edition, 5.3.
class ChunkReader {
public:
    explicit ChunkReader(const std::filesystem::path& path) : file_(path, std::ios::binary)
    {
        std::array<char, kSignature> signature{};
        file_.read(signature.data(), signature.size());
        is_sound_ = file_ && std::string_view(signature.data(), signature.size()) == "\x89PNG\r\n\x1a\n"sv;
    }

    /// Length and name of the next chunk; none at the end. The caller then reads or skips the contents.
    [[nodiscard]] std::optional<std::pair<std::uint32_t, std::string>> next()
    {
        std::array<char, 8> head{};
        if (!is_sound_ || !file_.read(head.data(), head.size())) return std::nullopt;
        const std::string_view bytes(head.data(), head.size());
        const auto length = static_cast<std::uint32_t>(number_in(bytes, 0, 4, ByteOrder::big));
        if (length > 0x7FFFFFFF) return std::nullopt;
        return std::pair(length, std::string(bytes.substr(4)));
    }

    void skip(std::uint32_t length) { file_.seekg(static_cast<std::streamoff>(length) + 4, std::ios::cur); }

    /// The contents, if they are complete and their checksum is right.
    [[nodiscard]] std::optional<std::string> contents(const std::string& name, std::uint32_t length)
    {
        std::string bytes = name + std::string(length + std::size_t{4}, '\0');
        file_.read(bytes.data() + 4, static_cast<std::streamsize>(length + std::size_t{4}));
        if (!file_) return std::nullopt;
        const auto sum = static_cast<std::uint32_t>(number_in(bytes, 4 + std::size_t{length}, 4, ByteOrder::big));
        bytes.resize(4 + std::size_t{length});
        if (sum != checksum(bytes)) return std::nullopt;
        return bytes.substr(4);
    }

private:
    std::ifstream file_;
    bool is_sound_ = false;
};

/// Whether a chunk holds samples, or what readers need to decode them, and is therefore not metadata.
bool is_data(std::string_view name)
{
    return name == "IDAT" || name == "fdAT" || name == "PLTE" || name == "tRNS" || name == "IEND";
}

std::string as_in_file(const PngChunk& chunk)
{
    const std::string named = chunk.name + chunk.bytes;
    return big_endian(static_cast<std::uint32_t>(chunk.bytes.size())) + named + big_endian(checksum(named));
}

struct SampleKind {
    char bits = 0;
    char colour = 0;  ///< W3C PNG, 11.2.1: bit 1 of it says that there are colours

    bool operator==(const SampleKind&) const = default;
    [[nodiscard]] bool has_colours() const { return (colour & 2) != 0; }
};

SampleKind kind_of(const std::vector<PngChunk>& chunks)
{
    if (chunks.empty() || chunks.front().name != "IHDR" || chunks.front().bytes.size() < 10) return {};
    return {chunks.front().bytes[8], chunks.front().bytes[9]};
}

/// Whether a chunk stays true when the samples change. W3C PNG, 5.4: a small fourth letter says so. Chunks about colour
/// stay true too, because convolving keeps the meaning of samples. A profile is either for colours or for gray.
bool stays_true(const PngChunk& chunk, SampleKind before, SampleKind after, bool same_size)
{
    constexpr std::array colour{"gAMA"sv, "cHRM"sv, "sRGB"sv, "cICP"sv, "mDCV"sv, "tIME"sv};
    if ((chunk.name[0] & 0x20) == 0) return false;
    if (chunk.name == "oFFs") return same_size;
    if (chunk.name == "iCCP") return before.has_colours() == after.has_colours();
    if (chunk.name == "bKGD") return before == after;
    return (chunk.name[3] & 0x20) != 0 || std::ranges::find(colour, chunk.name) != colour.end();
}

/// Chunks that the library reads and writes, and those of animations, of which the reader warns.
bool is_read(std::string_view name)
{
    constexpr std::array read{"tRNS"sv, "bKGD"sv, "acTL"sv, "fcTL"sv, "fdAT"sv};
    return std::ranges::find(read, name) != read.end();
}

bool is_xmp(const PngChunk& chunk) { return chunk.name == "iTXt" && chunk.bytes.starts_with(kXmpKeyword); }

/// The offset of the text in an uncompressed iTXt chunk. It follows the keyword, two flags and two texts that end in
/// zeros. 0 if the text is compressed or the chunk is damaged.
std::size_t plain_text_at(const std::string& bytes)
{
    const std::size_t keyword = bytes.find('\0');
    if (keyword == std::string::npos || bytes.size() - keyword < 3 || bytes[keyword + 1] != '\0') return 0;
    const std::size_t language = bytes.find('\0', keyword + 3);
    if (language == std::string::npos) return 0;
    const std::size_t translated = bytes.find('\0', language + 1);
    return translated == std::string::npos ? 0 : translated + 1;
}

PngChunk corrected(PngChunk chunk, const MetadataChange& change)
{
    if (chunk.name == "eXIf") chunk.bytes = change.exif(chunk.bytes);
    if (is_xmp(chunk))
        if (const std::size_t text = plain_text_at(chunk.bytes); text > 0)
            chunk.bytes = chunk.bytes.substr(0, text) + change.xmp(chunk.bytes.substr(text));
    return chunk;
}

/// Replaces all chunks between the header and the samples by `bytes`, behind what `kept` makes of each: a chunk, or
/// nothing.
template <class Kept>
void replace_before_samples(const std::filesystem::path& path, const std::string& bytes, const Kept& kept)
{
    std::size_t end = kSignature + kHeaderChunk;
    std::string before;
    std::string after;
    {
        ChunkReader reader(path);
        auto chunk = reader.next();  // the header
        if (!chunk) throw InputError("its header is missing");
        reader.skip(chunk->first);
        for (chunk = reader.next(); chunk && chunk->second != "IDAT"; chunk = reader.next()) {
            std::optional<std::string> contents = reader.contents(chunk->second, chunk->first);
            if (!contents) throw InputError("its header is incomplete");
            end += kAround + chunk->first;
            PngChunk written{chunk->second, std::move(*contents)};
            before += as_in_file(written);
            if (const std::optional<PngChunk> other = kept(std::move(written))) after += as_in_file(*other);
        }
    }
    const std::size_t start = kSignature + kHeaderChunk;
    after += bytes;
    if (after != before) replace_bytes(path, start, end - start, after);
}

}  // namespace

int palette_bits(const std::vector<PngChunk>& chunks)
{
    constexpr char palette = 3;
    const SampleKind kind = kind_of(chunks);
    return kind.colour == palette ? kind.bits : 0;
}

std::vector<std::string> lost_chunks(const std::vector<PngChunk>& chunks)
{
    std::vector<std::string> lost;
    const SampleKind kind = kind_of(chunks);
    for (const PngChunk& chunk : chunks) {
        const bool is_ancillary = (chunk.name[0] & 0x20) != 0;
        if (!is_ancillary || is_read(chunk.name) || stays_true(chunk, kind, kind, true)) continue;
        if (std::ranges::find(lost, chunk.name) == lost.end()) lost.push_back(chunk.name);
    }
    return lost;
}

std::vector<PngChunk> png_chunks(const std::filesystem::path& path)
{
    ChunkReader reader(path);
    std::vector<PngChunk> chunks;
    std::size_t total = 0;
    for (auto chunk = reader.next(); chunk; chunk = reader.next()) {
        const auto& [length, name] = *chunk;
        if (is_data(name)) {
            reader.skip(length);
            continue;
        }
        total += length;
        if (total > kMaxChunkBytes) return {};
        if (std::optional<std::string> contents = reader.contents(name, length))
            chunks.push_back({name, std::move(*contents)});
    }
    return chunks;
}

EmbeddedBlocks blocks_of(const std::vector<PngChunk>& chunks)
{
    EmbeddedBlocks blocks;
    for (const PngChunk& chunk : chunks) {
        if (chunk.name == "eXIf") blocks.exif = chunk.bytes;
        if (is_xmp(chunk))
            if (const std::size_t text = plain_text_at(chunk.bytes); text > 0) blocks.xmp = chunk.bytes.substr(text);
    }
    for (const PngChunk& chunk : chunks)
        if (blocks.exif.empty() && is_raw_exif(chunk)) blocks.exif = exif_in(chunk);
    return blocks;
}

void replace_png_chunks(const std::filesystem::path& path, const std::vector<PngChunk>& chunks,
                        const MetadataChange& change)
{
    const SampleKind before = kind_of(chunks);
    SampleKind after;
    {
        const std::vector<PngChunk> written = png_chunks(path);
        after = kind_of(written);
    }
    std::string bytes;
    const bool has_exif = std::ranges::find(chunks, "eXIf", &PngChunk::name) != chunks.end();
    for (const PngChunk& chunk : chunks) {
        if (!stays_true(chunk, before, after, !change.size)) continue;
        if (!is_raw_exif(chunk)) {
            bytes += as_in_file(corrected(chunk, change));
            continue;
        }
        // Exif as text, as programs wrote it before the format had a chunk for Exif. If it must be corrected, it is
        // written as such a chunk.
        const std::string block = exif_in(chunk);
        const std::string now = change.exif(block);
        if (now == block)
            bytes += as_in_file(chunk);
        else if (!has_exif)
            bytes += as_in_file({"eXIf", now});
    }
    replace_before_samples(path, bytes, [&](PngChunk chunk) -> std::optional<PngChunk> {
        const bool stays = chunk.name == "PLTE" || chunk.name == "tRNS" || (chunk.name == "oFFs" && change.size);
        if (!stays) return std::nullopt;
        return chunk;
    });
}

void put_png_blocks(const std::filesystem::path& path, const EmbeddedBlocks& blocks, const MetadataChange& change)
{
    std::string bytes;
    if (!blocks.exif.empty()) bytes += as_in_file({"eXIf", change.exif(blocks.exif)});
    if (!blocks.xmp.empty()) {
        // The zeros mean: not compressed, no language, no translated keyword.
        const std::string head = std::string(kXmpKeyword) + std::string(4, '\0');
        bytes += as_in_file({"iTXt", head + change.xmp(blocks.xmp)});
    }
    replace_before_samples(path, bytes, [&](PngChunk chunk) -> std::optional<PngChunk> {
        if (!blocks.is_empty() && (chunk.name == "eXIf" || is_xmp(chunk))) return std::nullopt;
        return corrected_text(std::move(chunk));
    });
}

}  // namespace clconv::oiio
