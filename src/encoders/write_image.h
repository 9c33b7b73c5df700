// SPDX-License-Identifier: Apache-2.0
// Writes an image file.
#pragma once

#include "image/image.h"
#include "image/write_options.h"

#include <filesystem>

namespace clconv {

/// Writes `image` whole or not at all: under a temporary name in the same folder, renamed when complete. `path`'s
/// extension chooses the format. Samples are converted from image.type (rounded to nearest, clamped) only if they do
/// not have the file's type already. For straight alpha, colours are divided by alpha again (if alpha is 0, they are
/// unchanged). Light is encoded as output_transfer() says.
///
/// A JPEG made from a JPEG has the quality of the input's tables unless another is requested, its subsampling of the
/// chroma, and its progressive mode. Others get quality 95. Metadata are kept as far as the format holds them; from
/// JPEG to JPEG byte for byte, without thumbnails. Windows stay if the size is the input's. Otherwise the data window
/// is at image.place, in the same display window, if the format supports that, else the picture gets a plain window at
/// (0, 0). The compression stays if the format is the input's and no other is requested. A format without alpha gets
/// the associated colours, as over black. A format without gray gets it as RGB. Throws InputError with the file and the
/// reason; then nothing is left behind and an older file is untouched.
void write_image(const std::filesystem::path& path, const Image& image, const WriteOptions& options = {});

}  // namespace clconv
