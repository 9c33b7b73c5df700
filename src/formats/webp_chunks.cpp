// SPDX-License-Identifier: Apache-2.0
#include "formats/webp_chunks.h"

#include "base/errors.h"
#include "formats/byte_order.h"
#include "formats/file_splice.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace clconv::oiio {
namespace {

constexpr std::uint64_t kMaxRiffBytes = std::uint64_t{32} << 20U;
constexpr std::uint64_t kFirstChunk = 12;  ///< behind "RIFF", a length and "WEBP"
constexpr std::string_view kExifHead("Exif\0\0", 6);
// Bits of the first byte of a VP8X chunk: RFC 9649, 2.7.
constexpr unsigned kHasProfile = 0x20;
constexpr unsigned kHasAlpha = 0x10;
constexpr unsigned kHasExif = 0x08;
constexpr unsigned kHasXmp = 0x04;
constexpr unsigned kIsAnimation = 0x02;

std::uint32_t number_at(std::string_view bytes, std::size_t offset)
{
    return static_cast<std::uint32_t>(number_in(bytes, offset, 4, ByteOrder::little));
}

std::string number(std::uint32_t value, int bytes) { return bytes_of_number(value, bytes, ByteOrder::little); }

struct RiffChunk {
    std::string name;
    std::uint64_t place = 0;  ///< of the name
    std::uint32_t length = 0;

    /// A chunk is name, length, contents, and one more byte if the length is odd: RFC 9649, 2.3.
    [[nodiscard]] std::uint64_t end() const { return place + 8 + length + length % 2; }
};

class WebpFile {
public:
    explicit WebpFile(const std::filesystem::path& path) : file_(path, std::ios::binary)
    {
        const std::string head = read(0, kFirstChunk);
        if (head.size() < kFirstChunk || !head.starts_with("RIFF") || head.substr(8) != "WEBP") return;
        for (std::uint64_t place = kFirstChunk; chunks_.size() < kMaxChunks; place = chunks_.back().end()) {
            const std::string next = read(place, 8);
            if (next.size() < 8) break;
            chunks_.push_back({next.substr(0, 4), place, number_at(next, 4)});
        }
    }

    [[nodiscard]] const std::vector<RiffChunk>& chunks() const { return chunks_; }

    /// The contents; empty if the chunk is incomplete or too long.
    [[nodiscard]] std::string contents(const RiffChunk& chunk)
    {
        if (chunk.length > kMaxRiffBytes) return {};
        std::string bytes = read(chunk.place + 8, chunk.length);
        return bytes.size() == chunk.length ? bytes : std::string();
    }

    /// The first bytes of the contents; fewer if there are not so many.
    [[nodiscard]] std::string beginning(const RiffChunk& chunk, std::size_t count)
    {
        return read(chunk.place + 8, std::min<std::size_t>(count, chunk.length));
    }

    /// The chunk as it stands in the file.
    [[nodiscard]] std::string whole(const RiffChunk& chunk) { return read(chunk.place, chunk.end() - chunk.place); }

private:
    static constexpr std::size_t kMaxChunks = 100000;

    /// The bytes at `place`; fewer at the end of the file.
    std::string read(std::uint64_t place, std::size_t count)
    {
        std::string bytes(count, '\0');
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(place));
        file_.read(bytes.data(), static_cast<std::streamsize>(count));
        bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file_.gcount(), 0)));
        return bytes;
    }

    std::ifstream file_;
    std::vector<RiffChunk> chunks_;
};

std::string as_in_file(std::string_view name, const std::string& bytes)
{
    return std::string(name) + number(static_cast<std::uint32_t>(bytes.size()), 4) + bytes +
           std::string(bytes.size() % 2, '\0');
}

bool is_ours(const RiffChunk& chunk)
{
    return chunk.name == "VP8X" || chunk.name == "ICCP" || chunk.name == "EXIF" || chunk.name == "XMP ";
}

/// The flags of a file that has them: RFC 9649, 2.7.
unsigned flags_of(WebpFile& file)
{
    if (file.chunks().empty() || file.chunks().front().name != "VP8X") return 0;
    const std::string head = file.beginning(file.chunks().front(), 4);
    return head.size() == 4 ? number_at(head, 0) : 0;
}

std::string canvas(unsigned flags, Extent extent)
{
    return as_in_file("VP8X", number(flags, 4) + number(static_cast<std::uint32_t>(extent.width - 1), 3) +
                                  number(static_cast<std::uint32_t>(extent.height - 1), 3));
}

/// Whether the picture has alpha: a chunk with it, or the flag of a lossless stream (RFC 9649, 3.4).
bool has_alpha(WebpFile& file)
{
    constexpr std::uint32_t alpha_is_used = std::uint32_t{1} << 28U;
    for (const RiffChunk& chunk : file.chunks()) {
        if (chunk.name == "ALPH") return true;
        if (chunk.name != "VP8L") continue;
        const std::string stream = file.beginning(chunk, 5);
        return stream.size() >= 5 && (number_at(stream, 1) & alpha_is_used) != 0;
    }
    return false;
}

}  // namespace

WebpBlocks webp_blocks(const std::filesystem::path& path)
{
    WebpFile file(path);
    WebpBlocks found;
    for (const RiffChunk& chunk : file.chunks()) {
        if (chunk.name == "ICCP") found.profile = file.contents(chunk);
        if (chunk.name == "XMP ") found.blocks.xmp = file.contents(chunk);
        if (chunk.name != "EXIF") continue;
        found.blocks.exif = file.contents(chunk);
        if (found.blocks.exif.starts_with(kExifHead)) found.blocks.exif.erase(0, kExifHead.size());
    }
    return found;
}

