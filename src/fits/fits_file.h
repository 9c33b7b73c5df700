// SPDX-License-Identifier: Apache-2.0
// A FITS file to read, and one image of it. Only sources of this folder include cfitsio; no header names it.
//
// File names are plain: cfitsio's own syntax (sections, filters, servers, pipes) is never applied to them.
#pragma once

#include "base/file_type.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace clconv::fits {

/// An HDU (header and data unit) of at least two axes that has pixels.
struct FitsImage {
    int hdu = 1;                     ///< its number, from 1
    std::string name;                ///< EXTNAME, or empty
    int version = 1;                 ///< EXTVER
    std::vector<std::int64_t> axes;  ///< NAXIS1 (width), NAXIS2 (height), NAXIS3, ...

    /// Images of two axes: the product of all axes but the first two.
    [[nodiscard]] std::int64_t planes() const;
};

/// The image of a file that is read.
struct FitsLayout {
    int hdu = 1;                        ///< its number, from 1
    std::vector<std::int64_t> axes;     ///< NAXIS1 (width), NAXIS2 (height), NAXIS3, ...
    FileType type = FileType::float32;  ///< of the samples as they are read: BSCALE and BZERO are applied, BLANK is not
    bool is_scaled = false;             ///< `type` is not the file's own, because of BSCALE, BZERO or BLANK
    bool is_wide = false;               ///< integers of 64 bits, which become doubles
    bool is_compressed = false;         ///< tiles in a binary table, as from fpack
    std::uint64_t blanks = 0;           ///< integer pixels that are BLANK, which become NaN
    std::int64_t begin = 0;             ///< of the HDU, in bytes of the file
    std::int64_t data = 0;              ///< where its pixels begin
    std::int64_t end = 0;               ///< the begin of the next HDU, or where it would be
    std::uint64_t data_bytes = 0;       ///< of the pixels in the file; 0 if compressed
    std::uint64_t block_pixels = 0;     ///< decoded at once
    bool has_sound_rest = true;         ///< the other HDUs are whole
    std::vector<FitsImage> images;      ///< all images of the file, this one included

    /// Images of two axes: the product of all axes but the first two.
    [[nodiscard]] std::int64_t planes() const;
};

/// Whether the file begins as a FITS file.
[[nodiscard]] bool is_fits(const std::filesystem::path& path);

class File {
public:
    /// Opens the file and finds its image in HDU `hdu`, or with 0 its first one. Throws InputError with the name of the
    /// file: no image, damaged, too large.
    explicit File(const std::filesystem::path& path, int hdu = 0);
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] const FitsLayout& layout() const { return layout_; }

    /// The image's header, as cards of 80 bytes, without END. For a compressed image, that of the image. Throws
    /// InputError.
    [[nodiscard]] std::string cards() const;

    /// Reads rows first .. first + count - 1 of a plane, as layout().type, without gaps. Row 0 is the file's first one,
    /// which is the bottom one. Returns cfitsio's reason on failure, else nothing.
    [[nodiscard]] std::string read(std::int64_t plane, int first, int count, std::byte* samples);

private:
    struct Handle;
    void find_image(int wanted);
    void check_axes() const;
    void note_place();
    void note_type(int bitpix);
    void note_others();
    void find_blanks();
    /// Counts BLANK pixels of one row. False if it cannot be read.
    bool count_blanks(std::int64_t plane, int row);
    std::string read_run(std::int64_t plane, int row, std::int64_t column, std::int64_t count, std::byte* samples);
    [[noreturn]] void fail(int status) const;

    std::filesystem::path path_;
    std::unique_ptr<Handle> handle_;
    FitsLayout layout_;
};

}  // namespace clconv::fits
