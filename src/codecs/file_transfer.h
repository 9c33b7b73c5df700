// SPDX-License-Identifier: Apache-2.0
// The transfer function of a file's samples, from what the file says. Private to src/codecs.
#pragma once

#include "codecs/decoding.h"

#include <filesystem>
#include <memory>
#include <string>

namespace clconv::oiio {

struct FoundTransfer {
    std::shared_ptr<const Transfer> transfer;  ///< none: the samples are not light, and stay unchanged
    std::string warning;  ///< why it is not the one that the file states, with the name of the file; else empty
};

/// PNG's cICP, an ICC profile of curves, PNG's sRGB and gAMA, Exif's AdobeRGB, what the library says of other formats,
/// in this order; else sRGB for integers of 8 and 16 bits, and light for floats. OpenEXR and Radiance are light,
/// whatever they say. `image` knows its channels and its stored type.
[[nodiscard]] FoundTransfer transfer_of(const std::filesystem::path& path, const Metadata& metadata,
                                        const Image& image);

/// Whether the file says that its samples are light, by its format or its header.
[[nodiscard]] bool says_linear(const FileHeader& header);

}  // namespace clconv::oiio
