// SPDX-License-Identifier: Apache-2.0
// A writer of JPEG files by libjpeg alone: OpenImageIO's writer calls the same library, but needs 260 others. Private
// to src/encoders.
//
// The files are those of OpenImageIO 2.4, byte for byte. docs/decisions/057-codecs-without-openimageio.md
#pragma once

#include "codecs/image_output.h"

#include <memory>

namespace clconv::jpeg {

/// Whether it writes a file of this header, and all that the header says: one or three channels of 8 bits, with
/// "oiio:ColorSpace", "Orientation", "ICCProfile", "CompressionQuality", "jpeg:subsampling" and "jpeg:progressive".
/// With any other attribute, OpenImageIO may write further metadata.
[[nodiscard]] bool can_write(const oiio::FileHeader& header);

/// Needs a stream, and a header that can_write(). Rows come from the top down. Rows that are missing when the file is
/// closed become black. Without close(), the file stays incomplete.
[[nodiscard]] std::unique_ptr<oiio::ImageOutput> create_output();

}  // namespace clconv::jpeg
