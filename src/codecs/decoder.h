// SPDX-License-Identifier: Apache-2.0
// What decodes an image file. Private to src/codecs, src/encoders and src/openimageio.
#pragma once

#include "codecs/file_header.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace clconv::oiio {

/// The rows begin .. end - 1 of a picture; 0 is its first, wherever its data window begins.
struct RowRange {
    int begin = 0;
    int end = 0;

    [[nodiscard]] int count() const { return end - begin; }
};

/// An open file at one of its images. It begins at the first. Objects are used by one thread at a time.
class Decoder {
public:
    Decoder() = default;
    virtual ~Decoder() = default;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// The file format's name in the table of formats (image/format_table.h).
    [[nodiscard]] virtual std::string_view format() const = 0;
    /// Of the current image.
    [[nodiscard]] virtual const FileHeader& header() const = 0;

    /// Whether the header has only what is needed to write a file of the same format: full_header() makes the rest.
    [[nodiscard]] virtual bool is_abridged() const { return false; }

    /// The number of the current image, and of its mipmap level.
    [[nodiscard]] virtual int part() const { return 0; }
    [[nodiscard]] virtual int level() const { return 0; }
    /// Goes to another image. False if there is none.
    [[nodiscard]] virtual bool seek(int part, int level) { return part == 0 && level == 0; }
    /// The number of images, if the file states it; else 0.
    [[nodiscard]] virtual int stated_parts() { return header().get_int_attribute("oiio:subimages"); }

    /// Decodes rows of a file without tiles to `samples`, without gaps, as they are stored, or (a file of one type, and
    /// a decoder of OpenImageIO) as samples of `type`, if that is known. False if not all could be decoded.
    [[nodiscard]] virtual bool read_rows(RowRange rows, OIIO::TypeDesc type, std::byte* samples) = 0;
    /// The same of a file with tiles. The first row begins a tile, and the last ends one, or the image.
    [[nodiscard]] virtual bool read_tile_rows(RowRange /*rows*/, OIIO::TypeDesc /*type*/, std::byte* /*samples*/)
    {
        return false;
    }
    /// The whole image.
    [[nodiscard]] virtual bool read_image(OIIO::TypeDesc type, std::byte* samples)
    {
        return read_rows({0, header().height}, type, samples);
    }

    /// Whether there is a message that take_error() has not returned yet. A call that succeeds may leave one: a
    /// warning.
    [[nodiscard]] virtual bool has_error() const { return !error_.empty(); }
    [[nodiscard]] virtual std::string take_error() { return std::exchange(error_, {}); }
    /// Adds a line to the message.
    virtual void add_error(const std::string& line)
    {
        if (!error_.empty() && !line.empty()) error_ += '\n';
        error_ += line;
    }

private:
    std::string error_;
};

}  // namespace clconv::oiio
