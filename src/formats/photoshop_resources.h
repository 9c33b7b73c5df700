// SPDX-License-Identifier: Apache-2.0
// Photoshop's image resources, as JPEG and TIFF files have them.
#pragma once

#include <string>

namespace clconv::oiio {

/// Returns `resources` without thumbnails. A block that is not valid by itself, such as one that continues in the next
/// segment of a JPEG, is returned unchanged.
[[nodiscard]] std::string without_photoshop_thumbnail(const std::string& resources);

}  // namespace clconv::oiio
