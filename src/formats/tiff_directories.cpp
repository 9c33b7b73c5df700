// SPDX-License-Identifier: Apache-2.0
#include "formats/tiff_directories.h"

#include "formats/byte_order.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

constexpr std::uint16_t kSubfileType = 254;
constexpr std::uint16_t kOldSubfileType = 255;
constexpr std::uint16_t kStripOffsets = 273;
constexpr std::uint16_t kTileOffsets = 324;
constexpr std::uint16_t kSubDirectories = 330;
constexpr std::uint16_t kExif = 34665;
constexpr std::uint16_t kGps = 34853;
constexpr std::uint16_t kInteroperability = 40965;

bool names_directories(std::uint16_t tag)
{
    return tag == kSubDirectories || tag == kExif || tag == kGps || tag == kInteroperability;
}

/// Moves what a directory points to. `deepest`: levels of directories below it that are followed.
bool move_directory(TiffFile& file, std::uint64_t begin, std::uint64_t offset, int deepest)
{
    const std::optional<TiffDirectory> directory = file.directory(begin + offset);
    if (!directory || deepest < 0) return false;
    for (TiffField field : directory->fields) {
        if (!field.is_inside) {
            // directory() took the offset for one in the file, and it is one behind `begin`.
            field.place += begin;
            if (!file.set_offset(field.entry + (file.is_big() ? 12 : 8), field.place)) return false;
        }
        const bool names_samples = field.tag == kStripOffsets || field.tag == kTileOffsets;
        if (!names_samples && !names_directories(field.tag)) continue;
        for (std::uint64_t i = 0; i < field.count; ++i) {
            const std::uint64_t old = file.value(field, i);
            if (!names_samples && !move_directory(file, begin, old, deepest - 1)) return false;
            if (!file.set_value(field, i, begin + old)) return false;
        }
    }
    return true;
}

}  // namespace

int TiffField::value_bytes() const
{
    constexpr std::array<int, 19> sizes{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    return type < sizes.size() ? sizes[type] : 0;
}

const TiffField* TiffDirectory::field(std::uint16_t tag) const
{
    const auto found = std::ranges::find(fields, tag, &TiffField::tag);
    return found == fields.end() ? nullptr : &*found;
}

TiffFile::TiffFile(const std::filesystem::path& path, Access access, std::uint64_t begin)
    : file_(::open(path.c_str(), (access == Access::read ? O_RDONLY : O_RDWR) | O_CLOEXEC)), begin_(begin)
{
    struct stat status = {};
    if (file_ < 0 || ::fstat(file_, &status) != 0) return;
    size_ = static_cast<std::uint64_t>(status.st_size);
    read_head();
}

TiffFile::TiffFile(std::string contents) : contents_(std::move(contents))
{
    size_ = contents_.size();
    read_head();
}

void TiffFile::read_head()
{
    std::array<char, 4> head{};
    if (!read(begin_, head.data(), head.size())) return;
    const std::string_view magic(head.data(), head.size());
    is_little_ = magic[0] == 'I';
    is_big_ = magic == std::string_view("II\x2B\0", 4) || magic == std::string_view("MM\0\x2B", 4);
    is_tiff_ = is_big_ || magic == std::string_view("II\x2A\0", 4) || magic == std::string_view("MM\0\x2A", 4);
}

TiffFile::~TiffFile()
{
    if (file_ >= 0) ::close(file_);
}

bool TiffFile::read(std::uint64_t place, void* bytes, std::size_t count) const
{
    if (file_ < 0) {
        if (place > size_ || count > size_ - place) return false;
        std::memcpy(bytes, contents_.data() + place, count);
        return true;
    }
    return place < size_ && ::pread(file_, bytes, count, static_cast<off_t>(place)) == static_cast<ssize_t>(count);
}

std::uint64_t TiffFile::number(std::uint64_t place, int bytes) const
{
    std::array<unsigned char, 8> read_bytes{};
    if (!read(place, read_bytes.data(), static_cast<std::size_t>(bytes))) return 0;
    return decoded(read_bytes.data(), bytes);
}

std::uint64_t TiffFile::decoded(const unsigned char* number, int bytes) const
{
    const std::string_view read_bytes(reinterpret_cast<const char*>(number), static_cast<std::size_t>(bytes));
    return number_in(read_bytes, 0, bytes, is_little_ ? ByteOrder::little : ByteOrder::big);
}

bool TiffFile::set_number(std::uint64_t place, int bytes, std::uint64_t value)
{
    if (bytes < 8 && value >> (8U * static_cast<unsigned>(bytes)) != 0) return false;
    std::array<unsigned char, 8> written{};
    for (int i = 0; i < bytes; ++i, value >>= 8U)
        written[static_cast<std::size_t>(is_little_ ? i : bytes - 1 - i)] = static_cast<unsigned char>(value & 0xFFU);
    return ::pwrite(file_, written.data(), static_cast<std::size_t>(bytes), static_cast<off_t>(place)) == bytes;
}

std::optional<TiffDirectory> TiffFile::directory(std::uint64_t place) const
{
    const std::uint64_t head = is_big_ ? 8 : 2;
    const std::uint64_t entry = is_big_ ? 20 : 12;
    const std::uint64_t room = is_big_ ? 8 : 4;  // for an offset, or for values
    if (place == 0 || place >= size_ || size_ - place < head + room) return std::nullopt;
    const std::uint64_t count = number(place, static_cast<int>(head));
    constexpr std::uint64_t max_fields = 65535;
    if (count == 0 || count > max_fields || count > (size_ - place - head - room) / entry) return std::nullopt;
    std::vector<unsigned char> block(count * entry);
    if (!read(place + head, block.data(), block.size())) return std::nullopt;
    TiffDirectory directory;
    directory.place = place;
    directory.fields.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const unsigned char* bytes = block.data() + i * entry;
        TiffField field;
        field.entry = place + head + i * entry;
        field.tag = static_cast<std::uint16_t>(decoded(bytes, 2));
        field.type = static_cast<std::uint16_t>(decoded(bytes + 2, 2));
        field.count = decoded(bytes + 4, static_cast<int>(room));
        const auto size = static_cast<std::uint64_t>(field.value_bytes());
        field.is_inside = size == 0 || field.count <= room / size;
        field.place = field.is_inside ? field.entry + 4 + room : decoded(bytes + 4 + room, static_cast<int>(room));
        directory.fields.push_back(field);
    }
    directory.next_place = place + head + count * entry;
    directory.next = offset_at(directory.next_place);
    return directory;
}

