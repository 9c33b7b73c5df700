// SPDX-License-Identifier: Apache-2.0
// The chain of directories in a TIFF file, one for each page, without a library: the kind of a page, its position, and
// how a page that was written as a separate file becomes a page of another file.
//
// After TIFF Revision 6.0 (Adobe, 1992), section 2, and the BigTIFF extension (AWare Systems, 2007).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clconv::oiio {

/// One field of a directory.
struct TiffField {
    std::uint16_t tag = 0;
    std::uint16_t type = 0;
    std::uint64_t count = 0;
    std::uint64_t place = 0;  ///< in the file, of the first value: in the directory itself or elsewhere
    bool is_inside = false;   ///< the values lie in the directory
    std::uint64_t entry = 0;  ///< in the file, of the field itself

    /// Bytes of one value; 0 for a type that is not known.
    [[nodiscard]] int value_bytes() const;
};

struct TiffDirectory {
    std::uint64_t place = 0;
    std::vector<TiffField> fields;
    std::uint64_t next = 0;        ///< where the next one lies; 0: this is the last
    std::uint64_t next_place = 0;  ///< where the file says that

    [[nodiscard]] const TiffField* field(std::uint16_t tag) const;
};

class TiffFile {
public:
    enum class Access { read, change };
    /// A TIFF that begins `begin` bytes after the start of the file. Its own offsets count from there or, after
    /// join_tiff(), from the start of the file.
    explicit TiffFile(const std::filesystem::path& path, Access access = Access::read, std::uint64_t begin = 0);
    /// A TIFF in memory, such as an Exif block, that is only read.
    explicit TiffFile(std::string contents);
    ~TiffFile();
    TiffFile(const TiffFile&) = delete;
    TiffFile& operator=(const TiffFile&) = delete;

    [[nodiscard]] bool is_tiff() const { return is_tiff_; }
    /// Whether offsets have 64 bits.
    [[nodiscard]] bool is_big() const { return is_big_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] bool is_little() const { return is_little_; }
    /// Where the file says which directory is the first.
    [[nodiscard]] std::uint64_t first_place() const { return begin_ + (is_big_ ? 8 : 4); }

    /// The directory at `place` of the file; none if there is no complete one.
    [[nodiscard]] std::optional<TiffDirectory> directory(std::uint64_t place) const;
    /// The directory of a page: at `place`, or the first one if `place` is 0. None if the file is no TIFF, either.
    [[nodiscard]] std::optional<TiffDirectory> page(std::uint64_t place) const;
    /// The first whole number of a tag; `otherwise` if the directory does not have the tag.
    [[nodiscard]] std::uint64_t value(const TiffDirectory& directory, std::uint16_t tag, std::uint64_t otherwise) const;
    /// A whole number of a field; 0 if there is none, or of another type.
    [[nodiscard]] std::uint64_t value(const TiffField& field, std::uint64_t index = 0) const;
    [[nodiscard]] std::uint64_t offset_at(std::uint64_t place) const { return number(place, is_big_ ? 8 : 4); }

    /// `count` bytes as they are; none if the file ends before.
    [[nodiscard]] std::string bytes(std::uint64_t place, std::uint64_t count) const;

    /// These need Access::change. They return false if the file could not be written, or has no room for the number.
    [[nodiscard]] bool set_offset(std::uint64_t place, std::uint64_t offset);
    [[nodiscard]] bool set_value(const TiffField& field, std::uint64_t index, std::uint64_t value);
    /// Bytes behind the end, which is at `place` or shortly before it.
    [[nodiscard]] bool append(std::uint64_t place, const std::string& bytes);

private:
    void read_head();
    [[nodiscard]] bool read(std::uint64_t place, void* bytes, std::size_t count) const;
    [[nodiscard]] std::uint64_t number(std::uint64_t place, int bytes) const;
    [[nodiscard]] std::uint64_t decoded(const unsigned char* number, int bytes) const;
    [[nodiscard]] bool set_number(std::uint64_t place, int bytes, std::uint64_t value);

    int file_ = -1;
    std::string contents_;  ///< of a TIFF in memory
    std::uint64_t begin_ = 0;
    std::uint64_t size_ = 0;
    bool is_tiff_ = false;
    bool is_big_ = false;
    bool is_little_ = true;
};

/// The directories of a file's pages, in order.
struct TiffPages {
    std::vector<TiffDirectory> directories;
    std::string damage;  ///< why there may be more than these; else empty
};
[[nodiscard]] TiffPages tiff_pages(const TiffFile& file);

/// Whether a page is a smaller copy of another one.
[[nodiscard]] bool is_reduced(const TiffFile& file, const TiffDirectory& page);

/// Makes the TIFF of one page that begins at `begin` of the file at `path` (its offsets count from there) a further
/// page of the one at the file's start, whose last directory is named at `last_next`. Returns where the new page's
/// directory names the one behind it; none if it is not such a TIFF, or if offsets of 32 bits do not reach it.
[[nodiscard]] std::optional<std::uint64_t> join_tiff(const std::filesystem::path& path, std::uint64_t begin,
                                                     std::uint64_t last_next);

}  // namespace clconv::oiio
