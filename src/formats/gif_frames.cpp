// SPDX-License-Identifier: Apache-2.0
#include "formats/gif_frames.h"

#include "base/errors.h"
#include "formats/byte_order.h"
#include "formats/file_splice.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

constexpr unsigned char kImage = 0x2C;
constexpr unsigned char kExtension = 0x21;
constexpr unsigned char kTrailer = 0x3B;
constexpr unsigned char kGraphicControl = 0xF9;
constexpr unsigned char kApplication = 0xFF;
constexpr int kCleared = 2;
constexpr int kRestored = 3;

/// Walks through the blocks of a file. At its end all numbers are 0, and no block begins with 0.
class Blocks {
public:
    explicit Blocks(const std::filesystem::path& path) : file_(path, std::ios::binary) {}

    [[nodiscard]] std::string bytes(std::size_t count)
    {
        std::string read(count, '\0');
        file_.read(read.data(), static_cast<std::streamsize>(count));
        return read;
    }
    [[nodiscard]] unsigned char byte() { return static_cast<unsigned char>(bytes(1)[0]); }
    void skip(std::size_t count) { file_.seekg(static_cast<std::streamoff>(count), std::ios::cur); }
    [[nodiscard]] std::int64_t place() { return file_.tellg(); }
    [[nodiscard]] bool is_at_end() const { return !file_; }

    /// Skips colours that follow if `flags` say so.
    void skip_colours(unsigned char flags)
    {
        if ((flags & 0x80U) != 0) skip(std::size_t{3} << ((flags & 7U) + 1U));
    }
    void skip_data()
    {
        for (std::size_t length = byte(); length > 0 && !is_at_end(); length = byte()) skip(length);
    }

private:
    std::ifstream file_;
};

/// A frame's delay is in an extension before it.
void read_extension(Blocks& blocks, GifFrames& found, GifFrame& next)
{
    const unsigned char kind = blocks.byte();
    const std::size_t length = blocks.byte();
    const std::int64_t place = blocks.place();
    const std::string bytes = blocks.bytes(length);
    if (kind == kGraphicControl && length >= 4) {
        next.delay_place = place + 1;
        next.delay = static_cast<int>(number_in(bytes, 1, 2, ByteOrder::little));
        next.disposal = static_cast<unsigned char>(bytes[0]) >> 2U & 7U;
        next.has_clear_colour = (static_cast<unsigned char>(bytes[0]) & 1U) != 0;
    }
    if (kind == kApplication && bytes == "NETSCAPE2.0") {
        const std::size_t loop_length = blocks.byte();
        const std::int64_t loop_place = blocks.place();
        const std::string loop = blocks.bytes(loop_length);
        if (loop_length >= 3) {
            found.loops_place = loop_place + 1;
            found.loops = static_cast<int>(number_in(loop, 1, 2, ByteOrder::little));
        }
        if (loop_length == 0) return;
    }
    if (length > 0) blocks.skip_data();
}

/// Whether some picture that is shown has a pixel that no frame has painted. An optimised animation has a clear colour
/// for pixels that stay as they were, which are opaque once they have been painted.
bool has_clear_pixels(const std::vector<GifFrame>& frames)
{
    bool is_clear = true;  // the picture before the next frame has such pixels
    for (const GifFrame& frame : frames) {
        if (is_clear && (frame.has_clear_colour || !frame.covers_all)) return true;
        is_clear = frame.disposal == kCleared || (frame.disposal == kRestored && is_clear);
    }
    return false;
}

std::string as_bytes(int number) { return {static_cast<char>(number & 0xFF), static_cast<char>(number >> 8)}; }

}  // namespace

GifFrames gif_frames(const std::filesystem::path& path)
{
    GifFrames found;
    Blocks blocks(path);
    const std::string head = blocks.bytes(13);
    if (!head.starts_with("GIF8")) return found;
    blocks.skip_colours(static_cast<unsigned char>(head[10]));
    found.first_block = blocks.place();
    GifFrame next;
    for (unsigned char kind = blocks.byte(); !blocks.is_at_end(); kind = blocks.byte()) {
        if (kind == kExtension) {
            read_extension(blocks, found, next);
        } else if (kind == kImage) {
            const std::string place = blocks.bytes(9);
            next.covers_all = place.compare(0, 4, std::string(4, '\0')) == 0 && place.compare(4, 4, head, 6, 4) == 0;
            blocks.skip_colours(static_cast<unsigned char>(place[8]));
            blocks.skip(1);
            blocks.skip_data();
            found.frames.push_back(std::exchange(next, {}));
        } else {
            found.is_whole = kind == kTrailer;
            if (found.is_whole) found.end = static_cast<std::uint64_t>(blocks.place());
            break;
        }
    }
    found.has_clear_pixels = has_clear_pixels(found.frames);
    return found;
}

bool set_gif_timing(const std::filesystem::path& path, const GifFrames& wanted)
{
    const GifFrames written = gif_frames(path);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::int64_t place, int number) {
        file.seekp(place);
        file << as_bytes(number);
    };
    for (std::size_t i = 0; i < std::min(written.frames.size(), wanted.frames.size()); ++i)
        if (written.frames[i].delay_place >= 0) put(written.frames[i].delay_place, wanted.frames[i].delay);
    if (wanted.loops && written.loops_place >= 0) put(written.loops_place, *wanted.loops);
    if (!file.flush()) return false;
    file.close();
    // The extension is one block: introducer, kind, name, data, end.
    constexpr std::int64_t before_loops = 16;
    constexpr std::int64_t size = 19;
    if (wanted.loops && written.loops_place < 0)
        replace_bytes(
            path, static_cast<std::size_t>(written.first_block), 0,
            std::string("\x21\xFF\x0BNETSCAPE2.0\x03\x01", 16) + as_bytes(*wanted.loops) + std::string(1, '\0'));
    if (!wanted.loops && written.loops_place >= 0)
        replace_bytes(path, static_cast<std::size_t>(written.loops_place - before_loops), size, "");
    return true;
}

void make_gif_still(const std::filesystem::path& path)
{
    GifFrames still;
    still.frames.resize(1);
    if (!set_gif_timing(path, still)) throw InputError(path.string() + ": its delay could not be written");
}

}  // namespace clconv::oiio
