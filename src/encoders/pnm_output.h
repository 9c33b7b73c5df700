// SPDX-License-Identifier: Apache-2.0
// A writer of PGM and PPM files. OpenImageIO's own (2.4) writes 8 bits
// alone. Private to src/encoders.
#pragma once

#include "codecs/image_output.h"

#include <memory>

namespace clconv::pnm {

/// Needs a stream. Rows come from the top down. Samples of 8 and 16 bits get the
/// maxval of the input if the header has it, of the same number of bytes and above 15, else 255 or 65535. Text stays
/// text.
[[nodiscard]] std::unique_ptr<oiio::ImageOutput> create_output();

}  // namespace clconv::pnm
