// SPDX-License-Identifier: Apache-2.0
#include "formats/jpeg_encoding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>

namespace clconv::oiio {
namespace {

constexpr std::size_t kCoefficients = 64;
using Table = std::array<int, kCoefficients>;

/// ISO 10918-1, tables K.1 and K.2, in the zigzag order of files: libjpeg's tables of quality 50.
constexpr Table kLuma{16, 11,  12, 14, 12, 10, 16,  14,  13,  14, 18, 17,  16,  19,  24,  40,  26, 24,  22,  22, 24, 49,
                      35, 37,  29, 40, 58, 51, 61,  60,  57,  51, 56, 55,  64,  72,  92,  78,  64, 68,  87,  69, 55, 56,
                      80, 109, 81, 87, 95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99};
constexpr Table kChroma{17, 18, 18, 24, 21, 24, 47, 26, 26, 47, 99, 66, 56, 66, 99, 99, 99, 99, 99, 99, 99, 99,
                        99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
                        99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99};

int byte_at(const std::string& bytes, std::size_t offset) { return static_cast<unsigned char>(bytes[offset]); }

/// B.2.4.1: each table is a byte of precision and number, then 64 numbers of one byte or two.
void add_tables(const std::string& bytes, std::map<int, Table>& tables)
{
    for (std::size_t offset = 0; offset < bytes.size();) {
        const std::size_t size = byte_at(bytes, offset) >> 4 != 0 ? 2 : 1;
        const int number = byte_at(bytes, offset) & 15;
        ++offset;
        if (offset + size * kCoefficients > bytes.size()) return;
        Table& table = tables[number];
        for (int& entry : table) {
            entry = size == 1 ? byte_at(bytes, offset) : byte_at(bytes, offset) << 8 | byte_at(bytes, offset + 1);
            offset += size;
        }
    }
}

struct Component {
    int name = 0;
    int across = 1;
    int down = 1;
    int table = 0;
};

/// B.2.2. Empty if it is damaged.
std::vector<Component> components_of(const std::string& frame)
{
    constexpr std::size_t head = 6;
    std::vector<Component> components;
    if (frame.size() < head || frame.size() < head + 3 * static_cast<std::size_t>(byte_at(frame, head - 1))) return {};
    for (std::size_t c = 0; c < static_cast<std::size_t>(byte_at(frame, head - 1)); ++c) {
        const int factors = byte_at(frame, head + 3 * c + 1);
        components.push_back(
            {byte_at(frame, head + 3 * c), factors >> 4, factors & 15, byte_at(frame, head + 3 * c + 2)});
    }
    return components;
}

/// As libjpeg decides it: JFIF has luma and chroma, Adobe's segment says it, and else the names of the components.
bool holds_rgb(const std::vector<JpegSegment>& segments, const std::vector<Component>& components)
{
    constexpr std::size_t transform = 11;
    if (components.size() != 3) return false;
    const auto begins = [&](unsigned char marker, std::string_view text) {
        return std::ranges::find_if(segments, [&](const JpegSegment& segment) {
            return segment.marker == marker && segment.bytes.starts_with(text);
        });
    };
    if (begins(0xE0, {"JFIF\0", 5}) != segments.end()) return false;
    const auto adobe = begins(0xEE, "Adobe");
    if (adobe != segments.end() && adobe->bytes.size() > transform) return adobe->bytes[transform] == 0;
    return components[0].name == 'R' && components[1].name == 'G' && components[2].name == 'B';
}

std::string subsampling_of(const std::vector<Component>& components)
{
    if (components.size() != 3) return {};
    const auto is_plain = [](const Component& c) { return c.across == 1 && c.down == 1; };
    if (!is_plain(components[1]) || !is_plain(components[2])) return "4:4:4";
    const Component& luma = components[0];
    if (luma.across == 2 && luma.down == 1) return "4:2:2";
    if (luma.across == 2 && luma.down == 2) return "4:2:0";
    if (luma.across == 4 && luma.down == 1) return "4:1:1";
    return "4:4:4";
}

/// libjpeg's tables of a quality: those of 50 times 50 / quality below it, and times 2 - quality / 50 above.
int table_entry(int standard, int quality)
{
    const int percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    return std::clamp((standard * percent + 50) / 100, 1, 255);
}

/// The distance of a table from that of a quality: the sum of the logarithms of the entries' ratios.
double distance(const Table& table, const Table& standard, int quality)
{
    double sum = 0;
    for (std::size_t i = 0; i < kCoefficients; ++i)
        sum += std::abs(std::log(std::max(table[i], 1) / static_cast<double>(table_entry(standard[i], quality))));
    return sum;
}

int nearest_quality(const Table& luma, const Table* chroma)
{
    int best = 0;
    double minimum = 0;
    for (int quality = 100; quality >= 1; --quality) {
        const double far = distance(luma, kLuma, quality) + (chroma ? distance(*chroma, kChroma, quality) : 0);
        if (best != 0 && far >= minimum) continue;
        best = quality;
        minimum = far;
    }
    return best;
}

}  // namespace

namespace {

bool is_of_quality(const Table& table, const Table& standard, int quality)
{
    for (std::size_t i = 0; i < kCoefficients; ++i)
        if (table[i] != table_entry(standard[i], quality)) return false;
    return true;
}

}  // namespace

std::optional<JpegEncoding> jpeg_encoding(const std::vector<JpegSegment>& segments)
{
    constexpr unsigned char table_marker = 0xDB;
    std::map<int, Table> tables;
    std::vector<Component> components;
    JpegEncoding encoding;
    for (const JpegSegment& segment : segments) {
        if (segment.marker == table_marker) add_tables(segment.bytes, tables);
        if (!is_jpeg_frame(segment.marker)) continue;
        components = components_of(segment.bytes);
        encoding.is_progressive = (segment.marker & 3U) == 2;
    }
    if (components.empty() || !tables.contains(components[0].table)) return std::nullopt;
    const bool has_chroma = components.size() >= 3 && components[1].table != components[0].table;
    const auto chroma = has_chroma ? tables.find(components[1].table) : tables.end();
    encoding.quality =
        nearest_quality(tables.at(components[0].table), chroma != tables.end() ? &chroma->second : nullptr);
    encoding.has_standard_tables = is_of_quality(tables.at(components[0].table), kLuma, encoding.quality) &&
                                   (chroma == tables.end() || is_of_quality(chroma->second, kChroma, encoding.quality));
    encoding.subsampling = subsampling_of(components);
    encoding.is_rgb = holds_rgb(segments, components);
    return encoding;
}

}  // namespace clconv::oiio
