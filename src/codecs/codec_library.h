// SPDX-License-Identifier: Apache-2.0
// OpenImageIO as src/codecs and src/encoders see it. Its 260 libraries are loaded when something of this is first
// called. Private to these two and src/openimageio.
#pragma once

#include "codecs/decoder.h"
#include "codecs/file_header.h"
#include "codecs/image_output.h"

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/typedesc.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace clconv::oiio {

/// How the library opens a file. Straight alpha always stays as it is: the library would associate it in 8 bits.
struct OpenHints {
    OIIO::Filesystem::IOProxy* view = nullptr;  ///< to read instead of the file
    bool is_raw = false;                        ///< inks stay inks
    std::string_view format = {};               ///< where the library does not know it by the file's bytes; its name
    std::optional<bool> newer_exr = {};         ///< of OpenEXR files: whether its newer reader is used
};

class CodecLibrary {
public:
    CodecLibrary() = default;
    virtual ~CodecLibrary() = default;
    CodecLibrary(const CodecLibrary&) = delete;
    CodecLibrary& operator=(const CodecLibrary&) = delete;

    /// Of clconv, as this was built.
    [[nodiscard]] virtual std::string_view version() const = 0;

    /// Null if no decoder takes the file: take_error().
    [[nodiscard]] virtual std::unique_ptr<Decoder> open(const std::filesystem::path& path, const OpenHints& hints) = 0;
    /// Null if there is none: take_error().
    [[nodiscard]] virtual std::unique_ptr<ImageOutput> create_output(std::string_view format) = 0;
    [[nodiscard]] virtual std::string take_error() = 0;

    /// The library's conversion of samples: integers are fractions of their largest value.
    virtual void convert(OIIO::TypeDesc from, const std::byte* samples, OIIO::TypeDesc to, std::byte* result,
                         std::size_t count) = 0;
    /// Add what such blocks state to the attributes.
    virtual void decode_exif(std::string_view block, FileHeader& header) = 0;
    virtual void decode_xmp(std::string_view packet, FileHeader& header) = 0;
};

/// Loads the library, once. Throws InternalError if it cannot be loaded.
[[nodiscard]] CodecLibrary& codec_library();

}  // namespace clconv::oiio
