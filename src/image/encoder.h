// One file on its way through the library's writer. Private to src/image.
#pragma once

#include "image/file_formats.h"
#include "image/memory_file.h"
#include "image/openimageio.h"
#include "image/output_stream.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv::oiio {

/// Whether a file may be held in memory until it is complete, where the library's writer takes no stream of ours.
enum class Held { may_be, must_not_be };

/// A header for rows from the top down: no tiles, and no progressive JPEG, of which libjpeg holds all coefficients
/// until the end.
[[nodiscard]] OIIO::ImageSpec from_the_top_down(OIIO::ImageSpec header);

/// Gives `count` rows of `image`, which lie at `samples` and are those from `first` on, to `write` in blocks of 16 MiB,
/// so that what is converted and encoded at a time is bounded.
void write_rows(const ImageView& image, const std::byte* samples, int first, int count,
                const std::function<void(const ImageView& rows, int first)>& write);

class Encoder {
public:
    /// Opens the file. Its bytes go to `temporary`, an empty file, or behind the first `begin` bytes of one; messages
    /// name `target`. Throws InputError. With a `begin` the file may be held in memory.
    Encoder(std::filesystem::path target, const std::filesystem::path& temporary, const FileFormat& format,
            const OIIO::ImageSpec& header, Held held, std::uint64_t begin = 0);
    /// A file of several parts, each of which is written before next(); of OpenEXR or GIF.
    Encoder(std::filesystem::path target, const std::filesystem::path& temporary, const FileFormat& format,
            std::vector<OIIO::ImageSpec> headers);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    /// All samples, as the header has them, each channel in its own type. Throws InputError.
    void write_all(const std::byte* samples);
    /// `count` rows from `first` on, one call after the other from the top down. Throws InputError.
    void write_rows(int first, int count, const std::byte* samples);
    /// Goes on to the next part. Throws InputError.
    void next();
    /// Completes the file. Throws InputError.
    void close();

private:
    void write_tiles(const std::byte* samples);
    void write_tile_rows(const std::byte* samples);
    [[nodiscard]] OIIO::TypeDesc type_of_samples() const;
    void erase_invented();
    void open(const FileFormat& format, Held held);
    void check_is_written();
    /// Reads a part's rows from `first` on. Throws InputError.
    void read_back(int part, int first) const;
    void check(bool written);
    [[noreturn]] void fail(const std::string& why) const;

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::vector<OIIO::ImageSpec> headers_;  ///< of all parts
    std::size_t part_ = 0;
    OIIO::ImageSpec header_;  ///< of this one
    std::uint64_t begin_ = 0;
    OutputStream stream_;
    std::string name_;
    std::optional<MemoryFile> memory_;
    bool by_path_ = false;                       ///< the library writes to `temporary` by itself
    std::unique_ptr<OIIO::ImageOutput> output_;  ///< the last member: its end still writes to the others
};

}  // namespace clconv::oiio
