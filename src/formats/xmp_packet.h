// SPDX-License-Identifier: Apache-2.0
// XMP as files embed it: a packet of XML.
#pragma once

#include "base/extent.h"

#include <string>

namespace clconv::oiio {

/// Returns `packet` with the picture's width and height replaced wherever it states them. Nothing else changes.
[[nodiscard]] std::string xmp_of_size(std::string packet, Extent size);

/// The packet without the property xmp:Thumbnails, which has small pictures (xmpGImg:image).
[[nodiscard]] std::string without_xmp_thumbnails(std::string packet);

/// The packet of a picture that its decoder has turned upright, and that has this size now: its orientation is 1.
[[nodiscard]] std::string upright_xmp(std::string packet, Extent size);

}  // namespace clconv::oiio
