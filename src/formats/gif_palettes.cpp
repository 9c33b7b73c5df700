// SPDX-License-Identifier: Apache-2.0
#include "formats/gif_palettes.h"

#include "base/errors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::oiio {
namespace {

// A frame of so few pixels has at most 511 codes, all of nine bits.
constexpr std::size_t kMaxPixels = 254;
constexpr std::size_t kCodeBits = 9;
constexpr unsigned kClearWords = 256;
constexpr unsigned kEndOfFrame = 257;
constexpr unsigned kFirstWord = 258;

constexpr std::size_t kGifHead = 13;  ///< before the colours of the screen
constexpr std::size_t kDescription = 10;
constexpr std::size_t kPaletteBytes = std::size_t{3} * 256;
constexpr std::size_t kMaxInBlock = 255;

unsigned gif_byte(std::string_view bytes, std::size_t place) { return static_cast<unsigned char>(bytes.at(place)); }

std::size_t gif_number(std::string_view bytes, std::size_t place)
{
    return gif_byte(bytes, place) + 256 * gif_byte(bytes, place + 1);
}

/// Indices into a palette, one byte each.
using Pixels = std::string;

/// The pixels of a frame whose codes all have nine bits. Fewer if it is damaged.
Pixels decoded_frame(std::string_view data)
{
    Pixels pixels;
    std::string last;
    std::vector<std::string> words;
    for (std::size_t bit = 0; bit + kCodeBits <= 8 * data.size(); bit += kCodeBits) {
        const unsigned code = (gif_number(data, bit / 8) >> bit % 8) & ((1U << kCodeBits) - 1);
        if (code == kEndOfFrame) break;
        if (code == kClearWords) {
            words.clear();
            last.clear();
            continue;
        }
        std::string word(1, static_cast<char>(code));
        if (code >= kFirstWord + words.size()) {
            if (last.empty()) break;
            word = last + last[0];
        } else if (code >= kFirstWord) {
            word = words[code - kFirstWord];
        }
        if (!last.empty()) words.push_back(last + word[0]);
        pixels += word;
        last = word;
    }
    return pixels;
}

class Codes {
public:
    void put(unsigned code)
    {
        for (std::size_t i = 0; i < kCodeBits; ++i, ++bits_) {
            if (bits_ % 8 == 0) bytes_ += '\0';
            bytes_.back() = static_cast<char>(gif_byte(bytes_, bytes_.size() - 1) | ((code >> i & 1U) << bits_ % 8));
        }
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
    std::size_t bits_ = 0;
};

std::string encoded_frame(const Pixels& pixels)
{
    Codes codes;
    std::map<std::string, unsigned> words;
    const auto code_of = [&](const std::string& word) { return word.size() == 1 ? gif_byte(word, 0) : words.at(word); };
    codes.put(kClearWords);
    std::string run;
    for (const char pixel : pixels) {
        if (run.empty() || words.contains(run + pixel)) {
            run += pixel;
            continue;
        }
        codes.put(code_of(run));
        words.emplace(run + pixel, kFirstWord + static_cast<unsigned>(words.size()));
        run = pixel;
    }
    codes.put(code_of(run));
    codes.put(kEndOfFrame);
    return codes.bytes();
}

/// Data in blocks, each behind its length.
std::string in_gif_blocks(const std::string& data)
{
    std::string blocks;
    for (std::size_t done = 0; done < data.size(); done += kMaxInBlock) {
        const std::string block = data.substr(done, kMaxInBlock);
        blocks += static_cast<char>(block.size());
        blocks += block;
    }
    return blocks + '\0';
}

/// Moves `place` behind the blocks of data there, and returns their contents.
std::string read_blocks(const std::string& file, std::size_t& place)
{
    std::string data;
    for (std::size_t length = gif_byte(file, place++); length > 0; length = gif_byte(file, place++)) {
        data += file.substr(place, length);
        place += length;
    }
    return data;
}

/// Palette and data of a frame with the same picture, and only with its colours. Pixels of index 0 are not painted.
std::string with_its_colours(const std::string& palette, const Pixels& pixels)
{
    std::map<std::string, char> found;
    std::string colours(3, '\0');
    Pixels chosen;
    for (const char pixel : pixels) {
        if (pixel == 0) {
            chosen += pixel;
            continue;
        }
        const std::string colour = palette.substr(3 * gif_byte({&pixel, 1}, 0), 3);
        const auto [place, is_new] = found.emplace(colour, static_cast<char>(found.size() + 1));
        if (is_new) colours += colour;
        chosen += place->second;
    }
    colours.resize(kPaletteBytes);
    return colours + char{8} + in_gif_blocks(encoded_frame(chosen));
}

/// The file with such palettes. None unless the library's writer has made the file, with small frames.
std::optional<std::string> with_its_colours(const std::string& file)
{
    constexpr unsigned own_palette_of_256 = 0x87;
    const std::size_t pixels = gif_number(file, 6) * gif_number(file, 8);
    if (!file.starts_with("GIF89a") || pixels > kMaxPixels) return std::nullopt;
    std::size_t place = kGifHead;
    if ((gif_byte(file, 10) & 0x80U) != 0) place += std::size_t{3} << ((gif_byte(file, 10) & 7U) + 1U);
    std::string result = file.substr(0, place);
    for (char kind = file.at(place); kind != 0x3B; kind = file.at(place)) {
        const std::size_t begin = place;
        if (kind == 0x21) {
            place += 2;
            static_cast<void>(read_blocks(file, place));
            result += file.substr(begin, place - begin);
            continue;
        }
        if (kind != 0x2C || gif_byte(file, begin + kDescription - 1) != own_palette_of_256) return std::nullopt;
        result += file.substr(begin, kDescription);
        const std::string palette = file.substr(begin + kDescription, kPaletteBytes);
        place = begin + kDescription + kPaletteBytes;
        if (gif_byte(file, place++) != 8) return std::nullopt;
        const Pixels frame = decoded_frame(read_blocks(file, place));
        if (frame.size() != gif_number(file, begin + 5) * gif_number(file, begin + 7) || frame.size() > kMaxPixels)
            return std::nullopt;
        result += with_its_colours(palette, frame);
    }
    return result + file.substr(place);
}

}  // namespace

void clear_unused_colours(const std::filesystem::path& path)
{
    std::ifstream input(path, std::ios::binary);
    std::string file(kGifHead, '\0');
    input.read(file.data(), kGifHead);
    if (!input || gif_number(file, 6) * gif_number(file, 8) > kMaxPixels) return;
    file.append(std::istreambuf_iterator<char>(input), {});
    std::optional<std::string> changed;
    try {
        changed = with_its_colours(file);
    } catch (const std::out_of_range&) {
        return;  // it ends too early
    }
    if (!changed) return;
    std::ofstream output(path, std::ios::binary | std::ios::trunc);
    output << *changed;
    output.close();
    if (!output) throw InputError(std::strerror(errno));
}

}  // namespace clconv::oiio
