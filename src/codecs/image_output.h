// SPDX-License-Identifier: Apache-2.0
// What encodes an image file. Private to src/codecs, src/encoders and src/openimageio.
#pragma once

#include "codecs/decoder.h"
#include "codecs/file_header.h"

#include <OpenImageIO/filesystem.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv::oiio {

/// Which writer of a format is used, if there are two.
enum class Writer {
    plain,   ///< clconv's own: the metadata of the file will be those of its input, byte for byte
    library  ///< which writes the attributes of the header
};

/// A file that is written from its first row to its last. Objects are used by one thread at a time. Functions that fail
/// return false, and take_error() has the reason.
class ImageOutput {
public:
    ImageOutput() = default;
    /// May still write to the stream.
    virtual ~ImageOutput() = default;
    ImageOutput(const ImageOutput&) = delete;
    ImageOutput& operator=(const ImageOutput&) = delete;

    /// The file format's name in the table of formats (image/format_table.h).
    [[nodiscard]] virtual std::string_view format() const = 0;
    [[nodiscard]] virtual bool takes_stream() const { return true; }
    [[nodiscard]] virtual bool takes_tiles() const { return false; }

    /// Where the bytes go; the name is then only noted. Before open().
    void set_stream(OIIO::Filesystem::IOProxy* stream) { stream_ = stream; }
    /// Begins a file of one image for each of the headers, with the first of them.
    [[nodiscard]] virtual bool open(const std::string& name, const std::vector<FileHeader>& headers) = 0;
    /// Continues with the next image.
    [[nodiscard]] virtual bool open_next(const std::string& name, const FileHeader& header);
    /// Of the current image, as it is written.
    [[nodiscard]] virtual const FileHeader& header() const = 0;

    /// `samples` are of `type`, or each channel in the type of the header if that is unknown.
    [[nodiscard]] virtual bool write_rows(RowRange rows, OIIO::TypeDesc type, const std::byte* samples) = 0;
    [[nodiscard]] virtual bool write_image(OIIO::TypeDesc type, const std::byte* samples)
    {
        return write_rows({0, header().height}, type, samples);
    }
    /// A whole tile whose first pixel is at (x, y) of the picture.
    [[nodiscard]] virtual bool write_tile(int x, int y, OIIO::TypeDesc type, const std::byte* samples);
    /// Rows of tiles, without what lies beyond the picture.
    [[nodiscard]] virtual bool write_tile_rows(RowRange rows, OIIO::TypeDesc type, const std::byte* samples);
    [[nodiscard]] virtual bool close() = 0;

    [[nodiscard]] virtual std::string take_error() { return std::exchange(error_, {}); }

protected:
    [[nodiscard]] OIIO::Filesystem::IOProxy* stream() const { return stream_; }
    /// Notes the reason of a failure, and returns false.
    bool fail(const std::string& why)
    {
        if (!error_.empty()) error_ += '\n';
        error_ += why;
        return false;
    }

private:
    OIIO::Filesystem::IOProxy* stream_ = nullptr;
    std::string error_;
};

inline bool ImageOutput::open_next(const std::string& /*name*/, const FileHeader& /*header*/)
{
    return fail("a file of this format holds one image");
}

inline bool ImageOutput::write_tile(int /*x*/, int /*y*/, OIIO::TypeDesc /*type*/, const std::byte* /*samples*/)
{
    return fail("a file of this format has no tiles");
}

inline bool ImageOutput::write_tile_rows(RowRange /*rows*/, OIIO::TypeDesc /*type*/, const std::byte* /*samples*/)
{
    return fail("a file of this format has no tiles");
}

}  // namespace clconv::oiio
