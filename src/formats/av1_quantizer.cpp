// SPDX-License-Identifier: Apache-2.0
#include "formats/av1_quantizer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Sections are those of the "AV1 Bitstream & Decoding Process Specification".
namespace clconv::oiio {
namespace {

/// A part of the head that still pictures do not use, or the end of the bytes.
struct NotStill {};

class Bits {
public:
    explicit Bits(std::string_view bytes) : bytes_(bytes) {}

    std::uint32_t operator()(int count)
    {
        std::uint32_t value = 0;
        for (int i = 0; i < count; ++i, ++place_) {
            if (place_ / 8 >= bytes_.size()) throw NotStill{};
            const unsigned byte = static_cast<unsigned char>(bytes_[place_ / 8]);
            value = value << 1U | (byte >> (7 - place_ % 8) & 1U);
        }
        return value;
    }
    bool flag() { return (*this)(1) != 0; }
    void skip(int count) { (*this)(count); }

private:
    std::string_view bytes_;
    std::size_t place_ = 0;
};

constexpr std::uint32_t kChosenByFrame = 2;

struct Sequence {
    bool is_reduced = false;
    std::uint32_t screen_content = kChosenByFrame;
    std::uint32_t integer_motion = kChosenByFrame;
    int order_bits = 0;
    int id_bits = 0;
    int width_bits = 0;
    int height_bits = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    bool has_large_blocks = false;
    bool has_superres = false;
    bool has_both_deltas = false;
    Av1Coding coding;
};

/// 5.5.1, of a sequence that says of more than a single picture.
void read_operating_points(Bits& bits)
{
    if (bits.flag()) throw NotStill{};  // timing
    const bool has_delay = bits.flag();
    const std::uint32_t points = bits(5) + 1;
    for (std::uint32_t i = 0; i < points; ++i) {
        bits.skip(12);
        constexpr std::uint32_t min_level_with_tier = 8;
        if (bits(5) >= min_level_with_tier) bits.skip(1);
        if (has_delay && bits.flag()) bits.skip(4);
    }
}

/// 5.5.1: tools between frames, and what a frame may choose.
void read_tools(Bits& bits, Sequence& sequence)
{
    bits.skip(4);
    const bool has_order = bits.flag();
    if (has_order) bits.skip(2);
    if (!bits.flag()) sequence.screen_content = bits(1);
    if (sequence.screen_content > 0 && !bits.flag()) sequence.integer_motion = bits(1);
    if (has_order) sequence.order_bits = static_cast<int>(bits(3)) + 1;
}

/// 5.5.2
void read_colours(Bits& bits, std::uint32_t profile, Sequence& sequence)
{
    constexpr std::uint32_t srgb_primaries = 1;
    constexpr std::uint32_t srgb_transfer = 13;
    Av1Coding& coding = sequence.coding;
    const bool is_high = bits.flag();
    const bool is_12 = profile == 2 && is_high && bits.flag();
    coding.is_gray = profile != 1 && bits.flag();
    std::uint32_t primaries = 2;
    std::uint32_t transfer = 2;
    if (bits.flag()) {
        primaries = bits(8);
        transfer = bits(8);
        coding.matrix = static_cast<int>(bits(8));
    }
    if (coding.is_gray) return bits.skip(1);
    if (!(primaries == srgb_primaries && transfer == srgb_transfer && coding.matrix == 0)) {
        bits.skip(1);  // the range
        const bool halves_across = profile == 0 || (profile == 2 && (!is_12 || bits.flag()));
        const bool halves_down = profile == 0 || (is_12 && halves_across && bits.flag());
        if (halves_across && halves_down) bits.skip(2);
        coding.chroma = (halves_across ? 0.5 : 1) * (halves_down ? 0.5 : 1);
    }
    sequence.has_both_deltas = bits.flag();
}

/// 5.5.1
Sequence read_sequence(std::string_view unit)
{
    Bits bits(unit);
    Sequence sequence;
    const std::uint32_t profile = bits(3);
    bits.skip(1);
    sequence.is_reduced = bits.flag();
    if (sequence.is_reduced)
        bits.skip(5);
    else
        read_operating_points(bits);
    sequence.width_bits = static_cast<int>(bits(4)) + 1;
    sequence.height_bits = static_cast<int>(bits(4)) + 1;
    sequence.width = bits(sequence.width_bits) + 1;
    sequence.height = bits(sequence.height_bits) + 1;
    if (!sequence.is_reduced && bits.flag()) {
        const int of_delta = static_cast<int>(bits(4)) + 2;
        sequence.id_bits = of_delta + static_cast<int>(bits(3)) + 1;
    }
    sequence.has_large_blocks = bits.flag();
    bits.skip(2);
    if (!sequence.is_reduced) read_tools(bits, sequence);
    sequence.has_superres = bits.flag();
    bits.skip(2);
    read_colours(bits, profile, sequence);
    return sequence;
}

/// 7.2: the smallest k with `block` * 2^k >= `target`.
int tile_log2(std::uint32_t block, std::uint32_t target)
{
    int k = 0;
    while ((block << static_cast<unsigned>(k)) < target) ++k;
    return k;
}

int incremented(Bits& bits, int value, int maximum)
{
    while (value < maximum && bits.flag()) ++value;
    return value;
}

/// 5.9.15
void skip_tiles(Bits& bits, const Sequence& sequence, std::uint32_t width, std::uint32_t height)
{
    constexpr std::uint32_t max_tiles = 64;
    constexpr std::uint32_t max_width = 4096;
    constexpr std::uint32_t max_area = 4096 * 2304;
    const std::uint32_t block = sequence.has_large_blocks ? 128 : 64;
    const std::uint32_t across = (width + block - 1) / block;
    const std::uint32_t down = (height + block - 1) / block;
    const int min_across = tile_log2(max_width / block, across);
    const int minimum = std::max(min_across, tile_log2(max_area / (block * block), across * down));
    if (!bits.flag()) throw NotStill{};  // tiles of several sizes
    const int columns = incremented(bits, min_across, tile_log2(1, std::min(across, max_tiles)));
    const int rows = incremented(bits, std::max(minimum - columns, 0), tile_log2(1, std::min(down, max_tiles)));
    if (columns + rows > 0) bits.skip(columns + rows + 2);
}

/// 5.9.5 to 5.9.8: the size of the frame, coded and shown.
void read_frame_size(Bits& bits, const Sequence& sequence, bool is_own, std::uint32_t& width, std::uint32_t& height)
{
    if (is_own) {
        width = bits(sequence.width_bits) + 1;
        height = bits(sequence.height_bits) + 1;
    }
    if (sequence.has_superres && bits.flag()) throw NotStill{};  // which is a loss in any case
    if (bits.flag()) bits.skip(32);
}

bool is_zero_delta(Bits& bits) { return !bits.flag() || bits(7) == 0; }

/// 5.9.12
bool has_exact_codes(Bits& bits, const Sequence& sequence)
{
    bool is_exact = bits(8) == 0;
    is_exact &= is_zero_delta(bits);
    if (sequence.coding.is_gray) return is_exact;
    const int planes = sequence.has_both_deltas && bits.flag() ? 2 : 1;
    for (int i = 0; i < 2 * planes; ++i) is_exact &= is_zero_delta(bits);
    return is_exact;
}

/// 5.9.2, of a key frame that is shown.
bool is_lossless_frame(std::string_view unit, const Sequence& sequence)
{
    Bits bits(unit);
    if (!sequence.is_reduced) {
        constexpr std::uint32_t shown_key_frame = 1;  // of four bits: not an old one, of type 0, shown
        if (bits(4) != shown_key_frame) throw NotStill{};
    }
    const bool has_fixed_tables = bits.flag();
    const std::uint32_t screen = sequence.screen_content == kChosenByFrame ? bits(1) : sequence.screen_content;
    if (screen > 0 && sequence.integer_motion == kChosenByFrame) bits.skip(1);
    bits.skip(sequence.id_bits);
    const bool has_own_size = !sequence.is_reduced && bits.flag();
    bits.skip(sequence.order_bits);
    std::uint32_t width = sequence.width;
    std::uint32_t height = sequence.height;
    read_frame_size(bits, sequence, has_own_size, width, height);
    if (screen > 0) bits.skip(1);
    if (!sequence.is_reduced && !has_fixed_tables) bits.skip(1);
    skip_tiles(bits, sequence, width, height);
    return has_exact_codes(bits, sequence);
}

/// 4.10.5: a number in groups of seven bits, the lowest first. Moves `units` behind it.
std::size_t leb128(std::string_view& units)
{
    std::size_t value = 0;
    for (unsigned i = 0; i < 8; ++i) {
        if (units.empty()) throw NotStill{};
        const unsigned byte = static_cast<unsigned char>(units.front());
        units.remove_prefix(1);
        value |= static_cast<std::size_t>(byte & 0x7FU) << (7 * i);
        if (byte < 0x80) return value;
    }
    throw NotStill{};
}

}  // namespace

std::optional<Av1Coding> av1_coding(std::string_view units)
{
    constexpr unsigned sequence_head = 1;
    constexpr unsigned frame_head = 3;
    constexpr unsigned frame = 6;
    std::optional<Sequence> sequence;
    try {
        while (!units.empty()) {  // 5.3
            const unsigned head = static_cast<unsigned char>(units.front());
            const unsigned type = head >> 3U & 15U;
            units.remove_prefix((head & 4U) != 0 && units.size() > 1 ? 2 : 1);
            const std::size_t size = (head & 2U) != 0 ? leb128(units) : units.size();
            const std::string_view unit = units.substr(0, size);
            if (type == sequence_head) sequence = read_sequence(unit);
            if ((type == frame_head || type == frame) && sequence) {
                sequence->coding.is_lossless = is_lossless_frame(unit, *sequence);
                return sequence->coding;
            }
            units.remove_prefix(std::min(size, units.size()));
        }
    } catch (const NotStill&) {
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace clconv::oiio