std::optional<TiffDirectory> TiffFile::page(std::uint64_t place) const
{
    if (!is_tiff_) return std::nullopt;
    return directory(place == 0 ? offset_at(first_place()) : place);
}

std::uint64_t TiffFile::value(const TiffDirectory& directory, std::uint16_t tag, std::uint64_t otherwise) const
{
    const TiffField* field = directory.field(tag);
    return field != nullptr ? value(*field) : otherwise;
}

std::uint64_t TiffFile::value(const TiffField& field, std::uint64_t index) const
{
    constexpr std::array<std::uint16_t, 7> whole{1, 3, 4, 13, 16, 18, 0};
    if (index >= field.count || std::ranges::find(whole, field.type) == whole.end()) return 0;
    const int bytes = field.value_bytes();
    return number(field.place + index * static_cast<std::uint64_t>(bytes), bytes);
}

bool TiffFile::set_offset(std::uint64_t place, std::uint64_t offset)
{
    return set_number(place, is_big_ ? 8 : 4, offset);
}

bool TiffFile::set_value(const TiffField& field, std::uint64_t index, std::uint64_t value)
{
    const int bytes = field.value_bytes();
    return set_number(field.place + index * static_cast<std::uint64_t>(bytes), bytes, value);
}

std::string TiffFile::bytes(std::uint64_t place, std::uint64_t count) const
{
    if (place >= size_ || count > size_ - place) return {};
    std::string bytes(count, '\0');
    return read(place, bytes.data(), bytes.size()) ? bytes : std::string();
}

bool TiffFile::append(std::uint64_t place, const std::string& bytes)
{
    if (::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(place)) != static_cast<ssize_t>(bytes.size()))
        return false;
    size_ = place + bytes.size();
    return true;
}

TiffPages tiff_pages(const TiffFile& file)
{
    constexpr std::size_t max_pages = std::size_t{1} << 17U;
    TiffPages pages;
    std::set<std::uint64_t> visited;
    for (std::uint64_t place = file.offset_at(file.first_place()); place != 0;) {
        std::optional<TiffDirectory> directory =
            visited.insert(place).second ? file.directory(place) : std::optional<TiffDirectory>();
        if (!directory || pages.directories.size() == max_pages) {
            pages.damage = "the directory behind that of page " + std::to_string(pages.directories.size()) +
                           " is damaged, or one too many; pages may be missing";
            break;
        }
        place = directory->next;
        pages.directories.push_back(std::move(*directory));
    }
    return pages;
}

bool is_reduced(const TiffFile& file, const TiffDirectory& page)
{
    if (const TiffField* type = page.field(kSubfileType)) return (file.value(*type) & 1U) != 0;
    const TiffField* old = page.field(kOldSubfileType);
    return old != nullptr && file.value(*old) == 2;
}

std::optional<std::uint64_t> join_tiff(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t last_next)
{
    constexpr int deepest = 2;  // a page, its Exif, and what that names
    TiffFile file(path, TiffFile::Access::change, begin);
    if (!file.is_tiff()) return std::nullopt;
    const std::uint64_t first = file.offset_at(file.first_place());
    if (!move_directory(file, begin, first, deepest)) return std::nullopt;
    const std::optional<TiffDirectory> moved = file.directory(begin + first);
    if (!moved || moved->next != 0 || !file.set_offset(last_next, begin + first)) return std::nullopt;
    return moved->next_place;
}

}  // namespace clconv::oiio
