// A FITS file that is read, and its first image. What includes cfitsio lies in fits_*.cpp; nothing here names it.
// Private to src/image.
//
// File names are taken as they are: cfitsio's own syntax (sections, filters, servers, pipes) never sees them.
#pragma once

#include "base/file_type.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace clconv::fits {

/// The first image of a file: the first HDU (header and data unit) of at least two axes that has pixels.
struct FitsLayout {
    int hdu = 1;                        ///< its number, from 1
    std::vector<std::int64_t> axes;     ///< NAXIS1 (width), NAXIS2 (height), NAXIS3, ...
    FileType type = FileType::float32;  ///< of the samples as they are read: with BSCALE and BZERO, without BLANK
    bool is_scaled = false;             ///< `type` is not the file's own: BSCALE, BZERO or BLANK make numbers of codes
    bool is_compressed = false;         ///< tiles in a binary table, as fpack writes them
    std::uint64_t blanks = 0;           ///< pixels of integers that are BLANK, which come as NaN
    std::int64_t begin = 0;             ///< of the HDU, in bytes of the file
    std::int64_t data = 0;              ///< where its pixels begin
    std::int64_t end = 0;               ///< where the next HDU begins, or would begin
    std::uint64_t data_bytes = 0;       ///< that the pixels take in the file; 0 where compressed
    std::uint64_t block_pixels = 0;     ///< that are decoded at once
    bool has_sound_rest = true;         ///< the other HDUs are whole
    int other_images = 0;               ///< further HDUs of images that have pixels

    /// Images of two axes: the product of all axes but the first two.
    [[nodiscard]] std::int64_t planes() const;
};

/// Whether the file begins as a FITS file.
[[nodiscard]] bool is_fits(const std::filesystem::path& path);

class File {
public:
    /// Opens the file and finds its first image. Throws InputError, naming the file: no image, damaged, too large.
    explicit File(const std::filesystem::path& path);
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] const FitsLayout& layout() const { return layout_; }

    /// The image's header, card after card of 80 bytes, without END. Of a compressed image, that of the image.
    /// Throws InputError.
    [[nodiscard]] std::string cards() const;

    /// Rows first .. first + count - 1 of a plane, as layout().type, without gaps; row 0 is the file's first one, the
    /// lowest. Returns cfitsio's reason if it fails, else nothing.
    [[nodiscard]] std::string read(std::int64_t plane, int first, int count, std::byte* samples);

private:
    struct Handle;
    void find_image();
    void note_place();
    void note_type(int bitpix);
    void note_others();
    void find_blanks();
    /// Of one row. False if it cannot be read.
    bool count_blanks(std::int64_t plane, int row);
    std::string read_run(std::int64_t plane, int row, std::int64_t column, std::int64_t count, std::byte* samples);
    [[noreturn]] void fail(int status) const;

    std::filesystem::path path_;
    std::unique_ptr<Handle> handle_;
    FitsLayout layout_;
};

}  // namespace clconv::fits
