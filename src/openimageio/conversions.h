// SPDX-License-Identifier: Apache-2.0
// OpenImageIO's headers and clconv's, of which the one is made of the other.
#pragma once

#include "codecs/file_header.h"

#include <OpenImageIO/imageio.h>

namespace clconv::oiio {

[[nodiscard]] FileHeader header_of(const OIIO::ImageSpec& spec);
[[nodiscard]] OIIO::ImageSpec spec_of(const FileHeader& header);

}  // namespace clconv::oiio
