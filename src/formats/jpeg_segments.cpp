// SPDX-License-Identifier: Apache-2.0
#include "formats/jpeg_segments.h"

#include <array>
#include <fstream>
#include <istream>
#include <sstream>

namespace clconv::oiio {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{32} << 20U;
constexpr int kStart = 0xD8;
constexpr int kScan = 0xDA;
constexpr int kEnd = 0xD9;

/// The byte after one or several 0xFF; -1 if there is no marker.
int next_marker(std::istream& file)
{
    if (file.get() != 0xFF) return -1;
    int marker = 0xFF;
    while (marker == 0xFF) marker = file.get();
    return file ? marker : -1;
}

/// ISO 10918-1, B.1.1.4: each begins with its marker and, in two bytes, its length with these two.
std::vector<JpegSegment> segments_in(std::istream& file)
{
    std::vector<JpegSegment> segments;
    std::size_t total = 0;
    if (next_marker(file) != kStart) return segments;
    for (int marker = next_marker(file); marker > 0 && marker != kScan && marker != kEnd; marker = next_marker(file)) {
        const int high = file.get();
        const int length = high << 8 | file.get();
        if (!file || length < 2) break;
        JpegSegment segment{static_cast<unsigned char>(marker),
                            std::string(static_cast<std::size_t>(length - 2), '\0')};
        file.read(segment.bytes.data(), static_cast<std::streamsize>(segment.bytes.size()));
        if (!file) break;
        total += segment.bytes.size();
        if (total > kMaxBytes) return {};
        segments.push_back(std::move(segment));
    }
    return segments;
}

}  // namespace

std::optional<JpegPlace> jpeg_segment_at(FileHead& file, std::uint64_t offset)
{
    constexpr std::size_t before_contents = 4;
    constexpr std::uint64_t max_filling = std::uint64_t{1} << 16U;
    const std::uint64_t last = offset + max_filling;
    std::string head = file.part(offset, before_contents);
    while (head.starts_with("\xFF\xFF") && offset < last) head = file.part(++offset, before_contents);
    const std::uint64_t length = number_in(head, 2, 2, ByteOrder::big);  // with its own two bytes
    if (number_in(head, 0, 1, ByteOrder::big) != 0xFF || length < 2) return std::nullopt;
    return JpegPlace{static_cast<unsigned char>(head[1]), offset + before_contents, length - 2};
}

std::vector<JpegSegment> jpeg_segments(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return segments_in(file);
}

std::vector<JpegSegment> jpeg_segments(const std::string& bytes)
{
    std::istringstream file(bytes);
    return segments_in(file);
}

}  // namespace clconv::oiio