void put_webp_blocks(const std::filesystem::path& path, Extent extent, const WebpBlocks& blocks)
{
    std::string head;
    std::string tail;
    std::uint64_t picture = kFirstChunk;
    std::uint64_t end = kFirstChunk;
    {
        WebpFile file(path);
        for (const RiffChunk& chunk : file.chunks()) {
            if (is_ours(chunk) && chunk.place == picture) picture = chunk.end();
            if (!is_ours(chunk)) end = chunk.end();
        }
        if (end <= picture) throw InputError("it is not a valid WebP");
        const unsigned flags = (flags_of(file) & (kHasAlpha | kIsAnimation)) | (has_alpha(file) ? kHasAlpha : 0) |
                               (blocks.profile.empty() ? 0 : kHasProfile) |
                               (blocks.blocks.exif.empty() ? 0 : kHasExif) | (blocks.blocks.xmp.empty() ? 0 : kHasXmp);
        head = canvas(flags, extent);
    }
    if (!blocks.profile.empty()) head += as_in_file("ICCP", blocks.profile);
    if (!blocks.blocks.exif.empty()) tail += as_in_file("EXIF", blocks.blocks.exif);
    if (!blocks.blocks.xmp.empty()) tail += as_in_file("XMP ", blocks.blocks.xmp);
    const std::uint64_t size = std::filesystem::file_size(path);
    replace_bytes(path, end, size - end, tail);
    replace_bytes(path, kFirstChunk, picture - kFirstChunk, head);
    const std::uint64_t whole = end + tail.size() + head.size() - (picture - kFirstChunk);
    replace_bytes(path, 4, 4, number(static_cast<std::uint32_t>(whole - 8), 4));
}

std::optional<WebpKind> webp_kind(const std::filesystem::path& path)
{
    WebpFile file(path);
    if (file.chunks().empty()) return std::nullopt;
    const unsigned flags = flags_of(file);
    return WebpKind{(flags & kHasAlpha) != 0 || has_alpha(file), (flags & kIsAnimation) != 0};
}

bool is_lossless_webp(const std::filesystem::path& path)
{
    constexpr std::size_t frame_head = 16;  // RFC 9649, 2.7.1.1
    WebpFile file(path);
    bool has_picture = false;
    for (const RiffChunk& chunk : file.chunks()) {
        std::string kind = chunk.name;
        if (kind == "ANMF") {
            const std::string head = file.beginning(chunk, frame_head + 4);
            kind = head.size() > frame_head ? head.substr(frame_head) : "";
        }
        if (kind == "VP8 " || kind == "ALPH") return false;
        has_picture |= kind == "VP8L";
    }
    return has_picture;
}

WebpAnimation webp_animation(const std::filesystem::path& path)
{
    WebpFile file(path);
    WebpAnimation animation;
    animation.has_alpha = (flags_of(file) & kHasAlpha) != 0;
    for (const RiffChunk& chunk : file.chunks()) {
        if (chunk.name == "ANIM") {
            const std::string bytes = file.beginning(chunk, 6) + std::string(6, '\0');
            animation.background = number_at(bytes, 0);
            animation.loops = number_at(bytes, 4) & 0xFFFFU;
        }
        if (chunk.name != "ANMF") continue;
        const std::string bytes = file.beginning(chunk, 16) + std::string(16, '\0');
        animation.durations.push_back(number_at(bytes, 12) & 0xFFFFFFU);
    }
    return animation;
}

WebpAnimationWriter::WebpAnimationWriter(const std::filesystem::path& path, Extent extent,
                                         const WebpAnimation& animation)
    : extent_(extent), file_(path, std::ios::binary), has_alpha_(animation.has_alpha)
{
    const std::string head = "RIFF" + number(0, 4) + "WEBP" + canvas(kIsAnimation, extent) +
                             as_in_file("ANIM", number(animation.background, 4) + number(animation.loops, 2));
    put(head);
    bytes_ = head.size();
}

void WebpAnimationWriter::put(const std::string& bytes)
{
    file_ << bytes;
    file_.flush();  // errno is that of this write, not of what a failed stream does later
    if (!file_) throw InputError(std::strerror(errno));
}

void WebpAnimationWriter::add(const std::filesystem::path& picture, std::uint32_t duration)
{
    constexpr std::uint32_t covers = 2;
    WebpFile still(picture);
    has_alpha_ |= has_alpha(still);
    std::string frame = number(0, 6) + number(static_cast<std::uint32_t>(extent_.width - 1), 3) +
                        number(static_cast<std::uint32_t>(extent_.height - 1), 3) + number(duration, 3) +
                        number(covers, 1);
    for (const RiffChunk& chunk : still.chunks())
        if (chunk.name == "ALPH" || chunk.name == "VP8 " || chunk.name == "VP8L") frame += still.whole(chunk);
    frame = as_in_file("ANMF", frame);
    put(frame);
    bytes_ += frame.size();
}

void WebpAnimationWriter::finish()
{
    constexpr std::uint64_t maximum = 0xFFFFFFFE;  // RFC 9649, 2.4
    if (bytes_ - 8 > maximum) throw InputError("a WebP file has at most 4 GiB");
    file_.seekp(4);
    put(number(static_cast<std::uint32_t>(bytes_ - 8), 4));
    file_.seekp(kFirstChunk);
    put(canvas(kIsAnimation | (has_alpha_ ? kHasAlpha : 0), extent_));
    file_.close();
    if (!file_) throw InputError(std::strerror(errno));
}

}  // namespace clconv::oiio
