// Which transfer function a file's samples have, by what it says. Private to src/image.
#pragma once

#include "image/openimageio.h"

#include <filesystem>
#include <memory>
#include <string>

namespace clconv::oiio {

struct FoundTransfer {
    std::shared_ptr<const Transfer> transfer;  ///< none: the samples are no light, and stay as they are
    std::string warning;                       ///< why it is not what the file asks for; names the file; mostly empty
};

/// PNG's cICP, an ICC profile of curves, PNG's sRGB and gAMA, Exif's AdobeRGB, what the library says of other formats,
/// in this order; else sRGB for integers of 8 and 16 bits, and light for floats. OpenEXR and Radiance are light,
/// whatever they say. `image` knows its channels and its stored type.
[[nodiscard]] FoundTransfer transfer_of(const std::filesystem::path& path, const Metadata& metadata,
                                        const Image& image);

/// Whether the file says that its samples are light: its format has no others, or its header tells.
[[nodiscard]] bool says_linear(const OIIO::ImageSpec& header);

}  // namespace clconv::oiio
