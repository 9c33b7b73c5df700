// SPDX-License-Identifier: Apache-2.0
#include "formats/sgi_rows.h"

#include "formats/byte_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

namespace clconv::oiio {
namespace {

constexpr std::uint64_t kSgiHead = 512;

/// The file's head: what the library's reader takes from it.
struct SgiHead {
    bool is_rle = false;
    std::uint64_t sample_bytes = 0;
    std::uint64_t width = 0;
    std::uint64_t rows = 0;     ///< of all channels
    std::uint64_t entries = 0;  ///< of each of its two tables, one for each row in an RLE file
};

std::optional<SgiHead> sgi_head(std::string_view head)
{
    SgiHead found;
    const std::uint64_t dimension = number_in(head, 4, 2, ByteOrder::big);
    const std::uint64_t height = number_in(head, 8, 2, ByteOrder::big);
    const std::uint64_t channels = number_in(head, 10, 2, ByteOrder::big);
    found.is_rle = number_in(head, 2, 1, ByteOrder::big) == 1;
    found.sample_bytes = number_in(head, 3, 1, ByteOrder::big);
    found.width = number_in(head, 6, 2, ByteOrder::big);
    found.entries = height * channels;
    if (dimension < 1 || dimension > 3) return std::nullopt;  // the library says so
    found.rows = 1;
    if (dimension > 1) found.rows = height;
    if (dimension > 2) found.rows = height * channels;
    return found;
}

/// Whether `coded` are runs that make at most `width` samples and end with the bytes that they are in. A run begins
/// with a sample whose low seven bits are its length: so many samples follow, or, without the eighth bit, one that is
/// repeated. A length of 0 is the end.
bool fits_row(std::string_view coded, const SgiHead& head)
{
    const std::uint64_t size = head.sample_bytes;
    std::uint64_t made = 0;
    for (std::uint64_t place = 0; place < coded.size();) {
        if (coded.size() - place < size) return false;
        const std::uint64_t first = number_in(coded, place, static_cast<int>(size), ByteOrder::big);
        const std::uint64_t count = first & 0x7FU;
        if (count == 0) return true;
        const std::uint64_t follow = size * ((first & 0x80U) != 0 ? count : 1);
        place += size;
        made += count;
        if (follow > coded.size() - place || made > head.width) return false;
        place += follow;
    }
    return true;
}

/// The entries of a table at `place`; empty if the file ends before.
std::string sgi_table(std::ifstream& file, std::uint64_t place, std::uint64_t entries)
{
    std::string table(4 * entries, '\0');
    file.seekg(static_cast<std::streamoff>(place));
    file.read(table.data(), static_cast<std::streamsize>(table.size()));
    return file ? table : std::string();
}

std::string fault_of_rows(std::ifstream& file, std::uint64_t file_bytes, const SgiHead& head)
{
    if (head.entries < head.rows || head.entries > (file_bytes - kSgiHead) / 8)
        return fmt::format("it says that it has {} rows and is too short for the table of their places", head.entries);
    const std::string places = sgi_table(file, kSgiHead, head.entries);
    const std::string lengths = sgi_table(file, kSgiHead + 4 * head.entries, head.entries);
    if (lengths.empty()) return "its table of rows is empty";
    std::string coded;
    for (std::uint64_t row = 0; row < head.rows; ++row) {
        const std::uint64_t place = number_in(places, 4 * row, 4, ByteOrder::big);
        const std::uint64_t length = number_in(lengths, 4 * row, 4, ByteOrder::big);
        if (place > file_bytes || length > file_bytes - place) continue;  // the library notices
        coded.resize(length);
        file.seekg(static_cast<std::streamoff>(place));
        if (!file.read(coded.data(), static_cast<std::streamsize>(length))) return "it cannot be read";
        if (!fits_row(coded, head))
            return fmt::format("row {} is coded with more than its {} samples, or goes on behind its {} bytes", row,
                               head.width, length);
    }
    return {};
}

}  // namespace

std::string fault_of_sgi(const std::filesystem::path& path)
{
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    std::string first(kSgiHead, '\0');
    std::ifstream file(path, std::ios::binary);
    if (error || !file.read(first.data(), static_cast<std::streamsize>(first.size()))) return "its head is incomplete";
    const std::optional<SgiHead> head = sgi_head(first);
    if (!head) return {};
    if (head->sample_bytes < 1 || head->sample_bytes > 2)
        return fmt::format("its samples are said to have {} bytes, and SGI files have 1 or 2", head->sample_bytes);
    return head->is_rle ? fault_of_rows(file, bytes, *head) : std::string();
}

}  // namespace clconv::oiio
