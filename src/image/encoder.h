// One file on its way through the library's writer. Private to src/image.
#pragma once

#include "image/file_formats.h"
#include "image/memory_file.h"
#include "image/openimageio.h"
#include "image/output_stream.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace clconv::oiio {

/// Whether a file may be held in memory until it is complete, where the library's writer takes no stream of ours.
enum class Held { may_be, must_not_be };

class Encoder {
public:
    /// Opens the file. Its bytes go to `temporary`, an empty file; messages name `target`. Throws InputError.
    Encoder(std::filesystem::path target, const std::filesystem::path& temporary, const FileFormat& format,
            const OIIO::ImageSpec& header, Held held);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    /// All samples, as the header has them. Throws InputError.
    void write_all(const std::byte* samples);
    /// `count` rows from `first` on, one call after the other from the top down. Throws InputError.
    void write_rows(int first, int count, const std::byte* samples);
    /// Completes the file. Throws InputError.
    void close();

private:
    void write_tiles(const std::byte* samples);
    void erase_invented();
    /// Reads the file's rows from `first` on. Throws InputError.
    void read_back(int first) const;
    void check(bool written);
    [[noreturn]] void fail(const std::string& why) const;

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    OIIO::ImageSpec header_;
    OutputStream stream_;
    std::optional<MemoryFile> memory_;
    bool by_path_ = false;                       ///< the library writes to `temporary` by itself
    std::unique_ptr<OIIO::ImageOutput> output_;  ///< the last member: its end still writes to the others
};

}  // namespace clconv::oiio
