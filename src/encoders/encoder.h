// SPDX-License-Identifier: Apache-2.0
// Encodes one file with a writer of this folder, or with the library's. Private to src/encoders.
#pragma once

#include "base/bytes.h"
#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "codecs/image_output.h"
#include "encoders/memory_file.h"
#include "encoders/output_stream.h"
#include "formats/rla_row_ends.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::oiio {

/// Whether a file may be held in memory until it is complete, if the library's writer accepts no stream.
enum class Held { may_be, must_not_be };

/// The writer of a format, by the library's name, for a file with this header: one of this folder, which needs a
/// stream, or the library's. Null if there is none.
[[nodiscard]] std::unique_ptr<ImageOutput> create_output(std::string_view format, const FileHeader& header,
                                                         Writer writer = Writer::library);

/// A header for rows from the top down: tiles only if a row of them is not long, because the encoder holds it, and no
/// progressive JPEG, because libjpeg would hold all coefficients until the end.
[[nodiscard]] FileHeader from_the_top_down(FileHeader header, const FileFormat& format);

/// Passes `count` rows of `image` from `first` on, which are at `samples`, to `write` in blocks of 16 MiB. This bounds
/// the memory for conversion and encoding.
void write_rows(const ImageView& image, const std::byte* samples, int first, int count,
                const std::function<void(const ImageView& rows, int first)>& write);

/// The file that an encoder writes.
struct EncodedFile {
    std::filesystem::path target;     ///< the name in messages
    std::filesystem::path temporary;  ///< where the bytes go: an existing file
    std::uint64_t begin = 0;          ///< bytes of it that stay in front of them
};

class Encoder {
public:
    /// Opens the file. Throws InputError. With a `begin`, the file may be held in memory.
    Encoder(EncodedFile file, const FileFormat& format, const FileHeader& header, Held held,
            Writer writer = Writer::library);
    /// A file of several parts (OpenEXR or GIF). Each part is written before next().
    Encoder(EncodedFile file, const FileFormat& format, std::vector<FileHeader> headers);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    /// Writes all samples, with each channel in its type of the header. Throws InputError.
    void write_all(const std::byte* samples);
    /// Writes `count` rows from `first` on. Calls go from the top down. Throws InputError.
    void write_rows(int first, int count, const std::byte* samples);
    /// Continues with the next part. Throws InputError.
    void next();
    /// Completes the file. Throws InputError.
    void close();

private:
    /// `samples`: of the rows from y on that one row of tiles has.
    void write_row_of_tiles(int y, const std::byte* samples);
    void write_into_tiles(int first, int count, const std::byte* samples);
    [[nodiscard]] OIIO::TypeDesc type_of_samples() const;
    [[nodiscard]] bool turns_rows() const;
    void write_from_below(const std::byte* samples);
    void note_row_ends(const std::byte* samples);
    void erase_invented();
    void pad_last_tile();
    void open(const FileFormat& format, Held held, Writer writer);
    void check_is_written();
    /// Reads a part's rows from `first` on. Throws InputError.
    void read_back(int part, int first) const;
    void check(bool written);
    [[noreturn]] void fail(const std::string& why) const;

    EncodedFile file_;
    std::vector<FileHeader> headers_;  ///< of all parts
    std::size_t part_ = 0;
    FileHeader header_;  ///< of this one
    OutputStream stream_;
    std::string name_;
    std::optional<MemoryFile> memory_;
    Bytes row_of_tiles_;                   ///< its rows so far
    std::optional<RowEnds> row_ends_;      ///< of RLA files of integers
    bool by_path_ = false;                 ///< the library itself writes to `temporary`
    std::unique_ptr<ImageOutput> output_;  ///< the last member: its destructor still writes to the others
};

}  // namespace clconv::oiio
