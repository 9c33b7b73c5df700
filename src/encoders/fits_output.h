// SPDX-License-Identifier: Apache-2.0
// A writer of FITS files. OpenImageIO's own (2.4) does not complete the
// last block and does not know unsigned integers. Private to src/encoders.
//
// Bytes are written as they come, with the top rows at the end, so nothing is held. cfitsio only encodes the checksum,
// because it writes rows in order and its buffers hide a full disk.
#pragma once

#include "codecs/image_output.h"

#include <memory>

namespace clconv::fits {

/// Needs a stream. One image of several channels becomes a cube of as many planes.
/// Several parts of one channel, of one size and type, become the planes of one. The header's cards, and the file's
/// other HDUs, are those of the input if the headers carry them (codecs/fits_input.h).
[[nodiscard]] std::unique_ptr<oiio::ImageOutput> create_output();

}  // namespace clconv::fits
